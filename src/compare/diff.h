/*
 * diff.h - turns two profiles into what changed between them: totals, events and groups of events, with how
 * certain that is.
 *
 * Blocks are paired by name and bundled input, the k-th with the k-th; their events by match.h. Events are one
 * family of tests, totals another, groups a third: within each, p-values are adjusted by Holm's method.
 *
 * An event is known by kind, name and operators; by module and the code of its source line where the record knows
 * these, otherwise by debug handles and delegate id, which an operator that is inserted before it changes.
 *
 * The samples of events and groups are divided by the pace of their runs (stats/pace.h), as far as these
 * tell; totals never are. Where a side has several files, these must tell of the change as well (diff_files.c).
 * What is shown of both sides, p50 and delta, is always as measured; ratio, interval, shift and
 * p are those of the samples as compared.
 */
#ifndef ETI_COMPARE_DIFF_H
#define ETI_COMPARE_DIFF_H

#include "compare/diff_row.h"

/* ETI_ERROR_USAGE: options out of range, an unknown group, or sides that are not alike (time scale, method, labels that
 * both have) unless options.allow_unlike; ETI_ERROR_DATA: no pair of blocks; ETI_ERROR_MEMORY. To be freed in any case. */
eti_status eti__diff_make(eti_diff *out, const struct eti_profile *base,
                          const struct eti_profile *new_side, const eti_diff_options *options,
                          eti_error *err) ETI_WARN_UNUSED;
void eti__diff_free(eti_diff *diff);

/* ETI_ERROR_USAGE: a number is out of range. */
eti_status eti__diff_check_options(const eti_diff_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Whether times may be compared: the same time scales, methods and labels, where both sides have them; labels that
 * tell builds apart (commit, build, date, branch, version) may differ. ETI_ERROR_USAGE names what differs. */
eti_status eti__profiles_check_alike(const struct eti_profile *base,
                                     const struct eti_profile *new_side,
                                     eti_error *err) ETI_WARN_UNUSED;

#endif
