#include "numerics/number_pairs.h"

#include "base/numbers.h"

#include <math.h>

#define LANES ETI_PAIR_LANES

/* Factor by which an estimated ratio is increased: more than floats round. */
#define SLACK (1 + 0x1p-20)

static inline double sum_of(const double *lanes) {
    long double sum = 0;
    for (size_t j = 0; j < LANES; j++)
        sum += (long double)lanes[j];
    return (double)sum;
}

static inline double largest_of(const double *lanes) {
    double most = 0;
    for (size_t j = 0; j < LANES; j++)
        most = lanes[j] > most ? lanes[j] : most;
    return most;
}

/* ---- kernels ---------------------------------------------------------------------------------- */

/* `may_be_larger` returns whether an |a - b| / max(|a|, |b|, ETI_LEAST_MAGNITUDE) may be larger than 1 / scale. A
 * product that overflows is infinite and therefore larger; a product of 0 and infinity is NaN and never larger. */
#define DEFINE_LARGEST(name, type, abs_of)                                                         \
    ETI_LOOPS double largest_##name##_body(const type *values, size_t n) {                         \
        type most[LANES] = {0};                                                                    \
        double out[LANES];                                                                         \
        for (size_t i = 0; i < n; i += LANES) {                                                    \
            for (size_t j = 0; j < LANES; j++) {                                                   \
                type magnitude = abs_of(values[i + j]);                                            \
                most[j] = magnitude > most[j] ? magnitude : most[j];                               \
            }                                                                                      \
        }                                                                                          \
        for (size_t j = 0; j < LANES; j++)                                                         \
            out[j] = (double)most[j];                                                              \
        return largest_of(out);                                                                    \
    }                                                                                              \
    ETI_WITH_VECTORS(double, largest_##name, (const type *values, size_t n), (values, n))          \
                                                                                                   \
    ETI_LOOPS bool may_be_larger_##name##_body(const type *a, const type *b, size_t n,             \
                                               type scale) {                                       \
        type excess[LANES] = {0};                                                                  \
        bool is_larger = false;                                                                    \
        for (size_t i = 0; i < n; i += LANES) {                                                    \
            for (size_t j = 0; j < LANES; j++) {                                                   \
                type x = abs_of(a[i + j]), y = abs_of(b[i + j]), d = abs_of(a[i + j] - b[i + j]);  \
                type most = x > y ? x : y;                                                         \
                most = most > (type)ETI_LEAST_MAGNITUDE ? most : (type)ETI_LEAST_MAGNITUDE;        \
                type over = d * scale - most;                                                      \
                excess[j] = over > excess[j] ? over : excess[j];                                   \
            }                                                                                      \
        }                                                                                          \
        for (size_t j = 0; j < LANES; j++)                                                         \
            is_larger = is_larger || excess[j] > 0;                                                \
        return is_larger;                                                                          \
    }                                                                                              \
    ETI_WITH_VECTORS(bool, may_be_larger_##name,                                                   \
                     (const type *a, const type *b, size_t n, type scale), (a, b, n, scale))       \
                                                                                                   \
    ETI_LOOPS double largest_ratio_##name##_body(const type *a, const type *b, size_t n) {         \
        double most[LANES] = {0};                                                                  \
        for (size_t i = 0; i < n; i += LANES) {                                                    \
            for (size_t j = 0; j < LANES; j++) {                                                   \
                double x = (double)a[i + j], y = (double)b[i + j], d = fabs(x - y);                \
                double larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);                             \
                larger = larger > ETI_LEAST_MAGNITUDE ? larger : ETI_LEAST_MAGNITUDE;              \
                most[j] = d / larger > most[j] ? d / larger : most[j];                             \
            }                                                                                      \
        }                                                                                          \
        return largest_of(most);                                                                   \
    }                                                                                              \
    ETI_WITH_VECTORS(double, largest_ratio_##name, (const type *a, const type *b, size_t n),       \
                     (a, b, n))
DEFINE_LARGEST(floats, eti_stored_float, fabsf)
DEFINE_LARGEST(doubles, double, fabs)
#undef DEFINE_LARGEST

