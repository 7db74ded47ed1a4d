/*
 * view.h - the struct of a view. A view is one file here and one row in registry.c.
 */
#ifndef ETI_VIEW_EVENTS_VIEW_H
#define ETI_VIEW_EVENTS_VIEW_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

typedef struct eti_view {
    const char *name; /* name for eti_inspector_report(), and of the command that prints the view */
    const char *help; /* half a sentence */
    /* Adds the view's sections to the report. Tables may borrow from the inspector. */
    eti_status (*make)(eti_report *report, const eti_inspector *inspector,
                       const eti_view_options *options, eti_error *err);
} eti_view;

/* Returns the unit in the names of columns of times, or NULL. */
static inline const char *eti__view_unit(const eti_inspector *inspector,
                                         const eti_view_options *options) {
    return eti__column_unit(inspector->options.target_time_scale, options->table.include_units);
}

#endif
