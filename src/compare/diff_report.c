#include "compare/parts.h"

#include "base/names.h"

#include <math.h>
#include <stdlib.h>

/* ==== diff summary ============================================================================ */

/* ---- summary --------------------------------------------------------------------------------- */

typedef struct summary_row {
    const eti_diff *diff;
    const eti_answer *answer;
    const eti_coverage *coverage;
    const eti_family *events; /* of the first pair with a level; NULL if there is none */
    eti_text sentence;
} summary_row;

#define SUMMARY_CELL(name, value) ETI_CELL_SETTER(summary_row, name, value)
#define SUMMARY_COUNT(name, value) SUMMARY_CELL(name, eti__count_cell(value))
#define SUMMARY_NUMBER(name, value) SUMMARY_CELL(name, eti__finite_or_none(value))
#define TOTAL_CELL(name, end)                                                                      \
    ETI_CELL_SETTER_IF(summary_row, name, row->answer->total,                                      \
                       eti__finite_or_none(expm1(row->answer->total->shift.end)))
#define COVERAGE_COUNT(field) SUMMARY_COUNT(field, row->coverage->field)

SUMMARY_CELL(answer, eti__text_cell(row->sentence))
SUMMARY_CELL(outcome, eti__string_cell(eti__outcome_name(row->answer->outcome)))
SUMMARY_CELL(unit, eti__string_cell(row->diff->options.one_process ? "run" : "file"))
SUMMARY_CELL(metric, eti__string_cell(eti__metric_names[row->diff->metric]))
SUMMARY_CELL(same_file, eti__bool_cell(row->diff->is_same_file))
SUMMARY_COUNT(n_base, row->diff->n_base)
SUMMARY_COUNT(n_new, row->diff->n_new)
SUMMARY_COUNT(fewest, row->diff->fewest)
SUMMARY_NUMBER(alpha, row->diff->options.alpha)
SUMMARY_NUMBER(least_effect, row->diff->options.least_effect)
SUMMARY_COUNT(n_slower, row->answer->n_slower)
SUMMARY_COUNT(n_faster, row->answer->n_faster)
SUMMARY_NUMBER(margin, row->diff->options.margin)
SUMMARY_NUMBER(beta, row->diff->options.beta)
SUMMARY_CELL(in_turns, eti__bool_cell(row->diff->options.in_turns))
SUMMARY_CELL(two_readings, eti__bool_cell(row->events && row->events->has_two_readings))
TOTAL_CELL(summary_change, estimate)
TOTAL_CELL(summary_low, low)
TOTAL_CELL(summary_high, high)
SUMMARY_NUMBER(level, row->events ? expm1(row->events->level.estimate) : (double)NAN)
ETI_CELL_SETTER(summary_row, n_needed, eti__files_needed_cell(row->answer->n_needed))
COVERAGE_COUNT(n_events)
COVERAGE_COUNT(n_judged)
COVERAGE_COUNT(n_small)
COVERAGE_COUNT(n_no_time)
COVERAGE_COUNT(n_missing)
COVERAGE_COUNT(n_few_files)
COVERAGE_COUNT(n_added)
COVERAGE_COUNT(n_removed)
SUMMARY_NUMBER(judged_share, row->coverage->share)
SUMMARY_NUMBER(shared_base, row->answer->shared_base)
SUMMARY_NUMBER(shared_new, row->answer->shared_new)

