/*
 * recorded_notes.h - turns what is wrong with a debug buffer into notes of the inspector.
 */
#ifndef ETI_NUMERICS_RECORDED_NOTES_H
#define ETI_NUMERICS_RECORDED_NOTES_H

#include "model/inspector.h"

/* Adds notes that say how many tensors of all runs lie in the debug buffer, how many lie beyond its end, whether the bytes between them
 * are those of another run, and how many are of types that cannot be read; none without a debug buffer. ETI_ERROR_MEMORY. */
eti_status eti__recorded_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
