/*
 * diff_tests.c - tests which differences are statistically significant.
 */
#include "base/array.h"
#include "base/parallel.h"
#include "compare/diff_parts.h"
#include "stats/holm.h"
#include "stats/pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer rows are not worth a thread. */
#define ROWS_PER_TASK 64

static bool has_samples(const eti_diff_row *row) {
    return row->samples_base.n > 0 && row->samples_new.n > 0;
}

/* ---- the pace of runs ------------------------------------------------------------------------ */

/* The rows of events of a pair that both sides have, and what each usually takes. */
typedef struct pace_input {
    const double **base, **new_side;
    double *usual;
    double *scratch;
    size_t n;
} pace_input;

static void free_pace_input(pace_input *in) {
    free(in->base);
    free(in->new_side);
    free(in->usual);
    free(in->scratch);
}

/* What an event usually takes is the mean of both medians, so that neither side counts for more. */
static bool gather(pace_input *in, const eti_diff_row *rows, size_t n_rows) {
    in->base = malloc((n_rows + 1) * sizeof *in->base);
    in->new_side = malloc((n_rows + 1) * sizeof *in->new_side);
    in->usual = malloc((n_rows + 1) * sizeof *in->usual);
    in->scratch = malloc((n_rows + 1) * sizeof *in->scratch);
    if (!in->base || !in->new_side || !in->usual || !in->scratch)
        return false;
    for (size_t i = 0; i < n_rows; i++) {
        if (!has_samples(&rows[i]))
            continue;
        in->base[in->n] = rows[i].samples_base.values;
        in->new_side[in->n] = rows[i].samples_new.values;
        in->usual[in->n++] = (rows[i].p50_base + rows[i].p50_new) / 2;
    }
    return true;
}

static bool find_paces_of(eti_diff *diff, eti_diff_pair *pair, const eti_diff_row *rows,
                          size_t n_rows) {
    size_t n_base = pair->base->n_runs, n_new = pair->new_side->n_runs;
    pace_input in = {0};
    double *paces = eti__arena_alloc(&diff->arena, n_base + n_new + 1, sizeof *paces);
    bool done = paces && gather(&in, rows, n_rows);
    if (done && in.n >= ETI_PACE_FEWEST_EVENTS) {
        eti__find_paces(paces, in.base, in.usual, in.n, n_base, in.scratch);
        eti__find_paces(paces + n_base, in.new_side, in.usual, in.n, n_new, in.scratch);
        pair->paces_base = paces;
        pair->paces_new = paces + n_base;
    }
    free_pace_input(&in);
    return done;
}

