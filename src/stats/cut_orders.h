/*
 * cut_orders.h - counts the orders of values in which a cut has at least a certain score.
 *
 * The score of a cut depends only on which values are before it, so an order is a path from the
 * empty set of values to the whole one, and sums over all 2^n sets count all n! orders.
 */
#ifndef ETI_STATS_CUT_ORDERS_H
#define ETI_STATS_CUT_ORDERS_H

#include "etinspect.h"

#define ETI_CUT_LEAST_PART ((size_t)3) /* smallest number of values before and after a cut */
#define ETI_CUT_MOST_COUNTED                                                                       \
    ((size_t)20) /* largest number of values whose orders are counted: 20! fits into 64 bits */

/* Scores a cut of n values into the first k and the rest. Let A be the distance of two values. `first` is the sum of A
 * over all ordered pairs in the first part, `second` the same in the second part, and `between` the sum over all pairs
 * with one value in each part:
 *
 *     score(k) = k (n - k) / n * (2 between / (k (n - k)) - first / (k (k - 1)) - second / ((n - k) (n - k - 1)))
 */
static inline double eti__cut_score(double first, double second, double between, size_t k,
                                    size_t n) {
    double before = (double)k, after = (double)(n - k);
    return before * after / (double)n *
           (2.0 * between / (before * after) - first / (before * (before - 1.0)) -
            second / (after * (after - 1.0)));
}

/* Sets `*p` to the share of the n! orders of finite values in which the best cut scores `least` or more; `n` is from 2 *
 * ETI_CUT_LEAST_PART to ETI_CUT_MOST_COUNTED. Stops early with a value above alpha once the share is certain to be
 * above alpha. Sorts the values. Fails with ETI_ERROR_MEMORY. */
eti_status eti__share_of_orders(double *p, double *values, size_t n, double least, double alpha,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
