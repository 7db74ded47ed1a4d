/*
 * diff_parts.h - declares the steps by which diff.c makes a comparison.
 */
#ifndef ETI_COMPARE_DIFF_PARTS_H
#define ETI_COMPARE_DIFF_PARTS_H

#include "compare/diff_row.h"
#include "profile/profile.h"

/* diff_match.c: pairs blocks, and makes a row of each total and each event. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_match_blocks(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__diff_list_rows(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_groups.c: makes a row of each group of events with an equal property diff->options.group. Fails with
 * ETI_ERROR_USAGE if there is no such grouping, or with ETI_ERROR_MEMORY. */
eti_status eti__diff_list_groups(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_groups.c: counts the judged events of each group; call it after rows are judged and before they are sorted.
 * Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_count_judged(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_gaps.c: sets the gaps of rows on both sides from diff->options.gaps. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_set_gaps(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_gaps.c: returns whether results can be grouped this way: by module, source or node. */
bool eti__diff_group_has_gaps(const char *group);

/* diff_scale.c: sets base_factor and base_scale. Fails with ETI_ERROR_USAGE if the times of the sides cannot be
 * converted to each other. */
eti_status eti__diff_find_scale(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_scale.c: adds the clocks of both sides. Returns false if memory runs out. */
bool eti__diff_add_clocks(eti_diff *diff) ETI_WARN_UNUSED;

/* diff_scale.c: returns the step of an event's clock, in ticks of the new side; the coarser one if the clocks of the sides
 * count different units. */
double eti__diff_clock_step(const eti_diff *diff, const eti_entry *entry);

/* diff_units.c: chooses the units and the metric, and fills the steps of the clocks of events. Fails with
 * ETI_ERROR_USAGE if runs are requested that were not kept, or with ETI_ERROR_MEMORY. */
eti_status eti__diff_find_units(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_units.c: fills the locations, ratios and shares of all rows. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_set_all_sizes(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_judge.c: chooses the families of tests, finds levels and changes, and judges all rows. Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__diff_judge(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_order.c: sorts the rows of events or groups, and sets n_changed. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_sort_rows(eti_diff_rows *rows, eti_error *err) ETI_WARN_UNUSED;

#endif
