/*
 * recorded_notes.h - adds notes to the inspector about faults of a debug buffer.
 */
#ifndef ETI_NUMERICS_RECORDED_NOTES_H
#define ETI_NUMERICS_RECORDED_NOTES_H

#include "model/inspector.h"

/* Adds notes that say how many tensors of all runs lie in the debug buffer, how many lie beyond its end, whether the bytes between them
 * are those of another run, and how many are of types that cannot be read; none without a debug buffer. ETI_ERROR_MEMORY. */
eti_status eti__recorded_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
