/*
 * tables.c - adds the tables of a gate to a report: a row per finding, and a row per rule.
 */
#include "gate/parts.h"

#include <string.h>

/* ---- findings -------------------------------------------------------------------------------- */

static bool is_time(const eti_finding *finding) {
    return !finding->is_bytes && !finding->is_count;
}

ETI_CELL_SETTER(eti_finding, kind, eti__string_cell(eti__finding_kind_name(row->kind)))
ETI_CELL_SETTER(eti_finding, rule, eti__text_or_none(row->rule->rule))
ETI_CELL_SETTER(eti_finding, name, eti__named_cell(row->name, row->label))
ETI_CELL_SETTER(eti_finding, change, eti__number_or_none(row->change))
ETI_CELL_SETTER(eti_finding, relative_change, eti__number_or_none(row->relative_change))
ETI_CELL_SETTER_IF(eti_finding, base, is_time(row), eti__number_or_none(row->base))
ETI_CELL_SETTER_IF(eti_finding, new, is_time(row), eti__number_or_none(row->new_side))
ETI_CELL_SETTER_IF(eti_finding, base_bytes, row->is_bytes, eti__bytes_or_none(row->base))
ETI_CELL_SETTER_IF(eti_finding, new_bytes, row->is_bytes, eti__bytes_or_none(row->new_side))
ETI_CELL_SETTER_IF(eti_finding, base_count, row->is_count, eti__bytes_or_none(row->base))
ETI_CELL_SETTER_IF(eti_finding, new_count, row->is_count, eti__bytes_or_none(row->new_side))
ETI_CELL_SETTER_IF(eti_finding, p50_base, is_time(row), eti__number_or_none(row->p50_base))
ETI_CELL_SETTER_IF(eti_finding, p50_new, is_time(row), eti__number_or_none(row->p50_new))
ETI_CELL_SETTER(eti_finding, p, eti__number_or_none(row->p))
ETI_CELL_SETTER(eti_finding, detectable, eti__number_or_none(row->detectable))
ETI_CELL_SETTER(eti_finding, op, eti__text_or_none(row->op))
ETI_CELL_SETTER(eti_finding, files_base, eti__count_cell(row->files_base))
ETI_CELL_SETTER(eti_finding, files_new, eti__count_cell(row->files_new))
ETI_CELL_SETTER(eti_finding, runs_base, eti__count_cell(row->runs_base))
ETI_CELL_SETTER(eti_finding, runs_new, eti__count_cell(row->runs_new))
ETI_CELL_SETTER(eti_finding, share, eti__number_or_none(row->share))
ETI_CELL_SETTER(eti_finding, key, eti__text_or_none(row->key))
ETI_CELL_SETTER(eti_finding, block, eti__text_or_none(row->block))
ETI_CELL_SETTER(eti_finding, module, eti__text_or_none(row->module))
ETI_CELL_SETTER_IF(eti_finding, event, row->event >= 0, eti__count_cell((uint64_t)row->event))
ETI_CELL_SETTER(eti_finding, scope, eti__string_cell(row->scope))
ETI_CELL_SETTER(eti_finding, metric, eti__string_cell(row->metric))
ETI_CELL_SETTER(eti_finding, low, eti__number_or_none(row->low))
ETI_CELL_SETTER(eti_finding, high, eti__number_or_none(row->high))
ETI_CELL_SETTER_IF(eti_finding, is_relative, row->is_compared, eti__bool_cell(row->is_relative))
ETI_CELL_SETTER(eti_finding, file, eti__text_or_none(row->file))
ETI_CELL_SETTER_IF(eti_finding, line, row->file.data, eti__count_cell(row->line))
ETI_CELL_SETTER(eti_finding, reason, eti__text_or_none(row->reason))
ETI_CELL_SETTER(eti_finding, message, eti__text_or_none(row->message))

