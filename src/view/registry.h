/*
 * registry.h - the list of views.
 */
#ifndef ETI_VIEW_REGISTRY_H
#define ETI_VIEW_REGISTRY_H

#include "view/view.h"

/* The view called `name`, or NULL. */
const eti_view *eti_view_find(const char *name);

/* A report with the view's sections; see eti_inspector_report(). */
eti_status eti_view_report(eti_report **out, const eti_inspector *inspector, const eti_view *view,
                           const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
