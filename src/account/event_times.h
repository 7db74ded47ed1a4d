/*
 * event_times.h - lists each run of each timed event of EventBlocks: by block, then in the order of runs and of events.
 */
#ifndef ETI_ACCOUNT_EVENT_TIMES_H
#define ETI_ACCOUNT_EVENT_TIMES_H

#include "account/account.h"
#include "model/model.h"

/* An event in one run. */
typedef struct eti_event_time {
    const eti_account *account; /* account of its block */
    const eti_event *event;
    uint32_t number; /* number of the Event in its block */
    size_t run;      /* number of the run in its block */
} eti_event_time;

/* The timed events of a block. */
typedef struct eti_timed_block {
    eti_account account;
    uint32_t *events; /* numbers of Events in the block */
    size_t n_events;
    size_t first; /* index of the block's first entry in the list */
} eti_timed_block;

typedef struct eti_event_times {
    eti_timed_block *blocks;
    size_t n_blocks;
    size_t n;         /* number of entries in the list */
    uint64_t n_bytes; /* total size of the names of block, Event and backend in all entries */
} eti_event_times;

/* Lists the event times of the blocks selected by the options. Fails with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__event_times_make(eti_event_times *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__event_times_free(eti_event_times *times);

/* Returns entry i < times->n. */
eti_event_time eti__event_times_at(const eti_event_times *times, size_t i);

#endif
