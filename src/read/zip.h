/*
 * zip.h - the directory of a ZIP, and members as they are inflated.
 */
#ifndef ETI_READ_ZIP_H
#define ETI_READ_ZIP_H

#include <limits.h>
#include <stdint.h>

/* ==== inflated ================================================================================ */
/* Limits how much of a file may be inflated, and splits it for zlib. */

/* A deflated byte can stand for 1032 bytes, and a byte of JSON may take thirty bytes of memory. The total inflated is
 * limited to this number plus a multiple of the file's size: the graphs of real models shrink to between a fifth and a
 * twentieth, dumps to between a fifth and a tenth, and both have tens of megabytes. */
#define ETI_INFLATED_BYTES ((uint64_t)256 << 10)
#define ETI_INFLATED_RATIO 64

/* Returns the limit for a file, at most `largest`. */
static inline uint64_t eti__most_inflated(uint64_t file_size, uint64_t largest) {
    uint64_t most = ETI_INFLATED_BYTES + ETI_INFLATED_RATIO * file_size;
    return most < largest ? most : largest;
}

/* Returns how many of `n` bytes zlib can take in one call. */
static inline unsigned eti__inflate_at_once(uint64_t n) {
    return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

/* ==== zip directory =========================================================================== */

/* Largest number of members in other files. A record needs fewer: four for each program and eight others. */
#define ETI_ZIP_MEMBERS 4096

#endif
