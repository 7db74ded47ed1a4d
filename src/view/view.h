/*
 * view.h - the list of views. A view is one file here and one row in view.c.
 */
#ifndef ETI_VIEW_VIEW_H
#define ETI_VIEW_VIEW_H

#include "model/inspector.h"
#include "table/report.h"

typedef struct eti_view {
    const char *name;    /* as eti_inspector_report() takes it, and the command that prints it */
    const char *summary; /* half a sentence */
    /* Adds its sections to the report. Tables may borrow from the inspector. */
    eti_status (*make)(eti_report *report, const eti_inspector *inspector,
                       const eti_view_options *options, eti_error *err);
} eti_view;

/* The view called `name`, or NULL. */
const eti_view *eti_view_find(const char *name);

/* Whether the option block, NULL or "all" for every one, lets blocks of this name in. */
bool eti_view_wants_block(const char *wanted, eti_text name);

/* The same of options->block. */
bool eti_view_has_block(const eti_view_options *options, const eti_event_block *block);

/* Names the inspector's files as where the report's numbers come from. ETI_ERROR_MEMORY. */
eti_status eti_view_add_sources(eti_report *report, const eti_inspector *inspector,
                                eti_error *err) ETI_WARN_UNUSED;

/* A report with the view's sections; see eti_inspector_report(). */
eti_status eti_view_report(eti_report **out, const eti_inspector *inspector, const eti_view *view,
                           const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
