/*
 * account/account.h - turns allocations into tables: of allocators, and of runs.
 */
#ifndef ETI_VIEW_EVENTS_ALLOCATIONS_H
#define ETI_VIEW_EVENTS_ALLOCATIONS_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Makes the view "alloc". */
eti_status eti__view_allocations(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
