/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_STATS_PARTS_H
#define ETI_STATS_PARTS_H

#include "stats/stats.h"

/* ==== change ================================================================================== */

/* Differences of locations below half a percent cannot be distinguished from variations of clock
 * and machine. */
#define ETI_LEAST_DEVIATION 0.005

/* ==== normal ================================================================================== */

/* Returns the probability of a value above z. */
double eti__normal_above(double z);

/* Returns the probability of a value at least as far from 0 as z. */
double eti__normal_two_sided(double z);

/* Returns the z that a value exceeds with probability p, 0 < p < 1. */
double eti__normal_quantile_above(double p);

/* ==== e divisive ============================================================================== */
/* Counts the orders of values in which a cut has at least a certain score. The score of a cut depends only on which values
 * are before it, so an order is a path from the empty set of values to the whole one, and sums over all 2^n sets count all
 * n! orders. */

#define ETI_CUT_LEAST_PART ((size_t)3) /* smallest number of values before and after a cut */
#define ETI_CUT_MOST_COUNTED                                                                       \
    ((size_t)20) /* largest number of values whose orders are counted: 20! fits into 64 bits */

/* Sets `*p` to the share of the n! orders of finite values in which the best cut scores `least` or more; `n` is from 2 *
 * ETI_CUT_LEAST_PART to ETI_CUT_MOST_COUNTED. Stops early with a value above alpha once the share is certain to be
 * above alpha. Sorts the values. Fails with ETI_ERROR_MEMORY. */
eti_status eti__share_of_orders(double *p, double *values, size_t n, double least, double alpha,
                                eti_error *err) ETI_WARN_UNUSED;

/* ==== spread ================================================================================== */

/* Return numpy.var(ddof=1) and numpy.std(ddof=1) of n >= 2 values; `scratch` has room for n values and is
 * overwritten. */
double eti__variance(const double *values, size_t n, double *scratch);

/* Factor that turns a median absolute deviation into the standard deviation of a normal distribution:
 * 1 / Phi^-1(3/4), SciPy's scale="normal". */
#define ETI_MAD_TO_SIGMA 1.482602218505602

#endif
