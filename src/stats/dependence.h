/*
 * dependence.h - makes changes between runs less certain if a run resembles the run before it.
 *
 * stats/change.h takes its units for independent, as processes are. The runs of a process may not be: caches, clocks and
 * other processes change slowly. With a correlation r of each run with the previous one, n runs determine a mean like
 * n (1 - r) / (1 + r) independent ones (a first-order autoregression: Bartlett, Suppl. J. R. Stat. Soc. 8, 1946).
 */
#ifndef ETI_STATS_DEPENDENCE_H
#define ETI_STATS_DEPENDENCE_H

#include "stats/change.h"

/* Returns the correlation of n values, one per run in the order of measurement, with the previous ones. Around their own
 * mean, it comes out too small by about (1 + 4 r) / n (Kendall, Biometrika 41, 1954), which is added if r > 0. Returns 0
 * for fewer than 8 runs, whose correlation is hardly more than chance. `scratch` has room for 2 n numbers. */
double eti__correlation_of_runs(const double *values, size_t n, double *scratch);

/* Widens the error of a change whose units are runs with this correlation, lowers its degrees of freedom, and computes p
 * again; does nothing to them if r <= 0. Sets `dependence` to the number of runs that count as one: 1 if they are
 * independent. At least two runs per side remain. */
void eti__widen_for_dependence(eti_change *change, double r, size_t n_base, size_t n_new);

#endif
