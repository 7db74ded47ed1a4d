/*
 * diff_row.h - defines pairs of blocks, and rows with both sides of a total, an Event or a group.
 */
#ifndef ETI_COMPARE_DIFF_ROW_H
#define ETI_COMPARE_DIFF_ROW_H

#include "base/text.h"
#include "compare/compare.h"
#include "etinspect.h"
#include "profile/profile.h"

/* ==== diff row ================================================================================ */

/* Returns a row with the members that need neither units nor tests; either side may be absent. */
eti_diff_row eti__diff_row_of(const eti_diff *diff, uint32_t pair, const eti_entry *base,
                              const eti_entry *new_side);

/* Returns the typical ticks of an entry in all runs of its block: the median of each file x its runs. */
double eti__entry_typical(const eti_profile_block *block, const eti_entry *entry);

/* Returns whether the rows must name their block. */
bool eti__diff_rows_name_blocks(const eti_diff *diff, const eti_diff_rows *rows);

/* Fills the values of a row in the units of its block, in ticks of the new side, base first; `out` has room for pair->n_base +
 * pair->n_new values. Returns false if a value is unknown. */
bool eti__diff_row_values(const eti_diff *diff, const eti_diff_row *row, double *out);

/* Does the same for another metric. */
bool eti__diff_row_metric(const eti_diff *diff, const eti_diff_row *row, eti_metric metric,
                          double *out);

/* Fills the row's locations, ratio and shares of `total`, the row of its block's total; NULL: no total. `scratch` has room
 * for the units of a side. */
void eti__diff_set_sizes(const eti_diff *diff, eti_diff_row *row, const eti_diff_row *total,
                         double *scratch);

/* Fills delta and impact after the row was judged. */
void eti__diff_set_delta(eti_diff_row *row, const eti_diff_row *total);

/* ==== diff parts ============================================================================== */

/* Sets base_factor and base_scale. Fails with ETI_ERROR_USAGE if the times of the sides cannot be
 * converted to each other. */
eti_status eti__diff_find_scale(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* Adds the clocks of both sides. Returns false if memory runs out. */
bool eti__diff_add_clocks(eti_diff *diff) ETI_WARN_UNUSED;

/* Returns the step of an event's clock, in ticks of the new side; the coarser one if the clocks of the sides
 * count different units. */
double eti__diff_clock_step(const eti_diff *diff, const eti_entry *entry);

/* ==== namesakes =============================================================================== */

/* Appends a name, shortened if it is long. */
void eti__add_row_name(eti_buffer *out, eti_text name);

#endif
