/*
 * trace.h - the view "trace": the events whose slices are shown, and the slices themselves for writers of traces.
 */
#ifndef ETI_VIEW_TRACE_H
#define ETI_VIEW_TRACE_H

#include "account/account.h"
#include "etinspect.h"

/* Adds a table with a row for each Event; Events that a filter leaves out have no slices. Statuses
 * are those of eti__slice_source_make(), and ETI_ERROR_DATA if nothing has a time. */
eti_status eti__view_trace(eti_report *report, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
