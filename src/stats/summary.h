/*
 * summary.h - computes p10, p50, p90, avg, min and max of samples, equal to numpy's to the last
 * bit.
 */
#ifndef ETI_STATS_SUMMARY_H
#define ETI_STATS_SUMMARY_H

#include <stddef.h>

/* ==== summary ================================================================================= */

/* Return numpy.var(ddof=1) and numpy.std(ddof=1) of n >= 2 values; `scratch` has room for n values and is
 * overwritten. */
double eti__variance(const double *values, size_t n, double *scratch);

/* ==== spread ================================================================================== */

/* Factor that turns a median absolute deviation into the standard deviation of a normal distribution:
 * 1 / Phi^-1(3/4), SciPy's scale="normal". */
#define ETI_MAD_TO_SIGMA 1.482602218505602

#endif
