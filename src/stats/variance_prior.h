/*
 * variance_prior.h - finds the usual variance of many events, and moderates the variance of each
 * with it.
 *
 * Uses the empirical Bayes method of Smyth, Linear Models and Empirical Bayes Methods for Assessing
 * Differential Expression in Microarray Experiments, Stat. Appl. Genet. Mol. Biol. 3, 2004, with
 * winsorized logarithms. It works only upwards: an accidentally small variance is corrected, a
 * large one is not.
 */
#ifndef ETI_STATS_VARIANCE_PRIOR_H
#define ETI_STATS_VARIANCE_PRIOR_H

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

#endif
