/*
 * recorded_notes.h - adds notes to the inspector about faults of a debug buffer.
 */
#ifndef ETI_NUMERICS_RECORDED_NOTES_H
#define ETI_NUMERICS_RECORDED_NOTES_H

#include "model/inspector.h"

/* Adds notes with the number of tensors of all runs that lie in the debug buffer, the number that lie beyond its end,
 * whether the bytes between them belong to another run, and the number with types that cannot be read; adds none
 * without a debug buffer. Fails with ETI_ERROR_MEMORY. */
eti_status eti__recorded_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
