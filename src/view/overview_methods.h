/*
 * overview_methods.h - makes the section of the view "summary" with a line for each method, if there are several.
 */
#ifndef ETI_VIEW_OVERVIEW_METHODS_H
#define ETI_VIEW_OVERVIEW_METHODS_H

#include "account/account.h"
#include "model/model.h"
#include "rollup/rollup.h"
#include "table/table.h"

/* Adds the section, without rows. ETI_ERROR_MEMORY. */
eti_status eti__overview_new_methods(eti_table **out, eti_report *report,
                                     const eti_inspector *inspector,
                                     const eti_view_options *options,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Adds the row of a method; `data` has the runs of this method only. ETI_ERROR_MEMORY. */
eti_status eti__overview_add_method(eti_table *table, eti_text method, const eti_overview *data,
                                    eti_error *err) ETI_WARN_UNUSED;

#endif
