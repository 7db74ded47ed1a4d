/*
 * report.c - turns a gate into a report: a row per rule, with what failed below, then a row per finding.
 */
#include "table/report.h"
#include "gate/parts.h"
#include "table/columns.h"

/* Lines below the table; the rest is in the table of checks. */
#define MOST_LINES 10

/* ---- findings -------------------------------------------------------------------------------- */

ETI_CELL_SETTER(eti_finding, kind, eti__string_cell(eti__finding_kind_name(row->kind)))
ETI_CELL_SETTER(eti_finding, rule, eti__text_or_none(row->rule->rule))
ETI_CELL_SETTER(eti_finding, name, eti__text_or_none(row->name))
ETI_CELL_SETTER(eti_finding, change, eti__number_or_none(row->change))
ETI_CELL_SETTER_IF(eti_finding, base, !row->is_bytes, eti__number_or_none(row->base))
ETI_CELL_SETTER_IF(eti_finding, new, !row->is_bytes, eti__number_or_none(row->new_side))
ETI_CELL_SETTER_IF(eti_finding, base_bytes, row->is_bytes, eti__bytes_or_none(row->base))
ETI_CELL_SETTER_IF(eti_finding, new_bytes, row->is_bytes, eti__bytes_or_none(row->new_side))
ETI_CELL_SETTER(eti_finding, p, eti__number_or_none(row->p))
ETI_CELL_SETTER(eti_finding, n_new, eti__count_cell(row->n_new))
ETI_CELL_SETTER(eti_finding, op, eti__text_or_none(row->op))
ETI_CELL_SETTER(eti_finding, n_base, eti__count_cell(row->n_base))
ETI_CELL_SETTER(eti_finding, n_needed, eti__count_cell(row->n_needed))
ETI_CELL_SETTER(eti_finding, share, eti__number_or_none(row->share))
ETI_CELL_SETTER(eti_finding, key, eti__text_or_none(row->key))
ETI_CELL_SETTER(eti_finding, block, eti__text_or_none(row->block))
ETI_CELL_SETTER(eti_finding, module, eti__text_or_none(row->module))
ETI_CELL_SETTER(eti_finding, scope, eti__string_cell(row->scope))
ETI_CELL_SETTER(eti_finding, metric, eti__string_cell(row->metric))
ETI_CELL_SETTER(eti_finding, low, eti__number_or_none(row->low))
ETI_CELL_SETTER(eti_finding, high, eti__number_or_none(row->high))
ETI_CELL_SETTER_IF(eti_finding, is_paced, row->is_compared, eti__bool_cell(row->is_paced))
ETI_CELL_SETTER(eti_finding, file, eti__text_or_none(row->file))
ETI_CELL_SETTER_IF(eti_finding, line, row->file.data, eti__count_cell(row->line))
ETI_CELL_SETTER(eti_finding, reason, eti__text_or_none(row->reason))
ETI_CELL_SETTER(eti_finding, message, eti__text_or_none(row->message))

