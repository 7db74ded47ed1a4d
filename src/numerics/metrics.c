#include "numerics/metrics.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ==== float distance ========================================================================== */

/* Number of independent maxima, so that compilers vectorize the loops. */
#define DISTANCE_LANES 8

/* Numbers floats in order, with 0 for both zeros, and finds the largest distance of a pair. Distances need all bits,
 * but vectors compare signed numbers, so each distance is stored minus the magnitude of the smallest signed number. */
#define DEFINE_DISTANCES(width, whole, number)                                                     \
    typedef whole stored_##width __attribute__((may_alias, aligned(1)));                           \
    static inline number distance_##width(whole a, whole b) {                                      \
        const whole sign = (whole)((whole)1 << ((width)-1)), rest = (whole)(sign - 1);             \
        whole a_mask = (whole)((number)a < 0 ? ~(whole)0 : 0);                                     \
        whole b_mask = (whole)((number)b < 0 ? ~(whole)0 : 0);                                     \
        number x = (number)(whole)(((a & rest) ^ a_mask) - a_mask);                                \
        number y = (number)(whole)(((b & rest) ^ b_mask) - b_mask);                                \
        whole larger = (whole)(x > y ? x : y), smaller = (whole)(x > y ? y : x);                   \
        return (number)(whole)((whole)(larger - smaller) ^ sign);                                  \
    }                                                                                              \
                                                                                                   \
    ETI_LOOPS double largest_##width##_body(const stored_##width *a, const stored_##width *b,      \
                                            size_t n) {                                            \
        number most[DISTANCE_LANES];                                                               \
        size_t i = 0;                                                                              \
        for (size_t j = 0; j < DISTANCE_LANES; j++)                                                \
            most[j] = INT##width##_MIN;                                                            \
        for (; i + DISTANCE_LANES <= n; i += DISTANCE_LANES) {                                     \
            for (size_t j = 0; j < DISTANCE_LANES; j++) {                                          \
                number distance = distance_##width(eti__from_file_##width(a[i + j]),               \
                                                   eti__from_file_##width(b[i + j]));              \
                most[j] = distance > most[j] ? distance : most[j];                                 \
            }                                                                                      \
        }                                                                                          \
        for (; i < n; i++) {                                                                       \
            number distance =                                                                      \
                distance_##width(eti__from_file_##width(a[i]), eti__from_file_##width(b[i]));      \
            most[0] = distance > most[0] ? distance : most[0];                                     \
        }                                                                                          \
        for (size_t j = 1; j < DISTANCE_LANES; j++)                                                \
            most[0] = most[j] > most[0] ? most[j] : most[0];                                       \
        return (double)(whole)((whole)most[0] ^ (whole)((whole)1 << ((width)-1)));                 \
    }                                                                                              \
    ETI_WITH_VECTORS(double, largest_##width,                                                      \
                     (const stored_##width *a, const stored_##width *b, size_t n), (a, b, n))
DEFINE_DISTANCES(8, uint8_t, int8_t)
DEFINE_DISTANCES(16, uint16_t, int16_t)
DEFINE_DISTANCES(32, uint32_t, int32_t)
DEFINE_DISTANCES(64, uint64_t, int64_t)
#undef DEFINE_DISTANCES

double eti__largest_float_distance(size_t width, const uint8_t *base, const uint8_t *newer,
                                   size_t n) {
    switch (width) {
    case 1:
        return largest_8((const void *)base, (const void *)newer, n);
    case 2:
        return largest_16((const void *)base, (const void *)newer, n);
    case 4:
        return largest_32((const void *)base, (const void *)newer, n);
    default:
        return largest_64((const void *)base, (const void *)newer, n);
    }
}

/* ==== number pairs ============================================================================ */

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

/* ==== metrics ================================================================================= */

#define N ETI_ELEMENTS_AT_ONCE

/* Smaller differences have squares that underflow. */
#define SMALL 0x1p-400
/* Doubles round integers from here on. */
#define LARGEST_EXACT 0x1p53

/* Numbers of scalar types. */
#define DOUBLE 7
#define UINT64 29

/* A few pairs and their sums. */
typedef struct block {
    eti_number_pairs pairs; /* pointers to the pairs, in the tensors or in the arrays below */
    double a[N], b[N];
    float float_a[N], float_b[N];
    uint16_t at[N]; /* number of each pair among those that were taken; only if is_sparse */
    bool is_sparse;
    eti_pair_sums sums;
} block;

/* The pairs being compared. */
typedef struct comparison {
    eti_metric_parts *parts;
    const eti_tolerances *tolerances;
    const eti_tensor_values *base, *newer;
    const uint8_t *base_bytes, *new_bytes; /* consecutive elements of the block */
    uint64_t first;                        /* number of the first of these */
} comparison;

/* ---- finite pairs ----------------------------------------------------------------------------- */

static uint64_t number_of(const comparison *in, const block *k, size_t i) {
    return in->first + (k->is_sparse ? k->at[i] : i);
}

static void keep_largest(const comparison *in, const block *k, double max_d, size_t i) {
    if (in->parts->counts.pairs > 0 && max_d <= in->parts->max_abs)
        return;
    in->parts->max_abs = max_d;
    in->parts->counts.max_abs_at = number_of(in, k, i);
}

static void add_sums(eti_metric_sums *to, const eti_metric_sums *from) {
    to->d2 += from->d2;
    to->d1 += from->d1;
    to->a2 += from->a2;
    to->b2 += from->b2;
    to->ab += from->ab;
}

/* Adds pairs for which doubles are sufficiently exact. */
static void add_ordinary(const comparison *in, const block *k) {
    eti_metric_parts *parts = in->parts;
    const eti_pair_sums *got = &k->sums;
    eti_metric_sums sums = {(long double)got->d2, (long double)got->d1, (long double)got->a2,
                            (long double)got->b2, (long double)got->ab};
    if (parts->counts.pairs == 0 || got->max_d > parts->max_abs)
        keep_largest(in, k, got->max_d, eti__pairs_find(&k->pairs, got->max_d));
    if (got->max_d > 0) /* otherwise no ratio is larger */
        parts->max_rel = eti__pairs_larger_ratio(&k->pairs, parts->max_rel);
    parts->counts.mismatched += (uint64_t)got->n_mismatched;
    parts->counts.pairs += k->pairs.n;
    add_sums(&parts->finite, &sums);
}

static bool is_wide_integer(const eti_tensor_values *values) {
    const eti_scalar_type *type = eti__scalar_type(values->scalar_type);
    return type->width == 8 && !type->is_float;
}

/* Returns element number `i` of those at `bytes` as exactly as possible. */
static long double extended_of(const eti_tensor_values *values, const uint8_t *bytes, size_t i,
                               double as_double) {
    uint64_t bits = 0;
    if (!is_wide_integer(values))
        return (long double)as_double;
    for (size_t j = 8; j-- > 0;)
        bits = bits << 8 | bytes[i * 8 + j];
    return values->scalar_type == UINT64 ? (long double)bits : (long double)(int64_t)bits;
}

/* Adds pairs whose squares overflow or underflow, or that doubles would round. */
static void add_extended(const comparison *in, const block *k) {
    eti_metric_parts *parts = in->parts;
    long double rtol = (long double)in->tolerances->rtol, atol = (long double)in->tolerances->atol;
    for (size_t i = 0; i < k->pairs.n; i++) {
        size_t at = k->is_sparse ? k->at[i] : i;
        long double a = extended_of(in->base, in->base_bytes, at, k->a[i]);
        long double b = extended_of(in->newer, in->new_bytes, at, k->b[i]);
        long double d = fabsl(a - b), most = fmaxl(fabsl(a), fabsl(b));
        eti_metric_sums sums = {d * d, d, a * a, b * b, a * b};
        double ratio = (double)(d / fmaxl(most, (long double)ETI_LEAST_MAGNITUDE));
        add_sums(&parts->finite, &sums);
        keep_largest(in, k, (double)d, i);
        parts->max_rel = ratio > parts->max_rel ? ratio : parts->max_rel;
        parts->counts.mismatched += d > atol + rtol * fabsl(a);
        parts->counts.pairs++;
    }
}

static bool is_small(double most) {
    return most > 0 && most < SMALL;
}

static bool needs_extension(const comparison *in, const block *k) {
    const eti_pair_sums *sums = &k->sums;
    bool is_double = in->base->scalar_type == DOUBLE || in->newer->scalar_type == DOUBLE;
    bool is_wide = is_wide_integer(in->base) || is_wide_integer(in->newer);
    double max_b = is_double || is_wide ? eti__pairs_largest_b(&k->pairs) : 0;
    if (is_wide && fmax(sums->max_a, max_b) >= LARGEST_EXACT)
        return true;
    return is_double && (!isfinite(sums->d2 + sums->a2 + sums->b2) || is_small(sums->max_d) ||
                         is_small(sums->max_a) || is_small(max_b));
}

/* Adds the pairs of a block, which are finite and summed. */
static void add_finite(const comparison *in, const block *k) {
    eti_metric_parts *parts = in->parts;
    parts->gap.d2 += (long double)k->sums.d2;
    parts->gap.d1 += (long double)k->sums.d1;
    parts->gap.a2 += (long double)k->sums.a2;
    parts->max_base = fmax(parts->max_base, k->sums.max_a);
    if (needs_extension(in, k))
        add_extended(in, k);
    else
        add_ordinary(in, k);
}

/* ---- distances in floats ---------------------------------------------------------------------- */

static void add_distances(const comparison *in, const block *k) {
    const eti_scalar_type *type = eti__scalar_type(in->base->scalar_type);
    size_t width = type->width;
    double most = 0;
    if (!type->is_float || in->base->scalar_type != in->newer->scalar_type)
        return;
    if (!k->is_sparse)
        most = eti__largest_float_distance(width, in->base_bytes, in->new_bytes, k->pairs.n);
    for (size_t i = 0; i < k->pairs.n && k->is_sparse; i++) {
        size_t at = k->at[i] * width;
        most = fmax(most,
                    eti__largest_float_distance(width, in->base_bytes + at, in->new_bytes + at, 1));
    }
    in->parts->ulp_max = fmax(in->parts->ulp_max, most);
}

/* ---- other pairs ------------------------------------------------------------------------------ */

/* Returns the number that the Inspector substitutes for an element. */
static double settle(double value, bool has_nan) {
    if (!has_nan)
        return value;
    if (isnan(value))
        return 0;
    return isinf(value) ? copysign(DBL_MAX, value) : value;
}

/* Sums of pairs that are not finite, by the numbers that the Inspector may substitute. They are doubles, because
 * infinities are slow in extended precision. */
typedef struct settled_sums {
    double d2[2][2], d1[2][2], a2[2];
} settled_sums;

static void add_settled(settled_sums *sums, double a, double b) {
    for (int i = 0; i < 2; i++) {
        double x = settle(a, i);
        sums->a2[i] += x * x;
        for (int j = 0; j < 2; j++) {
            double d = fabs(x - settle(b, j));
            sums->d1[i][j] += d;
            sums->d2[i][j] += d * d;
        }
    }
}

static void keep_settled(eti_metric_sums odd[2][2], const settled_sums *sums, uint64_t n) {
    for (int i = 0; i < 2; i++) {
        odd[i][0].a2 += (long double)sums->a2[i] * (long double)n;
        for (int j = 0; j < 2; j++) {
            odd[i][j].d1 += (long double)sums->d1[i][j] * (long double)n;
            odd[i][j].d2 += (long double)sums->d2[i][j] * (long double)n;
        }
    }
}

/* Returns the class of a number that is not finite: NaN, infinity, or negative infinity. */
static size_t class_of(double value) {
    return isnan(value) ? 0 : value > 0 ? 1 : 2;
}

static void add_nan(eti_metric_parts *parts, long double a, long double b) {
    eti_metric_sums sums = {(a - b) * (a - b), fabsl(a - b), a * a, b * b, a * b};
    add_sums(&parts->nan, &sums);
}

static void add_odd(eti_metric_parts *parts, settled_sums *sums, double a, double b) {
    bool base_is_odd = !isfinite(a), new_is_odd = !isfinite(b);
    if (base_is_odd && new_is_odd) {
        parts->both_odd[class_of(a)][class_of(b)]++;
        return;
    }
    parts->counts.nan_base += isnan(a) != 0;
    parts->counts.nan_new += isnan(b) != 0;
    parts->counts.inf_base += isinf(a) != 0;
    parts->counts.inf_new += isinf(b) != 0;
    parts->counts.mismatched++;
    if (isnan(a) || isnan(b))
        add_nan(parts, isnan(a) ? 0 : (long double)a, isnan(b) ? 0 : (long double)b);
    add_settled(sums, a, b);
}

/* Counts the pairs in which neither element is finite. */
static void count_both_odd(const eti_metric_parts *parts, eti_metrics *out) {
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            uint64_t n = parts->both_odd[i][j];
            out->nan_base += i == 0 ? n : 0;
            out->nan_new += j == 0 ? n : 0;
            out->inf_base += i > 0 ? n : 0;
            out->inf_new += j > 0 ? n : 0;
            out->mismatched += i != j ? n : 0;
        }
    }
}

