/*
 * notes.h - turns an inspector into sentences that explain an empty, unlabelled or surprising
 * result: what is missing and how to get it.
 */
#ifndef ETI_MODEL_NOTES_H
#define ETI_MODEL_NOTES_H

#include "model/inspector.h"

/* Fills inspector->notes, in the arena. ETI_ERROR_MEMORY. */
eti_status eti__notes_collect(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Adds notes on blocks whose method is not known, or not the one that the user wants. To be called
 * after everything that could find the method. ETI_ERROR_MEMORY. */
eti_status eti__notes_of_methods(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Adds a note, whose text is made one line, and frees the text; an empty one adds nothing.
 * ETI_ERROR_MEMORY, also if the buffer ran out of it. */
eti_status eti__notes_add(eti_inspector *inspector, eti_note_kind kind, eti_buffer *text,
                          eti_error *err) ETI_WARN_UNUSED;

#endif
