/*
 * noise.c - measures how much the files of one program differ, and how exactly a change between
 * sides with the same noise would be known.
 */
#include "base/numbers.h"
#include "series/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST_FILES 2 /* smallest number of files that can differ */

/* ---- one row --------------------------------------------------------------------------------- */

static const size_t sides[] = {5, 8, 12, 20}; /* files per side */
#define N_SIDES (sizeof sides / sizeof *sides)
#define OF_SENTENCE 1 /* index of the one that the sentence is about */

/* Shares. */
typedef struct row_noise {
    double deviation;      /* between files; for events, relative to the level */
    double raw_deviation;  /* between files, as measured */
    double width[N_SIDES]; /* half of the interval of a change */
} row_noise;

static double deviation_of(const double *logs, size_t n, double *scratch) {
    return expm1(eti__standard_deviation(logs, n, scratch));
}

/* Returns half of the width of the interval of a change between two sides of m files. The prior adds its degrees of freedom
 * to those of the n files, and to those of both sides. */
static double width_with(const eti_change *mean, double beta, size_t n, size_t m) {
    double dof = mean->dof - (double)(n - 1) + (double)(2 * m - 2);
    return expm1(eti__student_quantile(1 - beta, dof) * sqrt(2 * mean->variance / (double)m));
}

/* Computes the noise of a judged row. `scratch` has room for one number per file. */
static row_noise noise_of(const eti_side_row *row, double beta, double *scratch) {
    const eti_side_family *family = row->family;
    size_t n = family->file_values.n_new;
    row_noise out = {
        .deviation = deviation_of(row->logs, n, scratch),
        .raw_deviation = deviation_of(family->logs + row->place * n, n, scratch),
    };
    for (size_t i = 0; i < N_SIDES; i++)
        out.width[i] = width_with(&family->changes[row->place], beta, n, sides[i]);
    return out;
}

/* ---- families -------------------------------------------------------------------------------- */

/* Totals or events of all blocks, with the noise of the judged ones. */
typedef struct noise_rows {
    const eti_side *side;
    const eti_side_rows *of;
    bool are_totals;
    row_noise *noise;        /* per row; NaN if it is not judged */
    double deviation, width; /* medians over the rows; NaN if there are none */
} noise_rows;

/* Finds the means of the rows of a family, and their errors. Returns false if memory runs out. */
static bool find_changes(eti_side *side, eti_side_family *of) {
    size_t n = of->file_values.n;
    eti_variance_prior prior;
    of->changes = eti__arena_alloc(&side->arena, n, sizeof *of->changes);
    double *scratch =
        eti__arena_alloc(&side->arena, 5 * n + 2 * of->file_values.n_new, sizeof *scratch);
    if (of->changes && scratch && n > 0)
        eti__find_changes(of->changes, of->logs, of->levels, &of->file_values, &prior, scratch);
    return of->changes && scratch;
}

