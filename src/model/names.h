/*
 * names.h - makes the names of an ETDump valid UTF-8, so that code that prints them may rely on it.
 *
 * A device that writes half a name, or another encoding, should not make the times unreadable. (The
 * Inspector refuses such a file.) Names are compared as they are in the file, before they are
 * repaired.
 */
#ifndef ETI_MODEL_NAMES_H
#define ETI_MODEL_NAMES_H

#include "model/block.h"

/* Replaces each run of bytes that is not a character by U+FFFD in the names of blocks and events,
 * as Python does; `n_repaired` is the number of names changed. ETI_ERROR_LIMIT when strings overlap
 * in the file so much that more than `allowed` bytes of repaired names would be stored;
 * ETI_ERROR_MEMORY. */
eti_status eti__names_repair(eti_blocks *blocks, eti_arena *arena, uint64_t allowed,
                             size_t *n_repaired, eti_error *err) ETI_WARN_UNUSED;

#endif
