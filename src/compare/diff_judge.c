/*
 * diff_judge.c - chooses the rows to be judged, and finds levels, changes and verdicts.
 */
#include "compare/diff_judge.h"

#include "compare/diff_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of rows -------------------------------------------------------------------------- */

/* Rows of one pair of blocks that are tested together, with their values. */
typedef struct family {
    const eti_diff *diff;
    const eti_diff_pair *pair;
    eti_diff_row **rows;
    double *values, *logs, *steps, *scratch;
    double *total; /* per unit, in ticks; NULL if a side has no total */
    eti_change *changes;
    size_t n, capacity; /* number of rows */
    size_t n_units;
} family;

static void free_family(family *f) {
    free(f->rows);
    free(f->values);
    free(f->logs);
    free(f->steps);
    free(f->total);
    free(f->scratch);
    free(f->changes);
}

/* Allocates room for `most` rows. Returns false if memory runs out. */
static bool reserve(family *f, size_t most) {
    size_t n_values = most * f->n_units + f->n_units + 1;
    f->rows = malloc((most + 1) * sizeof(eti_diff_row *));
    f->values = malloc(n_values * sizeof *f->values);
    f->logs = malloc(n_values * sizeof *f->logs);
    f->steps = malloc((most + 1) * sizeof *f->steps);
    f->scratch = malloc((n_values + 5 * most + 3 * f->n_units + 8) * sizeof *f->scratch);
    f->changes = malloc((most + 1) * sizeof *f->changes);
    return f->rows && f->values && f->logs && f->steps && f->scratch && f->changes;
}

static eti_locations locations_of(const family *f) {
    return (eti_locations){.n = f->n,
                           .n_base = f->pair->n_base,
                           .n_new = f->pair->n_new,
                           .values = f->values,
                           .steps = f->steps};
}

/* Returns why a row is not tested, or ETI_JUDGED. Puts its values after those of the family. `least_share` is the
 * smallest share that it must have on a side. */
static eti_unjudged judge_place(const family *f, const eti_diff_row *row, double least_share) {
    double *values = f->values + f->n * f->n_units;
    if (!f->pair->is_whole && !f->diff->options.one_process)
        return ETI_UNJUDGED_MISSING;
    if (!eti__diff_row_values(f->diff, row, values))
        return ETI_UNJUDGED_MISSING;
    eti_unjudged unjudged = eti__find_unjudged(values, f->n_units, 0, f->scratch);
    bool is_small = eti__diff_row_share(row) < least_share; /* NaN is not */
    return unjudged == ETI_JUDGED && is_small ? ETI_UNJUDGED_SMALL : unjudged;
}

/* Adds a row that both sides have to the family, or records why it is not tested. */
static void take_row(family *f, eti_diff_row *row, double least_share) {
    row->unjudged = (uint8_t)judge_place(f, row, least_share);
    if (row->unjudged != ETI_JUDGED)
        return;
    f->steps[f->n] = row->step;
    f->rows[f->n++] = row;
}

