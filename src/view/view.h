/*
 * view.h - the struct of a view. A view is one file here and one row in registry.c.
 */
#ifndef ETI_VIEW_VIEW_H
#define ETI_VIEW_VIEW_H

#include "account/options.h"
#include "model/inspector.h"
#include "table/columns.h"
#include "table/report.h"

typedef struct eti_view {
    const char *name; /* as eti_inspector_report() takes it, and the command that prints it */
    const char *help; /* half a sentence */
    /* Adds its sections to the report. Tables may borrow from the inspector. */
    eti_status (*make)(eti_report *report, const eti_inspector *inspector,
                       const eti_view_options *options, eti_error *err);
} eti_view;

/* The unit that columns of times name, or NULL. */
static inline const char *eti__view_unit(const eti_inspector *inspector,
                                         const eti_view_options *options) {
    return eti__column_unit(inspector->options.target_time_scale, options->table.include_units);
}

#endif
