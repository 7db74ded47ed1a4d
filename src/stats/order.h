/*
 * order.h - computes order statistics, and sorts only the values that they need.
 */
#ifndef ETI_STATS_ORDER_H
#define ETI_STATS_ORDER_H

/* Moves the values with the given `ranks` (ascending, 0 is the smallest, repetition allowed) of n values, none of
 * them NaN, to their places in ascending order. O(n log n_ranks), and O(n log n) for adversarial orders. */
void eti__select_ranks(double *values, size_t n, const size_t *ranks, size_t n_ranks);

/* Sorts n values, none of them NaN, in ascending order, in O(n log n) for any initial order. */
void eti__sort_doubles(double *values, size_t n);

/* Returns numpy.median of n >= 1 values, none of them NaN; reorders them. O(n). */
double eti__median(double *values, size_t n);

/* Does the same without reordering the values. `scratch` has room for n values. */
double eti__median_of(const double *values, size_t n, double *scratch);

/* Returns numpy.percentile (method "linear") at 100 * `quantile`, to the last bit. `sorted` needs to be in ascending
 * order only at the ranks around the quantile. n >= 1. */
double eti__percentile(const double *sorted, size_t n, double quantile);
/* Does the same, given the value at the rank at or below the quantile and the next value. */
double eti__percentile_between(double below, double above, uint64_t n, double quantile);

#endif
