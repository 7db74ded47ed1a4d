/*
 * metrics.h - computes numbers that measure the difference of two tensors with the same number of
 * elements, reading each once.
 */
#ifndef ETI_NUMERICS_METRICS_H
#define ETI_NUMERICS_METRICS_H

#include "numerics/numerics.h"
#include "tensors/tensors.h"

#include <stddef.h>
#include <stdint.h>

/* ==== metrics ================================================================================= */

/* With this number of elements or more, several threads are used. */
#define ETI_MANY_ELEMENTS ((uint64_t)1 << 20)

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

/* ==== float distance ========================================================================== */
/* Counts the floats of a type between two floats. */

/* Returns the largest distance of a pair: the number of floats from the first to the second, including the second;
 * both zeros count as one float. Each side has `n` consecutive floats of `width` bytes, whose first bit is the sign,
 * at any address. */
double eti__largest_float_distance(size_t width, const uint8_t *base, const uint8_t *newer,
                                   size_t n);

/* ==== number pairs ============================================================================ */
/* Computes sums over pairs of finite numbers, as fast as memory can be read.
 *
 * Each sum consists of 8 partial sums that are used alternately: results depend only on the
 * numbers and their order. */

/* Smallest denominator of a relative difference. */
#define ETI_LEAST_MAGNITUDE 1e-8

/* Arrays are padded with zeros to a multiple of this number of items. */
#define ETI_PAIR_LANES 8

/* At most ETI_ELEMENTS_AT_ONCE pairs of numbers, all floats or all doubles; the other two pointers are NULL. */
typedef struct eti_number_pairs {
    const eti_stored_float *float_a, *float_b;
    const double *a, *b;
    size_t n;
} eti_number_pairs;

typedef struct eti_pair_sums {
    double d2, d1, a2, b2,
        ab; /* sums of (a - b)^2, |a - b|, a^2, b^2 and ab; not finite if a number is not */
    double max_d, max_a; /* largest |a - b| and |a| */
    double n_mismatched; /* number of pairs with |a - b| > atol + rtol * |a| */
} eti_pair_sums;

eti_pair_sums eti__pairs_sum(const eti_number_pairs *pairs, double rtol, double atol);
/* Does the same for pairs in which a and b are equal. */
eti_pair_sums eti__pairs_sum_same(const eti_number_pairs *pairs);

/* Returns the largest |b|. */
double eti__pairs_largest_b(const eti_number_pairs *pairs);

/* Returns the larger of `ratio` and the largest |a - b| / max(|a|, |b|, ETI_LEAST_MAGNITUDE). It is faster if the
 * result is `ratio`. */
double eti__pairs_larger_ratio(const eti_number_pairs *pairs, double ratio);

/* Returns the number of the first pair with |a - b| == d; there must be one. */
size_t eti__pairs_find(const eti_number_pairs *pairs, double d);

#endif
