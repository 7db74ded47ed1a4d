/*
 * attribution_note.h - adds a note with the number of events whose operators are known and the ways
 * in which they were found.
 */
#ifndef ETI_PLACES_ATTRIBUTION_NOTE_H
#define ETI_PLACES_ATTRIBUTION_NOTE_H

#include "model/model.h"

/* Adds a note like "operators are known for 42 of 43 events of kernels and delegates (40 exact, 2 aligned), 1 only
 * those of their call"; call it after the events inside delegate calls have been attributed. It counts kernels,
 * events that delegates logged, and delegate calls in blocks where no delegate logged an event. Nothing is added if
 * no event has operators and no ETRecord was given, because programs have no operators for kernels. Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__attribution_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
