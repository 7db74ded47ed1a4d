/*
 * metrics.h - computes numbers that measure the difference of two tensors with the same number of
 * elements, reading each once.
 *
 * Elements are paired in row-major order, regardless of strides, and compared as doubles, except
 * that 64-bit integers, which doubles would round, are compared as integers. Sums of a few elements
 * at a time are joined in extended precision: accuracy does not depend on the size of a tensor, and
 * only the last bits depend on the number of parts into which it is divided.
 *
 * mse, l1 and snr cover all pairs except those of the same infinity, which do not differ. A NaN
 * counts as 0, and any other infinity makes the difference infinite. They are never NaN.
 *
 * gap_mse, gap_l1 and gap_snr are those of the Inspector's calculate_numeric_gap(). They cover all
 * pairs, after NaN was replaced by 0 and infinities by the largest double with their sign, in each
 * tensor that has a NaN. A tensor without NaN keeps its infinities, and two of the same sign make
 * the results NaN.
 *
 * All other metrics cover the pairs in which both elements are finite.
 */
#ifndef ETI_NUMERICS_METRICS_H
#define ETI_NUMERICS_METRICS_H

#include "tensors/tensors.h"

/* A pair matches if |base - new| <= atol + rtol * |base|, both are NaN, or both are the same infinity. */
typedef struct eti_tolerances {
    double rtol, atol; /* not negative */
} eti_tolerances;

#define ETI_USUAL_RTOL 1e-5
#define ETI_USUAL_ATOL 1e-8

/* a is an element of the base, b is its partner. */
typedef struct eti_metrics {
    double mse; /* mean of (a - b)^2; 0 if there are no pairs */
    double l1;  /* sum of |a - b| */
    /* 10 log10(mean of a^2 / mse), in decibels; infinite if nothing differs, minus infinity if a difference is
     * infinite */
    double snr;
    double gap_mse; /* NaN if there are no elements */
    double gap_l1;
    double gap_snr; /* infinite if gap_mse is 0, NaN if both powers are 0 or infinite */

    /* number of pairs that are finite on both sides; if 0, metrics up to `ulp_max` are NaN */
    uint64_t pairs;
    double max_abs;  /* largest |a - b| */
    double mean_abs; /* mean of |a - b| */
    double rmse;     /* square root of the mean of (a - b)^2 */
    double max_rel;  /* largest |a - b| / max(|a|, |b|, 1e-8) */
    /* sum of ab / (sqrt(sum of a^2) sqrt(sum of b^2)); NaN if either is all zeros */
    double cosine;
    /* 10 log10(max |a|^2 / mean of (a - b)^2), in decibels; infinite if nothing differs, NaN if all are zeros */
    double psnr;
    /* largest number of floats of the type from a to b, including b; NaN unless both have the same type of floats */
    double ulp_max;
    uint64_t max_abs_at; /* number of the first pair with max_abs, in row-major order */

    uint64_t mismatched; /* number of pairs that do not match, finite or not */
    uint64_t nan_base, nan_new, inf_base, inf_new;
    bool identical; /* same type, sizes and bytes */
} eti_metrics;

/* Returns whether elements differ; a NaN does not differ from a NaN in its place, which matches it. If none differ, metrics
 * that are NaN have no importance. */
static inline bool eti__metrics_differ(const eti_metrics *metrics) {
    return metrics->mse > 0 || metrics->max_abs > 0 || metrics->mismatched > 0;
}

/* With this number of elements or more, several threads are used. */
#define ETI_MANY_ELEMENTS ((uint64_t)1 << 20)

/* Compares two tensors, on `n_threads` threads if they have many elements; 0: as many as may run at once. The metrics
 * are equal to the last bit for any number of threads. Fails with ETI_ERROR_DATA if the tensors have different
 * numbers of elements, elements without data, or a type that tensors/tensors.h cannot read. */
eti_status eti__metrics_compare(const eti_tensor_values *base, const eti_tensor_values *newer,
                                const eti_tolerances *tolerances, size_t n_threads,
                                eti_metrics *out) ETI_WARN_UNUSED;

/* Returns whether eti__metrics_compare() would succeed. */
bool eti__metrics_are_defined(const eti_tensor_values *base, const eti_tensor_values *newer);

/* ---- parts ------------------------------------------------------------------------------------ */

/* Sums over the finite pairs of two tensors. */
typedef struct eti_metric_sums {
    long double d2, d1, a2, b2, ab; /* sums of (a - b)^2, |a - b|, a^2, b^2 and ab */
} eti_metric_sums;

/* Sums over some of the pairs of two tensors. Initialize to all zeros. */
typedef struct eti_metric_parts {
    eti_metric_sums finite; /* sums over the finite pairs, without overflow */
    eti_metric_sums nan;    /* sums over the pairs of a NaN, as 0, and a finite element */
    eti_metric_sums
        gap; /* as `finite`, in double precision, as in the Inspector; only d2, d1 and a2 */
    /* The same for pairs with one finite element, by whether the base has a NaN (first index 1) and whether the new
     * tensor has one (second index 1), because the value that replaces the other element depends on that. a2 depends
     * on the first index only. */
    eti_metric_sums odd[2][2];
    /* number of pairs of NaN, infinity and negative infinity, in this order */
    uint64_t both_odd[3][3];
    double max_abs, max_rel, max_base, ulp_max;
    eti_metrics counts; /* all members except doubles, without both_odd; identical is not set */
    uint64_t n;
    bool differs; /* whether bytes or types differ */
} eti_metric_parts;

/* Adds the pairs number [first, first + n), for which the metrics must be defined. */
void eti__metrics_add(eti_metric_parts *parts, const eti_tensor_values *base,
                      const eti_tensor_values *newer, const eti_tolerances *tolerances,
                      uint64_t first, uint64_t n);
/* Adds other pairs of the same tensors. Joining the same parts in the same order gives the same result. */
void eti__metrics_join(eti_metric_parts *parts, const eti_metric_parts *other);
/* Makes the metrics of all pairs of two tensors. */
void eti__metrics_finish(const eti_metric_parts *parts, const eti_tensor_values *base,
                         const eti_tensor_values *newer, eti_metrics *out);

#endif
