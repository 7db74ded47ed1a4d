/*
 * joined.h - joins the differences of several inputs at the same point into one: the worst of them,
 * and their median.
 *
 * Of each metric the value is that of the input where it is worst: the lowest of snr, psnr, cosine and pairs, the highest of all
 * others; identical is true if it is of all. A NaN is a metric that says nothing (see metrics.h), and is passed over; where both sides
 * are zeros, so that snr is NaN, they are equal, and it counts as infinite. A metric is NaN if it is of all.
 *
 * The worst of the statuses is nonfinite; before it come the shape, what has no values (outside, type, contents), what only one
 * side has, which is where a program branches, a view, and none.
 */
#ifndef ETI_NUMERICS_JOINED_H
#define ETI_NUMERICS_JOINED_H

#include "numerics/differences.h"

typedef struct eti_joined_difference {
    eti_difference
        worst; /* `of` is from the lowest snr; if nothing was compared, from the worst status */
    const eti_difference
        *of_max_abs;   /* that has worst.metrics.max_abs; NULL: nothing was compared */
    size_t input;      /* number of the input that worst.of is of */
    size_t n_compared; /* inputs */
    double
        snr_p50; /* median over these inputs; NaN: as snr. Between both infinities it is the lower one */
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
