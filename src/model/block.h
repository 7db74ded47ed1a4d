/*
 * block.h - turns the runs of one or more ETDumps into EventBlocks: runs that recorded the same events in the same order
 * share a block.
 *
 * A run's events are first grouped by instruction (id, chain and delegate id), so that a profile event and the debug events
 * of the same call are in one group; each profile event of a group then becomes one Event, which is recognised in other runs
 * by its signature.
 */
#ifndef ETI_MODEL_BLOCK_H
#define ETI_MODEL_BLOCK_H

#include "base/arena.h"
#include "model/event.h"
#include "read/read.h"

typedef struct eti_blocks {
    eti_event_block *blocks; /* in order of first appearance */
    size_t n_blocks;
    bool has_broken_names; /* some names are not UTF-8 */
    /* counts of ignored data, for notes */
    uint64_t n_allocation_events;
    uint64_t n_runs;
    uint64_t n_runs_without_events; /* neither a timed nor a logged event */
} eti_blocks;

/* Builds the blocks of all runs of all dumps, in order; everything lives in `arena`. Events get only their names and ids.
 * ETI_ERROR_MALFORMED names the run and event that lacks a part that the Inspector requires. */
eti_status eti__blocks_build(eti_blocks *out, eti_arena *arena, const eti_etdump *dumps,
                             size_t n_dumps, size_t n_threads, eti_error *err) ETI_WARN_UNUSED;

/* Drops the first `n_skipped` runs of each block that has a Method::execute, and stores the number of dropped runs in
 * `n_left_out`. Must be called before the blocks are used in any other way. ETI_ERROR_USAGE: a block has no runs left. */
eti_status eti__blocks_skip_first(eti_blocks *blocks, size_t n_skipped, uint64_t *n_left_out,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