/* `about_memory`: a rule is about bytes. */
static eti_status make_findings(eti_table **out, const eti_gate_result *result, bool about_memory,
                                const char *unit, eti_error *err) {
    const eti_column_spec columns[] = {
        {"verdict", ETI_TEXTS, false, "failed, too few (samples to say), allowed, or passed",
         set_kind},
        {"rule", ETI_TEXTS, false, "the rule as it was given", set_rule},
        {"name", ETI_TEXTS, false, "of the event, the group or the total on the new side",
         set_name},
        {"change", ETI_SHARES, false,
         "new / base - 1, as compared: relative to the pace of runs where is_paced", set_change},
        {"base", ETI_TIMES, false, "the metric of the rule on the base side, as measured",
         set_base},
        {"new", ETI_TIMES, false, "the same on the new side", set_new},
        {"base_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, !about_memory,
         "of a rule about allocation: the metric on the base side", set_base_bytes},
        {"new_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, !about_memory, "the same on the new side",
         set_new_bytes},
        {"p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
         "how likely chance makes such a difference, adjusted for all checks of the rule", set_p},
        {"runs", ETI_COUNTS, false, "of the new side", set_n_new},
        {"op", ETI_TEXTS, false, "operators of the event", set_op},
        {"base_runs", ETI_COUNTS, true, "of the base side", set_n_base},
        {"runs_needed", ETI_COUNTS, true, "a side, without which the check could never fail",
         set_n_needed},
        {"share", ETI_SHARES, true, "of the total of its EventBlock, on the new side", set_share},
        {"key", ETI_TEXTS, true,
         "block, name and metric, with a number where names are the same: stays from run to run",
         set_key},
        {"block", ETI_TEXTS, true, "the EventBlock", set_block},
        {"module", ETI_TEXTS, true, "innermost module that all nodes of the event share",
         set_module},
        {"scope", ETI_TEXTS, true, "what the rule is about", set_scope},
        {"metric", ETI_TEXTS, true, "p50, avg, p90, min or max", set_metric},
        {"change_low", ETI_SHARES, true,
         "the lower end of the interval of the change of the median", set_low},
        {"change_high", ETI_SHARES, true, "its upper end", set_high},
        {"is_paced", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true,
         "samples were divided by the pace of their runs", set_is_paced},
        {"source_file", ETI_TEXTS, true,
         "the model's source file; of a group, that of its largest event", set_file},
        {"source_line", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "the line in it", set_line},
        {"reason", ETI_TEXTS, true, "why the regression is allowed, or was until the entry expired",
         set_reason},
        {"message", ETI_TEXTS, true, "all of this in one line, where the check was not passed",
         set_message},
    };
    return eti__columns_make_array(out, columns, ETI_N_COLUMNS(columns), result->findings,
                                   sizeof *result->findings, result->n_findings, unit, err);
}

static bool is_about_memory(const eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        if (gate->rules.rules[i].scope == ETI_GATE_ALLOCATION)
            return true;
    }
    return false;
}

