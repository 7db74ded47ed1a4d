/*
 * power.h - turns the noise of samples into how many of them a gate needs to find a given slowdown, and which
 * slowdown it can find with so many.
 *
 * The samples of one side, measured without any change, stand for the noise of both. They are taken for
 * independent of each other: for consecutive runs that are not, see eti__independent_runs().
 */
#ifndef ETI_STATS_POWER_H
#define ETI_STATS_POWER_H

#include "stats/verdict.h"

/* What a gate does, and how often it shall find the slowdown. */
typedef struct eti_power_goal {
    eti_rule rule;
    double confidence; /* of the interval of the ratio; above 0, below 1 */
    size_t n_family;   /* events that are tested together; >= 1 */
    double power;      /* 0.95: found in 95 of 100 gates; above 0, below 1 */
} eti_power_goal;

/* Samples whose noise is known. */
typedef struct eti_noise {
    const double *sorted; /* n >= 2, in ascending order, not negative */
    size_t n;
    double median_deviation; /* standard deviation of their median, see eti__median_deviation() */
} eti_noise;

/* What eti__samples_for_effect() answers where no number of samples is enough, or more than that. */
#define ETI_TOO_MANY_SAMPLES ((size_t)1000000000)

/* The number of samples a side with which a slowdown by `effect` (0.1: 10 %) of one event is found: the
 * greatest of what
 *
 *   the test needs      ((z_alpha / sqrt(6) + z_power S) / (P - 1/2))^2, where P is how often a sample is above another
 *                       one once it is slowed down, S^2 / n the variance of that share in n samples a side (Lehmann,
 *                       Nonparametrics, 1975, section 2.3; with S^2 = 1/6 it is the formula of Noether, J. Am. Stat.
 *                       Assoc. 82, 1987) and alpha that of Holm's first step
 *   the interval needs  2 ((z_interval + z_power) D / log(1 + effect))^2
 *   the size needs      2 (z_power D / log((1 + effect) / (1 + least_effect)))^2
 *   there must be       eti__samples_needed()
 *
 * where D^2 / n is the variance of the logarithm of the median of n samples, and z_power belongs to a third of the
 * allowed misses, as each of the first three may miss. O(n). */
size_t eti__samples_for_effect(const eti_noise *noise, double effect, const eti_power_goal *goal);

/* The smallest slowdown that is found with `n` samples a side, to three digits; infinite where that is
 * above 100, a slowdown by 10,000 %. O(noise.n). */
double eti__effect_for_samples(const eti_noise *noise, size_t n, const eti_power_goal *goal);

/* How many independent runs tell as much as n runs of which each depends on the one before with this
 * correlation (see eti__lag_correlation()): n (1 - r) / (1 + r), Bayley and Hammersley, J. R. Stat. Soc.
 * Suppl. 8, 1946; n where it is not positive. */
double eti__independent_runs(size_t n, double lag_correlation);

#endif
