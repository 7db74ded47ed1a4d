/*
 * mann_whitney.h - turns two sets of samples into the probability that chance alone makes them lie so far
 * apart.
 *
 * The two-sided test of Mann and Whitney (Ann. Math. Stat. 18, 1947), equal to scipy.stats.mannwhitneyu()
 * with its defaults: exact where one side has at most 8 samples and no two are equal, otherwise the normal
 * approximation with corrections for ties and continuity.
 */
#ifndef ETI_STATS_MANN_WHITNEY_H
#define ETI_STATS_MANN_WHITNEY_H

#include "base/status.h"

typedef struct eti_mann_whitney {
    double u; /* pairs in which the new sample is greater, those of equal samples counted half */
    double p; /* two-sided, at most 1 */
    double least_p; /* what p would be if the sides did not overlap, with as many ties */
    bool exact;     /* no approximation */
} eti_mann_whitney;

/* How many values of scratch the functions below need. */
size_t eti__mann_whitney_scratch(size_t n_base, size_t n_new);

/* Of n_base >= 1 and n_new >= 1 samples, each side in ascending order; less than 2^31 of each. O(n), and
 * O(n) times the size of the smaller side where the test is exact. */
eti_mann_whitney eti__mann_whitney_test(const double *base, size_t n_base,
                                        const double *new_samples, size_t n_new, double *scratch);

/* The least p that this number of samples can have without ties: that of sides that do not overlap. */
double eti__mann_whitney_least_p(size_t n_base, size_t n_new);

/* The least p of the normal approximation, which few samples with ties take, too. */
double eti__mann_whitney_least_approximate_p(size_t n_base, size_t n_new);

#endif
