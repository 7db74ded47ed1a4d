#include "stats/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== order =================================================================================== */

#define FEW 24 /* smaller arrays are sorted by insertion */

static void sort_few(double *values, size_t n) {
    for (size_t i = 1; i < n; i++) {
        double value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static double median_of_3(double a, double b, double c) {
    if (a > b) {
        double swapped = a;
        a = b;
        b = swapped;
    }
    return c <= a ? a : c < b ? c : b;
}

/* Moves the values below the pivot, or not above it, to the front; returns their number. The loop has no branch that
 * depends on a value (Lomuto's partition), because processors would mispredict half of such branches, which takes
 * longer than everything else. */
static inline size_t move_to_front(double *values, size_t n, double pivot, bool equal_ones_too) {
    size_t n_moved = 0;
    for (size_t i = 0; i < n; i++) {
        double value = values[i];
        values[i] = values[n_moved];
        values[n_moved] = value;
        n_moved += equal_ones_too ? value <= pivot : value < pivot;
    }
    return n_moved;
}

/* Three parts: values[0 ...] are less than those from `middle` on; these are equal to each other and less than those
 * from `right` on. The left part and the right part are both smaller than the whole. */
typedef struct parts {
    size_t middle, right;
} parts;

static parts partition(double *values, size_t n) {
    double pivot = median_of_3(values[0], values[n / 2], values[n - 1]);
    size_t n_below = move_to_front(values, n, pivot, false);
    /* few values are below the pivot if many are equal to it; then, at the latest, the equal ones must be separated */
    if (n_below > n / 8)
        return (parts){n_below, n_below};
    return (parts){n_below, n_below + move_to_front(values + n_below, n - n_below, pivot, true)};
}

static int compare_doubles(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Puts the values of the ranks (ascending) at their positions in sorted order. Sorts the rest after too many useless
 * partitions, which only a contrived order causes. */
static void select_ranks(double *values, size_t n, size_t base, const size_t *ranks, size_t n_ranks,
                         unsigned partitions_left) {
    if (n_ranks == 0)
        return;
    if (n <= FEW) {
        sort_few(values, n);
        return;
    }
    if (partitions_left == 0) {
        qsort(values, n, sizeof *values, compare_doubles);
        return;
    }
    parts at = partition(values, n);
    size_t n_left = 0;
    while (n_left < n_ranks && ranks[n_left] < base + at.middle)
        n_left++;
    size_t n_done = n_left;
    while (n_done < n_ranks && ranks[n_done] < base + at.right)
        n_done++;
    select_ranks(values, at.middle, base, ranks, n_left, partitions_left - 1);
    select_ranks(values + at.right, n - at.right, base + at.right, ranks + n_done, n_ranks - n_done,
                 partitions_left - 1);
}

static unsigned partitions_for(size_t n) {
    unsigned partitions = 8;
    for (; n > 1; n /= 2)
        partitions += 2;
    return partitions;
}

static void sort_part(double *values, size_t n, unsigned partitions_left) {
    while (n > FEW) {
        if (partitions_left-- == 0) {
            qsort(values, n, sizeof *values, compare_doubles);
            return;
        }
        parts at = partition(values, n);
        sort_part(values, at.middle, partitions_left);
        values += at.right;
        n -= at.right;
    }
    sort_few(values, n);
}

void eti__sort_doubles(double *values, size_t n) {
    sort_part(values, n, partitions_for(n));
}

void eti__select_ranks(double *values, size_t n, const size_t *ranks, size_t n_ranks) {
    select_ranks(values, n, 0, ranks, n_ranks, partitions_for(n));
}

double eti__median(double *values, size_t n) {
    const size_t ranks[] = {(n - 1) / 2, n / 2};
    eti__select_ranks(values, n, ranks, 2);
    return ranks[0] == ranks[1] ? values[ranks[0]] : (values[ranks[0]] + values[ranks[1]]) / 2.0;
}

double eti__median_of(const double *values, size_t n, double *scratch) {
    memcpy(scratch, values, n * sizeof *values);
    return eti__median(scratch, n);
}

double eti__median_of_known(const double *values, size_t n, double *scratch) {
    size_t n_known = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(values[i]))
            scratch[n_known++] = values[i];
    }
    return n_known > 0 ? eti__median(scratch, n_known) : (double)NAN;
}

double eti__percentile_between(double below, double above, uint64_t n, double quantile) {
    double place = (double)(n - 1) * quantile;
    double fraction = place - floor(place), difference = above - below;
    if (place >= (double)(n - 1))
        return below;
    if (fraction >= 0.5)
        return above - difference * (1.0 - fraction);
    return below + difference * fraction;
}

double eti__percentile(const double *sorted, size_t n, double quantile) {
    double place = (double)(n - 1) * quantile;
    if (place >= (double)(n - 1))
        return sorted[n - 1];
    size_t at = (size_t)floor(place);
    return eti__percentile_between(sorted[at], sorted[at + 1], n, quantile);
}

/* ==== summary ================================================================================= */

#define PAIRWISE_BLOCK 128

static double sum_few(const double *values, size_t n) {
    double sum = -0.0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

/* Adds eight running sums in pairs, then the remaining values. */
static double sum_block(const double *values, size_t n) {
    double sums[8];
    memcpy(sums, values, sizeof sums);
    size_t whole = n - n % 8;
    for (size_t i = 8; i < whole; i += 8) {
        for (size_t j = 0; j < 8; j++)
            sums[j] += values[i + j];
    }
    double sum =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (size_t i = whole; i < n; i++)
        sum += values[i];
    return sum;
}

/* Returns numpy's pairwise sum. It halves n at each step, so the depth is at most 64. */
static double sum_pairwise(const double *values, size_t n) {
    if (n < 8)
        return sum_few(values, n);
    if (n <= PAIRWISE_BLOCK)
        return sum_block(values, n);
    size_t half = n / 2;
    half -= half % 8;
    return sum_pairwise(values, half) + sum_pairwise(values + half, n - half);
}

double eti__sum(const double *values, size_t n) {
    return 0.0 + sum_pairwise(values, n);
}

double eti__mean(const double *values, size_t n) {
    return eti__sum(values, n) / (double)n;
}

double eti__variance(const double *values, size_t n, double *scratch) {
    double mean = eti__mean(values, n);
    for (size_t i = 0; i < n; i++)
        scratch[i] = (values[i] - mean) * (values[i] - mean);
    return eti__sum(scratch, n) / (double)(n - 1);
}

double eti__standard_deviation(const double *values, size_t n, double *scratch) {
    return sqrt(eti__variance(values, n, scratch));
}

/* ---- summary --------------------------------------------------------------------------------- */

static const double quantiles[] = {0.1, 0.5, 0.9};

/* Returns the rank at or below a quantile. */
static size_t rank_of(size_t n, double quantile) {
    return (size_t)floor((double)(n - 1) * quantile);
}

eti_summary eti__summarize(const double *samples, size_t n, double *scratch) {
    double only = samples[0];
    if (n == 1)
        return (eti_summary){sizeof(eti_summary), only, only, only, 0.0 + only, only, only};
    size_t ranks[2 + 2 * sizeof quantiles / sizeof *quantiles], n_ranks = 0;
    ranks[n_ranks++] = 0;
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        size_t rank = rank_of(n, quantiles[i]);
        ranks[n_ranks++] = rank;
        ranks[n_ranks++] = rank + 1 < n ? rank + 1 : rank;
    }
    ranks[n_ranks++] = n - 1;
    memcpy(scratch, samples, n * sizeof *samples);
    eti__select_ranks(scratch, n, ranks, n_ranks);
    return (eti_summary){
        .struct_size = sizeof(eti_summary),
        .p10 = eti__percentile(scratch, n, quantiles[0]),
        .p50 = eti__percentile(scratch, n, quantiles[1]),
        .p90 = eti__percentile(scratch, n, quantiles[2]),
        .avg = eti__mean(samples, n),
        .min = scratch[0],
        .max = scratch[n - 1],
    };
}

/* ==== spread ================================================================================== */

#define OUTLIER_Z 3.5
#define MAD_FACTOR 0.6745 /* as printed by Iglewicz and Hoaglin: Phi^-1(3/4), rounded */
#define MEAN_DEVIATION_FACTOR 1.253314 /* sqrt(pi / 2) */

eti_spread eti__spread_of(const double *values, size_t n, double *scratch) {
    memcpy(scratch, values, n * sizeof *values);
    eti_spread spread = {.median = eti__median(scratch, n)};
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(values[i] - spread.median);
    spread.mean_deviation = eti__mean(scratch, n);
    spread.mad = eti__median(scratch, n);
    return spread;
}

double eti__coefficient_of_variation(const double *values, size_t n, double *scratch) {
    if (n < 2)
        return 0.0;
    double mean = eti__mean(values, n);
    for (size_t i = 0; i < n; i++)
        scratch[i] = (values[i] - mean) * (values[i] - mean);
    double deviation = sqrt(eti__mean(scratch, n) * ((double)n / (double)(n - 1)));
    return deviation == 0.0 ? 0.0 : deviation / mean;
}

double eti__modified_z(const eti_spread *spread, double value) {
    double distance = value - spread->median;
    if (distance == 0.0)
        return 0.0;
    if (spread->mad > 0.0)
        return MAD_FACTOR * distance / spread->mad;
    return distance / (MEAN_DEVIATION_FACTOR * spread->mean_deviation);
}

bool eti__is_outlier(const eti_spread *spread, double value) {
    return fabs(eti__modified_z(spread, value)) > OUTLIER_Z;
}

/* ==== metric ================================================================================== */

const char *const eti__metric_names[ETI_N_METRICS] = {
    [ETI_METRIC_P50] = "p50", [ETI_METRIC_AVG] = "avg",   [ETI_METRIC_P90] = "p90",
    [ETI_METRIC_P95] = "p95", [ETI_METRIC_P99] = "p99",   [ETI_METRIC_MIN] = "min",
    [ETI_METRIC_MAX] = "max", [ETI_METRIC_FAST] = "fast",
};

size_t eti__metric_fewest_runs(eti_metric metric) {
    static const size_t fewest[ETI_N_METRICS] = {
        [ETI_METRIC_P90] = 20, [ETI_METRIC_P95] = 40, [ETI_METRIC_P99] = 200};
    return fewest[metric] > 0 ? fewest[metric] : 1;
}

/* ==== fast ==================================================================================== */

double eti__fast_mean(double *values, size_t n) {
    size_t first = n / 20, end = n / 4 > first ? n / 4 : first + 1;
    const size_t ranks[] = {first, end - 1};
    eti__select_ranks(values, n, ranks, 2);
    double sum = 0.0;
    for (size_t i = first; i < end; i++)
        sum += values[i];
    return sum / (double)(end - first);
}

/* ==== timescale =============================================================================== */

#define CLOCK_MAX 4294967295u

typedef struct eti_scale_row {
    const char *name;
    double per_second;
} eti_scale_row;

static const eti_scale_row scales[] = {
    [ETI_SCALE_NS] = {"ns", 1e9}, [ETI_SCALE_US] = {"us", 1e6},       [ETI_SCALE_MS] = {"ms", 1e3},
    [ETI_SCALE_S] = {"s", 1},     [ETI_SCALE_CYCLES] = {"cycles", 1},
};

const char *eti_time_scale_name(eti_time_scale scale) {
    return (size_t)scale < sizeof scales / sizeof *scales ? scales[scale].name : NULL;
}

bool eti_time_scale_parse(const char *name, eti_time_scale *out) {
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        if (strcmp(scales[i].name, name) == 0) {
            *out = (eti_time_scale)i;
            return true;
        }
    }
    return false;
}

