/*
 * comparison.h - runs all steps of src/stats/change.c on locations, and allocates the memory for them.
 */
#ifndef ETI_TESTS_PARITY_COMPARISON_H
#define ETI_TESTS_PARITY_COMPARISON_H

#include "stats/stats.h"

typedef struct comparison {
    eti_locations locations; /* sizes of `values` and `steps` */
    double *values, *steps;  /* filled by the caller; all steps are 0 at first */
    double *logs, *levels;
    eti_variance_prior prior;
    eti_change *changes;
    double *adjusted_p;
    double *scratch;
} comparison;

/* Ends the program with a message. */
_Noreturn void stop(const char *why);

/* Returns zeroed memory; ends the program if there is none. */
void *allocate(size_t n, size_t size);

/* Opens one of n rows. */
void comparison_open(comparison *out, size_t n, size_t n_base, size_t n_new);
/* Compares the values, relative to the level of files and with a prior, or as measured and without a prior. */
void comparison_run(comparison *c, bool relative);
void comparison_close(comparison *c);

#endif