/* Adds the zeros that ETI_PAIR_LANES requires. */
static void fill_up(double *values, size_t n) {
    for (; n % ETI_PAIR_LANES != 0; n++)
        values[n] = 0;
}

/* Adds the pairs of a block that are not finite, and keeps the others in it as doubles. */
static void split(const comparison *in, block *k) {
    const eti_number_pairs *all = &k->pairs;
    size_t n = 0;
    settled_sums sums = {.a2 = {0}};
    for (size_t i = 0; i < all->n; i++) {
        double a = all->float_a ? (double)all->float_a[i] : all->a[i];
        double b = all->float_b ? (double)all->float_b[i] : all->b[i];
        if (!isfinite(a) || !isfinite(b)) {
            add_odd(in->parts, &sums, a, b);
            continue;
        }
        k->a[n] = a;
        k->b[n] = b;
        k->at[n++] = (uint16_t)i;
    }
    if (n < all->n)
        keep_settled(in->parts->odd, &sums, 1);
    k->is_sparse = n < all->n;
    k->pairs = (eti_number_pairs){.a = k->a, .b = k->b, .n = n};
    fill_up(k->a, n);
    fill_up(k->b, n);
}

/* ---- parts ------------------------------------------------------------------------------------ */

static const eti_stored_float *load_floats(int8_t scalar_type, const uint8_t *bytes, size_t n,
                                           float *room) {
    if (n % ETI_PAIR_LANES == 0)
        return eti__elements_in_floats(scalar_type, bytes, n, room);
    eti__elements_as_floats(scalar_type, bytes, n, room);
    for (; n % ETI_PAIR_LANES != 0; n++)
        room[n] = 0;
    return room;
}