static eti_status add_findings(eti_report *report, const eti_gate *gate, bool lists_passed,
                               eti_error *err) {
    const char *unit = eti__column_unit(report->gate->time_scale, report->gate->includes_units);
    eti_table *table;
    ETI_TRY(make_findings(&table, report->gate, is_about_memory(gate), unit, err));
    ETI_TRY(eti__report_add(
        report, "checks", lists_passed ? "All checks" : "Checks that were not passed", table, err));
    report->selected = report->n_sections - 1;
    report->sections[report->selected].is_detail = true;
    report->sections[report->selected].is_told_above =
        table->n_rows == 0; /* the rules count them */
    return ETI_OK;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static size_t count_checks(const eti_rule_findings *rule) {
    size_t n = 0;
    for (size_t kind = 0; kind < ETI_N_FINDING_KINDS; kind++)
        n += rule->n[kind];
    return n;
}

/* The worst of its findings counts. */
static const char *outcome_of(const eti_rule_findings *rule) {
    for (int kind = 0; kind < ETI_N_FINDING_KINDS; kind++) {
        if (rule->n[kind] > 0)
            return eti__finding_kind_name((eti_finding_kind)kind);
    }
    return "nothing to check";
}

ETI_CELL_SETTER(eti_rule_findings, text, eti__text_or_none(row->rule))
ETI_CELL_SETTER(eti_rule_findings, outcome, eti__string_cell(outcome_of(row)))
ETI_CELL_SETTER(eti_rule_findings, checked, eti__count_cell(count_checks(row)))
ETI_CELL_SETTER(eti_rule_findings, failed, eti__count_cell(row->n[ETI_FINDING_FAILED]))
ETI_CELL_SETTER(eti_rule_findings, too_few, eti__count_cell(row->n[ETI_FINDING_TOO_FEW]))
ETI_CELL_SETTER(eti_rule_findings, allowed, eti__count_cell(row->n[ETI_FINDING_ALLOWED]))
ETI_CELL_SETTER(eti_rule_findings, origin, eti__text_or_none(row->origin))
ETI_CELL_SETTER(eti_rule_findings, comment, eti__text_or_none(row->comment))

static eti_status add_rules(eti_report *report, eti_error *err) {
    static const char *const titles[] = {
        [ETI_GATE_PASSED] = "Gate passed",
        [ETI_GATE_FAILED] = "Gate failed",
        [ETI_GATE_TOO_FEW] = "Gate undecided",
    };
    static const eti_column_spec columns[] = {
        {"rule", ETI_TEXTS, false, NULL, set_text},
        {"verdict", ETI_TEXTS, false, NULL, set_outcome},
        {"checked", ETI_COUNTS, false, NULL, set_checked},
        {"failed", ETI_COUNTS, false, NULL, set_failed},
        {"too_few", ETI_COUNTS, false, NULL, set_too_few},
        {"allowed", ETI_COUNTS, false, NULL, set_allowed},
        {"origin", ETI_TEXTS, true, NULL, set_origin},
        {"comment", ETI_TEXTS, true, NULL, set_comment},
    };
    const eti_gate_result *result = report->gate;
    eti_table *table;
    ETI_TRY(eti__columns_make_array(&table, columns, ETI_N_COLUMNS(columns), result->rules,
                                    sizeof *result->rules, result->n_rules, NULL, err));
    return eti__report_add(report, "rules", titles[result->outcome], table, err);
}

/* ---- lines below ----------------------------------------------------------------------------- */

static eti_status note_findings(eti_report *report, eti_error *err) {
    size_t n = 0;
    for (size_t i = 0; i < report->gate->n_findings; i++) {
        const eti_finding *finding = &report->gate->findings[i];
        if (finding->kind != ETI_FINDING_PASSED && n++ < MOST_LINES)
            ETI_TRY(eti__report_note(report, err, "%s: %.*s", eti__finding_kind_name(finding->kind),
                                     (int)finding->message.size, finding->message.data));
    }
    if (n > MOST_LINES)
        return eti__report_note(report, err, "and %zu more, in the table of checks",
                                n - MOST_LINES);
    return ETI_OK;
}

/* Events that only one side has are of no check but of absolute ones. */
static eti_status note_matches(eti_report *report, const eti_diff *diff, eti_error *err) {
    size_t n_added = 0, n_removed = 0;
    for (size_t i = 0; i < diff->events.n; i++) {
        n_added += diff->events.rows[i].base.n_events == 0;
        n_removed += diff->events.rows[i].new_side.n_events == 0;
    }
    if (n_added + n_removed > 0)
        ETI_TRY(eti__report_note(
            report, err,
            "events added: %zu, removed: %zu; no rule compares them, but totals count them",
            n_added, n_removed));
    return ETI_OK;
}

/* That nobody takes it for a proof that nothing got slower. Checks are sorted by their effect. */
static eti_status note_spared(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_check *first = NULL;
    size_t n = 0;
    for (size_t i = gate->n_checks; i-- > 0;) {
        if (!gate->checks[i].is_spared)
            continue;
        first = &gate->checks[i];
        n++;
    }
    if (!first)
        return ETI_OK;
    return eti__report_note(report, err,
                            "checks that would have failed, did not files of one side differ as "
                            "much: %zu; the first is %.*s: %+.1f %%",
                            n, ETI_TEXT_ARGS(first->row->name), (first->ratio - 1) * 100);
}

static bool has_rule_about_total(const eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        if (gate->rules.rules[i].scope == ETI_GATE_TOTAL)
            return true;
    }
    return false;
}

