/*
 * extents.h - assigns each byte of a file to exactly one of the extents in it.
 *
 * An extent may lie inside another one, its holder, which keeps the bytes that belong to no extent inside it. If two extents
 * of the same holder overlap, the one that begins first gets the shared bytes.
 */
#ifndef ETI_PROGRAM_EXTENTS_H
#define ETI_PROGRAM_EXTENTS_H

#include "etinspect.h"

#define ETI_NO_HOLDER UINT32_MAX

typedef struct eti_extent {
    uint64_t begin, end; /* bytes of the file; those outside the holder are ignored */
    uint32_t holder;     /* index of an earlier extent, or ETI_NO_HOLDER */
    uint64_t bytes;      /* result: number of bytes of its own */
} eti_extent;

/* Computes the bytes of `n` extents; those without a holder must not overlap. The results add up to the size of the
 * extents without a holder. ETI_ERROR_MEMORY. */
eti_status eti__extents_share(eti_extent *extents, size_t n, eti_error *err) ETI_WARN_UNUSED;

#endif
