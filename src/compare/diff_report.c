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

/* The tables of a report share what they show. */
typedef struct shared_diff {
    eti_diff diff;
    size_t n_users;
} shared_diff;

/* A table of rows. */
typedef struct diff_rows {
    shared_diff *shared;
    const eti_diff_rows *rows;
    bool are_events;
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

/* A row that is made. */
typedef struct shown_row {
    const eti_diff_row *of; /* NULL: the mean */
    const eti_entry *event; /* NULL: a total, a group, or the mean */
    eti_row *out;
} shown_row;

#define ROW_CELL(name, value) ETI_CELL_SETTER_IF(shown_row, name, row->of, value)
#define COMPARED_CELL(name, value)                                                                 \
    ETI_CELL_SETTER_IF(shown_row, name, row->of && row->of->is_compared, value)
#define EVENT_CELL(name, value) ETI_CELL_SETTER_IF(shown_row, name, row->event, value)

/* Takes the text that was built. */
static bool take_text(const shown_row *row, eti_cell *cell) {
    cell->kind = ETI_CELL_TEXT;
    return eti__row_take_text(row->out, &cell->as_text);
}

ROW_CELL(name, eti__text_or_none(row->of->name))
ROW_CELL(ratio, eti__number_or_none(row->of->ratio))
ROW_CELL(verdict, eti__string_cell(eti__verdict_name((eti_verdict)row->of->verdict)))

static bool set_source(void *context, eti_cell *cell) {
    const shown_row *row = context;
    if (!row->event || !row->event->file.data)
        return true;
    eti__add_source_line(&row->out->scratch, row->event->file, row->event->line);
    return take_text(row, cell);
}

ROW_CELL(block, eti__text_or_none(row->of->block))
ROW_CELL(match, eti__string_cell(eti__match_kind_name((eti_match_kind)row->of->match)))
ROW_CELL(base, eti__number_or_none(row->of->base.location))
ROW_CELL(new, eti__number_or_none(row->of->new_side.location))
ROW_CELL(delta, eti__number_or_none(row->of->delta))
ROW_CELL(n_base, eti__count_cell(row->of->base.n_runs))
ROW_CELL(n_new, eti__count_cell(row->of->new_side.n_runs))
ROW_CELL(impact, eti__number_or_none(row->of->impact))
ROW_CELL(share_base, eti__number_or_none(row->of->base.share))
ROW_CELL(share_new, eti__number_or_none(row->of->new_side.share))
COMPARED_CELL(low, eti__number_or_none(row->of->interval.low))
COMPARED_CELL(high, eti__number_or_none(row->of->interval.high))
COMPARED_CELL(p, eti__number_or_none(row->of->adjusted_p))
COMPARED_CELL(raw_p, eti__number_or_none(row->of->change.p))
COMPARED_CELL(detectable, eti__number_or_none(row->of->detectable))
ROW_CELL(raw_ratio, eti__number_or_none(row->of->raw_ratio))
EVENT_CELL(kind, eti__string_cell(eti__entry_kind_name(row->event)))
EVENT_CELL(op, eti__text_or_none(row->event->op))
EVENT_CELL(module, eti__text_or_none(row->event->module))
EVENT_CELL(backend, eti__text_or_none(row->event->backend))
ETI_CELL_SETTER_IF(shown_row, old_name, row->event && row->of->base.entry,
                   eti__text_or_none(row->of->base.entry->name))

static const eti_column_spec specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_block},
    {"event_name", ETI_TEXTS, false, "as the new side calls it", set_name},
    {"kind", ETI_TEXTS, true, "kernel, delegated, delegate_call or instruction", set_kind},
    {"verdict", ETI_TEXTS, false, "slower, faster, ~, few, added, removed or untested",
     set_verdict},
    {"base", ETI_TIMES, false, "median of own times, as measured", set_base},
    {"new", ETI_TIMES, false, "likewise", set_new},
    {"ratio", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "of the medians as compared, new to base",
     set_ratio},
    {"p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "of Mann and Whitney, by Holm for all events",
     set_p},
    {"impact", ETI_SHARES, false, "delta to the whole of the base", set_impact},
    {"delta", ETI_TIMES, false, "new less base", set_delta},
    {"low", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "where the interval of the ratio begins",
     set_low},
    {"high", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "where it ends", set_high},
    {"n_base", ETI_COUNTS, false, "runs", set_n_base},
    {"n_new", ETI_COUNTS, false, "runs", set_n_new},
    {"match", ETI_TEXTS, true, "same, renamed, moved, delegated, undelegated, added or removed",
     set_match},
    {"base_name", ETI_TEXTS, true, "as the base calls it", set_old_name},
    {"op", ETI_TEXTS, true, "operators", set_op},
    {"module", ETI_TEXTS, true, "innermost that all its nodes share", set_module},
    {"backend", ETI_TEXTS, true, "of delegates", set_backend},
    {"share_base", ETI_SHARES, true, "of the whole", set_share_base},
    {"share_new", ETI_SHARES, true, "of the whole", set_share_new},
    {"detectable", ETI_SHARES, true, "smallest change that would have been found", set_detectable},
    {"p_unadjusted", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "of this event alone", set_raw_p},
    {"raw_ratio", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "as measured", set_raw_ratio},
    {"source", ETI_TEXTS, true, "line that all its nodes share", set_source},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    const diff_rows *rows = context;
    shown_row row = {.out = out};
    if (number < rows->rows->n)
        row.of = &rows->rows->rows[number];
    if (row.of && rows->are_events)
        row.event = row.of->new_side.entry ? row.of->new_side.entry : row.of->base.entry;
    return eti__columns_set(specs, ETI_N_COLUMNS(specs), &row, out);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool has_other_matches(const eti_diff_rows *rows) {
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->rows[i].match != ETI_MATCH_SAME)
            return true;
    }
    return false;
}