static void load(const comparison *in, block *k, size_t n, bool is_same) {
    int8_t base_type = in->base->scalar_type, new_type = in->newer->scalar_type;
    k->pairs = (eti_number_pairs){.n = n};
    if (eti__elements_fit_floats(base_type) && eti__elements_fit_floats(new_type)) {
        const eti_stored_float *a = load_floats(base_type, in->base_bytes, n, k->float_a);
        k->pairs.float_a = k->pairs.float_b = a;
        if (!is_same)
            k->pairs.float_b = load_floats(new_type, in->new_bytes, n, k->float_b);
        return;
    }
    k->pairs.a = k->a;
    k->pairs.b = k->b;
    eti__elements_as_doubles(base_type, in->base_bytes, n, k->a);
    eti__elements_as_doubles(new_type, in->new_bytes, n, k->b);
    fill_up(k->a, n);
    fill_up(k->b, n);
}

static void sum_block(const comparison *in, block *k, bool is_same) {
    const eti_tolerances *tolerances = in->tolerances;
    k->sums = is_same ? eti__pairs_sum_same(&k->pairs)
                      : eti__pairs_sum(&k->pairs, tolerances->rtol, tolerances->atol);
}

/* Adds a block. `is_same` means that its elements have the same bytes and type on both sides. */
static void add_block(const comparison *in, block *k, size_t n) {
    bool is_same = in->base->scalar_type == in->newer->scalar_type &&
                   memcmp(in->base_bytes, in->new_bytes,
                          n * eti__scalar_type(in->base->scalar_type)->width) == 0;
    in->parts->differs |= !is_same;
    in->parts->n += n;
    k->is_sparse = false;
    load(in, k, n, is_same);
    sum_block(in, k, is_same);
    if (!isfinite(k->sums.a2 + k->sums.b2)) { /* or if squares of doubles overflow */
        split(in, k);
        sum_block(in, k, is_same);
    }
    if (k->pairs.n == 0)
        return;
    add_finite(in, k);
    if (!is_same)
        add_distances(in, k);
}

