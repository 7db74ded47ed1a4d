#include "stats/summary.h"

#include <math.h>
#include <string.h>

#include "etinspect.h"
#include "stats/order.h"

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
