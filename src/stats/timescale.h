/*
 * timescale.h - turns a pair of clock stamps into elapsed time, in the Inspector's order of
 * operations.
 */
#ifndef ETI_STATS_TIMESCALE_H
#define ETI_STATS_TIMESCALE_H

#include "etinspect.h"

/* Returns the divisor that converts a time in `source` to one in `target`. Cycles become time by the clock's `hz`; if
 * it is 0 (unknown), they stay cycles and the divisor is 1. */
double eti__time_scale_factor(eti_time_scale source, eti_time_scale target, double hz);

/* Returns whether times can be converted: cycles only to cycles, unless the clock's `hz` is known. */
bool eti__time_scales_fit(eti_time_scale source, eti_time_scale target, double hz);

/* Stamps that run backwards are attributed to a 32-bit clock that wrapped around; as in the
 * Inspector, the result is one tick less than the true difference. Each function returns false if
 * stamps that run backwards do not fit 32 bits. */

/* Subtract as integers, then scale. */
bool eti__elapsed_exact(uint64_t start, uint64_t end, double factor, double *out);
/* Scale both, then subtract, as the Inspector does with the stamps of delegates, including its rounding. */
bool eti__elapsed_scaled(uint64_t start, uint64_t end, double factor, double *out);

#endif
