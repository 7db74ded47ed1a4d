/*
 * number_pairs.h - computes sums over pairs of finite numbers, as fast as memory can be read.
 *
 * Each sum consists of 8 partial sums that are used alternately: results depend only on the numbers
 * and their order.
 */
#ifndef ETI_NUMERICS_NUMBER_PAIRS_H
#define ETI_NUMERICS_NUMBER_PAIRS_H

#include "tensors/tensors.h"

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
