/*
 * notes.h - explains in notes why the result of an inspector is empty, unlabelled or surprising: what is missing and how to
 * get it.
 */
#ifndef ETI_MODEL_NOTES_H
#define ETI_MODEL_NOTES_H

#include "base/text.h"
#include "model/inspector.h"

/* Fills inspector->notes, in the arena. ETI_ERROR_MEMORY. */
eti_status eti__notes_collect(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Returns whether the file of an ETDump has another, which is ignored. If so, the message warns of it, on one line. */
bool eti__note_joined_dump(const eti_inspector *inspector, size_t i, eti_error *out);

/* Adds notes on blocks whose method is unknown, or is not the one that the user chose. Must be called after everything
 * that could find the method. ETI_ERROR_MEMORY. */
eti_status eti__notes_of_methods(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Adds a note on one line and frees its text; an empty text adds nothing. ETI_ERROR_MEMORY, also if the buffer had run
 * out of memory. */
eti_status eti__notes_add(eti_inspector *inspector, eti_note_kind kind, eti_buffer *text,
                          eti_error *err) ETI_WARN_UNUSED;

/* Records that the note added last warns that a file does not belong to the ETDump. */
void eti__notes_mark_mismatch(eti_inspector *inspector);

#endif
