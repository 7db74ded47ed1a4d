/*
 * joined.h - joins the differences of several inputs at the same point into one.
 */
#ifndef ETI_NUMERICS_JOINED_H
#define ETI_NUMERICS_JOINED_H

#include <stddef.h>

/* Returns the median of n >= 1 values, none of them NaN, like stats/stats.h, except that it returns the lower one if
 * the two middle values are opposite infinities. Reorders the values. */
double eti__joined_median(double *values, size_t n);

#endif
