/*
 * table/report.c - turns a gate into a report: its outcome in a sentence, then a row per rule and a row
 * per finding.
 */
#include "gate/parts.h"

#include <math.h>

/* ---- the gate -------------------------------------------------------------------------------- */

/* The only row of the first table. */
typedef struct summary {
    const eti_gate *gate;
    const eti_gate_result *result;
    eti_evidence evidence;
    const eti_diff_row *total;  /* NULL if neither side has one */
    const eti_diff_pair *level; /* pair of blocks whose level is tested; NULL if there is none */
} summary;

static const char *outcome_name(eti_gate_outcome outcome) {
    static const char *const names[] = {
        [ETI_GATE_PASSED] = "passed",
        [ETI_GATE_FAILED] = "failed",
        [ETI_GATE_UNDECIDED] = "undecided",
    };
    return names[outcome];
}

#define TOTAL_CELL(name, value) ETI_CELL_SETTER_IF(summary, name, row->total, value)
/* Makes a cell that only comparisons have. */
#define COMPARED_CELL(name, value) ETI_CELL_SETTER_IF(summary, name, row->gate->has_base, value)
#define CHANGE_CELL(name, value)                                                                   \
    ETI_CELL_SETTER_IF(summary, name, row->total && row->gate->has_base, value)
#define LEVEL_CELL(name, value) ETI_CELL_SETTER_IF(summary, name, row->level, value)

ETI_CELL_SETTER(summary, gate_verdict, eti__string_cell(outcome_name(row->result->outcome)))
ETI_CELL_SETTER(summary, headline, eti__text_or_none(row->result->headline))
CHANGE_CELL(total_base, eti__number_or_none(row->total->base.location))
TOTAL_CELL(total_new, eti__number_or_none(row->total->new_side.location))
CHANGE_CELL(total_change, eti__number_or_none(row->total->raw_ratio - 1))
COMPARED_CELL(total_detectable, eti__number_or_none(row->evidence.total_detectable))
COMPARED_CELL(event_detectable, eti__number_or_none(row->evidence.event_detectable))
COMPARED_CELL(units_base, eti__count_cell(row->evidence.n_base))
ETI_CELL_SETTER(summary, units_new, eti__count_cell(row->evidence.n_new))
ETI_CELL_SETTER(summary, fewest, eti__count_cell(row->evidence.fewest))
ETI_CELL_SETTER(summary, needed, eti__files_needed_cell(row->evidence.n_needed))
ETI_CELL_SETTER(summary, one_process, eti__bool_cell(row->evidence.one_process))
ETI_CELL_SETTER(summary, events, eti__count_cell(row->result->coverage.n_events))
ETI_CELL_SETTER(summary, checked_events, eti__count_cell(row->result->coverage.n_checked))
ETI_CELL_SETTER(summary, checked_share, eti__number_or_none(row->result->coverage.share))
LEVEL_CELL(level, eti__number_or_none(expm1(row->level->level.difference)))
LEVEL_CELL(level_p, eti__number_or_none(row->level->level.p))
ETI_CELL_SETTER(summary, gate_alpha, eti__number_or_none(row->gate->options.diff.alpha))

