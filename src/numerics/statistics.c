#include "numerics/numerics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== statistics ============================================================================== */

/* Number of sums that are used alternately, so that no addition waits for the previous one. */
#define LANES 8

/* Doubles beyond these have squares that overflow or underflow. */
#define LARGE 0x1p500
#define SMALL 0x1p-400

/* Result of one pass over a few elements. */
typedef struct sums {
    double min, max;
    long double sum;
    uint64_t n_zero;
} sums;

/* ---- kernels --------------------------------------------------------------------------------- */

/* Defines the same functions for floats and doubles. There must be at least one element: loops of a fixed length,
 * which compilers vectorize, are followed by the remaining elements. */
#define DEFINE_KERNELS(name, type, whole)                                                          \
    ETI_LOOPS sums sum_##name##_body(const type *values, size_t n) {                               \
        type least[LANES], most[LANES];                                                            \
        double sum[LANES] = {0};                                                                   \
        whole zeros[LANES] = {0};                                                                  \
        size_t i = 0;                                                                              \
        for (size_t j = 0; j < LANES; j++)                                                         \
            least[j] = most[j] = values[0];                                                        \
        for (; i + LANES <= n; i += LANES) {                                                       \
            for (size_t j = 0; j < LANES; j++) {                                                   \
                type x = values[i + j];                                                            \
                least[j] = x < least[j] ? x : least[j];                                            \
                most[j] = x > most[j] ? x : most[j];                                               \
                sum[j] += (double)x;                                                               \
                zeros[j] += x == 0;                                                                \
            }                                                                                      \
        }                                                                                          \
        sums out = {(double)least[0], (double)most[0], 0, 0};                                      \
        for (size_t j = 0; j < LANES; j++) {                                                       \
            out.min = (double)least[j] < out.min ? (double)least[j] : out.min;                     \
            out.max = (double)most[j] > out.max ? (double)most[j] : out.max;                       \
            out.sum += (long double)sum[j];                                                        \
            out.n_zero += (uint64_t)zeros[j];                                                      \
        }                                                                                          \
        for (; i < n; i++) {                                                                       \
            double x = (double)values[i];                                                          \
            out.min = x < out.min ? x : out.min;                                                   \
            out.max = x > out.max ? x : out.max;                                                   \
            out.sum += (long double)x;                                                             \
            out.n_zero += x == 0;                                                                  \
        }                                                                                          \
        return out;                                                                                \
    }                                                                                              \
    ETI_WITH_VECTORS(sums, sum_##name, (const type *values, size_t n), (values, n))                \
                                                                                                   \
    ETI_LOOPS long double square_##name##_body(const type *values, size_t n, double center) {      \
        double squares[LANES] = {0};                                                               \
        long double total = 0;                                                                     \
        size_t i = 0;                                                                              \
        for (; i + LANES <= n; i += LANES) {                                                       \
            for (size_t j = 0; j < LANES; j++) {                                                   \
                double distance = (double)values[i + j] - center;                                  \
                squares[j] += distance * distance;                                                 \
            }                                                                                      \
        }                                                                                          \
        for (size_t j = 0; j < LANES; j++)                                                         \
            total += (long double)squares[j];                                                      \
        for (; i < n; i++) {                                                                       \
            long double distance = (long double)values[i] - (long double)center;                   \
            total += distance * distance;                                                          \
        }                                                                                          \
        return total;                                                                              \
    }                                                                                              \
    ETI_WITH_VECTORS(long double, square_##name, (const type *values, size_t n, double center),    \
                     (values, n, center))
DEFINE_KERNELS(floats, eti_stored_float, int32_t)
DEFINE_KERNELS(doubles, double, int64_t)
#undef DEFINE_KERNELS

/* Adds up finite doubles and the rounding error of each addition. */
ETI_LOOPS long double sum_exactly_body(const double *values, size_t n) {
    double sum[LANES] = {0}, lost[LANES] = {0};
    long double total = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            double x = values[i + j], next = sum[j] + x, added = next - sum[j];
            lost[j] += (sum[j] - (next - added)) + (x - added);
            sum[j] = next;
        }
    }
    for (size_t j = 0; j < LANES; j++)
        total += (long double)lost[j];
    for (; i < n; i++)
        total += (long double)values[i];
    for (size_t j = 0; j < LANES; j++)
        total += (long double)sum[j];
    return total;
}
ETI_WITH_VECTORS(long double, sum_exactly, (const double *values, size_t n), (values, n))

