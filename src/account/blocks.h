/*
 * blocks.h - selects the EventBlocks that a request concerns.
 */
#ifndef ETI_ACCOUNT_BLOCKS_H
#define ETI_ACCOUNT_BLOCKS_H

#include "account/options.h"
#include "model/model.h"
#include "pte/pte.h"

/* Fails with ETI_ERROR_USAGE because no block is called `wanted`. The message names the block with
 * the most similar name, or else all blocks. */
eti_status eti__block_fail(const eti_blocks *blocks, const char *wanted, eti_error *err);

/* Returns whether the option block selects this block: by its name, by its label ("Execute [input 1]"), by the method
 * that ran, or by its number, counted from 0. NULL or "all" selects every block. */
bool eti__block_is_called(const eti_event_block *block, const char *wanted);

/* Returns the method that the block ran: the one that is known for the block, or the only one that the ETRecord or, without
 * an ETRecord, the program has; absent if it is unknown. */
eti_text eti__block_method(const eti_inspector *inspector, const eti_event_block *block);

/* Returns whether both blocks ran the same method; false if the method of one is unknown. */
bool eti__blocks_are_alike(const eti_event_block *a, const eti_event_block *b);

/* Returns whether options->block and options->like select this block. */
bool eti__block_is_chosen(const eti_view_options *options, const eti_event_block *block);

/* Returns whether the block ran a method of the program, including the payloads of its delegates. */
static inline bool eti__block_is_of_program(const eti_event_block *block) {
    return block->plan && !block->has_other_payloads;
}

/* Returns whether a block that the options select ran this method of the program. */
bool eti__blocks_ran(const eti_inspector *inspector, const eti_view_options *options,
                     const eti_pte_plan *plan);

/* Returns whether the block has timed Events other than those of loading. */
bool eti__block_runs(const eti_event_block *block);

/* Returns whether sums over blocks leave out blocks that only load; true if a selected block does more than load. */
bool eti__blocks_leave_out_loading(const eti_inspector *inspector, const eti_view_options *options);

/* Returns whether a block is part of such sums, that is, whether it has times and is selected by the options. */
bool eti__block_is_summed(const eti_view_options *options, const eti_event_block *block,
                          bool leaves_out_loading);

#endif