bool eti__metrics_are_defined(const eti_tensor_values *base, const eti_tensor_values *newer) {
    return base->n_elements == newer->n_elements &&
           (base->n_elements == 0 || (base->data && newer->data)) &&
           eti__elements_are_readable(base->scalar_type) &&
           eti__elements_are_readable(newer->scalar_type);
}

void eti__metrics_add(eti_metric_parts *parts, const eti_tensor_values *base,
                      const eti_tensor_values *newer, const eti_tolerances *tolerances,
                      uint64_t first, uint64_t n) {
    uint8_t base_room[N * 8], new_room[N * 8];
    block k; /* each of its parts is set when it is needed */
    comparison in = {
        .parts = parts, .tolerances = tolerances, .base = base, .newer = newer, .first = first};
    bool base_is_plain = eti__tensor_values_are_row_major(base);
    bool new_is_plain = eti__tensor_values_are_row_major(newer);
    while (n > 0) {
        size_t taken = n < N ? (size_t)n : N;
        in.base_bytes = eti__elements_at(base, base_is_plain, in.first, taken, base_room);
        in.new_bytes = eti__elements_at(newer, new_is_plain, in.first, taken, new_room);
        add_block(&in, &k, taken);
        in.first += taken;
        n -= taken;
    }
}

void eti__metrics_join(eti_metric_parts *parts, const eti_metric_parts *other) {
    eti_metrics *counts = &parts->counts;
    bool is_larger = other->max_abs > parts->max_abs;
    bool is_earlier =
        other->max_abs == parts->max_abs && other->counts.max_abs_at < counts->max_abs_at;
    if (other->counts.pairs > 0 && (counts->pairs == 0 || is_larger || is_earlier)) {
        parts->max_abs = other->max_abs;
        counts->max_abs_at = other->counts.max_abs_at;
    }
    add_sums(&parts->finite, &other->finite);
    add_sums(&parts->nan, &other->nan);
    add_sums(&parts->gap, &other->gap);
    for (int i = 0; i < 4; i++)
        add_sums(&parts->odd[i / 2][i % 2], &other->odd[i / 2][i % 2]);
    for (int i = 0; i < 9; i++)
        parts->both_odd[i / 3][i % 3] += other->both_odd[i / 3][i % 3];
    parts->max_rel = fmax(parts->max_rel, other->max_rel);
    parts->max_base = fmax(parts->max_base, other->max_base);
    parts->ulp_max = fmax(parts->ulp_max, other->ulp_max);
    counts->pairs += other->counts.pairs;
    counts->mismatched += other->counts.mismatched;
    counts->nan_base += other->counts.nan_base;
    counts->nan_new += other->counts.nan_new;
    counts->inf_base += other->counts.inf_base;
    counts->inf_new += other->counts.inf_new;
    parts->n += other->n;
    parts->differs |= other->differs;
}

