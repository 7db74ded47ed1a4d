/*
 * names.h - makes the names of an ETDump valid UTF-8, so that code that prints them may rely on it.
 *
 * A device that writes half a name, or uses another encoding, should not make the times unreadable. (The Inspector rejects
 * such a file.) Names are compared as stored in the file, before they are repaired.
 */
#ifndef ETI_MODEL_NAMES_H
#define ETI_MODEL_NAMES_H

#include "base/arena.h"
#include "model/block.h"

/* Replaces each invalid sequence of bytes in the names of blocks and events by U+FFFD, as Python does; `n_repaired` is
 * the number of names changed. ETI_ERROR_LIMIT if strings overlap in the file so much that more than `allowed` bytes of
 * repaired names would be stored; ETI_ERROR_MEMORY. */
eti_status eti__names_repair(eti_blocks *blocks, eti_arena *arena, uint64_t allowed,
                             size_t *n_repaired, eti_error *err) ETI_WARN_UNUSED;

#endif
