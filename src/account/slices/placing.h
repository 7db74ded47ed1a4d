/*
 * placing.h - finds when something without a stamp was recorded.
 *
 * That is at the end of the event recorded before it, or at the start of the one recorded after it, whichever is later; events of
 * delegates, which may be on a clock of their own, do not count. Of two such things the one recorded later is never earlier.
 */
#ifndef ETI_ACCOUNT_SLICES_PLACING_H
#define ETI_ACCOUNT_SLICES_PLACING_H

#include "account/run_calls.h"

/* Starts as all zeros except for `calls` and `latest`, the first stamp of the run. */
typedef struct eti_placing {
    const eti_run_calls *calls; /* of the run */
    size_t before,
        after; /* calls: those before `before` are recorded before, `after` is the first with a stamp from there on */
    uint64_t latest;
} eti_placing;

/* Returns when the event of this number in the run was recorded, in ticks of the source scale. Numbers must ascend. */
uint64_t eti__placing_next(eti_placing *placing, uint32_t number);

#endif
