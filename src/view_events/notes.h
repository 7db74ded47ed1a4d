/*
 * model/notes.h - inputs and notes that several views add to a report; notes go to its last section.
 */
#ifndef ETI_VIEW_EVENTS_NOTES_H
#define ETI_VIEW_EVENTS_NOTES_H

#include "account/account.h"
#include "model/model.h"
#include "rollup/rollup.h"
#include "table/table.h"

/* Makes the report keep the inspector, and names its files as sources. ETI_ERROR_MEMORY. */
eti_status eti__view_add_inputs(eti_report *report, const eti_inspector *inspector,
                                eti_error *err) ETI_WARN_UNUSED;

/* Adds the number of Events without a time in the table; nothing if it is 0. */
eti_status eti__view_note_uncounted(eti_report *report, uint64_t n_uncounted,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Adds how much of the unlogged time of delegates may come from rounding the times of their
 * operators; nothing if these are not rounded. */
eti_status eti__view_note_rounding(eti_report *report, const eti_rounding *rounding,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Adds a note that sums, shares and averages leave out the warm-up; nothing if no run warms up. */
eti_status eti__view_note_warm_up(eti_report *report, const eti_inspector *inspector,
                                  const eti_run_counts *runs, eti_error *err) ETI_WARN_UNUSED;

/* Adds how much of the time is in outlier runs that took long, if they add so much that shares depend on them. */
eti_status eti__view_note_slow_runs(eti_report *report, const eti_rollup *counts,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Adds the names of the blocks whose times are added up, if there are several, or a note that methods are listed
 * separately. */
eti_status eti__view_note_blocks(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Adds the number and names of events with wrong time stamps, a line for each kind of fault. */
eti_status eti__view_note_time_faults(eti_report *report, const eti_time_faults *faults,
                                      eti_error *err) ETI_WARN_UNUSED;

/* Adds a note that times are sums of calls, if a run calls an Event several times. */
eti_status eti__view_note_repeated(eti_report *report, const eti_event_times *times,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Adds a note that `what` is known only with an ETRecord, unless there is one. */
eti_status eti__view_note_record(eti_report *report, const eti_inspector *inspector,
                                 const char *what, eti_error *err) ETI_WARN_UNUSED;

/* Adds the backends whose times, or only positions, look synthetic, and the reason. */
eti_status eti__view_note_synthetic(eti_report *report, const eti_synthetic *synthetic,
                                    eti_error *err) ETI_WARN_UNUSED;

#endif
