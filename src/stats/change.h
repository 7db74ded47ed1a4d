/*
 * change.h - computes changes from the locations of events in the files of two sides: the size of
 * each change, its certainty, and the smallest change that could have been found. The unit of
 * evidence is the file, which is one process; its runs only serve to find a location. Model:
 *
 *     log location = usual(event) + level(file) + change(event) [new side] + noise(event, file)
 *
 * The variance of the noise differs between events. The same arithmetic serves two sides (diff, gate, measure) and one
 * side (noise, absolute limits, trend: n_base or n_new is 0).
 */
#ifndef ETI_STATS_CHANGE_H
#define ETI_STATS_CHANGE_H

#include "stats/variance_prior.h"
#include "stats/verdict.h"

/* Differences of locations below half a percent cannot be distinguished from variations of clock
 * and machine. */
#define ETI_LEAST_DEVIATION 0.005

/* With fewer events in a family, their median is not used as a level. */
#define ETI_LEVEL_FEWEST_EVENTS 5

/* Locations of n things (events, groups, totals) in files: n rows of n_base + n_new numbers above 0, base first. */
typedef struct eti_locations {
    size_t n, n_base, n_new;
    /* above 0; eti__find_changes() and eti__find_means() need them only for rows with a step */
    const double *values;
    /* per row: step of the clock, in the unit of the values, or 0 if there is none; NULL: no row has a step */
    const double *steps;
    size_t n_level_rows; /* number of rows from which the levels were found; 0: no levels */
} eti_locations;

/* A change in natural logarithms. */
typedef struct eti_change {
    /* mean of the new side minus mean of the base, relative to the level if there is one */
    double difference;
    double error;         /* standard error of the difference */
    double dof;           /* degrees of freedom of the error */
    double p;             /* two-sided p-value, not adjusted for other things */
    double relative_step; /* r: step of the clock / median location */
    double variance;      /* variance of one file, as used */
    double dependence;    /* number of runs that count as one, see dependence.h; 0: not computed */
} eti_change;

/* Fills the logarithms (3.5): log(location + step / 2). `out` has room for as many numbers as there are locations. */
void eti__log_locations(double *out, const eti_locations *locations);

/* Fills the level of each file: the median, over the rows, of the distance of the row's logarithm from the row's
 * median over the files of its side; and on each side, half of the median difference of the sides. Rows that differ from
 * it significantly do not count for it if more than half of the rows agree; otherwise the rows that changed would shift
 * the level, and the others would seem to change the other way. All levels are 0 if there are
 * fewer rows than ETI_LEVEL_FEWEST_EVENTS. `changes` has room for n, and `scratch` for
 * n * files + 5 n + 2 files numbers; `changes` may be NULL if there is only one side. */
void eti__find_levels(double *levels, const double *logs, const eti_locations *locations,
                      eti_change *changes, double *scratch);

/* Fills the change of each row (3.7 to 3.10, p of 3.11). `levels` are per file; NULL: the logarithms are used as
 * measured. A level is the median of few rows, so its own error is part of the standard error. `prior` is set to the
 * prior of the rows and used; NULL: no prior is used. n_base and n_new >= 1 and n_base + n_new >= 3. `scratch` has room for 5 n + 2 files numbers. The order of files within a side does not change
 * a single bit of the result. No memory is allocated. */
void eti__find_changes(eti_change *out, const double *logs, const double *levels,
                       const eti_locations *locations, eti_variance_prior *prior, double *scratch);

/* Does the same for one side only (n_base == 0): `difference` is the mean logarithm, `error` its
 * standard error, p is 1. n_new >= 2. */
void eti__find_means(eti_change *out, const double *logs, const double *levels,
                     const eti_locations *locations, eti_variance_prior *prior, double *scratch);

typedef struct eti_interval {
    double low, high;
} eti_interval;

/* Returns the confidence interval of the ratio exp(difference). */
eti_interval eti__change_interval(const eti_change *change, double confidence);

/* Returns the number of files that the smaller side needs for a verdict (3.1): C(2m, m) >= 2 / alpha. */
size_t eti__fewest_files(double alpha);

/* Returns the smallest change, as a share (0.1: 10 %), that about 80 of 100 comparisons would detect (3.14), where
 * n_family things share family_alpha. */
double eti__detectable(const eti_change *change, size_t n_family, double family_alpha,
                       double least_effect);

/* Returns the change for n >= 2 files per side with the scatter of the present n_base and n_new files; only error and
 * dof differ. */
eti_change eti__with_files(const eti_change *change, size_t n_base, size_t n_new, size_t n);

/* Returns the number of files per side with which `effect` is detectable, if both sides have that number and scatter
 * as now: at least `fewest` >= 2, or ETI_TOO_MANY_FILES if no smaller number suffices. */
#define ETI_TOO_MANY_FILES ((size_t)100000)
size_t eti__files_for_effect(const eti_change *change, size_t n_base, size_t n_new, double effect,
                             size_t n_family, double family_alpha, double least_effect,
                             size_t fewest);

/* Returns the verdict (3.11) on a change with an adjusted p-value: slower, faster or noise. */
eti_verdict eti__verdict_on(const eti_change *change, double adjusted_p, double family_alpha,
                            double least_effect);

#endif
