/*
 * blocks.h - says which EventBlocks a request is about.
 */
#ifndef ETI_ACCOUNT_BLOCKS_H
#define ETI_ACCOUNT_BLOCKS_H

#include "account/options.h"
#include "model/inspector.h"

/* Whether the option block, NULL or "all" for every one, lets blocks of this name in. */
bool eti__block_is_wanted(const char *wanted, eti_text name);

/* The same of options->block. */
bool eti__block_is_chosen(const eti_view_options *options, const eti_event_block *block);

/* Whether the block has timed events that do more than load. */
bool eti__block_runs(const eti_event_block *block);

/* Whether sums over blocks leave out blocks that only load: one of those that the options let in does more. */
bool eti__blocks_leave_out_loading(const eti_inspector *inspector, const eti_view_options *options);

/* Whether a block is part of such sums: it has times, and the options let it in. */
bool eti__block_is_summed(const eti_view_options *options, const eti_event_block *block,
                          bool leaves_out_loading);

#endif
