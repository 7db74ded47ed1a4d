/*
 * diff_report.h - what reports about profiles say alike.
 */
#ifndef ETI_COMPARE_DIFF_REPORT_H
#define ETI_COMPARE_DIFF_REPORT_H

#include "compare/diff.h"

/* Says below the section added last which runs and events were left out of a side. ETI_ERROR_MEMORY. */
eti_status eti_profile_note_runs(eti_report *report, const struct eti_profile *profile,
                                 const char *side, eti_error *err) ETI_WARN_UNUSED;

#endif
