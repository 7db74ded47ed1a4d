#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRWISE_BLOCK 128

static double sum_few(const double *values, size_t n) {
    double sum = -0.0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

/* Eight running sums, added in pairs; then what is left over. */
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

/* numpy's pairwise sum. It halves n at each step, so the depth is at most 64. */
static double sum_pairwise(const double *values, size_t n) {
    if (n < 8)
        return sum_few(values, n);
    if (n <= PAIRWISE_BLOCK)
        return sum_block(values, n);
    size_t half = n / 2;
    half -= half % 8;
    return sum_pairwise(values, half) + sum_pairwise(values + half, n - half);
}

static int compare_doubles(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* ---- order statistics ------------------------------------------------------------------------ */

#define FEW 24 /* are sorted by insertion */

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

/* Hoare's partition: afterwards values[0 .. result] <= values[result + 1 ..], and both parts have some. */
static size_t partition(double *values, size_t n) {
    double pivot = median_of_3(values[0], values[n / 2], values[n - 1]);
    /* The last one may not be the pivot, or all could end up on the left. */
    if (values[n - 1] == pivot) {
        values[n - 1] = values[0];
        values[0] = pivot;
    }
    size_t low = 0, high = n - 1;
    for (;; low++, high--) {
        while (values[low] < pivot)
            low++;
        while (values[high] > pivot)
            high--;
        if (low >= high)
            return high;
        double swapped = values[low];
        values[low] = values[high];
        values[high] = swapped;
    }
}

/* Puts the values of the ranks (ascending) where they are in sorted order. After too many partitions that
 * were of no use, as somebody may contrive, the rest is sorted. */
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
    size_t n_left = partition(values, n) + 1, n_left_ranks = 0;
    while (n_left_ranks < n_ranks && ranks[n_left_ranks] < base + n_left)
        n_left_ranks++;
    select_ranks(values, n_left, base, ranks, n_left_ranks, partitions_left - 1);
    select_ranks(values + n_left, n - n_left, base + n_left, ranks + n_left_ranks,
                 n_ranks - n_left_ranks, partitions_left - 1);
}

static unsigned partitions_for(size_t n) {
    unsigned partitions = 8;
    for (; n > 1; n /= 2)
        partitions += 2;
    return partitions;
}

/* ---- summary --------------------------------------------------------------------------------- */

static const double quantiles[] = {0.1, 0.5, 0.9};

/* The rank at or below a quantile. */
static size_t rank_of(size_t n, double quantile) {
    return (size_t)floor((double)(n - 1) * quantile);
}

/* `sorted` as far as the ranks around the quantile are in place. */
static double percentile(const double *sorted, size_t n, double quantile) {
    double place = (double)(n - 1) * quantile;
    if (place >= (double)(n - 1))
        return sorted[n - 1];
    double below = floor(place);
    size_t at = (size_t)below;
    double fraction = place - below;
    double difference = sorted[at + 1] - sorted[at];
    if (fraction >= 0.5)
        return sorted[at + 1] - difference * (1.0 - fraction);
    return sorted[at] + difference * fraction;
}

eti_summary eti_summarize(const double *samples, size_t n, double *scratch) {
    size_t ranks[2 + 2 * sizeof quantiles / sizeof *quantiles], n_ranks = 0;
    ranks[n_ranks++] = 0;
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        size_t rank = rank_of(n, quantiles[i]);
        ranks[n_ranks++] = rank;
        ranks[n_ranks++] = rank + 1 < n ? rank + 1 : rank;
    }
    ranks[n_ranks++] = n - 1;
    memcpy(scratch, samples, n * sizeof *samples);
    select_ranks(scratch, n, 0, ranks, n_ranks, partitions_for(n));
    return (eti_summary){
        .p10 = percentile(scratch, n, quantiles[0]),
        .p50 = percentile(scratch, n, quantiles[1]),
        .p90 = percentile(scratch, n, quantiles[2]),
        .avg = (0.0 + sum_pairwise(samples, n)) / (double)n,
        .min = scratch[0],
        .max = scratch[n - 1],
    };
}
