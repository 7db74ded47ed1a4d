/*
 * e_divisive.h - counts the orders of values in which a cut has at least a certain score.
 *
 * The score of a cut depends only on which values are before it, so an order is a path from the
 * empty set of values to the whole one, and sums over all 2^n sets count all n! orders.
 */
#ifndef ETI_STATS_E_DIVISIVE_H
#define ETI_STATS_E_DIVISIVE_H

#include "etinspect.h"

#define ETI_CUT_LEAST_PART ((size_t)3) /* smallest number of values before and after a cut */
#define ETI_CUT_MOST_COUNTED                                                                       \
    ((size_t)20) /* largest number of values whose orders are counted: 20! fits into 64 bits */

/* Sets `*p` to the share of the n! orders of finite values in which the best cut scores `least` or more; `n` is from 2 *
 * ETI_CUT_LEAST_PART to ETI_CUT_MOST_COUNTED. Stops early with a value above alpha once the share is certain to be
 * above alpha. Sorts the values. Fails with ETI_ERROR_MEMORY. */
eti_status eti__share_of_orders(double *p, double *values, size_t n, double least, double alpha,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
