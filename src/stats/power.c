#include "stats/power.h"

#include <math.h>

#include "stats/normal.h"

/* How a sample slowed down compares with the others as they are: shares of pairs, those of equal samples
 * counted half. */
typedef struct overlap {
    double above;    /* the mean over all samples of the share that is below one slowed down */
    double variance; /* of that mean, times n, with n samples a side and n large */
} overlap;

/* The share of the other samples that are below `limit`, which sample i has become. */
static double share_below(const eti_noise *noise, size_t i, double limit, size_t below,
                          size_t not_above) {
    double n_below = ((double)below + (double)not_above) / 2.0;
    double own = noise->sorted[i] < limit ? 1.0 : noise->sorted[i] > limit ? 0.0 : 0.5;
    return (n_below - own) / (double)(noise->n - 1);
}

/* The mean and mean square over all samples i of the share of other samples below sorted[i] * factor. */
static void mean_shares(const eti_noise *noise, double factor, double *mean, double *mean_square) {
    double sum = 0.0, sum_of_squares = 0.0;
    size_t below = 0, not_above = 0;
    for (size_t i = 0; i < noise->n; i++) {
        double limit = noise->sorted[i] * factor;
        while (below < noise->n && noise->sorted[below] < limit)
            below++;
        if (not_above < below)
            not_above = below;
        while (not_above < noise->n && noise->sorted[not_above] <= limit)
            not_above++;
        double share = share_below(noise, i, limit, below, not_above);
        sum += share;
        sum_of_squares += share * share;
    }
    *mean = sum / (double)noise->n;
    *mean_square = sum_of_squares / (double)noise->n;
}

/* Slowed samples above sample i are those that are above sorted[i] / factor before. */
static overlap overlap_of(const eti_noise *noise, double factor) {
    double above, square_above, below, square_below;
    mean_shares(noise, factor, &above, &square_above);
    mean_shares(noise, 1.0 / factor, &below, &square_below);
    double variance_above = square_above - above * above;
    double variance_below = square_below - below * below;
    return (overlap){.above = above, .variance = fmax(0.0, variance_above + variance_below)};
}

static double square(double value) {
    return value * value;
}

/* Test, interval and size may each miss the effect, so each is allowed a third of all misses. */
static double power_quantile(const eti_power_goal *goal) {
    return eti__normal_quantile_above((1.0 - goal->power) / 3.0);
}

/* Infinite where no number of samples is enough. */
static double samples_for_test(const eti_noise *noise, double effect, const eti_power_goal *goal) {
    overlap with_effect = overlap_of(noise, 1.0 + effect);
    double advantage = with_effect.above - 0.5;
    if (advantage <= 0.0)
        return (double)INFINITY;
    double z_alpha = eti__normal_quantile_above(goal->rule.alpha / (double)goal->n_family / 2.0);
    double z_power = power_quantile(goal);
    double deviations = z_alpha * sqrt(1.0 / 6.0) + z_power * sqrt(with_effect.variance);
    return square(fmax(0.0, deviations) / advantage);
}

/* So many that the median's logarithm, `away` from a limit, stays on its side but z standard deviations out. */
static double samples_for_median(const eti_noise *noise, double away, double z) {
    double median = noise->sorted[noise->n / 2];
    if (away <= 0.0 || (median <= 0.0 && noise->median_deviation > 0.0))
        return (double)INFINITY;
    if (noise->median_deviation == 0.0)
        return 0.0;
    return 2.0 * (double)noise->n * square(noise->median_deviation / median * fmax(0.0, z) / away);
}

size_t eti__samples_for_effect(const eti_noise *noise, double effect, const eti_power_goal *goal) {
    double z_power = power_quantile(goal);
    double z_interval = eti__normal_quantile_above((1.0 - goal->confidence) / 2.0);
    double n = samples_for_test(noise, effect, goal);
    n = fmax(n, samples_for_median(noise, log1p(effect), z_interval + z_power));
    n = fmax(n, samples_for_median(noise, log1p(effect) - log1p(goal->rule.least_effect), z_power));
    if (n >= (double)ETI_TOO_MANY_SAMPLES)
        return ETI_TOO_MANY_SAMPLES;
    return eti__samples_needed((size_t)ceil(n), goal->n_family, goal->rule.alpha);
}

double eti__effect_for_samples(const eti_noise *noise, size_t n, const eti_power_goal *goal) {
    double too_small = goal->rule.least_effect, found = 100.0;
    if (eti__samples_for_effect(noise, found, goal) > n)
        return (double)INFINITY;
    while (found - too_small > 1e-3 * found && found > 1e-9) {
        double middle = too_small + (found - too_small) / 2.0;
        if (eti__samples_for_effect(noise, middle, goal) > n)
            too_small = middle;
        else
            found = middle;
    }
    return found;
}

double eti__independent_runs(size_t n, double lag_correlation) {
    return lag_correlation > 0.0 ? (double)n * (1.0 - lag_correlation) / (1.0 + lag_correlation)
                                 : (double)n;
}
