/*
 * e_divisive.h - finds the places where a series of numbers changes.
 *
 * Implements E-divisive by Matteson and James, A Nonparametric Approach for Multiple Change Point
 * Analysis of Multivariate Data, J. Am. Stat. Assoc. 109, 2014. Drift counts as a change, too.
 */
#ifndef ETI_STATS_E_DIVISIVE_H
#define ETI_STATS_E_DIVISIVE_H

#include "etinspect.h"

#define ETI_E_DIVISIVE_FEWEST 6 /* smallest number of values of a segment that is divided */
#define ETI_E_DIVISIVE_MOST                                                                        \
    ((size_t)2000) /* largest number of values, because the time grows with its square */

typedef struct eti_change_point {
    size_t at; /* index of the first value after the change */
    double p;  /* p-value of the permutation test */
    double score;
} eti_change_point;

/* Returns the smallest number of values, at least ETI_E_DIVISIVE_FEWEST, for which a cut can be significant. With fewer,
 * the probability that chance alone puts the larger half of them on one side is above alpha, or so close to it that
 * the drawn permutations would decide. */
size_t eti__fewest_values(double alpha);

/* Fills `out`, which has room for n / 3 points, with all significant changes of the series, in order, and sets
 * `*n_out` to their number. `alpha` holds for the series. Segments of fewer than eti__fewest_values() values are not
 * divided. The p of a segment of up to ETI_CUT_MOST_COUNTED values (cut_orders.h) is exact; for longer ones,
 * permutations are derived from `seed`, and the same seed gives the same points on every machine. Fails with
 * ETI_ERROR_LIMIT if there are more values than ETI_E_DIVISIVE_MOST, or with ETI_ERROR_MEMORY. */
eti_status eti__find_change_points(eti_change_point *out, size_t *n_out, const double *values,
                                   size_t n, double alpha, uint64_t seed,
                                   eti_error *err) ETI_WARN_UNUSED;

#endif
