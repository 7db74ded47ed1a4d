/*
 * delegated_stamps.h - reads the stamps of the events that delegates logged in a run, to place them
 * on a time line.
 *
 * Stamps of the source's clock are moved by the range of a 32-bit clock if only this puts them
 * inside their call. Stamps of another clock are compared only with the others of their call: a
 * stamp far below the first recorded one was taken after the clock wrapped around.
 */
#ifndef ETI_TIMELINE_DELEGATED_STAMPS_H
#define ETI_TIMELINE_DELEGATED_STAMPS_H

#include "account/account.h"

/* Stamps before they are moved. If the recorded ones run backwards, the end was taken after a 32-bit clock wrapped
 * around. */
typedef struct eti_delegated_span {
    uint64_t start, end;
} eti_delegated_span;

/* Initialize to all zeros. */
typedef struct eti_delegated_stamps {
    const eti_run_calls *calls;
    /* per call, and one for all events without a call: first and least stamp of the events inside */
    uint64_t *first, *least;
    eti_delegated_span *spans; /* per call that a delegate logged */
    size_t capacity, least_capacity, span_capacity;
} eti_delegated_stamps;

/* Stamps of a call, in ticks of its own scale. */
typedef struct eti_delegated_interval {
    uint64_t start, end; /* start <= end */
    /* earliest start of all events in the same call, or of all events without a call */
    uint64_t least;
    bool is_of_source; /* whether these are ticks of the source scale */
    bool is_inside;    /* whether the stamps are inside those of its call */
} eti_delegated_interval;

/* Returns whether a delegate logged the call. */
bool eti__call_is_delegated(const eti_run_calls *calls, size_t call);

/* Reads all stamps of a run. Returns false if memory runs out. */
bool eti__delegated_stamps_read(eti_delegated_stamps *stamps, const eti_run_calls *calls);
/* Returns the stamps of a call that a delegate logged. */
eti_delegated_interval eti__delegated_stamps_of(const eti_delegated_stamps *stamps, size_t call);
void eti__delegated_stamps_free(eti_delegated_stamps *stamps);

#endif
