/*
 * extents.h - shares the bytes of a file out among the things that lie in it, each byte to one of them.
 *
 * An extent may lie inside another one, its holder, to which the bytes belong that no extent inside it has. Where two of
 * one holder lie on each other, the one that begins first has the bytes of both.
 */
#ifndef ETI_PROGRAM_EXTENTS_H
#define ETI_PROGRAM_EXTENTS_H

#include "base/status.h"

#define ETI_NO_HOLDER UINT32_MAX

typedef struct eti_extent {
    uint64_t begin, end; /* bytes of the file; what lies outside of the holder does not count */
    uint32_t holder;     /* the number of an extent before this one, or ETI_NO_HOLDER */
    uint64_t bytes;      /* those that are its own: an answer */
} eti_extent;

/* Fills the bytes of `n` extents; those without a holder must not lie on each other. Their own bytes add up to those
 * without a holder. ETI_ERROR_MEMORY. */
eti_status eti__extents_share(eti_extent *extents, size_t n, eti_error *err) ETI_WARN_UNUSED;

#endif
