/*
 * index.h - finds the number of an item by a hash of its content: an open-addressing hash table that leaves the items, and
 * the test for equality, to the caller. intern.h also stores the items.
 */
#ifndef ETI_BASE_INDEX_H
#define ETI_BASE_INDEX_H

#include "base/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ETI_INDEX_END UINT32_MAX

typedef struct eti_index_slot {
    uint32_t hash;
    uint32_t item; /* number + 1; 0: free */
} eti_index_slot;

/* Starts as all zeros. */
typedef struct eti_index {
    eti_index_slot *slots;
    size_t capacity; /* allocated */
    size_t mask;     /* slots in use - 1 */
    size_t n_items;
} eti_index;

/* Returns whether the item with this number is the one that `wanted` describes. */
typedef bool eti_is_wanted(const void *wanted, uint32_t item);

/* Empties the index and makes room for about `n_expected` items; takes time in proportion to them. False: out of memory. */
bool eti__index_reset(eti_index *index, size_t n_expected);

/* Reduces a hash to 32 bits; the caller distinguishes items with equal hashes. A single eti__hash_mix() multiplies all
 * keys by the same factor; with consecutive keys, such as pointers and numbers, one seed in twelve gave a factor whose
 * products cluster, so that a search probes dozens of slots. This function spreads the keys for any seed. */
static inline uint32_t eti__short_hash(uint64_t hash) {
    return (uint32_t)((hash ^ hash >> 32) * 0xd6e8feb86659fd93u >> 32);
}

/* Returns the first item with this hash that is wanted, or ETI_INDEX_END. */
static inline uint32_t eti__index_find(const eti_index *index, uint64_t hash,
                                       eti_is_wanted *is_wanted, const void *wanted) {
    if (index->n_items == 0)
        return ETI_INDEX_END;
    uint32_t kept = eti__short_hash(hash);
    for (size_t at = kept & index->mask; index->slots[at].item != 0; at = (at + 1) & index->mask) {
        uint32_t item = index->slots[at].item - 1;
        if (index->slots[at].hash == kept && is_wanted(wanted, item))
            return item;
    }
    return ETI_INDEX_END;
}

/* Adds an item without checking whether the index contains it. False: out of memory. */
bool eti__index_add(eti_index *index, uint64_t hash, uint32_t item);

void eti__index_free(eti_index *index);

/* Mixes one more number into a hash: multiplies to 128 bits and folds the halves together. Both factors depend on the
 * hash, and so on the seed. If the second factor were only the value and a constant, a text that contains this constant
 * would make the product 0 and leave the hash unchanged, and all texts that differ only in the position of the constant
 * would collide. */
static inline uint64_t eti__hash_mix(uint64_t hash, uint64_t value) {
    uint64_t turned = hash << 32 | hash >> 32;
    eti_wide product =
        eti__wide_product(hash ^ 0x9e3779b97f4a7c15u, value ^ turned ^ 0xd6e8feb86659fd93u);
    return hash ^ product.low ^ product.high;
}

/* Returns a starting value for hashes that no file can predict; it is the same throughout a thread. */
uint64_t eti__hash_seed(void);

#endif
