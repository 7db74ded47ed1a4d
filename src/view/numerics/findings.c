#include "view/numerics/findings.h"

/* "linear (native_call_addmm.out)" */
static void add_name(eti_buffer *text, const eti_point *point) {
    if (point->source_node.size > 0)
        eti__buffer_printf(text, "%.*s (", ETI_TEXT_ARGS(point->source_node));
    eti__buffer_add_text(text, eti__numerics_name(point));
    if (point->source_node.size > 0)
        eti__buffer_add_char(text, ')');
}

/* "linear (native_call_addmm.out), output 0: snr 25.3 dB, max_abs 0.5" */
static void add_message(eti_buffer *text, const eti_difference *row, const eti_point *point) {
    const char *status = eti__difference_status_name(row->status);
    add_name(text, point);
    eti__buffer_printf(text, ", output %u:", (unsigned)row->of->output);
    if (eti__difference_is_compared(row))
        eti__buffer_printf(text, " snr %.3g dB, max_abs %.3g", row->metrics.snr,
                           row->metrics.max_abs);
    if (status)
        eti__buffer_printf(text, "%s %s", eti__difference_is_compared(row) ? "," : "", status);
}

static void describe(const void *context, size_t number, eti_buffer *key, eti_buffer *message,
                     eti_finding *out) {
    const numerics_view *view = context;
    const eti_difference *row = &view->differences.rows[number];
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
    add_name(key, point);
    eti__buffer_printf(key, "#%u", (unsigned)row->of->output);
    add_message(message, row, point);
}

eti_status eti__numerics_add_findings(eti_report *report, const numerics_view *view,
                                      eti_error *err) {
    const eti_failing_rows rows = {view->differences.n, view->differences.n_compared, describe,
                                   view};
    return eti__failing_add_findings(report, &view->failing, view->options, &rows, err);
}
