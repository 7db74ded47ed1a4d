/*
 * report_stacks.h - turns the report of a trace into its stacks.
 */
#ifndef ETI_TRACE_REPORT_STACKS_H
#define ETI_TRACE_REPORT_STACKS_H

#include "table/table.h"
#include "timeline/timeline.h"

/* Makes the stacks of a report, without Events whose rows were left out. Errors are those of eti__stacks_make(); free `out`
 * in any case. */
eti_status eti__report_stacks_make(eti_stacks *out, const eti_report *report,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Returns the name of a profile: the path of the first ETDump. */
eti_text eti__report_etdump_name(const eti_report *report);

#endif
