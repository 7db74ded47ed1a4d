/*
 * stats.h - percentiles, time scales, tests, intervals and series of numbers.
 */
#ifndef ETI_STATS_STATS_H
#define ETI_STATS_STATS_H

#include "etinspect.h"

/* ==== variance prior ========================================================================== */
/* Finds the usual variance of many events, and moderates the variance of each with it.
 *
 * Uses the empirical Bayes method of Smyth, Linear Models and Empirical Bayes Methods for
 * Assessing Differential Expression in Microarray Experiments, Stat. Appl. Genet. Mol. Biol. 3,
 * 2004, with winsorized logarithms. It works only upwards: an accidentally small variance is
 * corrected, a large one is not. */

/* With fewer variances there is no prior. */
#define ETI_PRIOR_FEWEST 5

typedef struct eti_variance_prior {
    double dof;      /* d0: infinite if variances differ only by chance; 0 if there is no prior */
    double variance; /* s0^2 */
} eti_variance_prior;

/* Returns the prior of n variances with `dof` > 0 degrees of freedom each; they must not be negative and not all 0.
 * `scratch` has room for 2 n values. O(n log n). */
eti_variance_prior eti__variance_prior_of(const double *variances, size_t n, double dof,
                                          double *scratch);

/* Moderates a variance and its degrees of freedom, which become 1e6 if the prior's are infinite. */
void eti__moderate_variance(const eti_variance_prior *prior, double *variance, double *dof);

/* ==== verdict ================================================================================= */
/* Names the verdicts on changes between two sides. */

typedef enum eti_verdict {
    ETI_VERDICT_NOISE,     /* no difference, a small one, or one that may be due to chance */
    ETI_VERDICT_SLOWER,    /* the new side takes longer */
    ETI_VERDICT_FASTER,    /* the new side takes less time */
    ETI_VERDICT_UNDECIDED, /* fewer files than a verdict needs */
    /* Without a test: */
    ETI_VERDICT_ADDED, /* only the new side has it */
    ETI_VERDICT_REMOVED,
    ETI_VERDICT_UNTESTED, /* in no family of tests */
    ETI_N_VERDICTS,
} eti_verdict;

/* Returns the name of a verdict, such as "slower", "~" or "undecided". */
const char *eti__verdict_name(eti_verdict verdict);

/* ==== change ================================================================================== */
/* Computes changes of events from their values in the files of two sides, relative to the level of each file. The unit
 * of evidence is the file, which is one process; its runs only serve to find a value. Model:
 *
 *     log value = usual(event) + level(file) + change(event) [new side] + noise(event, file)
 *
 * The variance of the noise differs between events. The same arithmetic serves two sides (diff,
 * gate, measure) and one side (noise, absolute limits, trend: n_base or n_new is 0). */

/* With fewer events in a family, their median is not used as a level. */
#define ETI_LEVEL_FEWEST_EVENTS 5

/* Values of n things (events or groups) in files: n rows of n_base + n_new numbers above 0, base first. */
typedef struct eti_file_values {
    size_t n, n_base, n_new;
    const double *values; /* above 0; eti__find_changes() needs them only for rows with a step */
    /* per row: step of the clock, in the unit of the values, or 0 if there is none; NULL: no row has a step */
    const double *steps;
} eti_file_values;

/* A change in natural logarithms. */
typedef struct eti_change {
    /* mean of the new side minus mean of the base, relative to the levels if there are any */
    double difference;
    double error;         /* standard error of the difference */
    double dof;           /* degrees of freedom of the error */
    double relative_step; /* step of the clock / median value */
    double variance;      /* variance of one file, as used */
    double dependence;    /* number of runs that count as one, see "dependence"; 0: not computed */
} eti_change;

/* Fills the logarithms: log(value + step / 2). `out` has room for as many numbers as there are values. */
void eti__log_values(double *out, const eti_file_values *of);

/* Fills the distance of each logarithm from the median of its row over all files, n numbers for each file. `scratch` has
 * room for the files. */
void eti__find_deviations(double *out, const double *logs, const eti_file_values *of,
                          double *scratch);

/* Fills the level of each file: the median of these distances over the rows; 0 if there are fewer rows than
 * ETI_LEVEL_FEWEST_EVENTS. `scratch` has room for (n + 1) * files numbers. */
void eti__find_levels(double *levels, const double *logs, const eti_file_values *of,
                      double *scratch);

