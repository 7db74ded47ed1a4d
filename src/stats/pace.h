/*
 * pace.h - turns the samples of all events of a run into how fast the machine was in that run.
 *
 * A machine that other work slows down slows all events of a run down alike, and by far more than what a
 * gate is to find: on a busy machine the medians of two processes that do the same differ by tens of
 * percent. Divided by the pace of their runs, samples scatter less, within a process and between processes,
 * and an event is compared with the rest of the same run. What slows everything down is then no longer
 * seen: that is for the totals, compared as they are.
 */
#ifndef ETI_STATS_PACE_H
#define ETI_STATS_PACE_H

#include "base/status.h"

/* With fewer events one of them, and those around it, would be compared with little but itself. */
#define ETI_PACE_FEWEST_EVENTS 10

/* Fills pace[0 ... n_runs - 1] from samples[event][run], not negative, and `usual`, what each event usually
 * takes, the same for all that is to be compared. The pace of a run is the median over events of sample /
 * usual: 1.1 where half of them took 10 % longer. Events whose `usual` is 0 tell nothing. 1 where fewer
 * than ETI_PACE_FEWEST_EVENTS are left or the median is 0. O(n_events * n_runs). `scratch` has room for
 * n_events values. */
void eti__find_paces(double *pace, const double *const *samples, const double *usual,
                     size_t n_events, size_t n_runs, double *scratch);

/* How much of its pace an event has: not all that slows a machine down slows all events down alike, some
 * compute, others wait for memory. */
typedef enum eti_pace_share {
    ETI_PACE_NONE, /* samples are compared as they are */
    ETI_PACE_HALF, /* divided by the square root of the pace */
    ETI_PACE_FULL, /* divided by the pace */
    ETI_PACE_MORE, /* divided by the pace to the power of 3/2 */
} eti_pace_share;

/* The full share, unless samples scatter (median absolute deviation over median) less by a tenth with another. Of n values
 * the first n_base are one side of a comparison, the rest is the other; each side's scatter is its own, so that a
 * difference between them, which is to be found, plays no part. `scratch` has room for 2 n values. */
eti_pace_share eti__choose_pace_share(const double *values, const double *pace, size_t n_base,
                                      size_t n, double *scratch);

/* Fills `out`, which may be `values`, with values[i] divided by its pace as `share` says. */
void eti__apply_pace(double *out, const double *values, const double *pace, size_t n,
                     eti_pace_share share);

#endif
