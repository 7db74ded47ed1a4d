/*
 * diff_parts.h - the steps in which diff.c makes a comparison.
 */
#ifndef ETI_COMPARE_DIFF_PARTS_H
#define ETI_COMPARE_DIFF_PARTS_H

#include "compare/diff_row.h"

/* diff_match.c: pairs blocks, and makes a row of each total and each event. ETI_ERROR_MEMORY. */
eti_status eti__diff_match_blocks(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__diff_list_rows(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_groups.c: makes a row of each group of events that are alike in diff->options.group. ETI_ERROR_USAGE: there is no
 * such grouping; ETI_ERROR_MEMORY. */
eti_status eti__diff_list_groups(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_groups.c: counts the judged events of each group, once rows are judged and before they are sorted. ETI_ERROR_MEMORY. */
eti_status eti__diff_count_judged(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_gaps.c: gives rows that both sides have the gaps of diff->options.gaps. ETI_ERROR_MEMORY. */
eti_status eti__diff_set_gaps(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_gaps.c: whether results are known by this grouping: by module, source or node. */
bool eti__diff_group_has_gaps(const char *group);

/* diff_units.c: chooses the units and the metric, and fills the steps of the clocks of events. ETI_ERROR_USAGE: runs are asked for that were not kept; ETI_ERROR_MEMORY. */
eti_status eti__diff_find_units(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_units.c: fills the locations, ratios and shares of all rows. ETI_ERROR_MEMORY. */
eti_status eti__diff_set_all_sizes(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_judge.c: chooses the families of tests, finds levels and changes, and judges all rows. ETI_ERROR_MEMORY. */
eti_status eti__diff_judge(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_order.c: puts the rows of events or groups in order, and fills n_changed. ETI_ERROR_MEMORY. */
eti_status eti__diff_sort_rows(eti_diff_rows *rows, eti_error *err) ETI_WARN_UNUSED;

#endif
