/*
 * delegates.h - lists, from EventBlocks or a program alone, the time of each delegate, the
 * operators outside of delegates, and those that split the graph between them.
 */
#ifndef ETI_VIEW_DELEGATES_H
#define ETI_VIEW_DELEGATES_H

#include "account/account.h"
#include "etinspect.h"

/* Makes the view "delegates" with the sections "backends", whose times add up to the whole, "outside" and "splits". */
eti_status eti__view_delegates(eti_report *report, const eti_inspector *inspector,
                               const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
