/*
 * registry.h - the list of views.
 */
#ifndef ETI_VIEW_REGISTRY_H
#define ETI_VIEW_REGISTRY_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Makes a report with the view's sections, for eti_inspector_report() of etinspect.h. `options` may be NULL. */
eti_status eti__inspector_report(eti_report **out, const eti_inspector *inspector, const char *view,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
