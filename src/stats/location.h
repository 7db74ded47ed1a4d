/*
 * location.h - reduces the runs of one event in one process to its location, a number that can be
 * compared with those of other processes.
 */
#ifndef ETI_STATS_LOCATION_H
#define ETI_STATS_LOCATION_H

/* Returns the mean of the fastest quarter of n >= 1 values without the fastest twentieth: of x[a] .. x[b - 1] in
 * ascending order, with a = n / 20 and b = max(a + 1, n / 4). Other work on the machine only makes runs longer, and a
 * mean smooths the steps of a coarse clock. Reorders the values; their initial order does not affect the result as
 * long as all are whole numbers below 2^53 / n. O(n). */
double eti__location(double *values, size_t n);

#endif
