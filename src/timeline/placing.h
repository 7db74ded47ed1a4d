/*
 * placing.h - estimates when an event without a stamp was recorded.
 *
 * The estimate is the end of the event recorded before it or the start of the event recorded after
 * it, whichever is later; events of delegates do not count, because they may use another clock. Of
 * two such events, the one recorded later never gets an earlier time.
 */
#ifndef ETI_TIMELINE_PLACING_H
#define ETI_TIMELINE_PLACING_H

#include "account/account.h"

/* Initialize to all zeros except for `calls` and `latest`, the first stamp of the run. */
typedef struct eti_placing {
    const eti_run_calls *calls; /* calls of the run */
    size_t before, after;       /* the first call with a stamp from `before` on */
    uint64_t latest;
} eti_placing;

/* Returns the time at which the event with this number in the run was recorded, in ticks of the source scale. Numbers
 * must ascend. */
uint64_t eti__placing_next(eti_placing *placing, uint32_t number);

#endif