/* ---- results ---------------------------------------------------------------------------------- */

static bool are_alike(const eti_tensor_values *base, const eti_tensor_values *newer) {
    return base->scalar_type == newer->scalar_type &&
           eti__sizes_equal(base->sizes, base->n_dims, newer->sizes, newer->n_dims);
}

static double decibels(double ratio) {
    return 10 * log10(ratio);
}

/* Computes everything in double precision, including its overflows, like torch. */
static void finish_gap(const eti_metric_parts *parts, eti_metrics *out) {
    const eti_metric_sums *finite = &parts->gap;
    bool base_has_nan = out->nan_base > 0, new_has_nan = out->nan_new > 0;
    const double classes[] = {(double)NAN, (double)INFINITY, (double)-INFINITY};
    eti_metric_sums odd[2][2];
    memcpy(odd, parts->odd, sizeof odd);
    for (size_t i = 0; i < 9; i++) {
        settled_sums sums = {.a2 = {0}};
        add_settled(&sums, classes[i / 3], classes[i % 3]);
        if (parts->both_odd[i / 3][i % 3] > 0)
            keep_settled(odd, &sums, parts->both_odd[i / 3][i % 3]);
    }
    const eti_metric_sums *other = &odd[base_has_nan][new_has_nan];
    double n = (double)parts->n;
    double power = (double)(finite->a2 + odd[base_has_nan][0].a2) / n;
    out->gap_mse = (double)(finite->d2 + other->d2) / n;
    out->gap_l1 = (double)(finite->d1 + other->d1);
    out->gap_snr = decibels(power / out->gap_mse);
}

