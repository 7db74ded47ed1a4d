/*
 * summary.h - shows the distribution of an inference's time on one screen.
 *
 * Sections: facts; the account of time, which adds up; backends; operators (those of "groups"); the
 * most variable Events; runs that stand out. Blocks of inference are taken together; those of
 * loading only give facts.
 */
#ifndef ETI_VIEW_SUMMARY_H
#define ETI_VIEW_SUMMARY_H

#include "account/account.h"
#include "etinspect.h"

/* Makes the view "summary". */
eti_status eti__view_summarized(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
