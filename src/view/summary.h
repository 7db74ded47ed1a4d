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
#include "base/text.h"
#include "etinspect.h"
#include "model/model.h"

/* Makes the view "summary". */
eti_status eti__view_summarized(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== recording =============================================================================== */
/* Shows how `etinspect record` made the ETDumps, from the notes behind them. */

/* Appends the inputs of the ETDumps, such as "random, seed 0: float32 [1, 3, 64, 64]". If ETDumps have different inputs, adds
 * the number of ETDumps to each. Appends nothing if no note has inputs. False: out of memory. */
bool eti__recorded_inputs(eti_buffer *out, const eti_inspector *inspector);

/* Adds the section "recording" for programs, unless no ETDump has a note. ETI_ERROR_MEMORY. */
eti_status eti__view_add_recording(eti_report *report, const eti_inspector *inspector,
                                   eti_error *err) ETI_WARN_UNUSED;

#endif
