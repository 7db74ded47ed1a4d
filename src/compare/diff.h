/*
 * diff.h - turns two profiles into the changes between them, of totals, Events and groups of Events, with verdicts.
 *
 * Blocks are paired by name and bundled input, the k-th with the k-th; their events by match.h.
 *
 * An event is known by kind, name and operators; by module and the code of its source line where the record knows
 * these, otherwise by debug handles and delegate id, which an operator that is inserted before it changes.
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

/* Checks that two profiles are comparable: time scales, methods that both know, and labels must be equal, except labels that
 * may differ between files (eti__label_may_differ()). ETI_ERROR_USAGE names the difference. */
eti_status eti__profiles_check_alike(const struct eti_profile *base,
                                     const struct eti_profile *new_side,
                                     eti_error *err) ETI_WARN_UNUSED;

/* The part of that about labels: one that a side lacks counts as a different one. */
eti_status eti__profiles_check_labels(const struct eti_profile *base,
                                      const struct eti_profile *new_side,
                                      eti_error *err) ETI_WARN_UNUSED;

/* Fails with ETI_ERROR_USAGE: `what` is a label, or "their methods are". */
eti_status eti__profiles_fail_unlike(const struct eti_profile *base,
                                     const struct eti_profile *new_side, const char *what,
                                     eti_text of_base, eti_text of_new, eti_error *err);

#endif
