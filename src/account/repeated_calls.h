/*
 * repeated_calls.h - adds up the calls of Events that a run calls several times, such as those in a loop. The samples of such
 * an Event are the Inspector's: they have only the last call.
 */
#ifndef ETI_ACCOUNT_REPEATED_CALLS_H
#define ETI_ACCOUNT_REPEATED_CALLS_H

#include "account/run_calls.h"
#include "model/model.h"

/* The calls of an Event in a run. */
typedef struct eti_call_sum {
    uint64_t n;     /* 0: the run was not added, and calls the Event once */
    uint64_t ticks; /* sum of their times, in the scale of the Event */
    uint64_t start; /* stamp of the first call */
} eti_call_sum;

/* Initialize to all zeros. */
typedef struct eti_repeated_calls {
    uint32_t *
        number_of; /* per Event of the block: its number here, or ETI_NO_EVENT; NULL: none is repeated */
    size_t n;      /* number of Events that some run calls several times */
    eti_call_sum *sums; /* n x n_runs, by Event */
    size_t capacity;
} eti_repeated_calls;

/* Adds the run that `calls` has read, if it has repeated calls. False: out of memory. */
bool eti__repeated_calls_add(eti_repeated_calls *repeated, const eti_run_calls *calls, size_t run);
void eti__repeated_calls_free(eti_repeated_calls *repeated);

/* Returns the calls of an Event in a run; NULL if the run calls it once. */
const eti_call_sum *eti__repeated_calls_of(const eti_repeated_calls *repeated,
                                           const eti_event_block *block, size_t event, size_t run);

#endif