/* Counts in doubles, so that compilers vectorize the counts together with the differences. */
#define DEFINE_SUMS(name, type, abs_of)                                                            \
    ETI_LOOPS eti_pair_sums sum_##name##_body(const type *a, const type *b, size_t n, double rtol, \
                                              double atol) {                                       \
        double d2[LANES] = {0}, d1[LANES] = {0}, a2[LANES] = {0}, b2[LANES] = {0};                 \
        double ab[LANES] = {0}, max_d[LANES] = {0}, n_mismatched[LANES] = {0};                     \
        type max_a[LANES] = {0};                                                                   \
        for (size_t i = 0; i < n; i += LANES) {                                                    \
            for (size_t j = 0; j < LANES; j++) {                                                   \
                double x = (double)a[i + j], y = (double)b[i + j], d = fabs(x - y);                \
                type magnitude = abs_of(a[i + j]);                                                 \
                max_a[j] = magnitude > max_a[j] ? magnitude : max_a[j];                            \
                d2[j] += d * d;                                                                    \
                d1[j] += d;                                                                        \
                a2[j] += x * x;                                                                    \
                b2[j] += y * y;                                                                    \
                ab[j] += x * y;                                                                    \
                max_d[j] = d > max_d[j] ? d : max_d[j];                                            \
                n_mismatched[j] += d > atol + rtol * fabs(x) ? 1.0 : 0.0;                          \
            }                                                                                      \
        }                                                                                          \
        return (eti_pair_sums){                                                                    \
            .d2 = sum_of(d2),                                                                      \
            .d1 = sum_of(d1),                                                                      \
            .a2 = sum_of(a2),                                                                      \
            .b2 = sum_of(b2),                                                                      \
            .ab = sum_of(ab),                                                                      \
            .max_d = largest_of(max_d),                                                            \
            .max_a = largest_##name(max_a, LANES),                                                 \
            .n_mismatched = sum_of(n_mismatched),                                                  \
        };                                                                                         \
    }                                                                                              \
    ETI_WITH_VECTORS(eti_pair_sums, sum_##name,                                                    \
                     (const type *a, const type *b, size_t n, double rtol, double atol),           \
                     (a, b, n, rtol, atol))                                                        \
                                                                                                   \
    ETI_LOOPS double square_##name##_body(const type *a, size_t n) {                               \
        double squares[LANES] = {0};                                                               \
        for (size_t i = 0; i < n; i += LANES) {                                                    \
            for (size_t j = 0; j < LANES; j++)                                                     \
                squares[j] += (double)a[i + j] * (double)a[i + j];                                 \
        }                                                                                          \
        return sum_of(squares);                                                                    \
    }                                                                                              \
    ETI_WITH_VECTORS(double, square_##name, (const type *a, size_t n), (a, n))
DEFINE_SUMS(floats, eti_stored_float, fabsf)
DEFINE_SUMS(doubles, double, fabs)
#undef DEFINE_SUMS

/* ---- floats or doubles ------------------------------------------------------------------------ */

/* Returns the number of pairs including the padding. */
static size_t full_of(const eti_number_pairs *pairs) {
    return (pairs->n + LANES - 1) / LANES * LANES;
}

eti_pair_sums eti__pairs_sum(const eti_number_pairs *pairs, double rtol, double atol) {
    size_t n = full_of(pairs);
    return pairs->float_a ? sum_floats(pairs->float_a, pairs->float_b, n, rtol, atol)
                          : sum_doubles(pairs->a, pairs->b, n, rtol, atol);
}

eti_pair_sums eti__pairs_sum_same(const eti_number_pairs *pairs) {
    size_t n = full_of(pairs);
    bool are_floats = pairs->float_a != NULL;
    double squares = are_floats ? square_floats(pairs->float_a, n) : square_doubles(pairs->a, n);
    double most = are_floats ? largest_floats(pairs->float_a, n) : largest_doubles(pairs->a, n);
    return (eti_pair_sums){.a2 = squares, .b2 = squares, .ab = squares, .max_a = most};
}

double eti__pairs_largest_b(const eti_number_pairs *pairs) {
    size_t n = full_of(pairs);
    return pairs->float_b ? largest_floats(pairs->float_b, n) : largest_doubles(pairs->b, n);
}

double eti__pairs_larger_ratio(const eti_number_pairs *pairs, double ratio) {
    size_t n = full_of(pairs);
    double scale = SLACK / ratio, most;
    if (pairs->float_a) {
        if (!may_be_larger_floats(pairs->float_a, pairs->float_b, n, (float)scale))
            return ratio;
        most = largest_ratio_floats(pairs->float_a, pairs->float_b, n);
    } else {
        if (!may_be_larger_doubles(pairs->a, pairs->b, n, scale))
            return ratio;
        most = largest_ratio_doubles(pairs->a, pairs->b, n);
    }
    return most > ratio ? most : ratio;
}

size_t eti__pairs_find(const eti_number_pairs *pairs, double d) {
    size_t i = 0;
    if (pairs->float_a) {
        while (i + 1 < pairs->n && fabs((double)pairs->float_a[i] - (double)pairs->float_b[i]) != d)
            i++;
        return i;
    }
    while (i + 1 < pairs->n && fabs(pairs->a[i] - pairs->b[i]) != d)
        i++;
    return i;
}