static const eti_column_spec summary_columns[] = {
    {"outcome", ETI_TEXTS, false, "slower, not slower or cannot tell", set_outcome},
    {"answer", ETI_TEXTS, false, "the outcome as a sentence", set_answer},
    {"n_base", ETI_COUNTS, false, "files or runs of the base", set_n_base},
    {"n_new", ETI_COUNTS, false, "files or runs of the new side", set_n_new},
    {"unit", ETI_TEXTS, false, "unit of comparison: file, or run with one_process", set_unit},
    {"n_fewest", ETI_COUNTS, false, "units per side needed for any verdict", set_fewest},
    {"alpha", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "probability of at least one false alarm",
     set_alpha},
    {"least_effect", ETI_CHANGES, false, "limit: smaller changes are never slower",
     set_least_effect},
    {"margin", ETI_CHANGES, false, "what is not slower is below the limit and this", set_margin},
    {"beta", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "probability of a wrong \"not slower\"",
     set_beta},
    {"in_turns", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false, "true if the sides were recorded in turns",
     set_in_turns},
    {"metric", ETI_TEXTS, false, "statistic that represents the runs of a file", set_metric},
    {"n_slower", ETI_COUNTS, false, "events that got slower, or groups if there are no events",
     set_n_slower},
    {"n_faster", ETI_COUNTS, false, "events that got faster, or groups if there are no events",
     set_n_faster},
    {"total_change", ETI_CHANGES, false, "change of the slowest total", set_summary_change},
    {"total_low", ETI_CHANGES, false, "lower end of its interval", set_summary_low},
    {"total_high", ETI_CHANGES, false, "upper end of its interval", set_summary_high},
    {"level", ETI_CHANGES, false, "change of all events alike", set_level},
    {"two_readings", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false,
     "true if most kinds of events changed otherwise than most events", set_two_readings},
    {"n_needed", ETI_COUNTS, false, "units per side needed for an answer", set_n_needed},
    {"n_events", ETI_COUNTS, false, "events of both sides", set_n_events},
    {"n_judged", ETI_COUNTS, false, "events that were judged", set_n_judged},
    {"n_small", ETI_COUNTS, false, "events below min_share", set_n_small},
    {"n_no_time", ETI_COUNTS, false, "events with a time of 0", set_n_no_time},
    {"n_missing", ETI_COUNTS, false, "events that are not in all files", set_n_missing},
    {"n_few_files", ETI_COUNTS, false, "events with fewer units than n_fewest", set_n_few_files},
    {"n_added", ETI_COUNTS, false, "events only on the new side", set_n_added},
    {"n_removed", ETI_COUNTS, false, "events only in the base", set_n_removed},
    {"judged_share", ETI_SHARES, false, "share of the time of the new side taken by judged events",
     set_judged_share},
    {"shared_base", ETI_SHARES, false,
     "share of the time of the base taken by events that are on both sides", set_shared_base},
    {"shared_new", ETI_SHARES, false,
     "share of the time of the new side taken by events that are on both sides", set_shared_new},
    {"same_file", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false, "true if a file is on both sides",
     set_same_file},
};

static eti_status add_summary(eti_report *report, const eti_diff *diff, const eti_answer *answer,
                              eti_text sentence, eti_error *err) {
    eti_table *table;
    summary_row row = {.diff = diff,
                       .answer = answer,
                       .coverage = &diff->coverage,
                       .events = eti__diff_events_with_level(diff)};
    ETI_TRY(eti__columns_add_section(&table, report, "summary", "Summary", summary_columns,
                                     ETI_N_COLUMNS(summary_columns), NULL, err));
    report->sections[report->n_sections - 1].is_in_notes = true;
    eti__table_mark_findings(table, "outcome");
    eti__table_mark_findings(table, "answer");
    if (!eti__table_own_text(table, sentence, &row.sentence))
        return eti_fail_memory(err);
    ETI_TRY(
        eti__columns_add_row(table, summary_columns, ETI_N_COLUMNS(summary_columns), &row, err));
    ETI_TRY(eti__report_note(report, err, "%.*s", (int)sentence.size, sentence.data));
    return eti__note_sides(report, diff, answer, err);
}

