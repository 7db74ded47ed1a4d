/*
 * options.h - options of a measurement.
 */
#ifndef ETI_MEASURE_OPTIONS_H
#define ETI_MEASURE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct eti_measure_options {
    const char *base; /* command; NULL: only the new side is measured, and nothing is compared */
    const char *new_side;   /* command */
    const char *before;     /* command that runs before each of these; NULL: none */
    const char *pull;       /* command that runs after each; NULL: none */
    bool uses_shell;        /* commands are scripts of /bin/sh */
    size_t timeout;         /* seconds that each command may take */
    size_t n_pairs;         /* at most; with one side, number of processes */
    size_t n_warm_up;       /* pairs or processes that are run first and not counted */
    double want;            /* stop when a change of 15 % (0.15) would have been found */
    const char *output_dir; /* where dumps are kept; NULL: they are not */
    size_t seed;            /* of the order within pairs */
    bool has_seed;          /* otherwise one is drawn */
} eti_measure_options;

#define ETI_MEASURE_OPTIONS_DEFAULT                                                                \
    { .timeout = 600, .n_pairs = 20, .n_warm_up = 1, .want = 0.15 }

#endif
