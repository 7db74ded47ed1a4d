/*
 * joined.h - joins the differences of several inputs at the same point into one: the worst of them,
 * and their median.
 *
 * Each metric has its worst value over the inputs: the lowest of snr, psnr, cosine and pairs, the
 * highest of all others; `identical` is true if it is true for all. A metric that is NaN for an
 * input is skipped if nothing differs in this input, and otherwise makes the joined metric NaN,
 * because it may be worse than all others. A metric is NaN if it is NaN for all inputs.
 *
 * The worst status is nonfinite. The others follow from bad to good: shape; the statuses without
 * values (outside, type, contents); points that only one side has, because a program branches;
 * view; and none.
 */
#ifndef ETI_NUMERICS_JOINED_H
#define ETI_NUMERICS_JOINED_H

#include "etinspect.h"
#include "numerics/differences.h"

typedef struct eti_joined_difference {
    /* `of` belongs to the lowest snr or, if nothing was compared, to the worst status */
    eti_difference worst;
    /* the pair with worst.metrics.max_abs; NULL if nothing was compared */
    const eti_difference *of_max_abs;
    size_t input;      /* index of the input of worst.of */
    size_t n_inputs;   /* number of inputs that have it on a side */
    size_t n_compared; /* number of these in which it was compared */
    double
        snr_p50; /* median of snr; NaN if nothing was compared; of two infinities, the lower one */
} eti_joined_difference;

typedef struct eti_joined_differences {
    eti_joined_difference *rows; /* in the order of the first input that has them */
    size_t n, n_compared;        /* n_compared is the number of rows with a compared difference */
} eti_joined_differences;

/* Differences of an input. */
typedef struct eti_input_differences {
    size_t input;
    const eti_differences *of;
} eti_input_differences;

/* Joins the differences of points that were paired by the same key. With `is_each`, keeps them unchanged, one input
 * after another. Fails with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__differences_join(eti_joined_differences *out, const eti_input_differences *inputs,
                                 size_t n, bool is_each, eti_error *err) ETI_WARN_UNUSED;
void eti__joined_differences_free(eti_joined_differences *joined);

/* Returns the median of n >= 1 values, none of them NaN, like stats/stats.h, except that it returns the lower one if
 * the two middle values are opposite infinities. Reorders the values. */
double eti__joined_median(double *values, size_t n);

#endif
