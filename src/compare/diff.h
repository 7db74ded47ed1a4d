/*
 * diff.h - turns two profiles into the changes between them, of totals, Events and groups of
 * Events, with verdicts.
 *
 * Blocks are paired by name and bundled input; of several equal ones, the k-th are paired. Their
 * events are paired by profile/profile.h.
 *
 * The unit of evidence is the file (stats/change.h). Events and groups are compared relative to the
 * level of their file, which is that of most events; totals are compared as measured. Totals,
 * events and groups are a family of tests each: the families share alpha, and p-values are adjusted
 * by Holm's method within each. If a side has fewer files than stats/change.h requires, rows have
 * ratios but no verdicts.
 */
#ifndef ETI_COMPARE_DIFF_H
#define ETI_COMPARE_DIFF_H

#include "compare/diff_row.h"
#include "profile/profile.h"

/* Compares two profiles. Fails with ETI_ERROR_USAGE if options are out of range, a group is unknown, or the sides
 * differ in time scale, method or labels without options.allow_unlike; with ETI_ERROR_DATA if there is no pair of
 * blocks; or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__diff_make(eti_diff *out, const struct eti_profile *base,
                          const struct eti_profile *new_side, const eti_diff_options *options,
                          eti_error *err) ETI_WARN_UNUSED;
void eti__diff_free(eti_diff *diff);

/* Checks the options. Fails with ETI_ERROR_USAGE if a number is out of range. */
eti_status eti__diff_check_options(const eti_diff_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
