#include "view_numerics/findings.h"

/* "linear (native_call_addmm.out)" */
static void add_name(eti_buffer *text, const eti_point *point) {
    if (point->source_node.size > 0)
        eti__buffer_printf(text, "%.*s (", ETI_TEXT_ARGS(point->source_node));
    eti__buffer_add_text(text, eti__numerics_name(point));
    if (point->source_node.size > 0)
        eti__buffer_add_char(text, ')');
}

/* "linear (native_call_addmm.out), output 0: snr 25.3 dB, max_abs 0.5, the worst of 3 inputs" */
static void add_message(eti_buffer *text, const eti_joined_difference *joined,
                        const eti_point *point) {
    const eti_difference *row = &joined->worst;
    const char *status = eti__difference_status_name(row->status);
    add_name(text, point);
    eti__buffer_printf(text, ", output %u:", (unsigned)row->of->output);
    if (joined->n_compared > 0)
        eti__buffer_printf(text, " snr %.3g dB, max_abs %.3g", row->metrics.snr,
                           row->metrics.max_abs);
    if (joined->n_compared > 1)
        eti__buffer_printf(text, ", the worst of %zu inputs", joined->n_compared);
    if (status)
        eti__buffer_printf(text, "%s %s", joined->n_compared > 0 ? "," : "", status);
}

static void describe(const void *context, size_t number, eti_buffer *key, eti_buffer *message,
                     eti_finding *out) {
    const numerics_view *view = context;
    const eti_joined_difference *joined = &view->joined.rows[number];
    const eti_difference *row = &joined->worst;
    const eti_point *point = row->of->newer ? row->of->newer : row->of->base;
    const eti_place *place = &view->places_of[number];
    out->name = eti__numerics_name(point);
    if (point->event)
        out->block = point->event->block->label;
    if (point->node)
        out->op = point->node->op_type;
    if (place->module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(&view->places, place->module);
    if (place->has_frames && place->frame != ETI_PREFIX_ROOT) {
        out->file = eti__places_frame(&view->places, place->frame)->frame.file;
        out->line = eti__places_frame(&view->places, place->frame)->frame.line;
    }
    if (view->options->is_each)
        eti__buffer_printf(key, "input %zu: ", joined->input);
    eti__buffer_add_text(message, eti__buffer_text(key));
    add_name(key, point);
    eti__buffer_printf(key, "#%u", (unsigned)row->of->output);
    add_message(message, joined, point);
}

static bool differs(const void *context, size_t number) {
    const numerics_view *view = context;
    const eti_joined_difference *joined = &view->joined.rows[number];
    return joined->n_compared > 0 && eti__metrics_differ(&joined->worst.metrics);
}

eti_failing_rows eti__numerics_failing_rows(const numerics_view *view) {
    return (eti_failing_rows){view->joined.n, view->joined.n_compared, differs, describe, view};
}

eti_status eti__numerics_add_findings(eti_report *report, const numerics_view *view,
                                      eti_error *err) {
    const eti_failing_rows rows = eti__numerics_failing_rows(view);
    return eti__failing_add_findings(report, &view->failing, view->options, &rows, err);
}
