/*
 * attributed.h - says how the operators of delegates were found, for the notes of the view "summary".
 */
#ifndef ETI_VIEW_EVENT_ATTRIBUTED_H
#define ETI_VIEW_EVENT_ATTRIBUTED_H

#include "account/overview.h"
#include "table/report.h"

/* Adds how much of the time that delegates logged has nodes of the model, and how they were found; nothing if none has.
 * ETI_ERROR_MEMORY. */
eti_status eti__overview_note_attribution(eti_report *report, const eti_overview *data,
                                          eti_error *err) ETI_WARN_UNUSED;

/* Appends that the program would say more, if it was not given and much time is in a delegate; with the options
 * that take it if `names_options`. */
void eti__program_hint(eti_buffer *text, const eti_overview *data, bool names_options);

/* Adds this as a note. ETI_ERROR_MEMORY. */
eti_status eti__overview_note_program(eti_report *report, const eti_overview *data,
                                      eti_error *err) ETI_WARN_UNUSED;

#endif
