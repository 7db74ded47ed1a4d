/*
 * diff_parts.h - the steps in which diff.c makes a comparison.
 */
#ifndef ETI_VIEW_DIFF_PARTS_H
#define ETI_VIEW_DIFF_PARTS_H

#include "view/diff.h"

/* diff_match.c: pairs blocks, and makes a row of each total and each event. ETI_ERROR_MEMORY. */
eti_status eti_diff_match_blocks(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;
eti_status eti_diff_list_rows(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_groups.c: makes a row of each group of events that are alike in diff->options.group. ETI_ERROR_USAGE: there is no
 * such grouping; ETI_ERROR_MEMORY. */
eti_status eti_diff_list_groups(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_tests.c: fills the paces of all pairs, from the rows of events. ETI_ERROR_MEMORY. */
eti_status eti_diff_find_paces(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;
/* Compares and judges the rows of a family. ETI_ERROR_MEMORY. */
eti_status eti_diff_test(const eti_diff *diff, eti_diff_rows *family, bool may_pace,
                         eti_error *err) ETI_WARN_UNUSED;

/* A row of what either side may lack, but for what tests and shares tell. */
eti_diff_row eti_diff_row_of(const eti_diff *diff, uint32_t pair, const eti_entry *base,
                             const eti_entry *new_side);
/* Says what share of the total and impact on it a row has. */
void eti_diff_set_shares(const eti_diff *diff, eti_diff_row *row);

#endif