bool eti__time_scales_fit(eti_time_scale source, eti_time_scale target, double hz) {
    if (source == ETI_SCALE_CYCLES && hz > 0)
        return true;
    return (source == ETI_SCALE_CYCLES) == (target == ETI_SCALE_CYCLES);
}

double eti__time_scale_factor(eti_time_scale source, eti_time_scale target, double hz) {
    if (source == ETI_SCALE_CYCLES)
        return hz > 0 && target != ETI_SCALE_CYCLES ? hz / scales[target].per_second : 1.0;
    return scales[source].per_second / scales[target].per_second;
}

bool eti__elapsed_exact(uint64_t start, uint64_t end, double factor, double *out) {
    uint64_t ticks;
    if (start <= end) {
        ticks = end - start;
    } else {
        if (start > CLOCK_MAX)
            return false;
        ticks = CLOCK_MAX - start + end;
    }
    *out = (double)ticks / factor;
    return true;
}

bool eti__elapsed_scaled(uint64_t start, uint64_t end, double factor, double *out) {
    double from = (double)start / factor;
    double to = (double)end / factor;
    if (from > to) {
        if (from > (double)CLOCK_MAX)
            return false;
        *out = ((double)CLOCK_MAX - from) + to;
    } else {
        *out = to - from;
    }
    return true;
}
