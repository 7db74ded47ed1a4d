/*
 * distributions.h - computes probabilities of z-scores under the standard normal distribution, and their
 * inverse.
 */
#ifndef ETI_STATS_DISTRIBUTIONS_H
#define ETI_STATS_DISTRIBUTIONS_H

/* Returns the probability of a value above z. */
double eti__normal_above(double z);

/* Returns the probability of a value at least as far from 0 as z. */
double eti__normal_two_sided(double z);

/* Returns the z that a value exceeds with probability p, 0 < p < 1. */
double eti__normal_quantile_above(double p);

#endif