static const eti_column_spec summary_columns[] = {
    {"verdict", ETI_TEXTS, false, "passed, failed or undecided", set_gate_verdict},
    {"total_base", ETI_TIMES, false, "time of the block that takes longest, on the base side",
     set_total_base},
    {"total_new", ETI_TIMES, false, "time of the block that takes longest, on the new side",
     set_total_new},
    {"total_change", ETI_CHANGES, false, "new / base - 1", set_total_change},
    {"total_detectable", ETI_CHANGES, false,
     "smallest change of the total that would have been detected", set_total_detectable},
    {"event_detectable", ETI_CHANGES, false,
     "smallest change that would have been detected in half of the events", set_event_detectable},
    {"base_files", ETI_COUNTS, false, "files of the base side, or runs if one_process",
     set_units_base},
    {"new_files", ETI_COUNTS, false, "files of the new side, or runs if one_process",
     set_units_new},
    {"fewest_files", ETI_COUNTS, true, "files per side needed for any verdict", set_fewest},
    {"files_needed", ETI_COUNTS, true, "files per side needed to decide an undecided gate",
     set_needed},
    {"one_process", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true,
     "true if runs are compared instead of files", set_one_process},
    {"events", ETI_COUNTS, true, "events on either side", set_events},
    {"checked", ETI_COUNTS, true, "events checked by rules for events", set_checked_events},
    {"checked_share", ETI_SHARES, true, "share of the time taken by checked events",
     set_checked_share},
    {"level", ETI_CHANGES, true, "change of most events from the base to the new side", set_level},
    {"level_p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "probability of such a level by chance",
     set_level_p},
    {"alpha", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "alpha of all rules together",
     set_gate_alpha},
    {"sentence", ETI_TEXTS, true, "the outcome as a sentence", set_headline},
};

static const eti_diff_pair *find_level(const eti_diff *diff) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        if (diff->pairs[i].has_level_test)
            return &diff->pairs[i];
    }
    return NULL;
}

static eti_status add_summary(eti_report *report, const eti_gate *gate, eti_error *err) {
    static const char *const titles[] = {
        [ETI_GATE_PASSED] = "Gate passed",
        [ETI_GATE_FAILED] = "Gate failed",
        [ETI_GATE_UNDECIDED] = "Gate undecided",
    };
    const eti_gate_result *result = report->gate;
    summary row = {.gate = gate,
                   .result = result,
                   .evidence = eti__gate_evidence(gate),
                   .total = eti__gate_total(gate),
                   .level = find_level(gate->diffs[0])};
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, report, "gate", titles[result->outcome],
                                     summary_columns, ETI_N_COLUMNS(summary_columns),
                                     eti__column_unit(result->time_scale, result->includes_units),
                                     err));
    report->sections[0].is_in_notes = true;
    return eti__columns_add_row(table, summary_columns, ETI_N_COLUMNS(summary_columns), &row, err);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static eti_status fill_report(eti_report *report, const eti_gate *gate, eti_error *err) {
    eti_gate_result *result = eti__arena_alloc(&report->arena, 1, sizeof *result);
    if (!result)
        return eti_fail_memory(err);
    ETI_TRY(eti__gate_result_make(result, gate, &report->arena, err));
    report->gate = result;
    ETI_TRY(add_summary(report, gate, err));
    ETI_TRY(eti__gate_add_notes(report, gate, err));
    ETI_TRY(eti__gate_add_rules(report, err));
    return eti__gate_add_findings(report, gate, err);
}

/* Sets `*out` to NULL on failure. */
static eti_status make_report(eti_report **out, const eti_gate *gate, eti_error *err) {
    ETI_TRY(eti__report_new(out, "gate", gate->new_side->target_scale, err));
    eti_status status = gate->has_base ? eti__profile_add_sources(*out, gate->base, err) : ETI_OK;
    if (status == ETI_OK)
        status = eti__profile_add_sources(*out, gate->new_side, err);
    if (status == ETI_OK) {
        (*out)->measured = eti__profile_inspector(gate->new_side);
        status = fill_report(*out, gate, err);
    }
    if (status != ETI_OK) {
        eti_report_free(*out);
        *out = NULL;
    }
    return status;
}

eti_status eti__gate_report(eti_report **out, eti_gate_outcome *outcome, const eti_profile *base,
                            const eti_profile *new_side, const eti_gate_options *options,
                            eti_error *err) {
    eti_gate gate;
    *out = NULL;
    *outcome = ETI_GATE_UNDECIDED;
    eti_status status = eti__gate_make(&gate, base, new_side, options, err);
    if (status == ETI_OK)
        status = make_report(out, &gate, err);
    if (status == ETI_OK)
        *outcome = gate.outcome;
    eti__gate_free(&gate);
    return status;
}
