/*
 * inflated.h - limits how much of a file may be inflated, and splits it for zlib.
 */
#ifndef ETI_READ_INFLATED_H
#define ETI_READ_INFLATED_H

#include <limits.h>
#include <stdint.h>

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

#endif
