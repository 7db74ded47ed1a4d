/*
 * looks.h - plans after how many pairs of processes a measurement judges them, so that it may stop early without
 * more false alarms: each look has the same part of alpha.
 */
#ifndef ETI_MEASURE_LOOKS_H
#define ETI_MEASURE_LOOKS_H

#include "base/status.h"

#define ETI_MOST_LOOKS 4

typedef struct eti_looks {
    size_t pairs[ETI_MOST_LOOKS]; /* ascending; the last is the number of all */
    size_t n;
    double alpha; /* of each look */
} eti_looks;

/* Plans looks at 30, 45, 70 and 100 % of the pairs (6, 9, 14 and 20 of 20), where none is earlier than the number of
 * files per side that its alpha needs: with fewer pairs there are fewer looks. `alpha` lies between 0 and 1.
 * ETI_ERROR_USAGE: too few pairs even for one look. */
eti_status eti__looks_plan(eti_looks *out, size_t n_pairs, double alpha,
                           eti_error *err) ETI_WARN_UNUSED;

#endif
