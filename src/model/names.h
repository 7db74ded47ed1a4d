/*
 * names.h - makes the names of an ETDump UTF-8, so that everybody who prints them may rely on it.
 *
 * A device that writes half a name, or another encoding, should not cost the user the times. (The
 * Inspector refuses the file.) Names are compared as they are in the file before this.
 */
#ifndef ETI_MODEL_NAMES_H
#define ETI_MODEL_NAMES_H

#include "model/block.h"

/* In the names of blocks and events, each run of bytes that is no character becomes
 * U+FFFD, as in Python; `n_repaired` says how many names that were. ETI_ERROR_LIMIT when strings overlap in
 * the file so much that more than `allowed` bytes of repaired names would be stored; ETI_ERROR_MEMORY. */
eti_status eti__names_repair(eti_blocks *blocks, eti_arena *arena, uint64_t allowed,
                             size_t *n_repaired, eti_error *err) ETI_WARN_UNUSED;

#endif