eti_status eti__diff_add_summary(eti_report *report, const eti_diff *diff, const eti_answer *answer,
                                 eti_error *err) {
    static const eti_gate_outcome outcomes[] = {
        [ETI_OUTCOME_SLOWER] = ETI_GATE_FAILED,
        [ETI_OUTCOME_NOT_SLOWER] = ETI_GATE_PASSED,
        [ETI_OUTCOME_CANNOT_TELL] = ETI_GATE_UNDECIDED,
    };
    eti_buffer sentence = {0};
    report->outcome = outcomes[answer->outcome];
    eti__add_answer(&sentence, answer);
    eti_status status = sentence.failed ? eti_fail_memory(err) : ETI_OK;
    if (status == ETI_OK)
        status = add_summary(report, diff, answer, eti__buffer_text(&sentence), err);
    eti__buffer_free(&sentence);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct file_row {
    const char *side;
    eti_text block, name;
    size_t n_runs;
    double level, total;
} file_row;

ETI_CELL_SETTER(file_row, side, eti__string_cell(row->side))
ETI_CELL_SETTER(file_row, summary_block, eti__text_or_none(row->block))
ETI_CELL_SETTER(file_row, summary_name, eti__text_or_none(row->name))
ETI_CELL_SETTER(file_row, n_runs, eti__count_cell(row->n_runs))
ETI_CELL_SETTER(file_row, file_level, eti__finite_or_none(row->level))
ETI_CELL_SETTER(file_row, total, eti__finite_or_none(row->total))

static const eti_column_spec file_columns[] = {
    {"side", ETI_TEXTS, false, "base or new", set_side},
    {"file", ETI_TEXTS, false, "name of the file", set_summary_name},
    {"block", ETI_TEXTS, false, "EventBlock", set_summary_block},
    {"runs", ETI_COUNTS, false, "runs that are compared", set_n_runs},
    {"total", ETI_TIMES, false, "total time, as measured", set_total},
    {"level", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "level of most events, relative to the median file", set_file_level},
};

/* Returns the level of file `k`; if runs are the units, the geometric mean of their levels. */
static double level_of(const eti_diff *diff, const double *levels, const eti_file_runs *files,
                       size_t k) {
    double sum = 0;
    if (!levels)
        return (double)NAN;
    if (!diff->options.one_process)
        return exp(levels[k]);
    for (size_t i = 0; i < files[k].n; i++)
        sum += levels[files[k].first + i];
    return exp(sum / (double)files[k].n);
}

static eti_status add_side(eti_table *table, const eti_diff *diff, const eti_diff_pair *pair,
                           bool is_new, eti_error *err) {
    const eti_profile *profile = is_new ? diff->new_side : diff->base;
    const eti_profile_block *block = is_new ? pair->new_side : pair->base;
    const eti_entry *total = is_new ? pair->total_new : pair->total_base;
    const double *levels = pair->events.levels;
    if (levels && is_new)
        levels += pair->n_base;
    for (size_t k = 0; block && k < block->n_files; k++) {
        const eti_file_runs *file = &block->files[k];
        file_row row = {.side = is_new ? "new" : "base",
                        .block = block->label,
                        .name = profile->files[file->file].shown,
                        .n_runs = file->n,
                        .level = level_of(diff, levels, block->files, k),
                        .total = (double)NAN};
        if (total)
            row.total = eti__file_metric(&total->times[k], diff->metric) /
                        (is_new ? profile->factor : diff->base_factor);
        ETI_TRY(eti__columns_add_row(table, file_columns, ETI_N_COLUMNS(file_columns), &row, err));
    }
    return ETI_OK;
}

/* Returns whether the pair has events. Loading happens once per file and has none. */
static bool has_events(const eti_diff_pair *pair) {
    const eti_profile_block *block = pair->base ? pair->base : pair->new_side;
    return block->n_entries > block->n_totals;
}

eti_status eti__diff_add_files(eti_report *report, const eti_diff *diff, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__columns_add_section(
        &table, report, "files", "Files", file_columns, ETI_N_COLUMNS(file_columns),
        eti__column_unit(diff->new_side->target_scale, diff->options.include_units), err));
    report->sections[report->n_sections - 1].is_detail = true;
    report->sections[report->n_sections - 1].is_told_above = true;
    for (size_t i = 0; i < diff->n_pairs; i++) {
        if (!has_events(&diff->pairs[i]))
            continue;
        ETI_TRY(add_side(table, diff, &diff->pairs[i], false, err));
        ETI_TRY(add_side(table, diff, &diff->pairs[i], true, err));
    }
    return ETI_OK;
}

/* ==== diff report ============================================================================= */
/* Turns a comparison into tables: a summary, totals, events, groups, files. */

/* Data that the tables of a report share. */
typedef struct shared_diff {
    eti_diff diff;
    size_t n_users;
} shared_diff;

/* A table of rows. */
typedef struct diff_rows {
    shared_diff *shared;
    const eti_diff_rows *rows;
    bool are_events;
    bool has_gaps;
    eti_column_spec columns[ETI_MOST_COLUMN_SPECS]; /* columns of the table */
} diff_rows;

static void release(shared_diff *shared) {
    if (--shared->n_users > 0)
        return;
    eti__diff_free(&shared->diff);
    free(shared);
}

