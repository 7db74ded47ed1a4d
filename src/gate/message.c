/*
 * message.c - describes the outcome of a check in one line: the entry, its numbers, the rule and the line of source.
 */
#include "base/stack_frame.h"
#include "gate/parts.h"

#include <math.h>

static void add_value(eti_buffer *out, const eti_gate_rule *rule, double value) {
    eti__buffer_printf(out, rule->scope == ETI_GATE_ALLOCATION ? "%.15g" : "%.4g", value);
}

static const char *unit_name(const eti_gate *gate, const eti_gate_rule *rule) {
    if (rule->scope == ETI_GATE_ALLOCATION)
        return "bytes";
    return eti_time_scale_name(gate->diffs[0].new_side->target_scale);
}

/* Of a group, an operator would be that of its largest event only. */
static void add_name(eti_buffer *out, const eti_diff_row *row, bool is_event) {
    const eti_entry *entry = row->new_side.entry;
    eti__buffer_printf(out, "%.*s", ETI_TEXT_ARGS(row->name));
    if (is_event && entry && entry->op.data && entry->op.size > 0 &&
        !eti__text_equal(entry->op, row->name))
        eti__buffer_printf(out, " (%.*s)", ETI_TEXT_ARGS(entry->op));
}

static void add_numbers(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    const eti_interval *interval = &check->row->interval;
    bool is_median = rule->metric == ETI_GATE_P50;
    eti__buffer_printf(out, ": %s ", eti__gate_metric_name(rule->metric));
    if (!isnan(check->base) && rule->kind != ETI_GATE_ABSOLUTE) {
        add_value(out, rule, check->base);
        eti__buffer_add_string(out, " -> ");
    }
    add_value(out, rule, check->new_side);
    eti__buffer_printf(out, " %s", unit_name(gate, rule));
    if (check->finding == ETI_FINDING_TOO_FEW)
        return;
    if (!isnan(check->ratio))
        eti__buffer_printf(
            out, ", %+.1f %%%s (%g %% interval%s %+.1f to %+.1f %%)", (check->ratio - 1) * 100,
            check->row->is_relative && is_median ? " against the rest of its runs" : "",
            gate->options.diff.confidence * 100, is_median ? "" : " of the median",
            (interval->low - 1) * 100, (interval->high - 1) * 100);
    if (eti__gate_rule_is_tested(rule))
        eti__buffer_printf(out, ", p = %.2g", check->p);
    if (eti__gate_rule_is_tested(rule) && check->n_family > 1)
        eti__buffer_printf(out, " adjusted for %zu checks", check->n_family);
    eti__buffer_add_string(out, ", ");
    if (rule->kind != ETI_GATE_ABSOLUTE)
        eti__buffer_printf(out, "%zu and ", check->row->base.n_runs);
    eti__buffer_printf(out, "%zu runs", check->row->new_side.n_runs);
}

static void add_need(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    (void)gate;
    eti__buffer_printf(out, ": too few files to say, %zu a side are needed", check->n_needed);
}

static void add_allowance(eti_buffer *out, const eti_check *check) {
    const eti_allowance *allowance = check->allowance;
    if (!allowance)
        return;
    if (allowance->is_expired)
        eti__buffer_printf(out, "; was allowed until %.*s (%.*s: %.*s)",
                           ETI_TEXT_ARGS(allowance->expires), ETI_TEXT_ARGS(allowance->origin),
                           ETI_TEXT_ARGS(allowance->reason));
    else
        eti__buffer_printf(out, "; allowed%s%.*s (%.*s: %.*s)",
                           allowance->expires.data ? " until " : "",
                           ETI_TEXT_ARGS(allowance->expires), ETI_TEXT_ARGS(allowance->origin),
                           ETI_TEXT_ARGS(allowance->reason));
}

void eti__gate_add_message(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    const eti_entry *entry = check->row->new_side.entry;
    add_name(out, check->row, rule->scope == ETI_GATE_OP);
    if (check->finding == ETI_FINDING_TOO_FEW)
        add_need(out, gate, check);
    else
        add_numbers(out, gate, check);
    eti__buffer_printf(out, "; rule %.*s", ETI_TEXT_ARGS(rule->text));
    if (rule->origin.data)
        eti__buffer_printf(out, " (%.*s%s%.*s)", ETI_TEXT_ARGS(rule->origin),
                           rule->comment.data ? ": " : "", ETI_TEXT_ARGS(rule->comment));
    add_allowance(out, check);
    if (!entry || !entry->file.data)
        return;
    eti__buffer_add_string(out, "; ");
    eti__add_source_line(out, entry->file, entry->line);
    if (entry->code.size > 0)
        eti__buffer_printf(out, ": %.*s", ETI_TEXT_ARGS(entry->code));
}