/* Computes the logarithms of the rows, after all rows were added. */
static void take_logs(family *f) {
    const eti_locations locations = locations_of(f);
    eti__log_locations(f->logs, &locations);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Finds the total of the pair. Returns false if memory runs out. */
static bool find_total(family *f) {
    const eti_diff_row *row = f->pair->total;
    if (!row || !eti__diff_row_is_on_both(row) || !eti__diff_row_values(f->diff, row, f->values))
        return true;
    f->total = malloc(f->n_units * sizeof *f->total);
    if (f->total)
        memcpy(f->total, f->values, f->n_units * sizeof *f->total);
    return f->total;
}

/* Returns the p-value of the change of an event against the rest of the total; 1 if it has not changed that way, or
 * is the total. Without a level, a change of all events alike is a change of the total and of no single event, so the
 * event must also have changed against the rest. */
static double find_p_of_rest(const family *f, size_t i) {
    const double *values = f->values + i * f->n_units;
    const eti_locations one = {.n = 1, .n_base = f->pair->n_base, .n_new = f->pair->n_new};
    double *logs = f->scratch, difference = f->changes[i].difference;
    eti_change change;
    for (size_t unit = 0; unit < f->n_units; unit++) {
        double rest = f->total ? f->total[unit] - values[unit] : 0;
        if (!(rest > 0))
            return 1;
        logs[unit] = log(values[unit] / rest);
    }
    eti__find_changes(&change, logs, NULL, &one, NULL, f->scratch + f->n_units);
    bool is_alike = change.difference * difference > 0 &&
                    fabs(change.difference) >= log1p(f->diff->options.least_effect);
    return is_alike ? change.p : 1;
}

/* Returns the mean correlation of the runs of a side's files with the previous ones, weighted by the number of runs. */
static double find_correlation(const eti_profile_block *block, const double *logs,
                               const double *levels, double *scratch) {
    double sum = 0, n_runs = 0;
    for (size_t k = 0; k < block->n_files; k++) {
        size_t first = block->files[k].first, n = block->files[k].n;
        double *values = scratch + 2 * n;
        for (size_t i = 0; i < n; i++)
            values[i] = logs[first + i] - (levels ? levels[first + i] : 0);
        sum += (double)n * eti__correlation_of_runs(values, n, scratch);
        n_runs += (double)n;
    }
    return sum / n_runs;
}

/* Makes a change between runs less certain if they depend on the previous runs of their file, on the side where they depend
 * more: many independent runs of one side must not hide the dependence of the few of the other. */
static void widen(eti_change *change, const eti_diff_pair *pair, const double *logs,
                  const double *levels, double *scratch) {
    double base = find_correlation(pair->base, logs, levels, scratch);
    double new_side = find_correlation(pair->new_side, logs + pair->n_base,
                                       levels ? levels + pair->n_base : NULL, scratch);
    eti__widen_for_dependence(change, fmax(base, new_side), pair->n_base, pair->n_new);
}

/* Finds the changes of the family's rows. */
static void test(family *f, const double *levels, bool is_total) {
    eti_locations locations = locations_of(f);
    locations.n_level_rows = levels ? f->pair->n_level_rows : 0;
    eti_variance_prior prior;
    bool needs_rest = !is_total && !levels && !f->diff->options.keep_pace;
    if (f->n == 0 || f->pair->n_base < f->diff->fewest || f->pair->n_new < f->diff->fewest) {
        for (size_t i = 0; i < f->n; i++)
            f->rows[i]->unjudged = ETI_UNJUDGED_FEW_FILES;
        return;
    }
    eti__find_changes(f->changes, f->logs, levels, &locations, is_total ? NULL : &prior,
                      f->scratch);
    for (size_t i = 0; i < f->n && f->diff->options.one_process; i++)
        widen(&f->changes[i], f->pair, f->logs + i * f->n_units, levels, f->scratch);
    for (size_t i = 0; i < f->n; i++) {
        eti_diff_row *row = f->rows[i];
        if (needs_rest)
            f->changes[i].p = fmax(f->changes[i].p, find_p_of_rest(f, i));
        row->change = f->changes[i];
        row->is_compared = true;
        row->ratio = exp(row->change.difference);
        row->interval = eti__change_interval(&row->change, f->diff->options.confidence);
    }
}

/* Makes the ratio of an event relative to the level, whether or not the event is tested. */
static void relate(eti_diff_row *row, const eti_diff_pair *pair) {
    if (!pair->levels || isnan(row->raw_ratio))
        return;
    row->is_relative = true;
    row->ratio = row->raw_ratio / exp(pair->level.difference);
}

/* Compares the level of the new side with that of the base, tested like a total. */
static void test_levels(const eti_diff *diff, eti_diff_pair *pair, double *scratch) {
    size_t n = pair->n_base + pair->n_new;
    const eti_locations locations = {.n = 1, .n_base = pair->n_base, .n_new = pair->n_new};
    double base = 0, new_side = 0;
    for (size_t i = 0; i < n; i++) {
        base += i < pair->n_base ? pair->levels[i] / (double)pair->n_base : 0;
        new_side += i < pair->n_base ? 0 : pair->levels[i] / (double)pair->n_new;
    }
    pair->level = (eti_change){.difference = new_side - base};
    pair->has_level_test = pair->n_base >= diff->fewest && pair->n_new >= diff->fewest;
    if (!pair->has_level_test)
        return;
    eti__find_changes(&pair->level, pair->levels, NULL, &locations, NULL, scratch);
    if (diff->options.one_process)
        widen(&pair->level, pair, pair->levels, NULL, scratch);
}

static bool find_levels(const eti_diff *diff, eti_diff_pair *pair, family *f, eti_arena *arena) {
    if (diff->options.keep_pace || f->n < ETI_LEVEL_FEWEST_EVENTS)
        return true;
    pair->levels = eti__arena_alloc(arena, f->n_units, sizeof *pair->levels);
    if (!pair->levels)
        return false;
    eti_locations locations = locations_of(f);
    eti__find_levels(pair->levels, f->logs, &locations, f->changes, f->scratch);
    pair->n_level_rows = f->n;
    test_levels(diff, pair, f->scratch);
    return true;
}

/* Judges rows first .. end - 1, which are the events or the groups of one pair. */
static bool test_pair(eti_diff *diff, eti_diff_rows *rows, size_t first, size_t end,
                      bool are_events) {
    eti_diff_pair *pair = &diff->pairs[rows->rows[first].pair];
    family f = {.diff = diff, .pair = pair, .n_units = pair->n_base + pair->n_new};
    if (!pair->base || !pair->new_side)
        return true;
    bool done = reserve(&f, end - first) && find_total(&f);
    for (size_t i = first; i < end && done; i++) {
        if (eti__diff_row_is_on_both(&rows->rows[i]))
            take_row(&f, &rows->rows[i], diff->options.min_share);
    }
    if (done)
        take_logs(&f);
    if (done && are_events)
        done = find_levels(diff, pair, &f, &diff->arena);
    for (size_t i = first; i < end && done; i++)
        relate(&rows->rows[i], pair);
    if (done)
        test(&f, pair->levels, false);
    for (size_t i = 0; i < f.n && done && are_events; i++)
        pair->n_judged += f.rows[i]->is_compared;
    free_family(&f);
    return done;
}

/* Judges all events or all groups, which are still in the order of their pairs. */
static bool test_parts(eti_diff *diff, eti_diff_rows *rows, bool are_events) {
    bool done = true;
    for (size_t first = 0, end; first < rows->n && done; first = end) {
        for (end = first; end < rows->n && rows->rows[end].pair == rows->rows[first].pair;)
            end++;
        done = test_pair(diff, rows, first, end, are_events);
    }
    return done;
}

/* Tests a total. A total has no level, its clock is never too coarse, and it has no other rows that contribute to a
 * prior. */
static bool test_total(eti_diff *diff, eti_diff_row *row) {
    const eti_diff_pair *pair = &diff->pairs[row->pair];
    family f = {.diff = diff, .pair = pair, .n_units = pair->n_base + pair->n_new};
    if (!eti__diff_row_is_on_both(row))
        return true;
    bool done = reserve(&f, 1);
    if (done) {
        take_row(&f, row, 0);
        take_logs(&f);
        test(&f, NULL, true);
    }
    free_family(&f);
    return done;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Returns whether a row belongs to a family. The change of a total that is part of another is known, but gets no
 * verdict. */
static bool is_in_family(const eti_diff_row *row) {
    return row->is_compared && row->unjudged == ETI_JUDGED;
}

static eti_verdict verdict_on(const eti_diff *diff, const eti_diff_row *row, double alpha) {
    if (row->base.n_events == 0)
        return ETI_VERDICT_ADDED;
    if (row->new_side.n_events == 0)
        return ETI_VERDICT_REMOVED;
    if (row->unjudged == ETI_UNJUDGED_FEW_FILES)
        return ETI_VERDICT_UNDECIDED;
    if (!is_in_family(row))
        return ETI_VERDICT_UNTESTED;
    return eti__verdict_on(&row->change, row->adjusted_p, alpha, diff->options.least_effect);
}

/* Adjusts the p-values of a family, and sets the verdicts. */
static bool judge(const eti_diff *diff, eti_diff_rows *rows, double alpha) {
    double *p = malloc((3 * rows->n + 1) * sizeof *p);
    size_t n = 0;
    if (!p)
        return false;
    for (size_t i = 0; i < rows->n; i++) {
        if (is_in_family(&rows->rows[i]))
            p[n++] = rows->rows[i].change.p;
    }
    eti__holm_adjust(p, n, p + n);
    rows->n_family = n;
    rows->alpha = alpha;
    for (size_t i = 0, k = 0; i < rows->n; i++) {
        eti_diff_row *row = &rows->rows[i];
        if (is_in_family(row)) {
            row->adjusted_p = p[k];
            row->detectable = eti__detectable(&row->change, n, alpha, diff->options.least_effect);
            p[k++] = row->detectable;
        }
        row->verdict = (uint8_t)verdict_on(diff, row, alpha);
    }
    eti__sort_doubles(p, n);
    rows->detectable = n > 0 ? p[n / 2] : (double)NAN;
    free(p);
    return true;
}

/* ---- coverage -------------------------------------------------------------------------------- */

static void count_row(eti_coverage *coverage, const eti_diff_row *row) {
    if (eti__diff_row_is_on_both(row)) {
        eti__coverage_add(coverage, (eti_unjudged)row->unjudged);
        return;
    }
    coverage->n_events++;
    coverage->n_added += row->verdict == ETI_VERDICT_ADDED;
    coverage->n_removed += row->verdict == ETI_VERDICT_REMOVED;
}

static void count_coverage(eti_diff *diff) {
    double judged = 0, all = 0;
    for (size_t i = 0; i < diff->events.n; i++) {
        const eti_diff_row *row = &diff->events.rows[i];
        count_row(&diff->coverage, row);
        if (row->is_compared)
            judged += row->new_side.typical;
    }
    for (size_t i = 0; i < diff->n_pairs; i++)
        all += diff->pairs[i].typical_new;
    diff->coverage.share = all > 0 ? fmin(1, judged / all) : (double)NAN;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Totals, events and groups are one family each, and the families share alpha. Allocations are compared, but have no
 * share of alpha and no verdict, except by a rule of a gate. */
eti_status eti__diff_judge(eti_diff *diff, eti_error *err) {
    double alpha = diff->options.alpha / (diff->options.group ? 3 : 2);
    bool done = test_parts(diff, &diff->events, true) && test_parts(diff, &diff->groups, false);
    for (size_t i = 0; i < diff->totals.n && done; i++) {
        eti_diff_row *row = &diff->totals.rows[i];
        done = test_total(diff, row);
        if (row->kind != ETI_ENTRY_EXECUTE && row->unjudged == ETI_JUDGED)
            row->unjudged = ETI_UNJUDGED_PART;
    }
    for (size_t i = 0; i < diff->allocated.n && done; i++)
        done = test_total(diff, &diff->allocated.rows[i]);
    done = done && judge(diff, &diff->totals, alpha) && judge(diff, &diff->events, alpha) &&
           judge(diff, &diff->groups, alpha);
    if (!done)
        return eti_fail_memory(err);
    count_coverage(diff);
    return ETI_OK;
}
