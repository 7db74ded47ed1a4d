/*
 * array.h - memory owned by malloc(), and growable arrays in it.
 */
#ifndef ETI_BASE_ARRAY_H
#define ETI_BASE_ARRAY_H

#include "base/numbers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ==== array =================================================================================== */

/* Does what realloc() does, but uses huge pages for large memory: the kernel provides these faster, and the processor
 * needs fewer look-ups to translate an address in them. */
void *eti__realloc(void *memory, size_t size);

/* Makes room for `needed` elements: returns `array` or its new address, and updates `capacity`. Returns NULL if memory
 * runs out or sizes overflow; the caller then still owns the old array. */
void *eti__array_grow(void *array, size_t *capacity, size_t needed, size_t element_size);

/* Grows `array` (an lvalue) to hold `needed` elements; false: out of memory. */
#define ETI_GROW(array, capacity, needed)                                                          \
    (((array) && (needed) <= (capacity)) ||                                                        \
     eti__array_grow_at(&(array),                                                                  \
                        eti__array_grow((array), &(capacity), (needed), sizeof *(array))))

/* Returns the index of the last of `n` ascending numbers that is no greater than `value`; 0 if all are greater. */
size_t eti__last_not_above(const size_t *numbers, size_t n, size_t value);

/* Stores `grown` in the pointer at `place` unless it is NULL. */
bool eti__array_grow_at(void *place, void *grown);

/* ==== index =================================================================================== */
/* Finds the number of an item by a hash of its content: an open-addressing hash table that leaves
 * the items, and the test for equality, to the caller. intern.h also stores the items. */

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

/* ==== near index ============================================================================== */
/* Finds the number of an item as eti_index does, for items that each belong to a place: a number
 * that mostly counts up, like the indices of instructions. Neighbouring places are neighbours in
 * memory, too; a large hash table would scatter them, and each step would wait for memory.
 *
 * The items of a place form a chain; those that would make a chain too long go into a hash index.
 * Items are added in the order of their numbers, from 0 on. */

typedef struct eti_near_link {
    uint32_t before; /* the previous item in the chain, or ETI_INDEX_END */
    uint32_t hash;
} eti_near_link;

/* Starts as all zeros; must be reset before anything else. */
typedef struct eti_near_index {
    uint32_t *
        latest; /* end of the chain of each place (modulo the number of places), or ETI_INDEX_END */
    size_t capacity;      /* allocated */
    size_t mask;          /* places in use - 1 */
    eti_near_link *links; /* per item */
    size_t link_capacity;
    size_t n_items;
    eti_index others; /* numbers of the items that are in no chain */
} eti_near_index;

/* Empties the index and makes room for up to `n_expected` items; takes time in proportion to them. False: out of memory. */
bool eti__near_index_reset(eti_near_index *index, size_t n_expected);

/* Returns the wanted item of this place and hash (which depends on the place), or ETI_INDEX_END. */
static inline uint32_t eti__near_index_find(const eti_near_index *index, uint32_t where,
                                            uint64_t hash, eti_is_wanted *is_wanted,
                                            const void *wanted) {
    uint32_t item = index->latest[where & index->mask];
    for (; item != ETI_INDEX_END; item = index->links[item].before) {
        if (index->links[item].hash == eti__short_hash(hash) && is_wanted(wanted, item))
            return item;
    }
    return eti__index_find(&index->others, hash, is_wanted, wanted);
}

/* Adds the next item without checking for an equal one. False: out of memory. */
bool eti__near_index_add(eti_near_index *index, uint32_t place, uint64_t hash);

void eti__near_index_free(eti_near_index *index);

#endif
