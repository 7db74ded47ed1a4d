/*
 * bootstrap.h - turns two sets of samples into an interval for the ratio of their medians.
 *
 * The percentile bootstrap of Efron (Ann. Stat. 7, 1979): each side is resampled with replacement, the
 * ratio of the medians is taken, and the middle share of all ratios is the interval. Only the middle order
 * statistics of a resample are drawn, not the n samples of it: that they are the samples of rank i and j
 * has a probability that depends on n alone (Efron, same paper, section 3; Maritz and Jarrett, J. Am. Stat.
 * Assoc. 73, 1978), so one random number draws both. The intervals are distributed as those of the plain
 * method.
 */
#ifndef ETI_STATS_BOOTSTRAP_H
#define ETI_STATS_BOOTSTRAP_H

#include "base/status.h"

/* Ranks (from 0) of the two samples that the median of a resample lies between; one and the same where n is
 * odd. */
typedef struct eti_middle_ranks {
    uint32_t low, high;
} eti_middle_ranks;

/* The medians of resamples of n samples, as ranks. Starts as all zeros; kept from one call to the next, as
 * all events of a dump tend to have as many samples. */
typedef struct eti_resampling {
    eti_middle_ranks *medians; /* n_resamples */
    size_t n_resamples;
    size_t n;
    uint64_t seed, stream;
    size_t capacity;
    /* What they are drawn from: pairs of ranks, and the sum of the probabilities of each pair and those before
     * it, not scaled to end at 1. */
    eti_middle_ranks *pairs;
    double *up_to;
    size_t n_pairs, pair_capacity, up_to_capacity;
} eti_resampling;

/* Draws the medians of n_resamples (>= 1) resamples of n samples, 1 <= n < 2^31, unless that is what there
 * is. Streams of a seed are independent. ETI_ERROR_MEMORY. */
eti_status eti__resample(eti_resampling *resampling, size_t n, size_t n_resamples, uint64_t seed,
                         uint64_t stream, eti_error *err);

void eti__resampling_free(eti_resampling *resampling);

/* The median of resample i of samples in ascending order. */
double eti__resampled_median(const eti_resampling *resampling, const double *sorted, size_t i);

/* How far the median of n samples may be off: its standard deviation over all resamples, by Maritz and
 * Jarrett. */
double eti__median_deviation(const eti_resampling *resampling, const double *sorted);

typedef struct eti_interval {
    double low, high;
} eti_interval;

/* The middle `confidence` (between 0 and 1) of the ratios new / base of the resampled medians. Both have as
 * many resamples; samples are in ascending order and not negative. 0 / 0 counts as 1. `ratios` has room for
 * a value of each resample. */
eti_interval eti__bootstrap_ratio(const eti_resampling *base, const double *sorted_base,
                                  const eti_resampling *new_side, const double *sorted_new,
                                  double confidence, double *ratios);

/* new / base where neither is negative: 1 where both are 0, infinite where base alone is. */
double eti__ratio(double new_value, double base);

#endif
