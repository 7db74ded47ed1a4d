/*
 * summary.h - computes p10, p50, p90, avg, min and max of samples, equal to numpy's to the last
 * bit.
 *
 * numpy.percentile (method "linear") and numpy.mean (pairwise summation) define the order of
 * operations; compile without contraction of a * b + c (-ffp-contract=off).
 */
#ifndef ETI_STATS_SUMMARY_H
#define ETI_STATS_SUMMARY_H

#include "etinspect.h"

/* Summarizes n >= 1 samples, none of them NaN. `scratch` has room for n values and is
 * overwritten. */
eti_summary eti__summarize(const double *samples, size_t n, double *scratch);

/* Returns numpy.sum of n values. */
double eti__sum(const double *values, size_t n);

/* Returns numpy.mean of n >= 1 values. */
double eti__mean(const double *values, size_t n);

/* Return numpy.var(ddof=1) and numpy.std(ddof=1) of n >= 2 values; `scratch` has room for n values and is
 * overwritten. */
double eti__variance(const double *values, size_t n, double *scratch);
double eti__standard_deviation(const double *values, size_t n, double *scratch);

#endif
