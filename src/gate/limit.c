/*
 * limit.c - compares the new side with a limit: the files of each check by their own scatter, or by
 * the measured values.
 */
#include "gate/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Checks of one pair of blocks, which have the same number of files. */
typedef struct limit_family {
    const eti_gate_rule *rule;
    const eti_diff *diff;
    double limit; /* in ticks or bytes */
    size_t n, n_files, n_base_files;
    eti_check **checks;
    double *values, *logs, *steps, *scratch;
    eti_change *changes;
} limit_family;

static bool reserve(limit_family *f, size_t n) {
    size_t n_values = (n + 1) * (f->n_files + 1);
    f->checks = malloc((n + 1) * sizeof(eti_check *));
    f->values = malloc(n_values * sizeof *f->values);
    f->logs = malloc(n_values * sizeof *f->logs);
    f->steps = malloc((n + 1) * sizeof *f->steps);
    f->scratch = malloc((5 * n + 2 * f->n_files + f->n_base_files + 1) * sizeof *f->scratch);
    f->changes = malloc((n + 1) * sizeof *f->changes);
    return f->checks && f->values && f->logs && f->steps && f->scratch && f->changes;
}

static void free_family(limit_family *f) {
    free(f->checks);
    free(f->values);
    free(f->logs);
    free(f->steps);
    free(f->scratch);
    free(f->changes);
}

/* Returns the median of the metric over the files that have it, or NAN if none has. */
static double find_median(const limit_family *f, const eti_row_side *side, size_t n_files) {
    size_t n = 0;
    for (size_t i = 0; i < n_files && side->times; i++) {
        double value = eti__file_metric(&side->times[i], f->rule->metric);
        if (!isnan(value))
            f->scratch[n++] = value;
    }
    return n > 0 ? eti__median(f->scratch, n) : (double)NAN;
}

/* Stores the medians of both sides, and adds the check to the family if all files have the metric. */
static void take_check(limit_family *f, eti_check *check) {
    double *values = f->values + f->n * f->n_files;
    const eti_row_side *side = &check->row->new_side;
    check->base = find_median(f, &check->row->base, f->n_base_files);
    check->new_side = find_median(f, side, f->n_files);
    for (size_t i = 0; i < f->n_files; i++)
        values[i] = eti__file_metric(&side->times[i], f->rule->metric);
    for (size_t i = 0; i < f->n_files; i++) {
        if (!(values[i] > 0))
            return;
    }
    f->steps[f->n] = check->row->step;
    f->checks[f->n++] = check;
}

/* Compares the mean of the files with the limit; sets the probability that it is there or higher by chance. */
static void compare(const limit_family *f, eti_check *check, const eti_change *mean) {
    eti_change *change = &check->change;
    *change = *mean;
    change->difference = mean->difference - log(f->limit);
    double p = eti__student_two_sided(change->difference / change->error, change->dof) / 2;
    change->p = change->difference > 0 ? p : 1 - p;
    check->is_tested = true;
    check->p = change->p;
}

static void test(limit_family *f) {
    const eti_locations locations = {
        .n = f->n, .n_new = f->n_files, .values = f->values, .steps = f->steps};
    eti_variance_prior prior;
    if (f->n == 0 || f->n_files < f->diff->fewest || f->n_files < 2)
        return;
    eti__log_locations(f->logs, &locations);
    eti__find_means(f->changes, f->logs, NULL, &locations, f->n < ETI_PRIOR_FEWEST ? NULL : &prior,
                    f->scratch);
    for (size_t i = 0; i < f->n; i++)
        compare(f, f->checks[i], &f->changes[i]);
}

/* Tests n checks of one pair of blocks. */
static bool test_pair(limit_family *f, eti_check *const *checks, size_t n) {
    const eti_diff_pair *pair = &f->diff->pairs[checks[0]->row->pair];
    f->n_files = pair->new_side->n_files;
    f->n_base_files = pair->base ? pair->base->n_files : 0;
    bool done = reserve(f, n);
    for (size_t i = 0; i < n && done; i++)
        take_check(f, checks[i]);
    if (done)
        test(f);
    free_family(f);
    return done;
}

static int compare_pairs(const void *a, const void *b) {
    const eti_check *x = *(eti_check *const *)a, *y = *(eti_check *const *)b;
    if (x->row->pair != y->row->pair)
        return x->row->pair < y->row->pair ? -1 : 1;
    return (x > y) - (x < y);
}

bool eti__gate_test_limit(const eti_gate_rule *rule, const eti_diff *diff, double limit,
                          eti_check *checks, size_t n) {
    bool is_bytes = rule->scope == ETI_GATE_ALLOCATION;
    double factor = is_bytes ? 1 : diff->new_side->factor;
    eti_check **by_pair = malloc((n + 1) * sizeof(eti_check *));
    bool done = by_pair != NULL;
    for (size_t i = 0; i < n && by_pair; i++)
        by_pair[i] = &checks[i];
    if (n > 0 && by_pair)
        qsort(by_pair, n, sizeof(eti_check *), compare_pairs);
    for (size_t first = 0, end; first < n && done; first = end) {
        for (end = first; end < n && by_pair[end]->row->pair == by_pair[first]->row->pair;)
            end++;
        limit_family f = {.rule = rule, .diff = diff, .limit = limit * factor};
        done = test_pair(&f, by_pair + first, end - first);
    }
    for (size_t i = 0; i < n && done; i++) {
        checks[i].base /= is_bytes ? 1 : diff->base_factor;
        checks[i].new_side /= factor;
    }
    free(by_pair);
    return done;
}