static void free_rows(void *context) {
    diff_rows *rows = context;
    release(rows->shared);
    free(rows);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* A row while it is made. */
typedef struct shown_row {
    const eti_diff *diff;
    const eti_diff_row *of;
    const eti_entry *event; /* NULL for a total or a group */
    eti_row *out;
} shown_row;

static const char *reason_of(const eti_diff_row *row) {
    static const char *const reasons[] = {
        [ETI_JUDGED] = NULL,
        [ETI_UNJUDGED_FEW_FILES] = "too few files",
        [ETI_UNJUDGED_SMALL] = "below min_share",
        [ETI_UNJUDGED_NO_TIME] = "a time of 0",
        [ETI_UNJUDGED_MISSING] = "not in all files",
        [ETI_UNJUDGED_PART] = "part of another total",
        [ETI_UNJUDGED_UNITS] = "in cycles on one side only",
    };
    return reasons[row->unjudged];
}

static size_t count_files(const shown_row *row, bool is_new) {
    const eti_diff_pair *pair = &row->diff->pairs[row->of->pair];
    const eti_profile_block *block = is_new ? pair->new_side : pair->base;
    return block ? block->n_files : 0;
}

#define ROW_CELL(name, value) ETI_CELL_SETTER(shown_row, name, value)
#define NUMBER_CELL(name, value) ROW_CELL(name, eti__finite_or_none(value))
#define COMPARED_CELL(name, value)                                                                 \
    ETI_CELL_SETTER_IF(shown_row, name,                                                            \
                       row->of->is_compared && row->of->unjudged != ETI_UNJUDGED_FEW_FILES,        \
                       eti__finite_or_none(value))
#define JUDGED_CELL(name, value)                                                                   \
    ETI_CELL_SETTER_IF(shown_row, name,                                                            \
                       row->of->is_compared && row->of->unjudged == ETI_JUDGED &&                  \
                           !row->of->is_unreadable,                                                \
                       eti__finite_or_none(value))
#define EVENT_CELL(name, value) ETI_CELL_SETTER_IF(shown_row, name, row->event, value)

ROW_CELL(block, eti__text_or_none(row->of->block))
ROW_CELL(name,
         eti__named_cell(row->of->name, eti__label_beside_module(eti__row_namesakes(row->of))))
ROW_CELL(verdict, eti__string_cell(eti__verdict_name((eti_verdict)row->of->verdict)))
ROW_CELL(match, eti__string_cell(eti__match_kind_name((eti_match_kind)row->of->match)))
ROW_CELL(reason, eti__string_cell(reason_of(row->of)))
NUMBER_CELL(change, row->of->ratio - 1)
#define TIME_CELL(name, side, value)                                                               \
    ETI_CELL_SETTER_IF(shown_row, name, !eti__row_side_unit(&row->of->side).data,                  \
                       eti__finite_or_none(value))
#define VALUE_CELL(name, side)                                                                     \
    ETI_CELL_SETTER_IF(shown_row, name, eti__row_side_unit(&row->of->side).data,                   \
                       eti__finite_or_none(row->of->side.location))
TIME_CELL(base, base, row->of->base.location)
TIME_CELL(new, new_side, row->of->new_side.location)
TIME_CELL(p50_base, base, row->of->base.p50)
TIME_CELL(p50_new, new_side, row->of->new_side.p50)
ETI_CELL_SETTER_IF(shown_row, delta, !eti__diff_row_unit(row->of).data,
                   eti__finite_or_none(row->of->delta))
VALUE_CELL(base_value, base)
VALUE_CELL(new_value, new_side)
NUMBER_CELL(impact, row->of->impact)
NUMBER_CELL(share_base, row->of->base.share)
NUMBER_CELL(share_new, row->of->new_side.share)
ROW_CELL(row_unit, eti__text_or_none(row->of->base.entry && row->of->base.entry->unit.data
                                         ? row->of->base.entry->unit
                                         : eti__diff_row_unit(row->of)))
ROW_CELL(files_base, eti__count_cell(count_files(row, false)))
ROW_CELL(files_new, eti__count_cell(count_files(row, true)))
ROW_CELL(runs_base, eti__count_cell(row->of->base.n_runs))
ROW_CELL(runs_new, eti__count_cell(row->of->new_side.n_runs))
ROW_CELL(row_n_events, eti__count_cell(row->of->new_side.n_events))
COMPARED_CELL(low, eti__share_of_bound(row->of->shift.low))
COMPARED_CELL(high, eti__share_of_bound(row->of->shift.high))
JUDGED_CELL(p, row->of->adjusted_p)
COMPARED_CELL(raw_p, fmin(row->of->judged.p_slower, row->of->judged.p_faster))
COMPARED_CELL(relative, expm1(row->of->judged.estimate))
COMPARED_CELL(step, row->of->change.relative_step)
EVENT_CELL(kind, eti__string_cell(eti__entry_kind_name(row->event)))
EVENT_CELL(op, eti__text_or_none(row->event->op))
EVENT_CELL(op_type, eti__text_or_none(row->event->op_type))
EVENT_CELL(module, eti__text_or_none(row->event->module))
EVENT_CELL(backend, eti__text_or_none(row->event->backend))
ETI_CELL_SETTER_IF(shown_row, number, eti__entry_event_number(row->of->new_side.entry) >= 0,
                   eti__count_cell((uint64_t)eti__entry_event_number(row->of->new_side.entry)))
ETI_CELL_SETTER_IF(shown_row, base_number, eti__entry_event_number(row->of->base.entry) >= 0,
                   eti__count_cell((uint64_t)eti__entry_event_number(row->of->base.entry)))
ETI_CELL_SETTER_IF(shown_row, old_name, row->event && row->of->base.entry,
                   eti__text_or_none(row->of->base.entry->name))

static bool set_source(void *context, eti_cell *cell) {
    const shown_row *row = context;
    if (!row->event || !row->event->file.data)
        return true;
    eti__add_source_line(&row->out->scratch, row->event->file, row->event->line);
    cell->kind = ETI_CELL_TEXT;
    return eti__row_take_text(row->out, &cell->as_text);
}

ETI_GAP_SETTERS(shown_row, row->of->gap)

/* The first columns fit a narrow screen. */
static const eti_column_spec specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_block},
    {"verdict", ETI_TEXTS, false,
     "slower, faster, ~ (noise), undecided (too few files), added, removed or untested",
     set_verdict},
    {"event_name", ETI_TEXTS, false, "name on the new side", set_name},
    {"change", ETI_CHANGES, false, "new / base - 1", set_change},
    {"low", ETI_CHANGES, false, "lower end of the interval of the change", set_low},
    {"high", ETI_CHANGES, false, "upper end of the interval of the change", set_high},
    {"base", ETI_TIMES, false, "self time of the base", set_base},
    {"new", ETI_TIMES, false, "self time of the new side: base, changed by change", set_new},
    {"base_value", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
     "the same of an event that counts something else than time", set_base_value},
    {"new_value", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "the same of the new side",
     set_new_value},
    {"unit", ETI_TEXTS, true, "unit of `base_value` and `new_value`, such as cycles", set_row_unit},
    ETI_GAP_COLUMNS,
    {"p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "probability of such a change in this direction by chance, adjusted by Holm's method for all "
     "judged rows",
     set_p},
    {"relative_change", ETI_CHANGES, true, "change relative to most events, which is judged",
     set_relative},
    {"match", ETI_TEXTS, true, "same, renamed, moved, delegated, undelegated, added or removed",
     set_match},
    {"impact", ETI_CHANGES, true, "delta as a share of the total of the base", set_impact},
    {"delta", ETI_TIMES, true, "new - base", set_delta},
    {"reason", ETI_TEXTS, true, "reason why the row is not judged", set_reason},
    {"files_base", ETI_COUNTS, true, "files of the base", set_files_base},
    {"files_new", ETI_COUNTS, true, "files of the new side", set_files_new},
    {"runs_base", ETI_COUNTS, true, "runs in the files of the base", set_runs_base},
    {"runs_new", ETI_COUNTS, true, "runs in the files of the new side", set_runs_new},
    {"p50_base", ETI_TIMES, true, "median over the files of their p50", set_p50_base},
    {"p50_new", ETI_TIMES, true, "median over the files of their p50", set_p50_new},
    {"p_unadjusted", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
     "probability of such a change by chance, for this row alone", set_raw_p},
    {"clock_step", ETI_SHARES, true, "clock step as a share of the median time", set_step},
    {"share_base", ETI_SHARES, true, "share of the typical time of the base", set_share_base},
    {"share_new", ETI_SHARES, true, "share of the typical time of the new side", set_share_new},
    {"events", ETI_COUNTS, true, "events in the group, on the new side", set_row_n_events},
    {"kind", ETI_TEXTS, true, "kernel, delegated, delegate_call or instruction", set_kind},
    {"base_name", ETI_TEXTS, true, "name on the base side", set_old_name},
    {"op_type", ETI_TEXTS, true, "operator of the event", set_op_type},
    {"op", ETI_TEXTS, true, "all operators of the event", set_op},
    {"module", ETI_TEXTS, true, "innermost module common to all its nodes", set_module},
    {"backend", ETI_TEXTS, true, "backend of a delegate", set_backend},
    {"source", ETI_TEXTS, true, "source line common to all its nodes", set_source},
    {"event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "number of the event in its block of the new side", set_number},
    {"base_event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "number of the event in its block of the base", set_base_number},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    const diff_rows *rows = context;
    const eti_diff_row *of = &rows->rows->rows[number];
    shown_row row = {.diff = &rows->shared->diff, .of = of, .out = out};
    if (rows->are_events)
        row.event = of->new_side.entry ? of->new_side.entry : of->base.entry;
    return eti__columns_set(rows->columns, ETI_N_COLUMNS(specs), &row, out);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool has_other_matches(const diff_rows *of) {
    for (size_t i = 0; i < of->rows->n && of->are_events; i++) {
        if (of->rows->rows[i].match != ETI_MATCH_SAME)
            return true;
    }
    return false;
}

static bool has_values(const eti_diff_rows *rows) {
    for (size_t i = 0; i < rows->n; i++) {
        const eti_diff_row *row = &rows->rows[i];
        if (eti__row_side_unit(&row->base).data || eti__row_side_unit(&row->new_side).data)
            return true;
    }
    return false;
}

/* Chooses the columns; some are shown only if they carry information. */
static void choose_columns(diff_rows *of, const char *name) {
    eti__gap_columns_choose(of->columns, specs, ETI_N_COLUMNS(specs), set_snr, of->has_gaps);
    if (has_values(of->rows))
        eti__columns_show_values(of->columns, ETI_N_COLUMNS(specs));
    for (size_t i = 0; i < ETI_N_COLUMNS(specs); i++) {
        eti_column_spec *column = &of->columns[i];
        if (column->set == set_name)
            column->name = name;
        else if (column->set == set_block)
            column->is_extra = !eti__diff_rows_name_blocks(&of->shared->diff, of->rows);
        else if (column->set == set_match)
            column->is_extra = !has_other_matches(of);
    }
}

/* Returns what people need to distinguish the first n rows. */
static eti_row_needs find_needs(const diff_rows *of, size_t n) {
    eti_row_needs needs = {0};
    for (size_t i = 0; i < n && of->are_events; i++)
        eti__needs_add_row(&needs, &of->rows->rows[i]);
    return needs;
}

static eti_status add_table(eti_report *report, shared_diff *shared, const diff_rows *of,
                            const char *section, const char *title, const char *name,
                            eti_error *err) {
    const eti_diff *diff = &shared->diff;
    diff_rows *rows = malloc(sizeof *rows);
    if (!rows)
        return eti_fail_memory(err);
    *rows = *of;
    choose_columns(rows, name);
    shared->n_users++;
    eti_table *table;
    const eti_row_source source = {make_row, free_rows, rows};
    ETI_TRY(eti__columns_make_rows(
        &table, rows->columns, ETI_N_COLUMNS(specs), of->rows->n, source,
        eti__column_unit(diff->new_side->target_scale, diff->options.include_units), err));
    eti__table_mark_findings(table, "verdict");
    ETI_TRY(eti__report_add(report, section, title, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    return ETI_OK;
}

/* Unchanged rows are for programs, for people who ask for them, and for people who view gaps. */
static eti_status add_changes(eti_report *report, shared_diff *shared, const diff_rows *of,
                              const char *section, const char *title, const char *name,
                              eti_error *err) {
    ETI_TRY(add_table(report, shared, of, section, title, name, err));
    eti_section *added = &report->sections[report->n_sections - 1];
    if (!shared->diff.options.lists_all && !of->has_gaps)
        added->n_kept_back = of->rows->n - of->rows->n_changed;
    const eti_row_needs needs = find_needs(of, of->rows->n - added->n_kept_back);
    eti__needs_show(&needs, added->table, name);
    return ETI_OK;
}

/* ---- notes ----------------------------------------------------------------------------------- */

static double bytes_of(const eti_row_side *side) {
    return side->entry ? side->p50 : 0;
}

static eti_status note_allocated(eti_report *report, const eti_diff *diff, eti_error *err) {
    for (size_t i = 0; i < diff->allocated.n; i++) {
        const eti_diff_row *row = &diff->allocated.rows[i];
        char change[ETI_PERCENT_MAX];
        double base = bytes_of(&row->base), new_side = bytes_of(&row->new_side);
        int size = base > 0 ? (int)eti__write_change(change, new_side / base - 1) : 0;
        ETI_TRY(eti__report_note(
            report, err, "%.*s: bytes allocated in a run: %.15g -> %.15g%s%.*s",
            ETI_TEXT_ARGS(row->block), base, new_side, size > 0 ? ", " : "", size, change));
    }
    return ETI_OK;
}

static eti_status add_totals(eti_report *report, shared_diff *shared, eti_error *err) {
    const eti_diff *diff = &shared->diff;
    const diff_rows totals = {.shared = shared, .rows = &diff->totals};
    ETI_TRY(add_table(report, shared, &totals, "total", "Total", "total", err));
    ETI_TRY(eti__note_readings(report, diff, false, err));
    ETI_TRY(eti__note_metrics(report, diff, err));
    ETI_TRY(eti__note_evidence(report, diff, err));
    ETI_TRY(eti__profile_note_runs(report, diff->base, "base", err));
    ETI_TRY(eti__profile_note_runs(report, diff->new_side, "new", err));
    return note_allocated(report, diff, err);
}

static eti_status add_events(eti_report *report, shared_diff *shared, eti_error *err) {
    const eti_diff *diff = &shared->diff;
    const diff_rows events = {.shared = shared,
                              .rows = &diff->events,
                              .are_events = true,
                              .has_gaps = diff->options.has_gaps};
    ETI_TRY(add_changes(report, shared, &events, "events", "Changes of events", "event_name", err));
    report->selected = report->n_sections - 1;
    ETI_TRY(eti__note_matches(report, diff, err));
    ETI_TRY(eti__note_steps(report, diff, err));
    return eti__note_coverage(report, diff, err);
}

static eti_status add_groups(eti_report *report, shared_diff *shared, eti_error *err) {
    const eti_diff *diff = &shared->diff;
    const diff_rows groups = {.shared = shared,
                              .rows = &diff->groups,
                              .has_gaps =
                                  diff->options.has_gaps &&
                                  eti__has_gaps(eti__find_diff_grouping(diff->options.group))};
    if (!diff->options.group)
        return ETI_OK;
    return add_changes(report, shared, &groups, "groups", "Changes of groups", diff->options.group,
                       err);
}

static eti_status add_tables(eti_report *report, shared_diff *shared, eti_error *err) {
    const eti_answer answer = eti__diff_answer(&shared->diff);
    ETI_TRY(eti__diff_add_summary(report, &shared->diff, &answer, err));
    ETI_TRY(add_totals(report, shared, err));
    ETI_TRY(add_events(report, shared, err));
    ETI_TRY(add_groups(report, shared, err));
    return eti__diff_add_files(report, &shared->diff, err);
}

static eti_status fail_without_times(const eti_profile *profile, eti_report **out, eti_error *err) {
    *out = NULL;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%.*s contains no times, but the other side does: give an ETDump before it, or "
                    "two programs",
                    ETI_TEXT_ARGS(profile->name));
}

eti_status eti__diff_report(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                            const eti_diff_options *options, eti_error *err) {
    if (base->n_blocks + new_side->n_blocks == 0)
        return eti__program_diff_report(out, base, new_side, options, err);
    if (base->n_blocks == 0 || new_side->n_blocks == 0)
        return fail_without_times(base->n_blocks == 0 ? base : new_side, out, err);
    shared_diff *shared = calloc(1, sizeof *shared);
    eti_report *report = NULL;
    *out = NULL;
    if (!shared)
        return eti_fail_memory(err);
    shared->n_users = 1;
    eti_status status = eti__diff_make(&shared->diff, base, new_side, options, err);
    if (status == ETI_OK)
        status = eti__profiles_begin_report(&report, "diff", base, new_side, err);
    if (status == ETI_OK) {
        report->measured = eti__profile_inspector(new_side);
        status = add_tables(report, shared, err);
    }
    release(shared);
    if (status == ETI_OK)
        *out = report;
    else
        eti_report_free(report);
    return status;
}
