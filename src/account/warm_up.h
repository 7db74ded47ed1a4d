/*
 * warm_up.h - finds the warm-up runs of an EventBlock; views, diff and gate use the same rule.
 *
 * Each ETDump comes from a process of its own, which has to warm up. The warm-up of a file consists
 * of its first runs in the block; eti__warm_up_runs() of stats/stats.h computes their number from
 * the times of the whole.
 */
#ifndef ETI_ACCOUNT_WARM_UP_H
#define ETI_ACCOUNT_WARM_UP_H

#include "model/model.h"

/* Returns the end of the runs that belong to the same ETDump as run `first` and follow it without a gap. */
size_t eti__warm_up_end(const eti_event_block *block, size_t first);

/* Sets is_warm_up[run] for the warm-up runs; all values are false before the call. `ticks` are the times of the runs.
 * Returns false if memory runs out. */
bool eti__warm_up_find(const eti_event_block *block, const uint64_t *ticks, bool *is_warm_up);

#endif
