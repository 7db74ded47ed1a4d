/*
 * diff_notes.h - turns facts of a comparison into lines below its tables.
 */
#ifndef ETI_COMPARE_DIFF_NOTES_H
#define ETI_COMPARE_DIFF_NOTES_H

#include "compare/compare.h"
#include "etinspect.h"

/* Adds peculiarities of the evidence: p50 if baselines keep no locations, runs that depend on the previous ones, and
 * files that are copies. */
eti_status eti__note_evidence(eti_report *report, const eti_diff *diff,
                              eti_error *err) ETI_WARN_UNUSED;

/* Does so for all pairs, and adds why events have no level. */
eti_status eti__note_levels(eti_report *report, const eti_diff *diff,
                            eti_error *err) ETI_WARN_UNUSED;

/* Adds that events changed only relative to the level, in which case the other events, which are the majority, may
 * have changed instead. */
eti_status eti__note_contrary(eti_report *report, const eti_diff *diff,
                              eti_error *err) ETI_WARN_UNUSED;

/* Explains the marks of rows, if a row has one. */
eti_status eti__note_marks(eti_report *report, const eti_diff *diff,
                           eti_error *err) ETI_WARN_UNUSED;

/* Names groups that contain at least half of the judged events: their own events determine the level that they are
 * compared with. */
eti_status eti__note_groups(eti_report *report, const eti_diff *diff,
                            eti_error *err) ETI_WARN_UNUSED;

/* Names events that are hard to judge because the step of their clock is a large part of their time. */
eti_status eti__note_steps(eti_report *report, const eti_diff *diff,
                           eti_error *err) ETI_WARN_UNUSED;

/* Adds the names of events that were renamed, added or removed: a few of each kind, with the number of events of a
 * name. */
eti_status eti__note_matches(eti_report *report, const eti_diff *diff,
                             eti_error *err) ETI_WARN_UNUSED;

/* Adds the number of events that were checked. */
eti_status eti__note_coverage(eti_report *report, const eti_diff *diff,
                              eti_error *err) ETI_WARN_UNUSED;

/* Returns whether the row is marked: its ratio is relative to a level that differs visibly. */
bool eti__is_marked(const eti_diff *diff, const eti_diff_row *row);

#endif
