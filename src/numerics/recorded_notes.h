/*
 * recorded_notes.h - adds notes to the inspector about faults of debug buffers.
 */
#ifndef ETI_NUMERICS_RECORDED_NOTES_H
#define ETI_NUMERICS_RECORDED_NOTES_H

#include "model/model.h"

/* Adds notes with the number of tensors of all runs that lie in their debug buffers, and the number with types that cannot
 * be read; and for each debug buffer with the number that lie beyond its end, and whether the bytes between them belong to
 * another run. Adds none without a debug buffer. Fails with ETI_ERROR_MEMORY. */
eti_status eti__recorded_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
