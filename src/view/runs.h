/*
 * runs.h - turns EventBlocks into a table of their runs, or of every event of every run.
 */
#ifndef ETI_VIEW_RUNS_H
#define ETI_VIEW_RUNS_H

#include "account/account.h"
#include "etinspect.h"

/* Makes the view "runs": with options->per_event a row per run and event, otherwise a row per run,
 * with notes about trend, warm-up and outliers. */
eti_status eti__view_runs(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
