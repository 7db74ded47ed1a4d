/*
 * warm_up.h - finds the runs of an EventBlock that warm up: the one rule for views, diff and gate.
 *
 * Each ETDump is another process, which has to warm up: of the runs that a block has from one file, the first ones are
 * its warm-up, as eti__warm_up_runs() of stats/series.h finds them in the times of the whole.
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