/* Some columns are shown where they say anything. */
static void choose_columns(eti_column_spec *columns, const diff_rows *of, const char *name) {
    memcpy(columns, specs, sizeof specs);
    for (size_t i = 0; i < ETI_N_COLUMNS(specs); i++) {
        if (columns[i].set == set_name)
            columns[i].name = name;
        else if (columns[i].set == set_block)
            columns[i].is_extra = of->shared->diff.n_pairs < 2;
        else if (columns[i].set == set_match)
            columns[i].is_extra = !of->are_events || !has_other_matches(of->rows);
    }
}

static eti_status add_table(eti_report *report, shared_diff *shared, const diff_rows *of,
                            const char *section, const char *title, const char *name,
                            eti_error *err) {
    const eti_diff *diff = &shared->diff;
    eti_column_spec columns[ETI_N_COLUMNS(specs)];
    choose_columns(columns, of, name);
    diff_rows *rows = malloc(sizeof *rows);
    if (!rows)
        return eti_fail_memory(err);
    *rows = *of;
    shared->n_users++;
    eti_table *table;
    const eti_row_source source = {make_row, free_rows, rows};
    ETI_TRY(eti__columns_make_rows(
        &table, columns, ETI_N_COLUMNS(specs), of->rows->n, source,
        eti__column_unit(diff->new_side->target_scale, diff->options.include_units), err));
    return eti__report_add(report, section, title, table, err);
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

eti_status eti__profile_note_runs(eti_report *report, const eti_profile *profile, const char *side,
                                  eti_error *err) {
    size_t n_runs, n_skipped;
    count_runs(profile, &n_runs, &n_skipped);
    if (n_skipped > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "%s: left out as warm-up: %zu of %zu runs (%sskip_first)", side,
                                 n_skipped, n_runs + n_skipped, eti__option_prefix()));
    if (profile->n_uncounted > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "%s: %" PRIu64
                                 " delegated events count cycles: they are left out; see "
                                 "%sdelegate_time_scale",
                                 side, profile->n_uncounted, eti__option_prefix()));
    return ETI_OK;
}

static eti_status note_allocated(eti_report *report, const eti_diff *diff, eti_error *err) {
    static const char *const words[ETI_N_VERDICTS] = {
        [ETI_VERDICT_NOISE] = "~",           [ETI_VERDICT_SLOWER] = "more",
        [ETI_VERDICT_FASTER] = "less",       [ETI_VERDICT_UNDECIDED] = "too few runs to say",
        [ETI_VERDICT_ADDED] = "new",         [ETI_VERDICT_REMOVED] = "not recorded on the new side",
        [ETI_VERDICT_UNTESTED] = "untested",
    };
    for (size_t i = 0; i < diff->allocated.n; i++) {
        const eti_diff_row *row = &diff->allocated.rows[i];
        double base = row->base.entry ? row->base.p50 : 0,
               new_side = row->new_side.entry ? row->new_side.p50 : 0;
        ETI_TRY(eti__report_note(report, err, "%.*s: bytes allocated in a run: %.15g -> %.15g (%s)",
                                 ETI_TEXT_ARGS(row->block), base, new_side, words[row->verdict]));
    }
    return ETI_OK;
}

static eti_status note_verdicts(eti_report *report, const eti_diff *diff, eti_error *err) {
    const eti_coverage *of = &diff->coverage;
    return eti__report_note(report, err, "judged %zu of %zu events (%.1f %% of the time)",
                            of->n_judged, of->n_events, 100 * of->share);
}

static eti_status add_tables(eti_report *report, shared_diff *shared, eti_error *err) {
    const eti_diff *diff = &shared->diff;
    const diff_rows totals = {shared, &diff->totals, false};
    const diff_rows events = {shared, &diff->events, true};
    const diff_rows groups = {shared, &diff->groups, false};
    ETI_TRY(add_table(report, shared, &totals, "total", "Total", "total", err));
    ETI_TRY(eti__profile_note_runs(report, diff->base, "base", err));
    ETI_TRY(eti__profile_note_runs(report, diff->new_side, "new", err));
    ETI_TRY(note_allocated(report, diff, err));
    ETI_TRY(add_table(report, shared, &events, "events", "Events", "event_name", err));
    report->selected = 1;
    ETI_TRY(note_verdicts(report, diff, err));
    if (!diff->options.group)
        return ETI_OK;
    return add_table(report, shared, &groups, "groups", "Groups", diff->options.group, err);
}

eti_status eti__diff_report(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                            const eti_diff_options *options, eti_error *err) {
    shared_diff *shared = calloc(1, sizeof *shared);
    eti_report *report = NULL;
    *out = NULL;
    if (!shared)
        return eti_fail_memory(err);
    shared->n_users = 1;
    eti_status status = eti__diff_make(&shared->diff, base, new_side, options, err);
    if (status == ETI_OK)
        status = eti__report_new(&report, "diff", new_side->target_scale, err);
    if (status == ETI_OK)
        status = eti__profile_add_sources(report, base, err);
    if (status == ETI_OK)
        status = eti__profile_add_sources(report, new_side, err);
    if (status == ETI_OK)
        status = add_tables(report, shared, err);
    release(shared);
    if (status == ETI_OK)
        *out = report;
    else
        eti_report_free(report);
    return status;
}
