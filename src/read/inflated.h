/*
 * inflated.h - how much may be inflated of a file, and how it is counted for zlib.
 */
#ifndef ETI_READ_INFLATED_H
#define ETI_READ_INFLATED_H

#include <limits.h>
#include <stdint.h>

/* A deflated byte can stand for 1032, and a byte of JSON may cost thirty of memory. So much is inflated
 * in all, plus a multiple of the size of the file: the graphs of real models shrink to between a fifth and a
 * twentieth, dumps to between a fifth and a tenth, and both have tens of megabytes. */
#define ETI_INFLATED_BYTES ((uint64_t)256 << 10)
#define ETI_INFLATED_RATIO 64

/* Never more than `largest`. */
static inline uint64_t eti__most_inflated(uint64_t file_size, uint64_t largest) {
    uint64_t most = ETI_INFLATED_BYTES + ETI_INFLATED_RATIO * file_size;
    return most < largest ? most : largest;
}

/* As many bytes of `n` as zlib takes in one call. */
static inline unsigned eti__inflate_at_once(uint64_t n) {
    return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

#endif
