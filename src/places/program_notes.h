/*
 * program_notes.h - adds notes about the methods of programs and the EventBlocks in which they ran.
 */
#ifndef ETI_PLACES_PROGRAM_NOTES_H
#define ETI_PLACES_PROGRAM_NOTES_H

#include "model/model.h"

/* Adds an information about each method of all programs of the inspector, and about each EventBlock whose events
 * belong to the instructions of a method. (If they do not, eti_inspector_open() has added a warning.) Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__programs_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
