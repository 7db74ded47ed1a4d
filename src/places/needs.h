/*
 * needs.h - rows of bits: the row of an operator marks the other operators whose values it needs.
 */
#ifndef ETI_PLACES_NEEDS_H
#define ETI_PLACES_NEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the number of words of a row for `n` operators. */
static inline size_t eti__needs_words(size_t n) {
    return (n + 63) / 64;
}

static inline bool eti__needs(const uint64_t *row, size_t operator) {
    return (row[operator / 64] >> (operator % 64) & 1) != 0;
}

static inline void eti__needs_add(uint64_t *row, size_t operator) {
    row[operator / 64] |= (uint64_t)1 << (operator % 64);
}

/* Adds everything that another row marks. */
static inline void eti__needs_join(uint64_t *row, const uint64_t *other, size_t n_words) {
    for (size_t i = 0; i < n_words; i++)
        row[i] |= other[i];
}

#endif
