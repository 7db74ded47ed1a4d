/*
 * noise.c - turns repeated runs of the same thing into what a comparison of such runs can find.
 */
#include "base/array.h"
#include "base/text.h"
#include "compare/diff_report.h"
#include "stats/order.h"
#include "stats/pace.h"
#include "stats/power.h"
#include "stats/series.h"
#include "stats/spread.h"
#include "table/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POWER 0.95
/* With fewer runs in a file, the result is left to chance. */
#define FEWEST_RUNS_OF_FILE 5
#define FEWEST_RUNS 4

/* Data shared by the entries of a report. */
typedef struct noise_maker {
    const eti_profile *profile;
    eti_diff_options options;
    size_t n_runs; /* a side; 0: as many as there are */
    eti_resampling resampling;
    double *values, *sorted, *scratch; /* most_runs, as many, and enough */
    double *paces;                     /* of the block at hand; NULL: too few events */
} noise_maker;

/* ---- one entry ------------------------------------------------------------------------------- */

typedef struct entry_noise {
    double mad, cv, correlation;
    double between; /* NaN: not known */
    double effect, threshold;
    size_t runs_5, runs_10;
    bool is_paced;
} entry_noise;

/* How far the medians of files lie apart. */
static double spread_between(const noise_maker *m, const eti_profile_block *block) {
    double low = INFINITY, high = -INFINITY;
    size_t n_files = 0;
    for (size_t i = 0; i < block->n_files; i++) {
        size_t first = block->files[i];
        size_t n = eti__file_end(block, i) - first;
        if (n < FEWEST_RUNS_OF_FILE)
            continue;
        memcpy(m->scratch, m->values + first, n * sizeof *m->scratch);
        double median = eti__median(m->scratch, n);
        low = median < low ? median : low;
        high = median > high ? median : high;
        n_files++;
    }
    return n_files >= 2 && low > 0 ? high / low - 1 : (double)NAN;
}

/* Returns the effective number of runs, given that each depends on the one before; at least 1. */
static size_t independent(size_t n, double correlation) {
    double runs = floor(eti__independent_runs(n, correlation));
    return runs < 1 ? 1 : (size_t)runs;
}

static size_t dependent(size_t n_independent, size_t n, double correlation) {
    double factor = (double)n / eti__independent_runs(n, correlation);
    double runs = ceil((double)n_independent * factor);
    return runs >= (double)ETI_TOO_MANY_SAMPLES ? ETI_TOO_MANY_SAMPLES : (size_t)runs;
}

static void find_power(const noise_maker *m, const eti_noise *noise, size_t n_family,
                       entry_noise *out) {
    eti_power_goal goal = {
        {m->options.alpha, m->options.least_effect}, m->options.confidence, n_family, POWER};
    size_t n = m->n_runs > 0 ? m->n_runs : noise->n;
    size_t n_independent = independent(n, out->correlation);
    out->effect = eti__effect_for_samples(noise, n_independent, &goal);
    goal.rule.least_effect = 0;
    double least = eti__effect_for_samples(noise, n_independent, &goal);
    if (out->between > least)
        least = out->between;
    out->threshold = ceil(least * 100 - 1e-9) / 100;
    out->runs_5 =
        dependent(eti__samples_for_effect(noise, 0.05, &goal), noise->n, out->correlation);
    out->runs_10 =
        dependent(eti__samples_for_effect(noise, 0.10, &goal), noise->n, out->correlation);
}