static bool find_noise(eti_side *side, noise_rows *rows) {
    static const row_noise none = {.deviation = NAN, .width[OF_SENTENCE] = NAN};
    size_t n = rows->of->n;
    double *scratch = eti__arena_alloc(&side->arena, n + side->n_files, sizeof *scratch);
    rows->noise = eti__arena_alloc(&side->arena, n, sizeof *rows->noise);
    if (!scratch || !rows->noise)
        return false;
    for (size_t i = 0; i < n; i++)
        rows->noise[i] = rows->of->rows[i]->unjudged == ETI_JUDGED
                             ? noise_of(rows->of->rows[i], side->options.beta, scratch)
                             : none;
    for (size_t i = 0; i < n; i++)
        scratch[i] = rows->noise[i].deviation;
    rows->deviation = eti__median_of_known(scratch, n, scratch);
    for (size_t i = 0; i < n; i++)
        scratch[i] = rows->noise[i].width[OF_SENTENCE];
    rows->width = eti__median_of_known(scratch, n, scratch);
    return true;
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct noise_row {
    const eti_side_row *of;
    const row_noise *noise; /* NULL if not judged */
} noise_row;

#define NOISE_CELL(name, value) ETI_CELL_SETTER_IF(noise_row, name, row->noise, value)
#define WIDTH_CELL(name, i) NOISE_CELL(name, eti__number_or_none(row->noise->width[i]))

ETI_SIDE_SETTERS
ETI_TIME_AND_VALUE(noise_row, time, row->of, row->of->location)
NOISE_CELL(deviation, eti__number_or_none(row->noise->deviation))
NOISE_CELL(raw_deviation, eti__number_or_none(row->noise->raw_deviation))
WIDTH_CELL(with_5, 0)
WIDTH_CELL(with_8, 1)
WIDTH_CELL(with_12, 2)
WIDTH_CELL(with_20, 3)

static const eti_column_spec specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_block},
    {"event_name", ETI_TEXTS, false, "name of the event", set_name},
    {"time", ETI_TIMES, false, "median over the files, as measured", set_time},
    {"value", ETI_VALUES, true, "the same of an event that counts something else than time",
     set_time_value},
    {"unit", ETI_TEXTS, true, "unit of `value`, such as cycles", set_unit},
    {"between_files", ETI_SHARES, false,
     "standard deviation between files; for events, relative to the level of their file",
     set_deviation},
    {"with_5", ETI_SHARES, false, "half width of the 90 % interval with 5 files per side",
     set_with_5},
    {"with_8", ETI_SHARES, false, "half width of the 90 % interval with 8 files per side",
     set_with_8},
    {"with_12", ETI_SHARES, false, "half width of the 90 % interval with 12 files per side",
     set_with_12},
    {"with_20", ETI_SHARES, false, "half width of the 90 % interval with 20 files per side",
     set_with_20},
    {"as_measured", ETI_SHARES, true, "standard deviation between files, as measured",
     set_raw_deviation},
    {"share", ETI_SHARES, true, "share of the total", set_share},
    {"files", ETI_COUNTS, true, "number of files", set_files},
    {"kind", ETI_TEXTS, true, "kernel, delegated, delegate_call or instruction", set_kind},
    {"op", ETI_TEXTS, true, "operators", set_op},
    {"module", ETI_TEXTS, true, "innermost module common to all its nodes", set_module},
};

static void choose_columns(const noise_rows *rows, eti_column_spec *columns) {
    memcpy(columns, specs, sizeof specs);
    if (!rows->are_totals)
        eti__side_show_values(rows->side, columns, ETI_N_COLUMNS(specs));
    for (size_t i = 0; i < ETI_N_COLUMNS(specs); i++) {
        if (columns[i].set == set_block)
            columns[i].is_extra = !eti__side_rows_name_blocks(rows->of);
        if (columns[i].set == set_name && rows->are_totals)
            columns[i].name = "total";
    }
}

/* Adds the rows that are judged, or those that are not. */
static eti_status add_rows(const noise_rows *rows, eti_table *table, const eti_column_spec *columns,
                           bool are_judged, eti_error *err) {
    for (size_t i = 0; i < rows->of->n; i++) {
        noise_row row = {rows->of->rows[i], are_judged ? &rows->noise[i] : NULL};
        if ((row.of->unjudged == ETI_JUDGED) != are_judged)
            continue;
        ETI_TRY(eti__columns_add_row(table, columns, ETI_N_COLUMNS(specs), &row, err));
    }
    return ETI_OK;
}

