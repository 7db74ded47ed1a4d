#include "view/numerics/findings.h"

#include "base/text.h"
#include "gate/result.h"

#include <math.h>

/* Makes a text of the report of what is in the buffer, and empties it. */
static bool take_text(eti_report *report, eti_buffer *from, eti_text *out) {
    bool done = !from->failed && eti__arena_own_text(&report->arena, eti__buffer_text(from), out);
    from->size = 0;
    return done;
}

/* "linear (native_call_addmm.out), output 0: snr 25.3 dB, max_abs 0.5" */
static void add_message(eti_buffer *text, const eti_difference *row, const eti_point *point) {
    const char *status = eti__difference_status_name(row->status);
    if (point->source_node.size > 0)
        eti__buffer_printf(text, "%.*s (", ETI_TEXT_ARGS(point->source_node));
    eti__buffer_add_text(text, eti__numerics_name(point));
    eti__buffer_printf(text, "%s, output %u:", point->source_node.size > 0 ? ")" : "",
                       (unsigned)row->of->output);
    if (eti__difference_is_compared(row))
        eti__buffer_printf(text, " snr %.3g dB, max_abs %.3g", row->metrics.snr,
                           row->metrics.max_abs);
    if (status)
        eti__buffer_printf(text, "%s %s", eti__difference_is_compared(row) ? "," : "", status);
}

static bool make_finding(eti_report *report, const numerics_view *view, size_t number,
                         eti_buffer *scratch, eti_finding *out) {
    const eti_difference *row = &view->differences.rows[number];
    const eti_point *point = row->of->newer ? row->of->newer : row->of->base;
    const eti_place *place = &view->places_of[number];
    out->name = eti__numerics_name(point);
    out->base = out->new_side = out->p50_base = out->p50_new = out->change = NAN;
    out->relative_change = out->low = out->high = out->p = out->detectable = out->share = NAN;
    out->files_base = out->files_new = out->runs_base = out->runs_new = 1;
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
    if (point->source_node.size > 0)
        eti__buffer_printf(scratch, "%.*s (", ETI_TEXT_ARGS(point->source_node));
    eti__buffer_add_text(scratch, out->name);
    eti__buffer_printf(scratch, "%s#%u", point->source_node.size > 0 ? ")" : "",
                       (unsigned)row->of->output);
    if (!take_text(report, scratch, &out->key))
        return false;
    add_message(scratch, row, point);
    return take_text(report, scratch, &out->message);
}

static bool make_rules(eti_report *report, const numerics_view *view, eti_gate_result *gate) {
    gate->n_rules = view->options->n_fail_on;
    gate->rules = eti__arena_alloc_zero(&report->arena, gate->n_rules, sizeof *gate->rules);
    for (size_t i = 0; gate->rules && i < gate->n_rules; i++) {
        eti_rule_findings *rule = &gate->rules[i];
        rule->outcome = ETI_RULE_PASSED;
        rule->reach.n_fit = view->differences.n;
        rule->alpha = rule->detectable = rule->wanted = NAN;
        if (!eti__arena_own_text(&report->arena, eti__text_of(view->options->fail_on[i]),
                                 &rule->rule))
            return false;
    }
    return gate->rules != NULL;
}

static bool make_findings(eti_report *report, const numerics_view *view, eti_gate_result *gate,
                          eti_buffer *scratch) {
    gate->n_findings = view->n_chosen;
    gate->findings = eti__arena_alloc_zero(&report->arena, view->n_chosen, sizeof *gate->findings);
    bool done = gate->findings != NULL;
    for (size_t i = 0; done && i < view->n_chosen; i++) {
        eti_rule_findings *rule = &gate->rules[view->rules[i]];
        eti_finding *finding = &gate->findings[i];
        finding->kind = ETI_FINDING_FAILED;
        finding->rule = rule;
        rule->outcome = ETI_RULE_FAILED;
        rule->n[ETI_FINDING_FAILED]++;
        done = make_finding(report, view, view->chosen[i], scratch, finding);
    }
    return done;
}

eti_status eti__numerics_add_findings(eti_report *report, const numerics_view *view,
                                      eti_error *err) {
    eti_gate_result *gate = eti__arena_alloc_zero(&report->arena, 1, sizeof *gate);
    eti_buffer scratch = {0};
    if (!gate)
        return eti_fail_memory(err);
    gate->outcome = view->n_chosen > 0 ? ETI_GATE_FAILED : ETI_GATE_PASSED;
    gate->time_scale = report->time_scale;
    gate->coverage = (eti_gate_coverage){view->differences.n, view->differences.n_compared, NAN};
    bool done = make_rules(report, view, gate) && make_findings(report, view, gate, &scratch);
    eti__buffer_printf(&scratch, "%zu of %zu outputs fail", view->n_chosen, view->differences.n);
    done = done && take_text(report, &scratch, &gate->headline);
    eti__buffer_free(&scratch);
    if (!done)
        return eti_fail_memory(err);
    report->gate = gate;
    return ETI_OK;
}
