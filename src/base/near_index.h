/*
 * near_index.h - finds the number of an item as index.h does, for items that each belong to a place: a number that mostly
 * counts up, like the indices of instructions. Neighbouring places are neighbours in memory, too; a large hash table would
 * scatter them, and each step would wait for memory.
 *
 * The items of a place form a chain; those that would make a chain too long go into a hash index. Items are added in the
 * order of their numbers, from 0 on.
 */
#ifndef ETI_BASE_NEAR_INDEX_H
#define ETI_BASE_NEAR_INDEX_H

#include "base/index.h"

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
