/*
 * rollup/graph.c - turns EventBlocks into the time spent in named modules.
 */
#ifndef ETI_VIEW_MODULES_H
#define ETI_VIEW_MODULES_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Makes the table of eti_inspector_modules_table(). */
eti_status eti__view_modules(eti_table **out, const eti_inspector *inspector,
                             const char *const *names, size_t n_names,
                             const eti_table_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Makes the view "modules" of options->modules. */
eti_status eti__view_named_modules(eti_report *report, const eti_inspector *inspector,
                                   const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