static eti_status add_table(const noise_rows *rows, eti_report *report, eti_error *err) {
    const eti_diff_options *options = &rows->side->options;
    eti_column_spec columns[ETI_N_COLUMNS(specs)];
    eti_table *table;
    choose_columns(rows, columns);
    ETI_TRY(eti__columns_add_section(
        &table, report, rows->are_totals ? "total" : "events",
        rows->are_totals ? "Total" : "Events", columns, ETI_N_COLUMNS(specs),
        eti__column_unit(rows->side->profile->target_scale, options->include_units), err));
    ETI_TRY(add_rows(rows, table, columns, true, err));
    ETI_TRY(add_rows(rows, table, columns, false, err)); /* only these are kept back */
    static const char *const spreads[] = {"between_files", "with_5", "with_8", "with_12",
                                          "with_20"};
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++)
        eti__table_mark_spread(table, spreads[i]);
    eti_row_needs needs = {0};
    for (size_t i = 0; i < rows->of->n && !rows->are_totals; i++) {
        const eti_side_row *of = rows->of->rows[i];
        if (of->unjudged == ETI_JUDGED || options->lists_all)
            eti__needs_add(&needs, of->entry, of->namesakes);
    }
    eti__needs_show(&needs, table, columns[1].name);
    if (!options->lists_all)
        report->sections[report->n_sections - 1].n_kept_back = rows->of->n - rows->of->n_judged;
    return ETI_OK;
}

/* ---- summary --------------------------------------------------------------------------------- */

typedef struct summary_row {
    const noise_rows *totals, *events;
} summary_row;

#define SUMMARY_CELL(name, value) ETI_CELL_SETTER(summary_row, name, value)

SUMMARY_CELL(n_files, eti__count_cell(row->totals->side->n_files))
SUMMARY_CELL(n_events, eti__count_cell(row->events->of->n))
SUMMARY_CELL(n_judged, eti__count_cell(row->events->of->n_judged))
SUMMARY_CELL(total_deviation, eti__number_or_none(row->totals->deviation))
SUMMARY_CELL(event_deviation, eti__number_or_none(row->events->deviation))
SUMMARY_CELL(total_width, eti__number_or_none(row->totals->width))
SUMMARY_CELL(event_width, eti__number_or_none(row->events->width))

static const eti_column_spec summary_specs[] = {
    {"files", ETI_COUNTS, false, "number of files", set_n_files},
    {"events", ETI_COUNTS, false, "number of events", set_n_events},
    {"judged", ETI_COUNTS, false, "events that were judged", set_n_judged},
    {"total_between_files", ETI_SHARES, false, "standard deviation of the total",
     set_total_deviation},
    {"events_between_files", ETI_SHARES, false, "standard deviation of the median event",
     set_event_deviation},
    {"total_with_8", ETI_SHARES, false,
     "half width of the 90 % interval of the total with 8 files per side", set_total_width},
    {"events_with_8", ETI_SHARES, false, "the same of the median event", set_event_width},
};

static void add_deviations(eti_buffer *out, const noise_rows *totals, const noise_rows *events) {
    bool has_total = !isnan(totals->deviation);
    if (has_total) {
        eti__buffer_add_string(out, "the total differs by ");
        eti__add_share(out, totals->deviation);
        eti__buffer_printf(out, " between %zu files", totals->side->n_files);
    }
    if (isnan(events->deviation))
        return;
    eti__buffer_add_string(out, has_total ? ", half of the events by "
                                          : "half of the events differ by ");
    eti__add_share(out, events->deviation);
    if (!has_total)
        eti__buffer_printf(out, " between %zu files", totals->side->n_files);
    eti__buffer_add_string(out, " or less");
}

static void add_sentence(eti_buffer *out, const noise_rows *totals, const noise_rows *events) {
    bool has_total = !isnan(totals->width);
    if (totals->of->n_judged + events->of->n_judged == 0) {
        eti__buffer_printf(out, "no event or total has a time above 0 in all %zu files",
                           totals->side->n_files);
        return;
    }
    add_deviations(out, totals, events);
    eti__buffer_printf(out, "; with %zu files per side, a change of ", sides[OF_SENTENCE]);
    if (has_total) {
        eti__buffer_add_string(out, "the total is known within ");
        eti__add_share(out, totals->width);
    }
    if (isnan(events->width))
        return;
    eti__buffer_add_string(out, has_total ? ", that of half of the events within "
                                          : "half of the events is known within ");
    eti__add_share(out, events->width);
}

