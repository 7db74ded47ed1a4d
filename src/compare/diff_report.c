/*
 * diff_report.c - turns a comparison into tables: totals, events, groups.
 */
#include "compare/diff_report.h"
#include "base/stack_frame.h"
#include "table/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMN_BLOCK,
    COLUMN_NAME,
    COLUMN_KIND,
    COLUMN_VERDICT,
    COLUMN_BASE,
    COLUMN_NEW,
    COLUMN_RATIO,
    COLUMN_P,
    COLUMN_IMPACT,
    COLUMN_DELTA,
    COLUMN_LOW,
    COLUMN_HIGH,
    COLUMN_N_BASE,
    COLUMN_N_NEW,
    COLUMN_MATCH,
    COLUMN_OLD_NAME,
    COLUMN_OP,
    COLUMN_MODULE,
    COLUMN_BACKEND,
    COLUMN_NEEDED,
    COLUMN_SHARE_BASE,
    COLUMN_SHARE_NEW,
    COLUMN_SHIFT,
    COLUMN_RAW_P,
    COLUMN_PACED,
    COLUMN_SOURCE,
    N_COLUMNS
};
_Static_assert(N_COLUMNS <= ETI_MOST_COLUMN_SPECS, "columns.c has no room for them");

static const eti_column_spec specs[N_COLUMNS] = {
    [COLUMN_BLOCK] = {"block", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "EventBlock"},
    [COLUMN_NAME] = {"event_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false,
                     "as the new side calls it"},
    [COLUMN_KIND] = {"kind", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                     "kernel, delegated, delegate_call or instruction"},
    [COLUMN_VERDICT] = {"verdict", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false,
                        "slower, faster, ~, few, added, removed or untested"},
    [COLUMN_BASE] = {"base", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                     "median of own times, as measured"},
    [COLUMN_NEW] = {"new", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "likewise"},
    [COLUMN_RATIO] = {"ratio", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
                      "of the medians as compared, new to base"},
    [COLUMN_P] = {"p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
                  "of Mann and Whitney, by Holm for all events"},
    [COLUMN_IMPACT] = {"impact", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
                       "delta to the whole of the base"},
    [COLUMN_DELTA] = {"delta", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "new less base"},
    [COLUMN_LOW] = {"low", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
                    "where the interval of the ratio begins"},
    [COLUMN_HIGH] = {"high", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "where it ends"},
    [COLUMN_N_BASE] = {"n_base", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "runs"},
    [COLUMN_N_NEW] = {"n_new", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "runs"},
    [COLUMN_MATCH] = {"match", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                      "same, renamed, moved, delegated, undelegated, added or removed"},
    [COLUMN_OLD_NAME] = {"base_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "as the base calls it"},
    [COLUMN_OP] = {"op", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "operators"},
    [COLUMN_MODULE] = {"module", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                       "innermost that all its nodes share"},
    [COLUMN_BACKEND] = {"backend", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "of delegates"},
    [COLUMN_NEEDED] = {"n_needed", ETI_TYPE_INT64, ETI_COLUMN_COUNT, true,
                       "runs a side without which nothing can be significant"},
    [COLUMN_SHARE_BASE] = {"share_base", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, true, "of the whole"},
    [COLUMN_SHARE_NEW] = {"share_new", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, true, "of the whole"},
    [COLUMN_SHIFT] = {"shift", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, true,
                      "by Hodges and Lehmann, as compared"},
    [COLUMN_RAW_P] = {"p_unadjusted", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
                      "of this event alone"},
    [COLUMN_PACED] = {"paced", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                      "whether times were divided by the pace of their runs"},
    [COLUMN_SOURCE] = {"source", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                       "line that all its nodes share"},
};

/* The tables of a report share what they show. */
typedef struct shared_diff {
    eti_diff diff;
    size_t n_users;
} shared_diff;

/* A table of rows; `mean_of` names a last row with the mean of their ratios. */
typedef struct diff_rows {
    shared_diff *shared;
    const eti_diff_rows *rows;
    const eti_diff_rows *mean_of; /* NULL: no such row */
    bool are_events;
} diff_rows;

static void release(shared_diff *shared) {
    if (--shared->n_users > 0)
        return;
    eti_diff_free(&shared->diff);
    free(shared);
}

static void free_rows(void *context) {
    diff_rows *rows = context;
    release(rows->shared);
    free(rows);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool set_verdict(const eti_diff_row *row, eti_row *out) {
    eti_text text = eti_text_of(eti_verdict_name((eti_verdict)row->verdict));
    if (row->verdict == ETI_VERDICT_TOO_FEW) {
        eti_buffer_printf(&out->scratch, "few (needs %zu)", row->n_needed);
        if (!eti_row_take_text(out, &text))
            return false;
    }
    out->cells[COLUMN_VERDICT] = eti_text_or_none(text);
    return true;
}

static void set_comparison(const eti_diff_row *row, eti_cell *cells) {
    const eti_comparison *c = &row->comparison;
    if (!row->is_compared)
        return;
    cells[COLUMN_LOW] = eti_number_or_none(c->ratio_interval.low);
    cells[COLUMN_HIGH] = eti_number_or_none(c->ratio_interval.high);
    cells[COLUMN_P] = eti_number_or_none(row->adjusted_p);
    cells[COLUMN_RAW_P] = eti_number_or_none(c->p);
    cells[COLUMN_SHIFT] = eti_number_or_none(c->shift);
    cells[COLUMN_PACED] = eti_string_cell(row->is_paced ? "yes" : "no");
    cells[COLUMN_NEEDED] = eti_count_cell(row->n_needed);
}

static bool set_event(const eti_diff_row *row, eti_row *out) {
    const eti_entry *entry = row->new_side ? row->new_side : row->base;
    eti_cell *cells = out->cells;
    cells[COLUMN_KIND] = eti_string_cell(eti_entry_kind_name(entry));
    if (row->base)
        cells[COLUMN_OLD_NAME] = eti_text_or_none(row->base->name);
    cells[COLUMN_OP] = eti_text_or_none(entry->op);
    cells[COLUMN_MODULE] = eti_text_or_none(entry->module);
    cells[COLUMN_BACKEND] = eti_text_or_none(entry->backend);
    if (!entry->file.data)
        return true;
    eti_text text;
    eti_add_source_line(&out->scratch, entry->file, entry->line);
    if (!eti_row_take_text(out, &text))
        return false;
    cells[COLUMN_SOURCE] = eti_text_or_none(text);
    return true;
}

/* The mean of no rows says nothing. */
static bool make_mean(const diff_rows *rows, eti_row *out) {
    eti_text name;
    size_t n = 0;
    for (size_t i = 0; i < rows->mean_of->n; i++)
        n += isnan(rows->mean_of->rows[i].ratio) ? 0 : 1;
    eti_buffer_printf(&out->scratch, "geometric mean of %zu events", n);
    if (!eti_row_take_text(out, &name))
        return false;
    out->cells[COLUMN_NAME] = eti_text_or_none(name);
    if (n > 0)
        out->cells[COLUMN_RATIO] = eti_number_or_none(rows->mean_of->mean_ratio);
    return true;
}

static bool make_row(const void *context, size_t number, eti_row *out) {
    const diff_rows *rows = context;
    if (number == rows->rows->n)
        return make_mean(rows, out);
    const eti_diff_row *row = &rows->rows->rows[number];
    eti_cell *cells = out->cells;
    cells[COLUMN_BLOCK] = eti_text_or_none(row->block);
    cells[COLUMN_NAME] = eti_text_or_none(row->name);
    cells[COLUMN_MATCH] = eti_string_cell(eti_match_kind_name((eti_match_kind)row->match));
    cells[COLUMN_BASE] = eti_number_or_none(row->p50_base);
    cells[COLUMN_NEW] = eti_number_or_none(row->p50_new);
    cells[COLUMN_DELTA] = eti_number_or_none(row->delta);
    cells[COLUMN_RATIO] = eti_number_or_none(row->ratio);
    cells[COLUMN_N_BASE] = eti_count_cell(row->n_base);
    cells[COLUMN_N_NEW] = eti_count_cell(row->n_new);
    cells[COLUMN_IMPACT] = eti_number_or_none(row->impact);
    cells[COLUMN_SHARE_BASE] = eti_number_or_none(row->share_base);
    cells[COLUMN_SHARE_NEW] = eti_number_or_none(row->share_new);
    set_comparison(row, cells);
    return set_verdict(row, out) && (!rows->are_events || set_event(row, out));
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Some columns are shown where they say anything. */
static bool is_shown(const eti_diff *diff, size_t column, bool are_events) {
    if (column == COLUMN_BLOCK)
        return diff->n_pairs > 1;
    if (column != COLUMN_MATCH)
        return !specs[column].is_extra;
    for (size_t i = 0; i < diff->events.n && are_events; i++) {
        if (diff->events.rows[i].match != ETI_MATCH_SAME)
            return true;
    }
    return false;
}

static eti_status add_table(eti_report *report, shared_diff *shared, const diff_rows *of,
                            const char *section, const char *title, const char *name,
                            eti_error *err) {
    const eti_diff *diff = &shared->diff;
    eti_column_spec columns[N_COLUMNS];
    memcpy(columns, specs, sizeof columns);
    columns[COLUMN_NAME].name = name;
    for (size_t i = 0; i < N_COLUMNS; i++)
        columns[i].is_extra = !is_shown(diff, i, of->are_events);
    diff_rows *rows = malloc(sizeof *rows);
    if (!rows)
        return eti_fail_memory(err);
    *rows = *of;
    shared->n_users++;
    eti_table *table;
    const eti_row_source source = {make_row, free_rows, rows};
    ETI_TRY(eti_columns_make_rows(
        &table, columns, N_COLUMNS, of->rows->n + (of->mean_of != NULL), source,
        eti_column_unit(diff->new_side->target_scale, diff->options.include_units), err));
    return eti_report_add(report, section, title, table, err);
}

/* ---- notes ----------------------------------------------------------------------------------- */

/* Loading is no run of the model: etinspect summary and runs do not count it either. */
static void count_runs(const eti_profile *profile, size_t *n_runs, size_t *n_skipped) {
    *n_runs = *n_skipped = 0;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        if (block->n_entries > 0 && block->entries[0].kind == ETI_ENTRY_LOADING)
            continue;
        *n_runs += block->n_runs;
        *n_skipped += block->n_skipped;
    }
}

eti_status eti_profile_note_runs(eti_report *report, const eti_profile *profile, const char *side,
                                 eti_error *err) {
    size_t n_runs, n_skipped;
    count_runs(profile, &n_runs, &n_skipped);
    if (n_skipped > 0)
        ETI_TRY(eti_report_note(report, err,
                                "%s: left out as warm-up: %zu of %zu runs (--skip_first)", side,
                                n_skipped, n_runs + n_skipped));
    if (profile->n_uncounted > 0)
        ETI_TRY(eti_report_note(report, err,
                                "%s: %" PRIu64
                                " delegated events count cycles: they are left out; see "
                                "--delegate_time_scale",
                                side, profile->n_uncounted));
    return ETI_OK;
}

static eti_status note_allocated(eti_report *report, const eti_diff *diff, eti_error *err) {
    static const char *const words[ETI_N_VERDICTS] = {
        [ETI_VERDICT_NOISE] = "~",           [ETI_VERDICT_SLOWER] = "more",
        [ETI_VERDICT_FASTER] = "less",       [ETI_VERDICT_TOO_FEW] = "too few runs to say",
        [ETI_VERDICT_ADDED] = "new",         [ETI_VERDICT_REMOVED] = "not recorded on the new side",
        [ETI_VERDICT_UNTESTED] = "untested",
    };
    for (size_t i = 0; i < diff->allocated.n; i++) {
        const eti_diff_row *row = &diff->allocated.rows[i];
        double base = row->base ? row->p50_base : 0, new_side = row->new_side ? row->p50_new : 0;
        ETI_TRY(eti_report_note(report, err, "%.*s: bytes allocated in a run: %.15g -> %.15g (%s)",
                                ETI_TEXT_ARGS(row->block), base, new_side, words[row->verdict]));
    }
    return ETI_OK;
}

static eti_status note_verdicts(eti_report *report, const eti_diff *diff, eti_error *err) {
    size_t counts[ETI_N_VERDICTS] = {0}, n_paced = 0;
    for (size_t i = 0; i < diff->events.n; i++) {
        counts[diff->events.rows[i].verdict]++;
        n_paced += diff->events.rows[i].is_paced;
    }
    ETI_TRY(eti_report_note(
        report, err,
        "%zu event%s: %zu slower, %zu faster, %zu ~ (noise), %zu with too few samples, %zu added, "
        "%zu removed%s",
        diff->events.n, diff->events.n == 1 ? "" : "s", counts[ETI_VERDICT_SLOWER],
        counts[ETI_VERDICT_FASTER], counts[ETI_VERDICT_NOISE], counts[ETI_VERDICT_TOO_FEW],
        counts[ETI_VERDICT_ADDED], counts[ETI_VERDICT_REMOVED],
        counts[ETI_VERDICT_UNTESTED] > 0 ? "; without samples nothing is tested" : ""));
    if (diff->events.n_disagree > 0)
        ETI_TRY(eti_report_note(
            report, err, "%zu of the ~ would count, did not files of one side differ as much",
            diff->events.n_disagree));
    if (n_paced == 0)
        return ETI_OK;
    return eti_report_note(report, err,
                           "ratio, low, high and p of %zu events are of times divided by the pace "
                           "of their runs: --keep_pace compares them as they are",
                           n_paced);
}

static eti_status add_tables(eti_report *report, shared_diff *shared, eti_error *err) {
    const eti_diff *diff = &shared->diff;
    const diff_rows totals = {shared, &diff->totals, &diff->events, false};
    const diff_rows events = {shared, &diff->events, NULL, true};
    const diff_rows groups = {shared, &diff->groups, NULL, false};
    ETI_TRY(add_table(report, shared, &totals, "total", "Total", "total", err));
    ETI_TRY(eti_profile_note_runs(report, diff->base, "base", err));
    ETI_TRY(eti_profile_note_runs(report, diff->new_side, "new", err));
    ETI_TRY(note_allocated(report, diff, err));
    ETI_TRY(add_table(report, shared, &events, "events", "Events", "event_name", err));
    report->selected = 1;
    ETI_TRY(note_verdicts(report, diff, err));
    if (!diff->options.group)
        return ETI_OK;
    return add_table(report, shared, &groups, "groups", "Groups", diff->options.group, err);
}

eti_status eti_diff_report(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                           const eti_diff_options *options, eti_error *err) {
    shared_diff *shared = calloc(1, sizeof *shared);
    eti_report *report = NULL;
    *out = NULL;
    if (!shared)
        return eti_fail_memory(err);
    shared->n_users = 1;
    eti_status status = eti_diff_make(&shared->diff, base, new_side, options, err);
    if (status == ETI_OK)
        status = eti_report_new(&report, "diff", new_side->target_scale, err);
    if (status == ETI_OK)
        status = eti_profile_add_sources(report, base, err);
    if (status == ETI_OK)
        status = eti_profile_add_sources(report, new_side, err);
    if (status == ETI_OK)
        status = add_tables(report, shared, err);
    release(shared);
    if (status == ETI_OK)
        *out = report;
    else
        eti_report_free(report);
    return status;
}
