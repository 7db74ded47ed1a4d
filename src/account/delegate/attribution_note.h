/*
 * attribution_note.h - adds a note with the number of events whose operators are known, and how
 * they were found.
 */
#ifndef ETI_ACCOUNT_DELEGATE_ATTRIBUTION_NOTE_H
#define ETI_ACCOUNT_DELEGATE_ATTRIBUTION_NOTE_H

#include "model/inspector.h"

/* Adds "42 of 43 events have operators (40 exact, 2 aligned), 1 only those of their call", once delegates are seen through.
 * Counted are kernels, what delegates logged, and calls of delegates in blocks where none logged anything. Nothing is added if
 * none has any and no ETRecord was given: programs have none of kernels. ETI_ERROR_MEMORY. */
eti_status eti__attribution_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
