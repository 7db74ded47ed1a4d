/*
 * series.h - trend and noise of many files.
 */
#ifndef ETI_SERIES_SERIES_H
#define ETI_SERIES_SERIES_H

#include "compare/compare.h"
#include "etinspect.h"

/* ==== trend =================================================================================== */
/* Finds the places where totals and Events changed in the pushes of one profile, in their
 * order.
 *
 * Series are medians over the files of a push: totals as measured, events relative to the level of their file.
 * Changes are found by E-divisive (stats/stats.h), with half of alpha for the totals and half
 * for the events, which share it by Bonferroni's method. Neighbouring segments that differ by less
 * than the least effect, or by no more than a step of the clock, are joined. */

/* Implements the function of etinspect.h; `options` may be NULL. Makes the report even of too few
 * pushes, and then fails with ETI_ERROR_TOO_FEW. */
eti_status eti__trend_report(eti_report **out, const eti_profile *profile,
                             const eti_trend_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
