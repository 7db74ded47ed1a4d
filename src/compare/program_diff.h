/*
 * program_diff.h - reports the changes from one program to another: bytes by category and arena,
 * operators and delegates, and the places of planned tensors.
 */
#ifndef ETI_COMPARE_PROGRAM_DIFF_H
#define ETI_COMPARE_PROGRAM_DIFF_H

#include "compare/options.h"
#include "table/table.h"

struct eti_profile;

/* Makes a report of two profiles that have a program each and no times. Fails with ETI_ERROR_USAGE if a side has no
 * program or options.group is given, or with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__program_diff_report(eti_report **out, const struct eti_profile *base,
                                    const struct eti_profile *new_side,
                                    const eti_diff_options *options,
                                    eti_error *err) ETI_WARN_UNUSED;

#endif