/* ---- blocks of elements ---------------------------------------------------------------------- */

static eti_tensor_statistics make_statistics(const sums *got, size_t n, long double sum,
                                             long double squares) {
    return (eti_tensor_statistics){
        .n = n,
        .n_zero = got->n_zero,
        .min = got->min,
        .max = got->max,
        .sum = sum,
        .squares = squares,
    };
}

/* Computes the statistics of at least one finite double; may overwrite the doubles. */
static eti_tensor_statistics of_finite(double *values, size_t n, const sums *got) {
    double most = fmax(fabs(got->min), fabs(got->max)), scale = 1;
    if (most > LARGE)
        scale = 0x1p-540;
    else if (most < SMALL && most > 0)
        scale = 0x1p540;
    for (size_t i = 0; i < n && scale != 1; i++)
        values[i] *= scale;
    long double sum = sum_exactly(values, n), unit = 1 / (long double)scale;
    double center = (double)(sum / (long double)n);
    return make_statistics(got, n, sum * unit, square_doubles(values, n, center) * unit * unit);
}

/* Counts the elements that are not finite, and moves the others together. */
static eti_tensor_statistics of_doubles(double *values, size_t n) {
    eti_tensor_statistics none = {.n = n};
    size_t n_finite = 0;
    for (size_t i = 0; i < n; i++) {
        double x = values[i];
        none.n_nan += x != x;
        values[n_finite] = x;
        n_finite += x - x == 0;
    }
    none.n_inf = n - n_finite - none.n_nan;
    if (n_finite == 0)
        return none;
    sums got = sum_doubles(values, n_finite);
    eti_tensor_statistics out = of_finite(values, n_finite, &got);
    out.n = n;
    out.n_nan = none.n_nan;
    out.n_inf = none.n_inf;
    return out;
}

static eti_tensor_statistics of_floats(const eti_stored_float *values, size_t n) {
    sums got = sum_floats(values, n);
    /* each of them is finite, too, because no sum of floats overflows */
    if (isfinite((double)got.sum)) {
        double center = (double)(got.sum / (long double)n);
        return make_statistics(&got, n, got.sum, square_floats(values, n, center));
    }
    double wide[ETI_ELEMENTS_AT_ONCE];
    for (size_t i = 0; i < n; i++)
        wide[i] = (double)values[i];
    return of_doubles(wide, n);
}

/* Counts each of the 256 values of a one-byte float type, because they are slow to convert. */
static void add_bytes(eti_tensor_statistics *statistics, int8_t scalar_type, const uint8_t *bytes,
                      size_t n) {
    uint64_t counts[4][256] = {{0}};
    uint8_t patterns[256];
    float values[256];
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (size_t j = 0; j < 4; j++)
            counts[j][bytes[i + j]]++;
    }
    for (; i < n; i++)
        counts[0][bytes[i]]++;
    for (size_t j = 0; j < 256; j++)
        patterns[j] = (uint8_t)j;
    eti__elements_as_floats(scalar_type, patterns, 256, values);
    for (size_t j = 0; j < 256; j++) {
        uint64_t count = counts[0][j] + counts[1][j] + counts[2][j] + counts[3][j];
        double x = (double)values[j];
        eti_tensor_statistics of = {.n = count, .min = x, .max = x};
        of.n_nan = isnan(x) ? count : 0;
        of.n_inf = isinf(x) ? count : 0;
        of.n_zero = x == 0 ? count : 0;
        of.sum = isfinite(x) ? (long double)count * (long double)x : 0;
        eti__statistics_join(statistics, &of);
    }
}

/* ---- tensors --------------------------------------------------------------------------------- */

static eti_tensor_statistics of_some(int8_t scalar_type, const uint8_t *bytes, size_t n) {
    double wide[ETI_ELEMENTS_AT_ONCE];
    float narrow[ETI_ELEMENTS_AT_ONCE];
    if (eti__elements_fit_floats(scalar_type)) {
        return of_floats(eti__elements_in_floats(scalar_type, bytes, n, narrow), n);
    }
    eti__elements_as_doubles(scalar_type, bytes, n, wide);
    sums got = sum_doubles(wide, n);
    return isfinite((double)got.sum) ? of_finite(wide, n, &got) : of_doubles(wide, n);
}

