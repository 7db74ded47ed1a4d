#include "numerics/distribution.h"

#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