static eti_status measure(noise_maker *m, const eti_profile_block *block, const eti_entry *entry,
                          size_t n_family, entry_noise *out, eti_error *err) {
    size_t n = block->n_runs;
    memcpy(m->values, entry->samples, n * sizeof *m->values);
    eti_pace_share share = ETI_PACE_NONE;
    if (m->paces && entry->kind >= ETI_N_TOTALS)
        share = eti__choose_pace_share(m->values, m->paces, n, n, m->scratch);
    out->is_paced = share != ETI_PACE_NONE;
    if (out->is_paced)
        eti__apply_pace(m->values, m->values, m->paces, n, share);
    out->between = spread_between(m, block);
    eti_spread spread = eti__spread_of(m->values, n, m->scratch);
    out->mad = spread.mad;
    out->correlation = eti__lag_correlation(m->values, n, m->scratch);
    memcpy(m->sorted, m->values, n * sizeof *m->sorted);
    eti__sort_doubles(m->sorted, n);
    out->cv = eti__coefficient_of_variation(m->values, n, m->scratch);
    ETI_TRY(eti__resample(&m->resampling, n, 1, m->options.seed, 0, err));
    const eti_noise noise = {m->sorted, n, eti__median_deviation(&m->resampling, m->sorted)};
    find_power(m, &noise, n_family, out);
    return ETI_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct noise_row {
    const eti_profile_block *block;
    const eti_entry *entry;
    const entry_noise *noise; /* NULL: too few runs */
} noise_row;

#define ENTRY_CELL(name, value) ETI_CELL_SETTER(noise_row, name, value)
#define NOISE_CELL(name, value) ETI_CELL_SETTER_IF(noise_row, name, row->noise, value)
/* Of runs, unless no number would do. */
#define RUNS_CELL(name, n)                                                                         \
    ETI_CELL_SETTER_IF(noise_row, name, row->noise && (n) < ETI_TOO_MANY_SAMPLES,                  \
                       eti__count_cell(n))

ENTRY_CELL(block, eti__text_or_none(row->block->name))
ENTRY_CELL(name, eti__text_or_none(row->entry->name))
ENTRY_CELL(kind, eti__string_cell(eti__entry_kind_name(row->entry)))
ENTRY_CELL(op, eti__text_or_none(row->entry->op))
ENTRY_CELL(module, eti__text_or_none(row->entry->module))
ENTRY_CELL(n, eti__count_cell(row->block->n_runs))
ENTRY_CELL(p50, eti__number_or_none(row->entry->summary.p50))
NOISE_CELL(cv, eti__number_or_none(row->noise->cv))
NOISE_CELL(effect, eti__number_or_none(row->noise->effect))
NOISE_CELL(threshold, eti__number_or_none(row->noise->threshold))
RUNS_CELL(runs_5, row->noise->runs_5)
RUNS_CELL(runs_10, row->noise->runs_10)
NOISE_CELL(mad, eti__number_or_none(row->noise->mad))
NOISE_CELL(between, eti__number_or_none(row->noise->between))
NOISE_CELL(correlation, eti__number_or_none(row->noise->correlation))
NOISE_CELL(paced, eti__string_cell(row->noise->is_paced ? "yes" : "no"))

static const eti_column_spec specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_block},
    {"event_name", ETI_TEXTS, false, "of the event", set_name},
    {"kind", ETI_TEXTS, true, "kernel, delegated, delegate_call or instruction", set_kind},
    {"op", ETI_TEXTS, true, "operators", set_op},
    {"module", ETI_TEXTS, true, "innermost that all its nodes share", set_module},
    {"n", ETI_COUNTS, false, "runs", set_n},
    {"p50", ETI_TIMES, false, "median of own times, as measured", set_p50},
    {"cv", ETI_SHARES, false, "standard deviation to mean", set_cv},
    {"effect", ETI_SHARES, false, "smallest slowdown that diff finds in 95 of 100 comparisons",
     set_effect},
    {"threshold", ETI_SHARES, false, "suggested for rules", set_threshold},
    {"runs_for_5%", ETI_COUNTS, false, "a side, for a slowdown of 5 %", set_runs_5},
    {"runs_for_10%", ETI_COUNTS, false, "a side, for a slowdown of 10 %", set_runs_10},
    {"mad", ETI_TIMES, false, "median absolute deviation", set_mad},
    {"between_files", ETI_SHARES, false, "by how much the medians of files differ", set_between},
    {"correlation", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
     "of ranks, of a run with the one before", set_correlation},
    {"paced", ETI_TEXTS, true, "whether times were divided by the pace of their runs", set_paced},
};

