/*
 * summary.h - turns EventBlocks into where the time of an inference goes, on one screen.
 *
 * Sections: facts; the account of time, which adds up; backends; operators (those of "groups"); what varies most;
 * runs that stand out. Blocks of inference are taken together, those of loading give facts only.
 */
#ifndef ETI_VIEW_SUMMARY_H
#define ETI_VIEW_SUMMARY_H

#include "account/options.h"
#include "model/inspector.h"
#include "table/report.h"

/* The view "summary". */
eti_status eti__view_summarized(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