/* Rows of events are still in the order of their pairs. */
eti_status eti__diff_find_paces(eti_diff *diff, eti_error *err) {
    if (diff->base->is_summarised || diff->new_side->is_summarised)
        return ETI_OK;
    const eti_diff_rows *events = &diff->events;
    for (size_t first = 0, end; first < events->n; first = end) {
        uint32_t number = events->rows[first].pair;
        eti_diff_pair *pair = &diff->pairs[number];
        for (end = first; end < events->n && events->rows[end].pair == number;)
            end++;
        if (pair->base && pair->new_side &&
            !find_paces_of(diff, pair, events->rows + first, end - first))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Divides the samples by their share of the pace of their runs; they stay in `p`. False: out of memory. */
static bool pace_samples(eti_scratch *p, const eti_diff_pair *pair, eti_diff_row *row,
                         eti_sample_set *base, eti_sample_set *new_side) {
    size_t n_base = base->n, n = n_base + new_side->n;
    if (!ETI_GROW(p->values, p->capacity, 4 * n))
        return false;
    double *values = p->values, *paces = values + n;
    memcpy(values, base->values, n_base * sizeof *values);
    memcpy(values + n_base, new_side->values, new_side->n * sizeof *values);
    memcpy(paces, pair->paces_base, n_base * sizeof *paces);
    memcpy(paces + n_base, pair->paces_new, new_side->n * sizeof *paces);
    eti_pace_share share = eti__choose_pace_share(values, paces, n_base, n, paces + n);
    if (share == ETI_PACE_NONE)
        return true;
    eti__apply_pace(values, values, paces, n, share);
    row->is_paced = true;
    *base = (eti_sample_set){values, n_base};
    *new_side = (eti_sample_set){values + n_base, new_side->n};
    return true;
}

typedef struct comparing {
    const eti_diff *diff;
    eti_diff_rows *family;
    bool may_pace;
    size_t n_tasks;
    struct task_result {
        eti_status status;
        eti_error err;
    } * results; /* per task */
} comparing;

/* What a task allocates once. */
typedef struct task_scratch {
    eti_scratch paced, files;
    eti_compare_scratch compare;
} task_scratch;

static eti_status compare_row(const comparing *c, eti_diff_row *row, task_scratch *scratch,
                              eti_error *err) {
    const eti_diff_pair *pair = &c->diff->pairs[row->pair];
    const eti_compare_options options = {c->diff->options.confidence, c->diff->options.n_resamples,
                                         c->diff->options.seed};
    eti_sample_set base = row->samples_base, new_side = row->samples_new;
    if (c->may_pace && pair->paces_base &&
        !pace_samples(&scratch->paced, pair, row, &base, &new_side))
        return eti_fail_memory(err);
    bool files_agree;
    ETI_TRY(eti__compare(&row->comparison, base, new_side, &options, &scratch->compare, err));
    if (!eti__diff_files_agree(pair, base, new_side, &scratch->files, &files_agree))
        return eti_fail_memory(err);
    row->files_disagree = !files_agree;
    row->is_compared = true;
    row->ratio = row->comparison.ratio;
    row->adjusted_p = row->comparison.p;
    return ETI_OK;
}

static void compare_part(void *context, size_t task) {
    comparing *c = context;
    struct task_result *result = &c->results[task];
    task_scratch scratch = {0};
    size_t first, end;
    eti__parallel_part(c->family->n, c->n_tasks, task, &first, &end);
    result->status = ETI_OK;
    for (size_t i = first; i < end && result->status == ETI_OK; i++) {
        if (has_samples(&c->family->rows[i]))
            result->status = compare_row(c, &c->family->rows[i], &scratch, &result->err);
    }
    free(scratch.paced.values);
    free(scratch.files.values);
    eti__compare_scratch_free(&scratch.compare);
}

static eti_status compare_rows(const eti_diff *diff, eti_diff_rows *family, bool may_pace,
                               eti_error *err) {
    comparing c = {diff, family, may_pace, eti__thread_count(diff->options.n_threads), NULL};
    size_t most = family->n / ROWS_PER_TASK + 1;
    c.n_tasks = c.n_tasks < most ? c.n_tasks : most;
    c.results = malloc(c.n_tasks * sizeof *c.results);
    if (!c.results)
        return eti_fail_memory(err);
    eti__parallel(c.n_tasks, compare_part, &c);
    eti_status status = ETI_OK;
    for (size_t i = 0; i < c.n_tasks && status == ETI_OK; i++) {
        status = c.results[i].status;
        if (status != ETI_OK && err)
            eti__error_copy(err, &c.results[i].err);
    }
    free(c.results);
    return status;
}

/* ---- judging --------------------------------------------------------------------------------- */

static bool adjust(eti_diff_rows *family, double *mean_ratio) {
    double *values = malloc((3 * family->n + 1) * sizeof *values);
    size_t n = 0, n_ratios = 0;
    if (!values)
        return false;
    for (size_t i = 0; i < family->n; i++) {
        if (!isnan(family->rows[i].ratio))
            values[n_ratios++] = family->rows[i].ratio;
    }
    *mean_ratio = eti__geometric_mean(values, n_ratios);
    for (size_t i = 0; i < family->n; i++) {
        if (family->rows[i].is_compared)
            values[n++] = family->rows[i].comparison.p;
    }
    eti__holm_adjust(values, n, values + n);
    family->n_family = n;
    for (size_t i = 0, k = 0; i < family->n; i++) {
        if (family->rows[i].is_compared)
            family->rows[i].adjusted_p = values[k++];
    }
    free(values);
    return true;
}

static eti_verdict judge(const eti_diff *diff, eti_diff_rows *family, const eti_diff_row *row) {
    const eti_rule rule = {diff->options.alpha, diff->options.least_effect};
    if (row->n_events_base == 0)
        return ETI_VERDICT_ADDED;
    if (row->n_events_new == 0)
        return ETI_VERDICT_REMOVED;
    if (!row->is_compared)
        return ETI_VERDICT_UNTESTED;
    eti_verdict verdict = eti__judge(&row->comparison, row->adjusted_p, family->n_family, &rule);
    if (!row->files_disagree || (verdict != ETI_VERDICT_SLOWER && verdict != ETI_VERDICT_FASTER))
        return verdict;
    family->n_disagree++;
    return ETI_VERDICT_NOISE;
}

eti_status eti__diff_test(const eti_diff *diff, eti_diff_rows *family, bool may_pace,
                          eti_error *err) {
    ETI_TRY(compare_rows(diff, family, may_pace, err));
    if (!adjust(family, &family->mean_ratio))
        return eti_fail_memory(err);
    size_t needed = 0, needed_with_ties = 0;
    if (family->n_family > 0) {
        needed = eti__samples_needed(1, family->n_family, diff->options.alpha);
        needed_with_ties = eti__samples_needed_with_ties(family->n_family, diff->options.alpha);
    }
    for (size_t i = 0; i < family->n; i++) {
        eti_diff_row *row = &family->rows[i];
        row->n_needed = row->is_compared && !row->comparison.p_is_exact ? needed_with_ties : needed;
        row->verdict = (uint8_t)judge(diff, family, row);
    }
    return ETI_OK;
}