void eti__statistics_add(eti_tensor_statistics *statistics, const eti_tensor_values *values,
                         bool is_dense, uint64_t first, uint64_t n) {
    uint8_t room[ETI_ELEMENTS_AT_ONCE * 8];
    const eti_scalar_type *type = eti__scalar_type(values->scalar_type);
    bool is_counted = type->width == 1 && type->is_float && is_dense;
    if (is_counted && n >= ETI_ELEMENTS_AT_ONCE) {
        add_bytes(statistics, values->scalar_type, values->data + first, (size_t)n);
        return;
    }
    while (n > 0) {
        size_t taken = n < ETI_ELEMENTS_AT_ONCE ? (size_t)n : ETI_ELEMENTS_AT_ONCE;
        const uint8_t *bytes = eti__elements_at(values, is_dense, first, taken, room);
        eti_tensor_statistics of = of_some(values->scalar_type, bytes, taken);
        eti__statistics_join(statistics, &of);
        first += taken;
        n -= taken;
    }
}

/* Uses Chan, Golub and LeVeque: squares around two means are those around their common mean, except for the distance
 * between the means. */
void eti__statistics_join(eti_tensor_statistics *statistics, const eti_tensor_statistics *other) {
    long double n = (long double)eti__statistics_finite(statistics);
    long double m = (long double)eti__statistics_finite(other);
    if (m > 0 && n > 0) {
        long double distance = other->sum / m - statistics->sum / n;
        statistics->squares += other->squares + distance * distance * (n * (m / (n + m)));
        statistics->sum += other->sum;
        statistics->min = other->min < statistics->min ? other->min : statistics->min;
        statistics->max = other->max > statistics->max ? other->max : statistics->max;
    } else if (m > 0) {
        statistics->squares = other->squares;
        statistics->sum = other->sum;
        statistics->min = other->min;
        statistics->max = other->max;
    }
    statistics->n += other->n;
    statistics->n_nan += other->n_nan;
    statistics->n_inf += other->n_inf;
    statistics->n_zero += other->n_zero;
}

/* ---- results --------------------------------------------------------------------------------- */

static double if_any(const eti_tensor_statistics *statistics, double value) {
    return eti__statistics_finite(statistics) > 0 ? value : (double)NAN;
}

double eti__statistics_min(const eti_tensor_statistics *statistics) {
    return if_any(statistics, statistics->min);
}

double eti__statistics_max(const eti_tensor_statistics *statistics) {
    return if_any(statistics, statistics->max);
}

double eti__statistics_mean(const eti_tensor_statistics *statistics) {
    long double n = (long double)eti__statistics_finite(statistics);
    return n > 0 ? (double)(statistics->sum / n) : (double)NAN;
}

double eti__statistics_deviation(const eti_tensor_statistics *statistics) {
    long double n = (long double)eti__statistics_finite(statistics);
    if (n == 0)
        return (double)NAN;
    return statistics->squares > 0 ? (double)sqrtl(statistics->squares / n) : 0;
}

double eti__statistics_absmax(const eti_tensor_statistics *statistics) {
    return if_any(statistics, fmax(fabs(statistics->min), fabs(statistics->max)));
}

/* ==== distribution ============================================================================ */

/* Fills `out` with the percentiles at 100 * `quantiles` of the `n_finite` >= 1 finite elements, like numpy.percentile
 * (method "linear"). Returns false if memory runs out. */
#define ETI_MOST_QUANTILES 2

/* ---- elements in order ------------------------------------------------------------------------ */

typedef struct walk {
    const eti_tensor_values *values;
    bool is_dense;
    uint64_t next;
    double some[ETI_ELEMENTS_AT_ONCE]; /* finite elements */
    size_t n;
} walk;

/* Reads the next elements. Returns false after the last. */
static bool read_some(walk *w) {
    uint8_t room[ETI_ELEMENTS_AT_ONCE * 8];
    uint64_t left = w->values->n_elements - w->next;
    size_t n = left < ETI_ELEMENTS_AT_ONCE ? (size_t)left : ETI_ELEMENTS_AT_ONCE;
    if (n == 0)
        return false;
    const uint8_t *bytes = eti__elements_at(w->values, w->is_dense, w->next, n, room);
    eti__elements_as_doubles(w->values->scalar_type, bytes, n, w->some);
    w->next += n;
    w->n = 0;
    for (size_t i = 0; i < n; i++) {
        w->some[w->n] = w->some[i];
        w->n += w->some[i] - w->some[i] == 0;
    }
    return true;
}

/* ---- histograms ------------------------------------------------------------------------------- */

