/*
 * comparing.h - the data from which the tables of numerics.c and numeric_gap.c are made.
 */
#ifndef ETI_VIEW_NUMERICS_COMPARING_H
#define ETI_VIEW_NUMERICS_COMPARING_H

#include "etinspect.h"
#include "view_numerics/view_numerics.h"

/* Pairs the inputs of both sides and compares them: comparing.c. Returns the statuses of eti__numerics_report(). */
eti_status eti__numerics_compare(numerics_view *view, eti_error *err) ETI_WARN_UNUSED;

#endif
