#include "base/near_index.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_PLACES 16
/* Largest number of items in a chain; beyond it, a hash finds them faster. */
#define LONGEST_CHAIN 8

bool eti__near_index_reset(eti_near_index *index, size_t n_expected) {
    size_t places = FIRST_PLACES;
    while (places < n_expected && places <= UINT32_MAX)
        places *= 2;
    if (places > index->capacity) {
        uint32_t *grown = eti__realloc(index->latest, places * sizeof *grown);
        if (!grown)
            return false;
        index->latest = grown;
        index->capacity = places;
    }
    memset(index->latest, 0xff, places * sizeof *index->latest); /* ETI_INDEX_END */
    index->mask = places - 1;
    index->n_items = 0;
    return index->others.n_items == 0 || eti__index_reset(&index->others, 0);
}

static bool is_long(const eti_near_index *index, uint32_t item) {
    size_t length = 0;
    for (; item != ETI_INDEX_END; item = index->links[item].before)
        length++;
    return length >= LONGEST_CHAIN;
}

bool eti__near_index_add(eti_near_index *index, uint32_t place, uint64_t hash) {
    uint32_t item = (uint32_t)index->n_items;
    uint32_t *latest = &index->latest[place & index->mask];
    if (!ETI_GROW(index->links, index->link_capacity, index->n_items + 1))
        return false;
    if (is_long(index, *latest)) {
        if (!eti__index_add(&index->others, hash, item))
            return false;
    } else {
        index->links[item] = (eti_near_link){*latest, eti__short_hash(hash)};
        *latest = item;
    }
    index->n_items++;
    return true;
}

void eti__near_index_free(eti_near_index *index) {
    free(index->latest);
    free(index->links);
    eti__index_free(&index->others);
    *index = (eti_near_index){0};
}
