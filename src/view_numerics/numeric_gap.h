/*
 * numeric_gap.h - the table of the Inspector's calculate_numeric_gap(), made of points that were compared.
 *
 * If the Inspector gives numbers, these are the same: one for each output of an Event whose last handle belongs to a node of
 * the base, in the order of the base's nodes; shapes are broadcast as in torch. If the Inspector raises an exception, rows
 * are as in the view "numerics".
 */
#ifndef ETI_VIEW_NUMERICS_NUMERIC_GAP_H
#define ETI_VIEW_NUMERICS_NUMERIC_GAP_H

#include "etinspect.h"
#include "view_numerics/view_numerics.h"

/* Adds the table, which owns `view`, even if it fails. Any status of reading the ETRecord; ETI_ERROR_MEMORY. */
eti_status eti__numeric_gap_add(eti_report *report, numerics_view *view,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
