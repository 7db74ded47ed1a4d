#include "numerics/metrics.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define N ETI_ELEMENTS_AT_ONCE

/* Sums that are added to in turns, so that none waits for the one before, and compilers make vectors of them. Blocks are filled
 * up with zeros to a multiple. */
#define LANES 8

/* The denominator of a relative difference is at least this. */
#define LEAST_MAGNITUDE 1e-8

/* Differences that are smaller have squares that vanish. */
#define SMALL 0x1p-400
/* Doubles round integers to this and beyond. */
#define LARGEST_EXACT 0x1p53

/* Numbers of scalar types. */
#define DOUBLE 7
#define UINT64 29

/* Some pairs as doubles. */
typedef struct block {
    double a[N], b[N], d[N]; /* d = |a - b| */
    uint16_t at[N]; /* number of each pair among those that were taken; only if is_sparse */
    bool is_sparse;
    size_t n;
    /* of all pairs */
    double d2, d1, a2, b2, ab, max_d, max_a, max_b;
} block;

/* The pairs that are looked at. */
typedef struct comparison {
    eti_metric_parts *parts;
    const eti_tolerances *tolerances;
    const eti_tensor_values *base, *newer;
    const uint8_t *base_bytes, *new_bytes; /* elements of the block, one after the other */
    uint64_t first;                        /* number of the first of them */
} comparison;

/* ---- kernels ---------------------------------------------------------------------------------- */

static double largest_of(const double *lanes) {
    double most = 0;
    for (size_t j = 0; j < LANES; j++)
        most = lanes[j] > most ? lanes[j] : most;
    return most;
}

static double sum_of(const double *lanes) {
    long double sum = 0;
    for (size_t j = 0; j < LANES; j++)
        sum += (long double)lanes[j];
    return (double)sum;
}

/* Number of elements with those that fill up. */
static size_t fill_up(block *k) {
    size_t n = k->n;
    for (; n % LANES != 0; n++)
        k->a[n] = k->b[n] = k->d[n] = 0;
    return n;
}

static void sum_differences(block *k, size_t n) {
    double squares[LANES] = {0}, sums[LANES] = {0}, most[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            double d = fabs(k->a[i + j] - k->b[i + j]);
            k->d[i + j] = d;
            squares[j] += d * d;
            sums[j] += d;
            most[j] = d > most[j] ? d : most[j];
        }
    }
    k->d2 = sum_of(squares);
    k->d1 = sum_of(sums);
    k->max_d = largest_of(most);
}

static void sum_base(block *k, size_t n) {
    double squares[LANES] = {0}, most[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            double a = fabs(k->a[i + j]);
            squares[j] += a * a;
            most[j] = a > most[j] ? a : most[j];
        }
    }
    k->a2 = sum_of(squares);
    k->max_a = largest_of(most);
}

static void sum_products(block *k, size_t n) {
    double squares[LANES] = {0}, products[LANES] = {0}, most[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            double b = k->b[i + j], magnitude = fabs(b);
            squares[j] += b * b;
            products[j] += k->a[i + j] * b;
            most[j] = magnitude > most[j] ? magnitude : most[j];
        }
    }
    k->b2 = sum_of(squares);
    k->ab = sum_of(products);
    k->max_b = largest_of(most);
}

/* Counts in doubles, of which vectors are made as of the differences. */
static uint64_t count_mismatched(const block *k, size_t n, const eti_tolerances *tolerances) {
    double rtol = tolerances->rtol, atol = tolerances->atol, counts[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES) {
        for (size_t j = 0; j < LANES; j++)
            counts[j] += k->d[i + j] > atol + rtol * fabs(k->a[i + j]) ? 1.0 : 0.0;
    }
    return (uint64_t)sum_of(counts);
}

/* Whether a relative difference may be larger than `ratio`; without a division for each. */
static bool has_larger_ratio(const block *k, size_t n, double ratio) {
    double counts[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            double a = fabs(k->a[i + j]), b = fabs(k->b[i + j]);
            double most = a > b ? a : b;
            most = most > LEAST_MAGNITUDE ? most : LEAST_MAGNITUDE;
            counts[j] += k->d[i + j] > ratio * most ? 1.0 : 0.0;
        }
    }
    return sum_of(counts) > 0;
}