/* Fills the change of each row. `levels` are per file; NULL: the logarithms are used as measured. `prior` is set to the
 * prior of the rows and used; NULL: no prior is used. At least three files, or two on one side only: then `difference` is
 * the mean logarithm and `error` its standard error. `scratch` has room for 5 n + 2 files numbers. The order of files
 * within a side does not change a single bit of the result. No memory is allocated. */
void eti__find_changes(eti_change *out, const double *logs, const double *levels,
                       const eti_file_values *of, eti_variance_prior *prior, double *scratch);

/* Returns the number of files that the smaller side needs for a verdict with this probability of a false alarm: the least
 * m with C(2m, m) >= 1 / share. */
size_t eti__fewest_files(double share);

/* ==== dependence ============================================================================== */
/* Makes changes between runs less certain if a run resembles the run before it.
 *
 * The test of a change takes its units for independent, as processes are. The runs of a process may not
 * be: caches, clocks and other processes change slowly. With a correlation r of each run with the
 * previous one, n runs determine a mean like n (1 - r) / (1 + r) independent ones (a first-order
 * autoregression: Bartlett, Suppl. J. R. Stat. Soc. 8, 1946). */

/* Returns the correlation of n values, one per run in the order of measurement, with the previous ones. Around their own
 * mean, it comes out too small by about (1 + 4 r) / n (Kendall, Biometrika 41, 1954), which is added if r > 0. Returns 0
 * for fewer than 8 runs, whose correlation is hardly more than chance. `scratch` has room for 2 n numbers. */
double eti__correlation_of_runs(const double *values, size_t n, double *scratch);

/* Widens the error of a change whose units are runs with this correlation, and lowers its degrees of freedom; does
 * nothing to them if r <= 0. Sets `dependence` to the number of runs that count as one: 1 if they are
 * independent. At least two runs per side remain. */
void eti__widen_for_dependence(eti_change *change, double r, size_t n_base, size_t n_new);

/* ==== e divisive ============================================================================== */
/* Finds the places where a series of numbers changes.
 *
 * Implements E-divisive by Matteson and James, A Nonparametric Approach for Multiple Change Point
 * Analysis of Multivariate Data, J. Am. Stat. Assoc. 109, 2014. Drift counts as a change, too. */

#define ETI_E_DIVISIVE_FEWEST 6 /* smallest number of values of a segment that is divided */
#define ETI_E_DIVISIVE_MOST                                                                        \
    ((size_t)20000) /* largest number of values; sums of their distances fit into 64 bits */

typedef struct eti_change_point {
    size_t at; /* index of the first value after the change */
    double p;  /* p-value of the permutation test */
    double score;
} eti_change_point;

/* Returns the smallest number of values, at least ETI_E_DIVISIVE_FEWEST, for which a cut can be significant. With fewer,
 * the probability that chance alone puts the larger half of them on one side is above alpha, or so close to it that
 * the drawn permutations would decide. */
size_t eti__fewest_values(double alpha);

/* Fills `out`, which has room for n / 3 points, with all significant changes of the series, in order, and sets
 * `*n_out` to their number. `alpha` holds for the series. Segments of fewer than eti__fewest_values() values are not
 * divided. The p of a segment of up to ETI_CUT_MOST_COUNTED values is exact; for longer ones,
 * permutations are derived from `seed`, and the same seed gives the same points on every machine. Fails with
 * ETI_ERROR_LIMIT if there are more values than ETI_E_DIVISIVE_MOST, or with ETI_ERROR_MEMORY. */
eti_status eti__find_change_points(eti_change_point *out, size_t *n_out, const double *values,
                                   size_t n, double alpha, uint64_t seed,
                                   eti_error *err) ETI_WARN_UNUSED;

/* ==== holm ==================================================================================== */
/* Adjusts the p-values of a family of tests so that they hold for the family as a whole.
 *
 * Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scand. J. Stat. 6, 1979: the
 * probability that any adjusted p-value is below alpha by chance alone is at most alpha,
 * regardless of how the tests depend on each other. */

/* Adjusts n p-values, each in [0, 1], in place. O(n log n). `scratch` has room for 2 n values. */
void eti__holm_adjust(double *p, size_t n, double *scratch);

/* ==== fast ==================================================================================== */

/* Returns the mean of the fastest quarter of n >= 1 values without the fastest twentieth: of x[a] .. x[b - 1] in
 * ascending order, with a = n / 20 and b = max(a + 1, n / 4). Other work on the machine only makes runs longer, and a
 * mean smooths the steps of a coarse clock. Reorders the values; their initial order does not affect the result as
 * long as all are whole numbers below 2^53 / n. O(n). */
double eti__fast_mean(double *values, size_t n);