void eti__tensor_histogram(const eti_tensor_values *values, bool is_dense, double min, double max,
                           int64_t counts[ETI_HISTOGRAM_BINS]) {
    double edges[ETI_HISTOGRAM_BINS + 1];
    bool is_wide = max / 2 - min / 2 > 0x1p1000; /* sums of edges must not overflow */
    double unit = is_wide ? 0x1p-8 : 1, low = min * unit, high = max * unit;
    if (low == high) {
        low -= 0.5;
        high += 0.5;
    }
    double step = (high - low) / ETI_HISTOGRAM_BINS;
    memset(counts, 0, ETI_HISTOGRAM_BINS * sizeof *counts);
    for (size_t i = 0; i < ETI_HISTOGRAM_BINS; i++)
        edges[i] = (double)i * step + low;
    edges[ETI_HISTOGRAM_BINS] = high;
    walk w = {.values = values, .is_dense = is_dense};
    while (read_some(&w)) {
        for (size_t i = 0; i < w.n; i++) {
            double x = w.some[i] * unit;
            double place = (x - low) / (high - low) * ETI_HISTOGRAM_BINS;
            size_t bin = place < ETI_HISTOGRAM_BINS - 1 ? (size_t)place : ETI_HISTOGRAM_BINS - 1;
            if (bin > 0 && x < edges[bin]) /* rounding moved it beyond the edge */
                bin--;
            else if (bin + 1 < ETI_HISTOGRAM_BINS && x >= edges[bin + 1])
                bin++;
            counts[bin]++;
        }
    }
}

/* ---- percentiles ------------------------------------------------------------------------------ */

/* Distinguishes elements by a few bits at a time, starting with the highest, of keys with the same order as the
 * elements. */
#define DIGIT_BITS 11
#define N_DIGITS ((size_t)1 << DIGIT_BITS)
#define KEY_BITS 64
#define MOST_RANKS ((size_t)2 * ETI_MOST_QUANTILES)

/* The known bits of the element with a certain rank. */
typedef struct sought {
    uint64_t rank;  /* rank among the elements with the same known bits */
    uint64_t known; /* known bits of the key */
} sought;

static uint64_t key_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key) {
    uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Finds the next bits of all ranks; `shift` is the number of bits below them. */
static void narrow_down(walk *w, sought *ranks, size_t n, unsigned shift, unsigned n_bits,
                        uint64_t (*counts)[N_DIGITS]) {
    uint64_t mask = (UINT64_C(1) << n_bits) - 1;
    unsigned above = shift + n_bits;
    memset(counts, 0, n * sizeof *counts);
    w->next = 0;
    while (read_some(w)) {
        for (size_t i = 0; i < w->n; i++) {
            uint64_t key = key_of(w->some[i]);
            for (size_t r = 0; r < n; r++) {
                bool begins_alike = above >= KEY_BITS || key >> above == ranks[r].known >> above;
                counts[r][key >> shift & mask] += begins_alike;
            }
        }
    }
    for (size_t r = 0; r < n; r++) {
        uint64_t digit = 0;
        for (; digit < mask && ranks[r].rank >= counts[r][digit]; digit++)
            ranks[r].rank -= counts[r][digit];
        ranks[r].known |= digit << shift;
    }
}

bool eti__tensor_percentiles(const eti_tensor_values *values, bool is_dense, uint64_t n_finite,
                             const double *quantiles, size_t n, double *out) {
    walk w = {.values = values, .is_dense = is_dense};
    sought ranks[MOST_RANKS];
    uint64_t(*counts)[N_DIGITS] = calloc(MOST_RANKS, sizeof *counts);
    if (!counts)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t below = (uint64_t)((double)(n_finite - 1) * quantiles[i]);
        ranks[2 * i] = (sought){below, 0};
        ranks[2 * i + 1] = (sought){below + 1 < n_finite ? below + 1 : below, 0};
    }
    for (unsigned left = KEY_BITS; left > 0;) {
        unsigned n_bits = left < DIGIT_BITS ? left : DIGIT_BITS;
        left -= n_bits;
        narrow_down(&w, ranks, 2 * n, left, n_bits, counts);
    }
    free(counts);
    for (size_t i = 0; i < n; i++)
        out[i] = eti__percentile_between(value_of(ranks[2 * i].known),
                                         value_of(ranks[2 * i + 1].known), n_finite, quantiles[i]);
    return true;
}
