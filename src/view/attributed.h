/*
 * attributed.h - notes of the view "summary" that say how the operators of delegates were found.
 */
#ifndef ETI_VIEW_ATTRIBUTED_H
#define ETI_VIEW_ATTRIBUTED_H

#include "account/overview.h"
#include "table/report.h"

/* Adds how much of the time that delegates logged has nodes of the model, and how they were found; nothing if none has.
 * ETI_ERROR_MEMORY. */
eti_status eti__overview_note_attribution(eti_report *report, const eti_overview *data,
                                          eti_error *err) ETI_WARN_UNUSED;

/* Adds that the program would say more, if it was not given and much time is in a delegate. ETI_ERROR_MEMORY. */
eti_status eti__overview_note_program(eti_report *report, const eti_overview *data,
                                      eti_error *err) ETI_WARN_UNUSED;

#endif