/* ==== mann whitney ============================================================================ */
/* Tests whether values of one side tend to be larger than those of the other.
 *
 * Mann and Whitney, On a Test of Whether one of Two Random Variables is Stochastically Larger than
 * the Other, Ann. Math. Stat. 18, 1947. Uses the normal approximation, with the variance corrected
 * for ties and without a continuity correction. */

/* Result of sorting the values of both sides together. */
typedef struct eti_rank_sum {
    uint64_t n_new, n_base;
    /* rank sum of the new side; ranks begin at 1, and ties share their mean rank */
    double rank_sum;
    double tie_term; /* sum of t^3 - t over all groups of t equal values */
} eti_rank_sum;

/* Returns whether the four numbers are possible for any set of values. */
bool eti__rank_sum_is_possible(const eti_rank_sum *ranks);

/* Returns the two-sided p-value; 1 if all values are equal. The ranks must be possible. */
double eti__mann_whitney(const eti_rank_sum *ranks);

/* ==== shift =================================================================================== */
/* Compares the values of two sides by their ranks, without assumptions about their distribution.
 *
 * The shift is that of Hodges and Lehmann, Estimates of Location Based on Rank Tests, Ann. Math. Stat. 34, 1963: the
 * median of all differences between a value of the new side and one of the base. Its bounds and its p-values come from the
 * exact distribution of U by Mann and Whitney, Ann. Math. Stat. 18, 1947; with more than 1,000 values, from the normal
 * approximation. */

/* The distribution of U for two numbers of values, which many comparisons share. */
typedef struct eti_ranks {
    size_t n_base, n_new;
    double *below; /* P(U <= u) for u = 0 .. n_base n_new / 2; NULL: normal approximation */
    double
        dependence; /* number of values that count as one; 1, unless the values are runs that depend on each other */
} eti_ranks;

/* Finds the distribution for two numbers above 0. Returns false if memory runs out. Free `out` in any case. */
bool eti__ranks_make(eti_ranks *out, size_t n_base, size_t n_new);
void eti__ranks_free(eti_ranks *ranks);

/* Returns P(U <= u). */
double eti__ranks_below(const eti_ranks *ranks, uint64_t u);

/* Returns how many of the smallest differences, and of the largest, lie outside of the interval whose bounds are wrong with
 * a probability of at most `beta` each; 0: there are no bounds. */
uint64_t eti__ranks_outside(const eti_ranks *ranks, double beta);

/* A change of logarithms between two sides. */
typedef struct eti_shift {
    double estimate, low, high; /* low and high are infinite if there are too few values for them */
    double p_slower, p_faster;  /* one-sided; equal values count against the change */
} eti_shift;

/* Compares the values, base first. `scratch` has room for twice as many. Exchanged sides exchange the signs and the
 * p-values; the order of the values within a side does not change a single bit. O(n log n). */
eti_shift eti__shift_of(const eti_ranks *ranks, const double *values, double beta, double *scratch);

/* ==== sign test =============================================================================== */

/* Returns the two-sided p-value of the exact sign test: of n_above + n_below pairs, n_above differ in one direction. Equal
 * pairs are left out. */
double eti__sign_test(size_t n_above, size_t n_below);

/* ==== metric ================================================================================== */
/* Names the metrics to which the runs of a file are reduced. */

typedef enum eti_metric {
    ETI_METRIC_P50, /* the median; comparisons use it unless another metric is requested */
    ETI_METRIC_AVG,
    ETI_METRIC_P90,
    ETI_METRIC_P95,
    ETI_METRIC_P99,
    ETI_METRIC_MIN,
    ETI_METRIC_MAX,
    ETI_METRIC_FAST, /* see "fast" */
    ETI_N_METRICS,
} eti_metric;

/* Names of the metrics, such as "p50". */
extern const char *const eti__metric_names[ETI_N_METRICS];

/* Returns the number of runs that every file needs for a verdict by a metric: 20 for p90, 40 for p95, 200 for p99, so
 * that at least two runs are above it; 1 for the others. */
size_t eti__metric_fewest_runs(eti_metric metric);

/* ==== order =================================================================================== */
/* Computes order statistics, and sorts only the values that they need. */

/* Moves the values with the given `ranks` (ascending, 0 is the smallest, repetition allowed) of n values, none of
 * them NaN, to their places in ascending order. O(n log n_ranks), and O(n log n) for adversarial orders. */
void eti__select_ranks(double *values, size_t n, const size_t *ranks, size_t n_ranks);

/* Sorts n values, none of them NaN, in ascending order, in O(n log n) for any initial order. */
void eti__sort_doubles(double *values, size_t n);

