/*
 * view.h - the registry of all views.
 */
#ifndef ETI_VIEW_VIEW_H
#define ETI_VIEW_VIEW_H

#include "account/account.h"
#include "base/text.h"
#include "etinspect.h"
#include "rollup/rollup.h"

/* ==== attributed ============================================================================== */
/* Adds notes to views about how the operators of delegates were found. */

/* Appends the advice to add the program, if it was not given and much time is in a delegate; names
 * the options for it if `names_options`. */
void eti__program_hint(eti_buffer *text, const eti_inspector *inspector,
                       const eti_attributed_times *times, bool names_options);

/* ==== modules ================================================================================= */
/* Turns EventBlocks into the time spent in named modules. */

/* Makes the table of eti_inspector_modules_table(). */
eti_status eti__view_modules(eti_table **out, const eti_inspector *inspector,
                             const char *const *names, size_t n_names,
                             const eti_table_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== registry ================================================================================ */
/* The list of views. */

/* Makes a report with the view's sections, for eti_inspector_report() of etinspect.h. `options` may be NULL. */
eti_status eti__inspector_report(eti_report **out, const eti_inspector *inspector, const char *view,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
