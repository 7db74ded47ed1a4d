/*
 * delegated_stamps.h - reads the stamps of the events that delegates logged in a run, to place them
 * on a time line.
 *
 * Stamps of the source's clock are moved by the range of a 32-bit clock if only this puts them
 * inside their call. Stamps of another clock are only compared with the others of their call: a
 * stamp far below the first recorded one was taken after the clock wrapped around.
 */
#ifndef ETI_ACCOUNT_SLICES_DELEGATED_STAMPS_H
#define ETI_ACCOUNT_SLICES_DELEGATED_STAMPS_H

#include "account/run_calls.h"

/* Stamps before they are moved; if they run backwards, the end is of a 32-bit clock that wrapped
 * around. */
typedef struct eti_delegated_span {
    uint64_t start, end;
} eti_delegated_span;

/* Starts as all zeros. */
typedef struct eti_delegated_stamps {
    const eti_run_calls *calls;
    uint64_t *first, *least;   /* per call, and one for all that have none: of what it contains */
    eti_delegated_span *spans; /* per call that a delegate logged */
    size_t capacity, least_capacity, span_capacity;
} eti_delegated_stamps;

/* The stamps of a call, in ticks of its own scale. */
typedef struct eti_delegated_interval {
    uint64_t start, end; /* start <= end */
    uint64_t least;      /* the first start of all that are in the same call, or in none */
    bool is_of_source;   /* in ticks of the source scale */
    bool is_inside;      /* in its call, by the stamps */
} eti_delegated_interval;

/* Whether a delegate logged it. */
bool eti__call_is_delegated(const eti_run_calls *calls, size_t call);

/* Reads all of a run. False: out of memory. */
bool eti__delegated_stamps_read(eti_delegated_stamps *stamps, const eti_run_calls *calls);
/* Returns the stamps of a call that a delegate logged. */
eti_delegated_interval eti__delegated_stamps_of(const eti_delegated_stamps *stamps, size_t call);
void eti__delegated_stamps_free(eti_delegated_stamps *stamps);

#endif