static eti_status add_summary(const noise_rows *totals, const noise_rows *events,
                              eti_report *report, eti_error *err) {
    eti_buffer sentence = {0};
    eti_table *table;
    summary_row row = {totals, events};
    ETI_TRY(eti__columns_add_section(&table, report, "summary", "Summary", summary_specs,
                                     ETI_N_COLUMNS(summary_specs), NULL, err));
    report->sections[report->n_sections - 1].is_in_notes = true;
    ETI_TRY(eti__columns_add_row(table, summary_specs, ETI_N_COLUMNS(summary_specs), &row, err));
    add_sentence(&sentence, totals, events);
    return eti__report_take_note(report, &sentence, err);
}

/* ---- report ---------------------------------------------------------------------------------- */

static eti_status note_events(eti_report *report, const noise_rows *events, eti_error *err) {
    const eti_diff_options *options = &events->side->options;
    eti_buffer coverage = {0};
    eti__add_coverage(&coverage, &events->side->coverage);
    ETI_TRY(eti__report_take_note(report, &coverage, err));
    if (events->of->n_judged > 0 && events->of->n_judged < ETI_LEVEL_FEWEST_EVENTS)
        ETI_TRY(eti__report_note(report, err,
                                 "fewer than %d events: they are compared as measured, not "
                                 "relative to the level of their file",
                                 ETI_LEVEL_FEWEST_EVENTS));
    return eti__report_note(
        report, err,
        "with N: half of the width of the 90 %% interval of a change between sides of N files "
        "each; what did not change passes if this is less than limit and margin together, %g %%",
        100 * (options->least_effect + options->margin));
}

static eti_status add_sections(eti_report *report, const noise_rows *totals,
                               const noise_rows *events, eti_error *err) {
    ETI_TRY(add_summary(totals, events, report, err));
    ETI_TRY(add_table(totals, report, err));
    ETI_TRY(eti__profile_note_runs(report, totals->side->profile, "runs", err));
    ETI_TRY(add_table(events, report, err));
    report->selected = report->n_sections - 1;
    return note_events(report, events, err);
}

static noise_rows rows_of(const eti_side *side, bool are_totals) {
    return (noise_rows){
        .side = side, .of = are_totals ? &side->totals : &side->events, .are_totals = are_totals};
}

static eti_status make_report(eti_report **out, eti_side *side, eti_error *err) {
    noise_rows totals = rows_of(side, true), events = rows_of(side, false);
    bool done = true;
    for (size_t i = 0; i < side->profile->n_blocks && done; i++) {
        eti_side_block *block = &side->blocks[i];
        done = find_changes(side, &block->total) && find_changes(side, &block->family) &&
               find_changes(side, &block->cycles);
    }
    if (!done || !find_noise(side, &totals) || !find_noise(side, &events))
        return eti_fail_memory(err);
    ETI_TRY(eti__profiles_begin_report(out, "noise", NULL, side->profile, err));
    return add_sections(*out, &totals, &events, err);
}

static eti_status check_files(const eti_side *side, eti_error *err) {
    if (side->n_files >= FEWEST_FILES)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_TOO_FEW,
                    "%.*s: one process cannot show how much processes differ: give the files of at "
                    "least %d, preferably 8 (etinspect measure records them)",
                    ETI_TEXT_ARGS(side->profile->name), FEWEST_FILES);
}

static void drop_side(void *object) {
    eti__side_free(object);
    free(object);
}

eti_status eti__noise_report(eti_report **out, const eti_profile *profile,
                             const eti_diff_options *options, eti_error *err) {
    eti_side *side = calloc(1, sizeof *side);
    eti_report *report = NULL;
    *out = NULL;
    if (!side)
        return eti_fail_memory(err);
    eti_status status = eti__side_make(side, profile, options, "file", FEWEST_FILES, err);
    if (status == ETI_OK)
        status = eti__profile_check_unmerged(profile, err);
    if (status == ETI_OK)
        status = check_files(side, err);
    if (status == ETI_OK)
        status = make_report(&report, side, err);
    if (report) /* the side has the labels of namesakes */
        eti__report_keep(report, (eti_kept){side, drop_side});
    else
        drop_side(side);
    if (status == ETI_OK)
        *out = report;
    else
        eti_report_free(report);
    return status;
}
