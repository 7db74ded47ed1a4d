/*
 * findings.h - turns outputs that fail into findings.
 */
#ifndef ETI_VIEW_NUMERICS_FINDINGS_H
#define ETI_VIEW_NUMERICS_FINDINGS_H

#include "table/table.h"
#include "view_numerics/numerics_view.h"

/* Returns the functions that test and describe rows of the view. */
eti_failing_rows eti__numerics_failing_rows(const numerics_view *view);

/* Adds a rule for each expression and a finding for each output that fails. ETI_ERROR_MEMORY. */
eti_status eti__numerics_add_findings(eti_report *report, const numerics_view *view,
                                      eti_error *err) ETI_WARN_UNUSED;

#endif