/* What slows down all events alike breaks no rule about events that are compared by the pace of runs. */
static eti_status note_slower_total(eti_report *report, const eti_diff *diff, eti_error *err) {
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        if (row->verdict == ETI_VERDICT_SLOWER && row->kind == ETI_ENTRY_EXECUTE &&
            diff->pairs[row->pair].levels)
            ETI_TRY(eti__report_note(report, err,
                                     "%.*s is slower, %.4g -> %.4g %s, and no rule is about it: "
                                     "parts are compared by the pace of runs; add total:p50>+5%%",
                                     ETI_TEXT_ARGS(row->name), row->base.p50, row->new_side.p50,
                                     eti_time_scale_name(diff->new_side->target_scale)));
    }
    return ETI_OK;
}

static eti_status note_loose_ends(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_diff *diff = NULL; /* any has totals and events */
    for (size_t i = ETI_N_GATE_DIFFS; i-- > 0;)
        diff = gate->has_diff[i] ? &gate->diffs[i] : diff;
    if (diff)
        ETI_TRY(note_matches(report, diff, err));
    ETI_TRY(note_spared(report, gate, err));
    if (diff && gate->outcome != ETI_GATE_FAILED && !has_rule_about_total(gate))
        ETI_TRY(note_slower_total(report, diff, err));
    for (size_t i = 0; i < report->gate->n_rules; i++) {
        if (count_checks(&report->gate->rules[i]) == 0)
            ETI_TRY(eti__report_note(report, err, "rule %.*s: nothing to check",
                                     ETI_TEXT_ARGS(report->gate->rules[i].rule)));
    }
    for (size_t i = 0; i < gate->allowances.n; i++) {
        const eti_allowance *allowance = &gate->allowances.entries[i];
        if (allowance->n_used == 0)
            ETI_TRY(eti__report_note(report, err, "%.*s: %.*s is not slower: the entry can go",
                                     ETI_TEXT_ARGS(allowance->origin),
                                     ETI_TEXT_ARGS(allowance->pattern)));
    }
    return ETI_OK;
}

static eti_status fill_report(eti_report *report, const eti_gate *gate, bool lists_passed,
                              eti_error *err) {
    eti_gate_result *result = eti__arena_alloc(&report->arena, 1, sizeof *result);
    if (!result)
        return eti_fail_memory(err);
    ETI_TRY(eti__gate_result_make(result, gate, lists_passed, &report->arena, err));
    report->gate = result;
    ETI_TRY(add_rules(report, err));
    ETI_TRY(note_findings(report, err));
    ETI_TRY(note_loose_ends(report, gate, err));
    return add_findings(report, gate, lists_passed, err);
}

/* NULL where it fails. */
static eti_status make_report(eti_report **out, const eti_gate *gate, bool lists_passed,
                              eti_error *err) {
    ETI_TRY(eti__report_new(out, "gate", gate->diffs[0].new_side->target_scale, err));
    eti__report_keep(*out, eti__profile_keep(gate->diffs[0].base));
    eti__report_keep(*out, eti__profile_keep(gate->diffs[0].new_side));
    eti_status status = fill_report(*out, gate, lists_passed, err);
    if (status != ETI_OK) {
        eti_report_free(*out);
        *out = NULL;
    }
    return status;
}

eti_status eti__gate_report(eti_report **out, eti_report **not_passed, eti_gate_outcome *outcome,
                            const eti_profile *base, const eti_profile *new_side,
                            const eti_gate_options *options, eti_error *err) {
    eti_gate gate;
    *out = NULL;
    *outcome = ETI_GATE_TOO_FEW;
    if (not_passed)
        *not_passed = NULL;
    eti_status status = eti__gate_make(&gate, base, new_side, options, err);
    if (status == ETI_OK)
        status = make_report(out, &gate, true, err);
    if (status == ETI_OK && not_passed)
        status = make_report(not_passed, &gate, false, err);
    if (status == ETI_OK) {
        *outcome = gate.outcome;
    } else {
        eti_report_free(*out);
        *out = NULL;
    }
    eti__gate_free(&gate);
    return status;
}
