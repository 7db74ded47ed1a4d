/*
 * diff_notes.h - turns facts of a comparison into lines below its tables.
 */
#ifndef ETI_COMPARE_DIFF_NOTES_H
#define ETI_COMPARE_DIFF_NOTES_H

#include "compare/compare.h"
#include "etinspect.h"

/* Adds peculiarities of the evidence: runs that depend on the previous ones, and files that are copies. */
eti_status eti__note_evidence(eti_report *report, const eti_diff *diff,
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

#endif