/* Kinds of quantities that the rules measure. */
typedef struct rule_measures {
    bool times, memory, counts;
} rule_measures;

/* Properties of at least one finding shown to people; people see the column of a property only if it is set. */
typedef struct shown_facts {
    bool relative_change, source, reason;
} shown_facts;

static shown_facts find_facts(const eti_gate_result *result) {
    shown_facts facts = {false, false, false};
    for (size_t i = 0; i < result->n_findings; i++) {
        const eti_finding *finding = &result->findings[i];
        if (finding->kind > ETI_FINDING_ALLOWED)
            continue;
        facts.relative_change |= finding->is_relative;
        facts.source |= finding->file.data != NULL;
        facts.reason |= finding->reason.data != NULL;
    }
    return facts;
}

/* Shows the column "block" after the verdict. */
static void show_block(eti_column_spec *columns) {
    size_t at = 1;
    while (columns[at].set != set_block)
        at++;
    eti_column_spec block = columns[at];
    block.is_extra = false;
    memmove(&columns[2], &columns[1], (at - 1) * sizeof *columns);
    columns[1] = block;
}

static eti_status make_findings(eti_table **out, const eti_gate *gate,
                                const eti_gate_result *result, const rule_measures *about,
                                const char *unit, eti_error *err) {
    shown_facts has = find_facts(result);
    eti_column_spec columns[] = {
        {"verdict", ETI_TEXTS, false, "failed, undecided, allowed or passed", set_kind},
        {"name", ETI_TEXTS, false, "name of the event, group or total on the new side", set_name},
        {"change", ETI_CHANGES, false, "new / base - 1, as measured", set_change},
        {"relative_change", ETI_CHANGES, !has.relative_change,
         "judged change, relative to the level of the files, which is that of most events",
         set_relative_change},
        {"base", ETI_TIMES, !about->times, "judged time on the base side, as measured", set_base},
        {"new", ETI_TIMES, !about->times, "judged time on the new side, as measured", set_new},
        {"base_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, !about->memory,
         "bytes on the base side, for a rule about memory or size", set_base_bytes},
        {"new_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, !about->memory,
         "bytes on the new side, for a rule about memory or size", set_new_bytes},
        {"base_count", ETI_COUNTS, !about->counts,
         "count on the base side, for a rule about instructions or operators", set_base_count},
        {"new_count", ETI_COUNTS, !about->counts,
         "count on the new side, for a rule about instructions or operators", set_new_count},
        {"rule", ETI_TEXTS, false, "rule as given", set_rule},
        {"p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
         "probability of such a difference by chance, adjusted for all checks of the rule", set_p},
        {"op", ETI_TEXTS, true, "operators of the event", set_op},
        {"base_files", ETI_COUNTS, true, "files of the base side", set_files_base},
        {"new_files", ETI_COUNTS, true, "files of the new side", set_files_new},
        {"base_runs", ETI_COUNTS, true, "runs of the base side, in all files", set_runs_base},
        {"new_runs", ETI_COUNTS, true, "runs of the new side, in all files", set_runs_new},
        {"share", ETI_SHARES, true, "share of the total of its EventBlock, on the new side",
         set_share},
        {"key", ETI_TEXTS, true,
         "block, name and metric, with a number if names are equal: stable between runs of the "
         "gate",
         set_key},
        {"block", ETI_TEXTS, true, "the EventBlock", set_block},
        {"module", ETI_TEXTS, true, "innermost module common to all nodes of the event",
         set_module},
        {"scope", ETI_TEXTS, true, "scope of the rule", set_scope},
        {"metric", ETI_TEXTS, true, "p50, avg, p90, min or max, or a figure of the program",
         set_metric},
        {"change_low", ETI_CHANGES, true, "lower end of the interval of relative_change", set_low},
        {"change_high", ETI_CHANGES, true, "upper end of the interval of relative_change",
         set_high},
        {"detectable", ETI_CHANGES, true, "smallest change that would have been detected",
         set_detectable},
        {"is_relative", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true,
         "true if relative_change differs from the change because the files have different levels",
         set_is_relative},
        {"p50_base", ETI_TIMES, true, "median over the files of their p50, on the base side",
         set_p50_base},
        {"p50_new", ETI_TIMES, true, "median over the files of their p50, on the new side",
         set_p50_new},
        {"source_file", ETI_TEXTS, !has.source,
         "source file of the model; for a group, that of its largest event", set_file},
        {"source_line", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, !has.source, "line in the source file",
         set_line},
        {"reason", ETI_TEXTS, !has.reason,
         "reason why the regression is allowed, or was allowed until the entry expired",
         set_reason},
        {"message", ETI_TEXTS, true, "what failed or is allowed, in one line", set_message},
        {"event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
         "number of the event in its block of the new side", set_event},
    };
    if (gate->names_blocks)
        show_block(columns);
    return eti__columns_make_array(out, columns, ETI_N_COLUMNS(columns), result->findings,
                                   sizeof *result->findings, result->n_findings, unit, err);
}