/* Returns numpy.median of n >= 1 values, none of them NaN; reorders them. O(n). */
double eti__median(double *values, size_t n);

/* Does the same without reordering the values. `scratch` has room for n values. */
double eti__median_of(const double *values, size_t n, double *scratch);
/* Does the same for the values that are not NaN; returns NaN if there are none. `scratch` may be `values`. */
double eti__median_of_known(const double *values, size_t n, double *scratch);

/* Returns numpy.percentile (method "linear") at 100 * `quantile`, to the last bit. `sorted` needs to be in ascending
 * order only at the ranks around the quantile. n >= 1. */
double eti__percentile(const double *sorted, size_t n, double quantile);
/* Does the same, given the value at the rank at or below the quantile and the next value. */
double eti__percentile_between(double below, double above, uint64_t n, double quantile);

/* ==== polygamma =============================================================================== */
/* Computes derivatives of the logarithm of the gamma function, for arguments above 0, to a
 * relative error of 1e-12. */

double eti__digamma(double x);
double eti__trigamma(double x);
double eti__tetragamma(double x);

/* Returns the x with trigamma(x) = y, for y > 0, by Newton's method on 1 / trigamma (Smyth, 2004, appendix). */
double eti__trigamma_inverse(double y);

/* ==== random ================================================================================== */
/* Generates random numbers that are the same on every machine.
 *
 * SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014)
 * has 64 bits of state and a period of 2^64; every seed is as good as any other. Not for
 * cryptography. */

typedef struct eti_random {
    uint64_t state;
} eti_random;

