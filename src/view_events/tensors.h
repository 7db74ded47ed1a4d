/*
 * tensors.h - the view "tensors": one row per recorded tensor with its statistics, and below them
 * the places of the first NaN and the first infinity.
 */
#ifndef ETI_VIEW_EVENTS_TENSORS_H
#define ETI_VIEW_EVENTS_TENSORS_H

#include "account/account.h"
#include "model/model.h"
#include "numerics/numerics.h"
#include "table/table.h"
#include "view_events/view.h"

eti_status eti__view_tensors(eti_report *report, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Lists the tensors of the remaining rows of such a report, in their order. They live as long as the report.
 * ETI_ERROR_USAGE: the report is of another view; ETI_ERROR_LIMIT: handles overlap too much; ETI_ERROR_MEMORY. Free `out` in
 * any case. */
eti_status eti__view_tensors_saved(eti_saved_tensors *out, const eti_report *report, unsigned key,
                                   eti_error *err) ETI_WARN_UNUSED;

#endif