/* Returns whether a pair has an infinity that its partner does not have. */
static bool differs_infinitely(const eti_metric_parts *parts, const eti_metrics *out) {
    uint64_t n_same = parts->both_odd[1][1] + parts->both_odd[2][2];
    return out->inf_base > n_same || out->inf_new > n_same;
}

/* Returns the mean, in double precision like the Inspector unless the sum overflows. */
static double mean_of(long double sum, double n) {
    return isfinite((double)sum) ? (double)sum / n : (double)(sum / (long double)n);
}

/* Returns whether squares and their ratio are exact in double precision. */
static bool is_ordinary(double square) {
    return square > 0x1p-900 && square < 0x1p900;
}

/* Computes mse, l1 and snr. Only pairs of a NaN, if any, are not finite unless a difference is infinite. */
static void finish_all_but_same_infinities(const eti_metric_parts *parts, eti_metrics *out) {
    double n = (double)(parts->n - parts->both_odd[1][1] - parts->both_odd[2][2]);
    eti_metric_sums sums = parts->finite;
    add_sums(&sums, &parts->nan);
    if (differs_infinitely(parts, out)) {
        out->mse = out->l1 = (double)INFINITY;
        out->snr = (double)-INFINITY;
        return;
    }
    out->l1 = (double)sums.d1;
    out->mse = sums.d2 > 0 ? mean_of(sums.d2, n) : 0;
    double power = sums.a2 > 0 ? mean_of(sums.a2, n) : 0;
    if (!(sums.d2 > 0))
        out->snr = (double)INFINITY;
    else if (is_ordinary(power) && is_ordinary(out->mse))
        out->snr = decibels(power / out->mse);
    else
        out->snr = (double)(10 * log10l(sums.a2 / sums.d2));
    if (isnan(out->snr)) /* sums overflow only where extended precision is double precision */
        out->snr = (double)-INFINITY;
}