static rule_measures find_measures(const eti_gate *gate) {
    rule_measures about = {false, false, false};
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        bool is_bytes = eti__gate_is_about_bytes(rule);
        about.memory |= is_bytes;
        about.counts |= !is_bytes && rule->scope == ETI_GATE_PROGRAM;
        about.times |= rule->scope != ETI_GATE_PROGRAM;
    }
    return about;
}

/* Returns the number of findings hidden from people, who see only failed and allowed ones. */
static size_t count_kept_back(const eti_gate *gate) {
    size_t n = 0;
    for (size_t i = 0; i < gate->n_checks && !gate->options.diff.lists_all; i++)
        n += gate->checks[i].finding > ETI_FINDING_ALLOWED;
    return n;
}

/* Returns what people need to distinguish the first n findings. */
static eti_row_needs find_needs(const eti_gate *gate, size_t n) {
    eti_row_needs needs = {0};
    for (size_t i = 0; i < n; i++)
        eti__needs_add_row(&needs, gate->checks[i].row);
    return needs;
}

eti_status eti__gate_add_findings(eti_report *report, const eti_gate *gate, eti_error *err) {
    const char *unit = eti__column_unit(report->gate->time_scale, report->gate->includes_units);
    eti_table *table;
    const rule_measures about = find_measures(gate);
    ETI_TRY(make_findings(&table, gate, report->gate, &about, unit, err));
    ETI_TRY(eti__report_add(report, "checks", "Checks", table, err));
    report->selected = report->n_sections - 1;
    eti_section *section = &report->sections[report->selected];
    section->n_kept_back = count_kept_back(gate);
    const eti_row_needs needs = find_needs(gate, gate->n_checks - section->n_kept_back);
    eti__needs_show(&needs, table, "name");
    section->is_detail = gate->options.diff.lists_all;
    /* the table of rules has their numbers */
    section->is_told_above = table->n_rows == section->n_kept_back;
    return ETI_OK;
}

/* ---- rules ----------------------------------------------------------------------------------- */

size_t eti__count_checks(const eti_rule_findings *rule) {
    size_t n = 0;
    for (size_t kind = 0; kind < ETI_N_FINDING_KINDS; kind++)
        n += rule->n[kind];
    return n;
}