static double largest_ratio(const block *k) {
    double most = 0;
    for (size_t i = 0; i < k->n; i++) {
        double magnitude = fmax(fmax(fabs(k->a[i]), fabs(k->b[i])), LEAST_MAGNITUDE);
        double ratio = k->d[i] / magnitude;
        most = ratio > most ? ratio : most;
    }
    return most;
}

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

/* Adds what the kernels found. */
static void add_ordinary(const comparison *in, const block *k, size_t n) {
    eti_metric_parts *parts = in->parts;
    eti_metric_sums sums = {(long double)k->d2, (long double)k->d1, (long double)k->a2,
                            (long double)k->b2, (long double)k->ab};
    if (parts->counts.pairs == 0 || k->max_d > parts->max_abs) {
        size_t i = 0;
        while (i + 1 < k->n && k->d[i] != k->max_d)
            i++;
        keep_largest(in, k, k->max_d, i);
    }
    if (k->max_d > 0) { /* otherwise nothing is a mismatch */
        double bound = parts->max_rel * (1 + 2 * DBL_EPSILON);
        if (has_larger_ratio(k, n, bound))
            parts->max_rel = fmax(parts->max_rel, largest_ratio(k));
        parts->counts.mismatched += count_mismatched(k, n, in->tolerances);
    }
    add_sums(&parts->finite, &sums);
    parts->max_base = fmax(parts->max_base, k->max_a);
}

static bool is_wide_integer(const eti_tensor_values *values) {
    const eti_scalar_type *type = eti__scalar_type(values->scalar_type);
    return type->width == 8 && !type->is_float;
}

/* Returns element number `i` of those at `bytes` as exactly as can be. */
static long double extended_of(const eti_tensor_values *values, const uint8_t *bytes, size_t i,
                               double as_double) {
    uint64_t bits = 0;
    if (!is_wide_integer(values))
        return (long double)as_double;
    for (size_t j = 8; j-- > 0;)
        bits = bits << 8 | bytes[i * 8 + j];
    return values->scalar_type == UINT64 ? (long double)bits : (long double)(int64_t)bits;
}

/* Adds pairs of which squares overflow or vanish, or that doubles round. */
static void add_extended(const comparison *in, const block *k) {
    eti_metric_parts *parts = in->parts;
    long double rtol = (long double)in->tolerances->rtol, atol = (long double)in->tolerances->atol;
    for (size_t i = 0; i < k->n; i++) {
        size_t at = k->is_sparse ? k->at[i] : i;
        long double a = extended_of(in->base, in->base_bytes, at, k->a[i]);
        long double b = extended_of(in->newer, in->new_bytes, at, k->b[i]);
        long double d = fabsl(a - b), most = fmaxl(fabsl(a), fabsl(b));
        eti_metric_sums sums = {d * d, d, a * a, b * b, a * b};
        double ratio = (double)(d / fmaxl(most, (long double)LEAST_MAGNITUDE));
        add_sums(&parts->finite, &sums);
        keep_largest(in, k, (double)d, i);
        parts->max_rel = ratio > parts->max_rel ? ratio : parts->max_rel;
        parts->counts.mismatched += d > atol + rtol * fabsl(a);
        parts->counts.pairs++;
    }
    parts->max_base = fmax(parts->max_base, k->max_a);
}

static bool is_small(double most) {
    return most > 0 && most < SMALL;
}

static bool needs_extension(const comparison *in, const block *k) {
    if (in->base->scalar_type == DOUBLE || in->newer->scalar_type == DOUBLE) {
        if (!isfinite(k->d2 + k->a2 + k->b2) || is_small(k->max_d) || is_small(k->max_a) ||
            is_small(k->max_b))
            return true;
    }
    return (is_wide_integer(in->base) || is_wide_integer(in->newer)) &&
           fmax(k->max_a, k->max_b) >= LARGEST_EXACT;
}

/* Finds the sums of a block. `is_same`: its elements have the same bytes on both sides. */
static size_t sum_block(block *k, bool is_same) {
    size_t n = fill_up(k);
    sum_base(k, n);
    if (is_same) {
        k->d2 = k->d1 = k->max_d = 0;
        k->b2 = k->ab = k->a2;
        k->max_b = k->max_a;
        return n;
    }
    sum_differences(k, n);
    sum_products(k, n);
    return n;
}

