/*
 * sign_test.h - turns samples and a limit into how likely chance puts so many of them above it.
 */
#ifndef ETI_STATS_SIGN_TEST_H
#define ETI_STATS_SIGN_TEST_H

#include "base/status.h"

/* The one-sided p-value of n_above or more of n (>= 1) samples above a limit, were the limit the `quantile` (0.5: the
 * median) of what they are drawn from. O(n). */
double eti__sign_test(size_t n_above, size_t n, double quantile);

/* The least number of samples with which a family of n_family tests can come below alpha, adjusted. */
size_t eti__sign_test_needs(size_t n_family, double quantile, double alpha);

#endif
