/*
 * notes.h - puts into words, below the section that was added last, what several views say about their times.
 */
#ifndef ETI_VIEW_NOTES_H
#define ETI_VIEW_NOTES_H

#include "account/synthetic.h"
#include "table/report.h"

/* Says how many events have no time in the table; nothing where that is none. */
eti_status eti__view_note_uncounted(eti_report *report, uint64_t n_uncounted,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Says that `what` is known only with an ETRecord, unless there is one. */
eti_status eti__view_note_record(eti_report *report, const eti_inspector *inspector,
                                 const char *what, eti_error *err) ETI_WARN_UNUSED;

/* Says of which backends the times look synthetic, and why. */
eti_status eti__view_note_synthetic(eti_report *report, const eti_synthetic *synthetic,
                                    eti_error *err) ETI_WARN_UNUSED;

#endif