/* Adds the pairs of a block, which are finite and summed. */
static void add_finite(const comparison *in, block *k, size_t n, bool is_same) {
    eti_metric_parts *parts = in->parts;
    parts->gap.d2 += (long double)k->d2;
    parts->gap.d1 += (long double)k->d1;
    parts->gap.a2 += (long double)k->a2;
    if (needs_extension(in, k)) {
        if (is_same)
            sum_differences(k, n);
        add_extended(in, k);
        return;
    }
    add_ordinary(in, k, n);
    parts->counts.pairs += k->n;
}

/* ---- distances in floats ---------------------------------------------------------------------- */

/* Numbers floats in their order, both zeros 0, and returns the most that a pair is apart. Distances, which need all bits, are
 * kept less the least signed number: vectors compare signed ones. */
#define DEFINE_DISTANCES(width, whole, number)                                                     \
    static inline number distance_##width(whole a, whole b) {                                      \
        const whole sign = (whole)((whole)1 << ((width)-1)), rest = (whole)(sign - 1);             \
        whole a_mask = (whole)((number)a < 0 ? ~(whole)0 : 0);                                     \
        whole b_mask = (whole)((number)b < 0 ? ~(whole)0 : 0);                                     \
        number x = (number)(whole)(((a & rest) ^ a_mask) - a_mask);                                \
        number y = (number)(whole)(((b & rest) ^ b_mask) - b_mask);                                \
        whole larger = (whole)(x > y ? x : y), smaller = (whole)(x > y ? y : x);                   \
        return (number)(whole)((whole)(larger - smaller) ^ sign);                                  \
    }                                                                                              \
    static double largest_##width(const uint8_t *base, const uint8_t *newer, size_t n) {           \
        number most[LANES];                                                                        \
        whole a[LANES] = {0}, b[LANES] = {0};                                                      \
        for (size_t j = 0; j < LANES; j++)                                                         \
            most[j] = INT##width##_MIN;                                                            \
        for (size_t i = 0; i < n; i += LANES) {                                                    \
            size_t size = (n - i < LANES ? n - i : LANES) * sizeof *a;                             \
            if (size < sizeof a) {                                                                 \
                memset(a, 0, sizeof a);                                                            \
                memset(b, 0, sizeof b);                                                            \
            }                                                                                      \
            memcpy(a, base + i * sizeof *a, size);                                                 \
            memcpy(b, newer + i * sizeof *b, size);                                                \
            for (size_t j = 0; j < LANES; j++) {                                                   \
                number distance = distance_##width(a[j], b[j]);                                    \
                most[j] = distance > most[j] ? distance : most[j];                                 \
            }                                                                                      \
        }                                                                                          \
        for (size_t j = 1; j < LANES; j++)                                                         \
            most[0] = most[j] > most[0] ? most[j] : most[0];                                       \
        return (double)(whole)((whole)most[0] ^ (whole)((whole)1 << ((width)-1)));                 \
    }
DEFINE_DISTANCES(8, uint8_t, int8_t)
DEFINE_DISTANCES(16, uint16_t, int16_t)
DEFINE_DISTANCES(32, uint32_t, int32_t)
DEFINE_DISTANCES(64, uint64_t, int64_t)
#undef DEFINE_DISTANCES

static double largest_distance(size_t width, const uint8_t *base, const uint8_t *newer, size_t n) {
    switch (width) {
    case 1:
        return largest_8(base, newer, n);
    case 2:
        return largest_16(base, newer, n);
    case 4:
        return largest_32(base, newer, n);
    default:
        return largest_64(base, newer, n);
    }
}

static void add_distances(const comparison *in, const block *k) {
    const eti_scalar_type *type = eti__scalar_type(in->base->scalar_type);
    size_t width = type->width;
    double most = 0;
    if (!type->is_float || in->base->scalar_type != in->newer->scalar_type)
        return;
    if (!k->is_sparse)
        most = largest_distance(width, in->base_bytes, in->new_bytes, k->n);
    for (size_t i = 0; i < k->n && k->is_sparse; i++) {
        size_t at = k->at[i] * width;
        most = fmax(most, largest_distance(width, in->base_bytes + at, in->new_bytes + at, 1));
    }
    in->parts->ulp_max = fmax(in->parts->ulp_max, most);
}

/* ---- other pairs ------------------------------------------------------------------------------ */

