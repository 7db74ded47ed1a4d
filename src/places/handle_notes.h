/*
 * handle_notes.h - adds notes about calls in branches and loops, for which the ETRecord has no debug handles.
 */
#ifndef ETI_PLACES_HANDLE_NOTES_H
#define ETI_PLACES_HANDLE_NOTES_H

#include "model/model.h"

/* Adds a note for each method with control flow whose calls of kernels and delegates are not all in the debug_handle_map
 * of the ETRecord; without a program, one for the calls that ran. Adds none if the ETRecord is of another export.
 * ETI_ERROR_MEMORY. */
eti_status eti__handles_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
