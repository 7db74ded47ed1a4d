/*
 * attributed.h - adds notes to views about how the operators of delegates were found.
 */
#ifndef ETI_VIEW_ATTRIBUTED_H
#define ETI_VIEW_ATTRIBUTED_H

#include "base/text.h"
#include "model/model.h"
#include "rollup/rollup.h"
#include "table/table.h"

/* Adds the share of the logged time of delegates that is attributed to nodes of the model, and how
 * these were found; nothing if there are none. ETI_ERROR_MEMORY. */
eti_status eti__overview_note_attribution(eti_report *report, const eti_overview *data,
                                          eti_error *err) ETI_WARN_UNUSED;

/* Appends the advice to add the program, if it was not given and much time is in a delegate; names
 * the options for it if `names_options`. */
void eti__program_hint(eti_buffer *text, const eti_inspector *inspector,
                       const eti_attributed_times *times, bool names_options);

/* Adds this advice as a note: without the program, ranks of modules, lines and operators mislead. ETI_ERROR_MEMORY. */
eti_status eti__view_note_program(eti_report *report, const eti_inspector *inspector,
                                  const eti_attributed_times *times,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