static void finish_pairs(const eti_metric_parts *parts, eti_metrics *out) {
    const eti_metric_sums *sums = &parts->finite;
    long double n = (long double)out->pairs, noise = sums->d2 / n;
    long double peak = (long double)parts->max_base;
    out->max_abs = parts->max_abs;
    out->mean_abs = (double)(sums->d1 / n);
    out->rmse = (double)sqrtl(noise);
    out->max_rel = parts->max_rel;
    out->cosine = (double)(sums->ab / (sqrtl(sums->a2) * sqrtl(sums->b2)));
    out->psnr = (double)(10 * log10l(peak * peak / noise));
    if (out->cosine > 1)
        out->cosine = 1;
    if (out->cosine < -1)
        out->cosine = -1;
}

void eti__metrics_finish(const eti_metric_parts *parts, const eti_tensor_values *base,
                         const eti_tensor_values *newer, eti_metrics *out) {
    const double nan = (double)NAN;
    *out = parts->counts;
    count_both_odd(parts, out);
    finish_gap(parts, out);
    finish_all_but_same_infinities(parts, out);
    out->max_abs = out->mean_abs = out->rmse = out->max_rel = nan;
    out->cosine = out->psnr = out->ulp_max = nan;
    if (out->pairs > 0)
        finish_pairs(parts, out);
    if (out->pairs > 0 && base->scalar_type == newer->scalar_type &&
        eti__scalar_type(base->scalar_type)->is_float)
        out->ulp_max = parts->ulp_max;
    out->identical = are_alike(base, newer) && !parts->differs;
}

/* ---- pieces ----------------------------------------------------------------------------------- */

/* Number of pieces of a tensor with many elements. It is the same on one thread, so that the same sums are joined in
 * the same order. */
#define PIECES 32

typedef struct cutting {
    const eti_tensor_values *base, *newer;
    const eti_tolerances *tolerances;
    eti_metric_parts pieces[PIECES];
    size_t n_tasks;
} cutting;

static void compare_pieces(void *context, size_t task) {
    cutting *in = context;
    uint64_t n = in->base->n_elements;
    uint64_t size = (n / PIECES / N + 1) * N; /* full blocks, such that PIECES of them cover n */
    for (size_t i = task; i < PIECES; i += in->n_tasks) {
        uint64_t first = size * i < n ? size * i : n, left = n - first;
        eti__metrics_add(&in->pieces[i], in->base, in->newer, in->tolerances, first,
                         left < size ? left : size);
    }
}

static void compare_in_pieces(eti_metric_parts *out, const eti_tensor_values *base,
                              const eti_tensor_values *newer, const eti_tolerances *tolerances,
                              size_t n_threads) {
    cutting in = {.base = base, .newer = newer, .tolerances = tolerances};
    in.n_tasks = eti__thread_count(n_threads);
    eti__parallel(in.n_tasks, compare_pieces, &in);
    for (size_t i = 0; i < PIECES; i++)
        eti__metrics_join(out, &in.pieces[i]);
}

eti_status eti__metrics_compare(const eti_tensor_values *base, const eti_tensor_values *newer,
                                const eti_tolerances *tolerances, size_t n_threads,
                                eti_metrics *out) {
    eti_metric_parts parts = {.n = 0};
    if (!eti__metrics_are_defined(base, newer))
        return ETI_ERROR_DATA;
    if (base->n_elements < ETI_MANY_ELEMENTS)
        eti__metrics_add(&parts, base, newer, tolerances, 0, base->n_elements);
    else
        compare_in_pieces(&parts, base, newer, tolerances, n_threads);
    eti__metrics_finish(&parts, base, newer, out);
    return ETI_OK;
}