ETI_CELL_SETTER(eti_rule_findings, text, eti__text_or_none(row->rule))
ETI_CELL_SETTER(eti_rule_findings, outcome, eti__string_cell(eti__rule_outcome_name(row->outcome)))
ETI_CELL_SETTER(eti_rule_findings, checked, eti__count_cell(eti__count_checks(row)))
ETI_CELL_SETTER(eti_rule_findings, failed, eti__count_cell(row->n[ETI_FINDING_FAILED]))
ETI_CELL_SETTER(eti_rule_findings, undecided, eti__count_cell(row->n[ETI_FINDING_UNDECIDED]))
ETI_CELL_SETTER(eti_rule_findings, allowed, eti__count_cell(row->n[ETI_FINDING_ALLOWED]))
ETI_CELL_SETTER(eti_rule_findings, found, eti__number_or_none(row->detectable))
ETI_CELL_SETTER(eti_rule_findings, wanted, eti__number_or_none(row->wanted))
ETI_CELL_SETTER(eti_rule_findings, files_needed, eti__files_needed_cell(row->files_needed))
ETI_CELL_SETTER(eti_rule_findings, alpha, eti__number_or_none(row->alpha))
ETI_CELL_SETTER(eti_rule_findings, fit, eti__count_cell(row->reach.n_fit))
ETI_CELL_SETTER(eti_rule_findings, small, eti__count_cell(row->reach.n_small))
ETI_CELL_SETTER(eti_rule_findings, no_time, eti__count_cell(row->reach.n_no_time))
ETI_CELL_SETTER(eti_rule_findings, missing, eti__count_cell(row->reach.n_missing))
ETI_CELL_SETTER(eti_rule_findings, one_side, eti__count_cell(row->reach.n_one_side))
ETI_CELL_SETTER(eti_rule_findings, rest, eti__count_cell(row->reach.n_rest))
ETI_CELL_SETTER(eti_rule_findings, origin, eti__text_or_none(row->origin))
ETI_CELL_SETTER(eti_rule_findings, comment, eti__text_or_none(row->comment))
ETI_CELL_SETTER(eti_rule_findings, why, eti__text_or_none(row->message))

eti_status eti__gate_add_rules(eti_report *report, eti_error *err) {
    static const eti_column_spec columns[] = {
        {"rule", ETI_TEXTS, false, "rule as given", set_text},
        {"verdict", ETI_TEXTS, false, "failed, undecided, nothing to check, allowed or passed",
         set_outcome},
        {"checked", ETI_COUNTS, false, "checked events, groups or totals", set_checked},
        {"failed", ETI_COUNTS, false, "checks that failed", set_failed},
        {"undecided", ETI_COUNTS, false, "undecided checks", set_undecided},
        {"allowed", ETI_COUNTS, false, "failed checks that are on a list of exceptions",
         set_allowed},
        {"detectable", ETI_CHANGES, false,
         "smallest change that would have been detected in half of the checks", set_found},
        {"wanted", ETI_CHANGES, true, "value of detectable above which the rule is undecided",
         set_wanted},
        {"files_needed", ETI_COUNTS, true, "files per side needed to decide the rule",
         set_files_needed},
        {"alpha", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "share of alpha used by the rule",
         set_alpha},
        {"fit", ETI_COUNTS, true, "events, groups or totals that the rule covers", set_fit},
        {"small", ETI_COUNTS, true, "covered entries below min_share", set_small},
        {"no_time", ETI_COUNTS, true, "covered entries with a time of 0", set_no_time},
        {"missing", ETI_COUNTS, true, "covered entries that are not in all files of a side",
         set_missing},
        {"one_side", ETI_COUNTS, true, "covered entries that are only on one side", set_one_side},
        {"rest", ETI_COUNTS, true,
         "covered groups of the rest, such as (framework), which are not checked alone", set_rest},
        {"origin", ETI_TEXTS, true, "file and line of the budget", set_origin},
        {"comment", ETI_TEXTS, true, "comment in the budget", set_comment},
        {"reason", ETI_TEXTS, true, "reason why the rule is undecided", set_why},
    };
    const eti_gate_result *result = report->gate;
    eti_table *table;
    ETI_TRY(eti__columns_make_array(&table, columns, ETI_N_COLUMNS(columns), result->rules,
                                    sizeof *result->rules, result->n_rules, NULL, err));
    return eti__report_add(report, "rules", "Rules", table, err);
}
