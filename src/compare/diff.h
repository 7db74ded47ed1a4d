/*
 * diff.h - declares the steps by which diff.c makes a comparison.
 */
#ifndef ETI_COMPARE_DIFF_H
#define ETI_COMPARE_DIFF_H

#include "compare/compare.h"
#include "etinspect.h"

/* Returns whether results can be grouped this way: by module, source or node. */
bool eti__diff_group_has_gaps(const char *group);

/* Sorts the rows of events or groups, and sets n_changed. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_sort_rows(eti_diff_rows *rows, eti_error *err) ETI_WARN_UNUSED;

#endif
