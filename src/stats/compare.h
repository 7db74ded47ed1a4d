/*
 * compare.h - turns the samples of one event before and after a change into the size and significance of the change.
 *
 * It says nothing about whether that is good or bad: verdict.h does.
 */
#ifndef ETI_STATS_COMPARE_H
#define ETI_STATS_COMPARE_H

#include "stats/bootstrap.h"

typedef struct eti_compare_options {
    double confidence;  /* of the interval, above 0 and below 1 */
    size_t n_resamples; /* 1 to ETI_MOST_RESAMPLES */
    uint64_t seed;      /* of the resamples: the same numbers on each machine */
} eti_compare_options;

#define ETI_MOST_RESAMPLES 1000000

#define ETI_COMPARE_DEFAULT                                                                        \
    { 0.95, 1000, 1 }

/* Times in the unit of the samples. */
typedef struct eti_comparison {
    size_t n_base, n_new;
    double median_base, median_new; /* p50 as in tables */
    double delta;                   /* median_new - median_base */
    double ratio;                   /* median_new / median_base; 0 / 0 is 1, x / 0 infinite */
    eti_interval
        ratio_interval; /* where the ratio lies with the wanted confidence, by bootstrap.h */
    double shift;       /* by Hodges and Lehmann: the median of all differences new - base */
    double p;           /* two-sided, by Mann and Whitney; not adjusted for other events */
    double least_p;     /* what p would be if the sides did not overlap */
    bool p_is_exact;
} eti_comparison;

/* Memory that comparisons share. Starts as all zeros. One thread uses it at a time; results do not depend
 * on what it was used for before. */
typedef struct eti_compare_scratch {
    double *values;
    size_t n_values;
    size_t *ranks;
    size_t n_ranks;
    eti_resampling base, new_side;
} eti_compare_scratch;

/* The samples of one side. */
typedef struct eti_sample_set {
    const double *values;
    size_t n;
} eti_sample_set;

/* Compares two sides of at least one sample each. `options` may be NULL for the defaults. ETI_ERROR_USAGE:
 * options out of range; ETI_ERROR_DATA: a side without samples, or a sample that is negative, infinite or
 * no number; ETI_ERROR_LIMIT: 2^31 samples or more; ETI_ERROR_MEMORY. O(n log n). */
eti_status eti__compare(eti_comparison *out, eti_sample_set base, eti_sample_set new_side,
                        const eti_compare_options *options, eti_compare_scratch *scratch,
                        eti_error *err) ETI_WARN_UNUSED;

void eti__compare_scratch_free(eti_compare_scratch *scratch);

/* The geometric mean of n ratios, 1 where n is 0: 0 where one is 0 and none infinite, infinite where one is
 * infinite and none 0, 1 where there are both. */
double eti__geometric_mean(const double *ratios, size_t n);

#endif
