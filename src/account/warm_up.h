/*
 * warm_up.h - finds the runs of an EventBlock that warm up: views, diff and gate use the same rule.
 *
 * Each ETDump comes from a process of its own, which has to warm up. The warm-up of a file is the
 * first of its runs in the block; eti__warm_up_runs() of stats/series.h finds their number from the
 * times of the whole.
 */
#ifndef ETI_ACCOUNT_WARM_UP_H
#define ETI_ACCOUNT_WARM_UP_H

#include "model/block.h"

/* Returns the end of the runs that belong to the same ETDump as run `first` and follow it without a gap. */
size_t eti__warm_up_end(const eti_event_block *block, size_t first);

/* Sets is_warm_up[run] for the runs that warm up, whose values are false before. `ticks` are the times of the runs.
 * False: out of memory. */
bool eti__warm_up_find(const eti_event_block *block, const uint64_t *ticks, bool *is_warm_up);

#endif
