/*
 * diff.h - turns two profiles into the changes between them, of totals, Events and groups of Events, with verdicts.
 *
 * Blocks are paired by name and bundled input, the k-th with the k-th; their events by profile/match_profiles.h.
 *
 * The unit of evidence is the file (stats/change.h). Events and groups are compared relative to the level of their file,
 * which is that of most events; totals as measured. Totals, events and groups are a family of tests each: they share
 * alpha, and p-values are adjusted by Holm's method within each. A side with fewer files than stats/change.h asks for
 * has ratios without verdicts.
 */
#ifndef ETI_COMPARE_DIFF_H
#define ETI_COMPARE_DIFF_H

#include "compare/diff_row.h"

/* Compares two profiles. ETI_ERROR_USAGE: options out of range, an unknown group, or sides that differ in time scale,
 * method or labels without options.allow_unlike; ETI_ERROR_DATA: no pair of blocks; ETI_ERROR_MEMORY. Free
 * `out` in any case. */
eti_status eti__diff_make(eti_diff *out, const struct eti_profile *base,
                          const struct eti_profile *new_side, const eti_diff_options *options,
                          eti_error *err) ETI_WARN_UNUSED;
void eti__diff_free(eti_diff *diff);

/* Checks the options. ETI_ERROR_USAGE: a number is out of range. */
eti_status eti__diff_check_options(const eti_diff_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
