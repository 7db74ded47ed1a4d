/*
 * joined.h - joins the differences of several inputs at the same point into one: the worst of them,
 * and their median.
 *
 * Each metric has its worst value over the inputs: the lowest of snr, psnr, cosine and pairs, the
 * highest of all others; `identical` is true if it is true for all. A NaN metric says nothing (see
 * metrics.h) and is skipped, except that a NaN snr because both sides are zeros counts as infinite:
 * they are equal. A metric is NaN if it is NaN for all inputs.
 *
 * The worst status is nonfinite. The others are, from bad to good: the shape, the statuses without
 * values (outside, type, contents), points that only one side has, because a program branches, a
 * view, and none.
 */
#ifndef ETI_NUMERICS_JOINED_H
#define ETI_NUMERICS_JOINED_H

#include "numerics/differences.h"

typedef struct eti_joined_difference {
    /* `of` is from the lowest snr; if nothing was compared, from the worst status */
    eti_difference worst;
    const eti_difference
        *of_max_abs;   /* that has worst.metrics.max_abs; NULL: nothing was compared */
    size_t input;      /* number of the input that worst.of is of */
    size_t n_compared; /* inputs */
    double snr_p50;    /* median; NaN: as snr. The lower one of two infinities */
} eti_joined_difference;

typedef struct eti_joined_differences {
    eti_joined_difference *rows; /* as in the first input that has them */
    size_t n, n_compared;        /* n_compared: rows with a difference that was compared */
} eti_joined_differences;

/* The differences of an input. */
typedef struct eti_input_differences {
    size_t input;
    const eti_differences *of;
} eti_input_differences;

/* Joins the differences of points that were paired by the same key. With `is_each` they stay as they are, one input after the
 * other. ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__differences_join(eti_joined_differences *out, const eti_input_differences *inputs,
                                 size_t n, bool is_each, eti_error *err) ETI_WARN_UNUSED;
void eti__joined_differences_free(eti_joined_differences *joined);

/* Returns the median of n >= 1 values, none of them NaN, as stats/order.h does, but the lower of two in the middle if these are
 * opposite infinities. Reorders them. */
double eti__joined_median(double *values, size_t n);

#endif
