/*
 * options.h - options of a measurement.
 */
#ifndef ETI_MEASURE_OPTIONS_H
#define ETI_MEASURE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define ETI_MOST_PAIRS 10000 /* value of n_pairs */

typedef struct eti_measure_options {
    const char *base; /* command; NULL: only the new side is measured, and there is no comparison */
    const char *new_side; /* command */
    const char *before;   /* command to run before each process; NULL: none */
    const char *pull;     /* command to run after each process; NULL: none */
    bool uses_shell;      /* the commands are scripts for /bin/sh */
    size_t timeout;       /* in seconds, for each command */
    size_t n_pairs;       /* at most; with one side, the number of processes */
    size_t n_warm_up;     /* number of leading pairs or processes that do not count */
    double want; /* stop once a change of this size would have been detected (0.15: 15 %) */
    const char *output_dir; /* where to keep the dumps; NULL: they are not kept */
    size_t seed;            /* of the random order within pairs */
    bool has_seed;          /* false: a random seed is used */
} eti_measure_options;

#define ETI_MEASURE_OPTIONS_DEFAULT                                                                \
    { .timeout = 600, .n_pairs = 20, .n_warm_up = 1, .want = 0.15 }

#endif