static eti_status add_row(noise_maker *m, eti_table *table, const eti_profile_block *block,
                          const eti_entry *entry, size_t n_family, eti_error *err) {
    entry_noise noise;
    noise_row row = {.block = block, .entry = entry};
    if (block->n_runs >= FEWEST_RUNS && entry->samples) {
        ETI_TRY(measure(m, block, entry, n_family, &noise, err));
        row.noise = &noise;
    }
    return eti__columns_add_row(table, specs, ETI_N_COLUMNS(specs), &row, err);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* What each event usually takes is its median here. */
static eti_status find_paces(noise_maker *m, const eti_profile_block *block, eti_error *err) {
    size_t n = block->n_entries - block->n_totals;
    const double **samples = malloc((n + 1) * sizeof *samples);
    double *usual = malloc((2 * n + 1) * sizeof *usual);
    free(m->paces);
    m->paces = NULL;
    bool is_wanted = n >= ETI_PACE_FEWEST_EVENTS && !m->options.keep_pace;
    if (is_wanted)
        m->paces = malloc((block->n_runs + 1) * sizeof *m->paces);
    bool done = samples && usual && (!is_wanted || m->paces);
    for (size_t i = 0; i < n && done; i++) {
        samples[i] = block->entries[block->n_totals + i].samples;
        usual[i] = block->entries[block->n_totals + i].summary.p50;
    }
    if (done && is_wanted)
        eti__find_paces(m->paces, samples, usual, n, block->n_runs, usual + n);
    free(samples);
    free(usual);
    return done ? ETI_OK : eti_fail_memory(err);
}

static eti_status reserve(noise_maker *m, eti_error *err) {
    size_t most = 1;
    for (size_t i = 0; i < m->profile->n_blocks; i++) {
        if (m->profile->blocks[i].n_runs > most)
            most = m->profile->blocks[i].n_runs;
    }
    m->values = malloc(most * sizeof *m->values);
    m->sorted = malloc(most * sizeof *m->sorted);
    m->scratch = malloc(2 * most * sizeof *m->scratch);
    return m->values && m->sorted && m->scratch ? ETI_OK : eti_fail_memory(err);
}

static void free_maker(noise_maker *m) {
    eti__resampling_free(&m->resampling);
    free(m->values);
    free(m->sorted);
    free(m->scratch);
    free(m->paces);
}

/* Rows of totals, or of events, of all blocks. */
static eti_status add_rows(noise_maker *m, eti_table *table, bool are_events, eti_error *err) {
    size_t n_family = 0;
    for (size_t i = 0; i < m->profile->n_blocks; i++) {
        const eti_profile_block *block = &m->profile->blocks[i];
        n_family += are_events ? block->n_entries - block->n_totals : block->n_totals;
    }
    for (size_t i = 0; i < m->profile->n_blocks; i++) {
        const eti_profile_block *block = &m->profile->blocks[i];
        size_t first = are_events ? block->n_totals : 0;
        size_t end = are_events ? block->n_entries : block->n_totals;
        if (are_events)
            ETI_TRY(find_paces(m, block, err));
        for (size_t k = first; k < end; k++)
            ETI_TRY(add_row(m, table, block, &block->entries[k], n_family, err));
    }
    return ETI_OK;
}

static eti_status add_table(noise_maker *m, eti_report *report, bool are_events, eti_error *err) {
    eti_column_spec columns[ETI_N_COLUMNS(specs)];
    eti_table *table;
    memcpy(columns, specs, sizeof columns);
    for (size_t i = 0; i < ETI_N_COLUMNS(specs); i++) {
        if (columns[i].set == set_block)
            columns[i].is_extra = m->profile->n_blocks < 2;
        if (columns[i].set == set_name && !are_events)
            columns[i].name = "total";
    }
    ETI_TRY(eti__columns_add_section(
        &table, report, are_events ? "events" : "total", are_events ? "Events" : "Total", columns,
        ETI_N_COLUMNS(specs), eti__column_unit(m->profile->target_scale, m->options.include_units),
        err));
    return add_rows(m, table, are_events, err);
}

static eti_status add_tables(noise_maker *m, eti_report *report, eti_error *err) {
    ETI_TRY(reserve(m, err));
    ETI_TRY(add_table(m, report, false, err));
    ETI_TRY(eti__profile_note_runs(report, m->profile, "runs", err));
    ETI_TRY(add_table(m, report, true, err));
    report->selected = 1;
    if (m->n_runs > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "effect: the smallest slowdown that diff finds in 95 of 100 "
                                 "comparisons with %zu runs a side, at alpha %g and a least effect "
                                 "of %g %%; inf: none is found",
                                 m->n_runs, m->options.alpha, 100 * m->options.least_effect));
    else
        ETI_TRY(eti__report_note(report, err,
                                 "effect: the smallest slowdown that diff finds in 95 of 100 "
                                 "comparisons with as many runs a side, at alpha %g and a least "
                                 "effect of %g %%; inf: none is found",
                                 m->options.alpha, 100 * m->options.least_effect));
    return eti__report_note(
        report, err,
        "threshold: a limit for rules that noise alone does not reach: the smallest slowdown "
        "that is found, however small, or how far files lie apart, whichever is more");
}

eti_status eti__noise_report(eti_report **out, const eti_profile *profile, size_t n_runs,
                             const eti_diff_options *options, eti_error *err) {
    static const eti_diff_options defaults = ETI_DIFF_OPTIONS_DEFAULT;
    noise_maker m = {
        .profile = profile, .options = options ? *options : defaults, .n_runs = n_runs};
    eti_report *report;
    *out = NULL;
    ETI_TRY(eti__diff_check_options(&m.options, err));
    if (profile->is_summarised)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%.*s has no samples: save it without %ssummary, or give ETDumps",
                        ETI_TEXT_ARGS(profile->name), eti__option_prefix());
    ETI_TRY(eti__report_new(&report, "noise", profile->target_scale, err));
    eti_status status = eti__profile_add_sources(report, profile, err);
    if (status == ETI_OK)
        status = add_tables(&m, report, err);
    free_maker(&m);
    if (status == ETI_OK)
        *out = report;
    else
        eti_report_free(report);
    return status;
}