static inline uint64_t eti__random_next(eti_random *random) {
    uint64_t mixed = random->state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

/* Starts a stream; each stream of a seed has its own numbers. */
static inline eti_random eti__random_start(uint64_t seed, uint64_t stream) {
    eti_random random = {stream};
    random.state = seed + eti__random_next(&random);
    return random;
}

/* Returns a number in [0, 1) that is a multiple of 2^-53. */
static inline double eti__random_uniform(eti_random *random) {
    return (double)(eti__random_next(random) >> 11) * 0x1p-53;
}

/* ==== clusters ================================================================================ */
/* Finds two kinds of runs in the times of one block. */

typedef struct eti_clusters {
    size_t n_low, n_high; /* number of short and of long times, at least 2 of each */
    double low, high;     /* their medians */
} eti_clusters;

/* Returns whether n times fall into two clusters that are clearly apart, and sorts the times. They are split at the largest
 * gap between the logarithms of neighbours that leaves at least two times on both sides. The clusters are clearly apart if
 * the gap is a factor of at least 1.25, and if it is more than 5 pooled standard deviations of the logarithms inside the
 * clusters; with n < 10 times, more than 5 (10 / n)^2 of them, since the largest gap of few values is large by chance.
 * Lognormal times without clusters have such a gap in at most 1 % of samples, see tests/unit/stats/test_series.c.
 * False if n < 4, or if a time is not above 0 or not finite. O(n log n). */
bool eti__find_clusters(double *times, size_t n, eti_clusters *out);

/* ==== series ================================================================================== */
/* Finds warm-up, trend, and dependence of each run on the previous one in a series of values, one
 * per run in the order of measurement.
 *
 * All values must be finite; this is not checked. For outliers see "spread". */

/* Returns the number of warm-up runs at the beginning, at most n / 2; 0 if n < 4. The later half of the runs defines
 * the usual time. A run is slow if it is above their median by more than 3.5 scaled MAD ("spread") and by more than 5
 * %. The warm-up is the beginning in which slow runs outnumber the others by most, the shortest one if there are
 * several (the first change point of Page's cumulative sum, Biometrika 41, 1954): a single quick run does not end it,
 * and a single slow run later on does not extend it. `scratch` has room for n values. */
size_t eti__warm_up_runs(const double *values, size_t n, double *scratch);

typedef struct eti_run_trend {
    double per_run; /* change from each run to the next, in the unit of the values */
    double p;       /* probability of such a steady rise or fall without any trend; 1 if n < 3 */
} eti_run_trend;

/* Determines whether n values rise or fall. `p` is two-sided, by the Mann-Kendall test (Mann, Econometrica 13, 1945;
 * Kendall, Rank Correlation Methods, 1975) with correction for ties and continuity. It assumes independent runs: if a
 * run depends on the previous one, p is too small. `per_run` is the median slope between run i and run i + ceil(n /
 * 2), Theil's incomplete method (Theil, Proc. Kon. Ned. Akad. Wet. 53, 1950); outliers cannot move it far as long as
 * they are less than a quarter of the runs. O(n log n). `scratch` has room for 2 n values. */
eti_run_trend eti__trend_of(const double *values, size_t n, double *scratch);

/* Returns the correlation of each run's rank with that of the previous run (Wald and Wolfowitz, Ann. Math. Stat. 14,
 * 1943; an outlier is only one rank): about 0 for independent runs, up to 1 if runs hardly differ from the previous
 * one. Returns 0 if n < 3 or all are equal. `scratch` has room for 2 n values. */
double eti__lag_correlation(const double *values, size_t n, double *scratch);

/* ==== spread ================================================================================== */
/* Computes the spread of samples (median absolute deviation, standard deviation), and decides
 * whether a value is an outlier. */

/* Values in the unit of the samples. */
typedef struct eti_spread {
    double median;         /* numpy.median */
    double mad;            /* median absolute deviation from the median, unscaled */
    double mean_deviation; /* mean absolute deviation from the median */
} eti_spread;

/* Computes the spread of n >= 1 finite values. `scratch` has room for n values and is
 * overwritten. */
eti_spread eti__spread_of(const double *values, size_t n, double *scratch);

/* Returns the sample standard deviation (n - 1) over the mean, numpy.std(ddof=1) / numpy.mean; 0 if
 * n < 2 or all are 0. `scratch` has room for n values and is overwritten. */
double eti__coefficient_of_variation(const double *values, size_t n, double *scratch);

/* Returns the modified z-score, 0.6745 (value - median) / MAD, of Iglewicz and Hoaglin (How to
 * Detect and Handle Outliers, ASQC 1993). If more than half of the samples are equal, so that the
 * MAD is 0, the mean deviation is used instead: (value - median) / (1.253314 mean deviation). If
 * all samples are equal, the score is 0 for an equal value, otherwise infinite. */
double eti__modified_z(const eti_spread *spread, double value);

/* Returns whether |modified z| > 3.5, the limit that Iglewicz and Hoaglin advise. */
bool eti__is_outlier(const eti_spread *spread, double value);

/* ==== student ================================================================================= */
/* Computes probabilities and quantiles of Student's t distribution. */

/* Returns the probability that |T| >= |t|, where T has `dof` > 0 degrees of freedom; infinite `dof` means the normal
 * distribution. Uses the regularized incomplete beta function, with a relative error of 1e-10 if the result is above
 * 1e-300. */
double eti__student_two_sided(double t, double dof);

/* Returns the probability that T >= t, which may be negative. */
double eti__student_above(double t, double dof);

/* Returns t with P(T <= t) = probability, 0 < probability < 1, with a relative error of 1e-10. */
double eti__student_quantile(double probability, double dof);

/* ==== summary ================================================================================= */
/* Computes p10, p50, p90, avg, min and max of samples, equal to numpy's to the last bit.
 *
 * numpy.percentile (method "linear") and numpy.mean (pairwise summation) define the order of
 * operations; compile without contraction of a * b + c (-ffp-contract=off). */

/* Summarizes n >= 1 samples, none of them NaN. `scratch` has room for n values and is
 * overwritten. */
eti_summary eti__summarize(const double *samples, size_t n, double *scratch);

/* Returns numpy.sum of n values. */
double eti__sum(const double *values, size_t n);

/* Returns numpy.mean of n >= 1 values. */
double eti__mean(const double *values, size_t n);
double eti__standard_deviation(const double *values, size_t n, double *scratch);

/* ==== timescale =============================================================================== */
/* Turns a pair of clock stamps into elapsed time, in the Inspector's order of operations. */

/* Returns the divisor that converts a time in `source` to one in `target`. Cycles become time by the clock's `hz`; if
 * it is 0 (unknown), they stay cycles and the divisor is 1. */
double eti__time_scale_factor(eti_time_scale source, eti_time_scale target, double hz);

/* Returns whether times can be converted: cycles only to cycles, unless the clock's `hz` is known. */
bool eti__time_scales_fit(eti_time_scale source, eti_time_scale target, double hz);

/* Stamps that run backwards are attributed to a 32-bit clock that wrapped around; as in the
 * Inspector, the result is one tick less than the true difference. Each function returns false if
 * stamps that run backwards do not fit 32 bits. */

/* Subtract as integers, then scale. */
bool eti__elapsed_exact(uint64_t start, uint64_t end, double factor, double *out);
/* Scale both, then subtract, as the Inspector does with the stamps of delegates, including its rounding. */
bool eti__elapsed_scaled(uint64_t start, uint64_t end, double factor, double *out);

#endif
