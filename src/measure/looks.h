/*
 * looks.h - plans after how many pairs of processes a measurement judges them, so that it may stop early without causing
 * more false alarms: each look gets the same share of alpha.
 */
#ifndef ETI_MEASURE_LOOKS_H
#define ETI_MEASURE_LOOKS_H

#include "etinspect.h"

#define ETI_MOST_LOOKS 4

typedef struct eti_looks {
    size_t pairs[ETI_MOST_LOOKS]; /* ascending; the last is the total number of pairs */
    size_t n;
    double alpha; /* alpha of each look */
} eti_looks;

/* Plans looks after 30, 45, 70 and 100 % of the pairs (6, 9, 14 and 20 of 20). No look is earlier than the number of
 * files per side that its alpha requires; with few pairs there are fewer looks. `alpha` is between 0 and 1.
 * ETI_ERROR_USAGE: too few pairs even for one look. */
eti_status eti__looks_plan(eti_looks *out, size_t n_pairs, double alpha,
                           eti_error *err) ETI_WARN_UNUSED;

#endif
