/*
 * program_diff.h - reports the changes from one program to another: bytes by category and arena,
 * operators and delegates, and the places of planned tensors.
 */
#ifndef ETI_COMPARE_PROGRAM_DIFF_H
#define ETI_COMPARE_PROGRAM_DIFF_H

#include "compare/compare.h"
#include "etinspect.h"
#include "program/program.h"

/* ==== program diff ============================================================================ */

struct eti_profile;

/* Makes a report of two profiles that have a program each and no times. Fails with ETI_ERROR_USAGE if a side has no
 * program or options.group is given, or with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__program_diff_report(eti_report **out, const struct eti_profile *base,
                                    const struct eti_profile *new_side,
                                    const eti_diff_options *options,
                                    eti_error *err) ETI_WARN_UNUSED;

/* ==== moved tensors =========================================================================== */
/* Lists the planned tensors of a method that have other places in another program.
 *
 * Numbers of values differ between exports. A tensor is identified by its role, its name or the
 * operator that writes it, its type and its shape; of several equal ones, the k-th of one program
 * corresponds to the k-th of the other. */

/* Adds a section without rows to the report. Fails with ETI_ERROR_MEMORY. */
eti_status eti__moved_tensors_begin(eti_table **out, eti_report *report,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Adds a row for each tensor of a method that one side lacks, or that has another place or size. Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__moved_tensors_add(eti_table *table, eti_text method, const eti_planned_arenas *base,
                                  const eti_planned_arenas *new_side,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
