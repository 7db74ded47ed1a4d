/*
 * spread.h - computes the spread of samples (median absolute deviation, standard deviation), and
 * decides whether a value is an outlier.
 */
#ifndef ETI_STATS_SPREAD_H
#define ETI_STATS_SPREAD_H

/* Values in the unit of the samples. */
typedef struct eti_spread {
    double median;         /* numpy.median */
    double mad;            /* median absolute deviation from the median, unscaled */
    double mean_deviation; /* mean absolute deviation from the median */
} eti_spread;

/* Factor that turns a median absolute deviation into the standard deviation of a normal distribution:
 * 1 / Phi^-1(3/4), SciPy's scale="normal". */
#define ETI_MAD_TO_SIGMA 1.482602218505602

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

#endif