/* Returns what the Inspector takes an element for. */
static double settle(double value, bool has_nan) {
    if (!has_nan)
        return value;
    if (isnan(value))
        return 0;
    return isinf(value) ? copysign(DBL_MAX, value) : value;
}

/* Sums of pairs that are not finite, by what the Inspector may take them for. In doubles, as infinities are slow in extended
 * precision. */
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

/* Numbers what is not finite: NaN, infinity, the negative one. */
static size_t class_of(double value) {
    return isnan(value) ? 0 : value > 0 ? 1 : 2;
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
    add_settled(sums, a, b);
}

/* Counts the pairs of which neither is finite. */
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

/* Adds the pairs of a block that are not finite, and leaves the others in it. */
static void split(const comparison *in, block *k) {
    size_t n = 0;
    settled_sums sums = {.a2 = {0}};
    for (size_t i = 0; i < k->n; i++) {
        double a = k->a[i], b = k->b[i];
        if (!isfinite(a) || !isfinite(b)) {
            add_odd(in->parts, &sums, a, b);
            continue;
        }
        k->a[n] = a;
        k->b[n] = b;
        k->at[n++] = (uint16_t)i;
    }
    if (n < k->n)
        keep_settled(in->parts->odd, &sums, 1);
    k->is_sparse = n < k->n;
    k->n = n;
}

/* ---- parts ------------------------------------------------------------------------------------ */

static void load(const eti_tensor_values *values, const uint8_t *bytes, size_t n, double *out) {
    float narrow[N];
    if (!eti__elements_fit_floats(values->scalar_type)) {
        eti__elements_as_doubles(values->scalar_type, bytes, n, out);
        return;
    }
    eti__elements_as_floats(values->scalar_type, bytes, n, narrow);
    for (; n % LANES != 0; n++)
        narrow[n] = 0;
    for (size_t i = 0; i < n; i += LANES) {
        for (size_t j = 0; j < LANES; j++)
            out[i + j] = (double)narrow[i + j];
    }
}

static void add_block(const comparison *in, block *k, size_t n) {
    bool is_same = in->base->scalar_type == in->newer->scalar_type &&
                   memcmp(in->base_bytes, in->new_bytes,
                          n * eti__scalar_type(in->base->scalar_type)->width) == 0;
    in->parts->differs |= !is_same;
    in->parts->n += n;
    k->n = n;
    k->is_sparse = false;
    load(in->base, in->base_bytes, n, k->a);
    if (is_same)
        memcpy(k->b, k->a, n * sizeof *k->b);
    else
        load(in->newer, in->new_bytes, n, k->b);
    size_t n_full = sum_block(k, is_same);
    if (!isfinite(k->a2 + k->b2)) { /* or squares of doubles overflow */
        split(in, k);
        n_full = sum_block(k, is_same);
    }
    if (k->n == 0)
        return;
    add_finite(in, k, n_full, is_same);
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
    block k = {.n = 0};
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
    if (base->scalar_type != newer->scalar_type || base->n_dims != newer->n_dims)
        return false;
    for (uint32_t i = 0; i < base->n_dims; i++) {
        if (base->sizes[i] != newer->sizes[i])
            return false;
    }
    return true;
}

static double decibels(double ratio) {
    return 10 * log10(ratio);
}

/* All in double precision, with its overflows, as torch. */
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
    out->mse = (double)(finite->d2 + other->d2) / n;
    out->l1 = (double)(finite->d1 + other->d1);
    out->snr = decibels(power / out->mse);
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
    out->max_abs = out->mean_abs = out->rmse = out->max_rel = nan;
    out->cosine = out->psnr = out->ulp_max = nan;
    if (out->pairs > 0)
        finish_pairs(parts, out);
    if (out->pairs > 0 && base->scalar_type == newer->scalar_type &&
        eti__scalar_type(base->scalar_type)->is_float)
        out->ulp_max = parts->ulp_max;
    out->identical = are_alike(base, newer) && !parts->differs;
}

eti_status eti__metrics_compare(const eti_tensor_values *base, const eti_tensor_values *newer,
                                const eti_tolerances *tolerances, eti_metrics *out) {
    eti_metric_parts parts = {.n = 0};
    if (!eti__metrics_are_defined(base, newer))
        return ETI_ERROR_DATA;
    eti__metrics_add(&parts, base, newer, tolerances, 0, base->n_elements);
    eti__metrics_finish(&parts, base, newer, out);
    return ETI_OK;
}
