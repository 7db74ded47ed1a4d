#include "stats/variance_prior.h"

#include <math.h>
#include <string.h>

#include "stats/order.h"
#include "stats/polygamma.h"
#include "stats/summary.h"

#define LEAST_OF_MEDIAN 1e-5 /* smaller variances are raised to this share of the median */
#define WILD 0.1             /* share of variances at each end that must not influence the prior */
#define MANY 1e6             /* degrees of freedom of a variance that is considered known */

/* Returns log(dof / 2) - digamma(dof / 2): the average distance of the logarithm of a variance below that of the true
 * variance. */
static double log_bias(double dof) {
    return log(dof / 2.0) - eti__digamma(dof / 2.0);
}

/* Fills the bias-corrected logarithms of variances in ascending order. */
static void take_logarithms(double *logs, double *sorted, size_t n, double dof) {
    double least = LEAST_OF_MEDIAN * (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
    double bias = log_bias(dof);
    for (size_t i = 0; i < n; i++)
        logs[i] = log(fmax(sorted[i], least)) + bias;
}

/* Clips values in ascending order to their quantiles. */
static void winsorise(double *values, size_t n) {
    double low = eti__percentile(values, n, WILD), high = eti__percentile(values, n, 1.0 - WILD);
    for (size_t i = 0; i < n; i++)
        values[i] = fmin(fmax(values[i], low), high);
}

/* Sorts the values first, so that the sums do not depend on their order. */
eti_variance_prior eti__variance_prior_of(const double *variances, size_t n, double dof,
                                          double *scratch) {
    if (n < ETI_PRIOR_FEWEST)
        return (eti_variance_prior){0.0, 0.0};
    double *logs = scratch;
    memcpy(logs, variances, n * sizeof *variances);
    eti__sort_doubles(logs, n);
    take_logarithms(logs, logs, n, dof);
    winsorise(logs, n);
    double mean = eti__mean(logs, n);
    double beyond_chance = eti__variance(logs, n, scratch + n) - eti__trigamma(dof / 2.0);
    if (!(beyond_chance > 0.0))
        return (eti_variance_prior){(double)INFINITY, exp(mean)};
    double prior_dof = 2.0 * eti__trigamma_inverse(beyond_chance);
    return (eti_variance_prior){prior_dof, exp(mean - log_bias(prior_dof))};
}

/* Changes nothing without a prior, whose variance is then 0: no variance is smaller. */
void eti__moderate_variance(const eti_variance_prior *prior, double *variance, double *dof) {
    if (*variance > prior->variance)
        return;
    if (isinf(prior->dof)) {
        *variance = prior->variance;
        *dof = MANY;
        return;
    }
    double sum = prior->dof + *dof;
    *variance = (prior->dof * prior->variance + *dof * *variance) / sum;
    *dof = sum;
}
