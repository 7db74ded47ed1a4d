/*
 * block.h - turns the runs of one or more ETDumps into EventBlocks.
 */
#ifndef ETI_MODEL_BLOCK_H
#define ETI_MODEL_BLOCK_H

#include "base/arena.h"
#include "etinspect.h"
#include "model/model.h"
#include "read/read.h"

/* ==== block =================================================================================== */

/* Builds the blocks of all runs of all dumps, in order; everything lives in `arena`. Events get only their names and ids.
 * ETI_ERROR_MALFORMED names the run and event that lacks a part that the Inspector requires. */
eti_status eti__blocks_build(eti_blocks *out, eti_arena *arena, const eti_etdump *dumps,
                             size_t n_dumps, size_t n_threads, eti_error *err) ETI_WARN_UNUSED;

/* Drops the first `n_skipped` runs of each block that has a Method::execute, and stores the number of dropped runs in
 * `n_left_out`. Must be called before samples and values of the blocks are filled. ETI_ERROR_USAGE: a block has no runs left. */
eti_status eti__blocks_skip_first(eti_blocks *blocks, size_t n_skipped, uint64_t *n_left_out,
                                  eti_error *err) ETI_WARN_UNUSED;

/* ==== block label ============================================================================= */

/* Does the same for the blocks of an inspector; `by_method`: the inspector has several methods. */
bool eti__blocks_label(eti_blocks *blocks, bool by_method, eti_arena *arena) ETI_WARN_UNUSED;

/* ==== names =================================================================================== */
/* Makes the names of an ETDump valid UTF-8, so that code that prints them may rely on it.
 *
 * A device that writes half a name, or uses another encoding, should not make the times
 * unreadable. (The Inspector rejects such a file.) Names are compared as stored in the file,
 * before they are repaired. */

/* Repairs the names of blocks and events (read/read.h); `n_repaired` is
 * the number of names changed. ETI_ERROR_LIMIT if strings overlap in the file so much that more than `allowed` bytes of
 * repaired names would be stored; ETI_ERROR_MEMORY. */
eti_status eti__names_repair(eti_blocks *blocks, eti_arena *arena, uint64_t allowed,
                             size_t *n_repaired, eti_error *err) ETI_WARN_UNUSED;

#endif
