/*
 * events.h - turns EventBlocks into the Inspector's own table: one row per event.
 */
#ifndef ETI_VIEW_EVENTS_H
#define ETI_VIEW_EVENTS_H

#include "model/inspector.h"
#include "output/report.h"

/* The table of eti_inspector_events_table(), with lists in place of their texts. It borrows from the inspector,
 * as all that follow. */
eti_status eti_view_events(eti_table **out, const eti_inspector *inspector,
                           const eti_table_options *options, eti_error *err) ETI_WARN_UNUSED;

/* The view "events": the same rows, with every column there is. */
eti_status eti_view_all_events(eti_report *report, const eti_inspector *inspector,
                               const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
