/*
 * polygamma.h - computes derivatives of the logarithm of the gamma function, for arguments above 0,
 * to a relative error of 1e-12.
 */
#ifndef ETI_STATS_POLYGAMMA_H
#define ETI_STATS_POLYGAMMA_H

double eti__digamma(double x);
double eti__trigamma(double x);
double eti__tetragamma(double x);

/* Returns the x with trigamma(x) = y, for y > 0, by Newton's method on 1 / trigamma (Smyth, 2004, appendix). */
double eti__trigamma_inverse(double y);

#endif
