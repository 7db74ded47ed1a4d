/*
 * change.h - computes changes from the locations of events in the files of two sides.
 */
#ifndef ETI_STATS_CHANGE_H
#define ETI_STATS_CHANGE_H

/* Differences of locations below half a percent cannot be distinguished from variations of clock
 * and machine. */
#define ETI_LEAST_DEVIATION 0.005

#endif
