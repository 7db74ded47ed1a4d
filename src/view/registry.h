/*
 * registry.h - the list of views.
 */
#ifndef ETI_VIEW_REGISTRY_H
#define ETI_VIEW_REGISTRY_H

#include "account/options.h"
#include "view/view.h"

/* Makes a report with the view's sections, for eti_inspector_report() of etinspect.h. `options` may be NULL. */
eti_status eti__inspector_report(eti_report **out, const eti_inspector *inspector, const char *view,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Makes the report keep the inspector, and names its files as sources. ETI_ERROR_MEMORY. */
eti_status eti__view_add_inputs(eti_report *report, const eti_inspector *inspector,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
