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
    memcpy(scratch, samples, n * sizeof *samples);
    qsort(scratch, n, sizeof *scratch, compare_doubles);
    return (eti_summary){
        .p10 = percentile(scratch, n, 0.1),
        .p50 = percentile(scratch, n, 0.5),
        .p90 = percentile(scratch, n, 0.9),
        .avg = (0.0 + sum_pairwise(samples, n)) / (double)n,
        .min = scratch[0],
        .max = scratch[n - 1],
    };
}
