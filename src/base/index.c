#include "base/index.h"

#include "base/array.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 16

/* Returns the number of slots that keeps the table at most two thirds full. */
static size_t slots_for(size_t n_items) {
    size_t slots = FIRST_SLOTS;
    while (slots / 3 * 2 < n_items)
        slots *= 2;
    return slots;
}

bool eti__index_reset(eti_index *index, size_t n_expected) {
    if (n_expected > UINT32_MAX)
        n_expected = UINT32_MAX;
    size_t slots = slots_for(n_expected);
    if (!index->slots || slots > index->capacity) {
        eti_index_slot *grown = eti__realloc(index->slots, slots * sizeof *grown);
        if (!grown)
            return false;
        index->slots = grown;
        index->capacity = slots;
    }
    memset(index->slots, 0, slots * sizeof *index->slots);
    index->mask = slots - 1;
    index->n_items = 0;
    return true;
}

static void put(eti_index *index, eti_index_slot slot) {
    size_t at = slot.hash & index->mask;
    while (index->slots[at].item != 0)
        at = (at + 1) & index->mask;
    index->slots[at] = slot;
    index->n_items++;
}

static bool grow(eti_index *index) {
    eti_index larger = {0};
    if (!eti__index_reset(&larger, index->n_items * 2))
        return false;
    for (size_t i = 0; i <= index->mask; i++) {
        if (index->slots[i].item != 0)
            put(&larger, index->slots[i]);
    }
    eti__index_free(index);
    *index = larger;
    return true;
}

bool eti__index_add(eti_index *index, uint64_t hash, uint32_t item) {
    if (!index->slots && !eti__index_reset(index, 0))
        return false;
    if (index->n_items >= (index->mask + 1) / 3 * 2 && !grow(index))
        return false;
    put(index, (eti_index_slot){eti__short_hash(hash), item + 1});
    return true;
}

void eti__index_free(eti_index *index) {
    free(index->slots);
    *index = (eti_index){0};
}

/* The seed is drawn once per thread: a record may ask for millions of small tables, and drawing a seed costs more than
 * filling one. */
uint64_t eti__hash_seed(void) {
    static _Thread_local uint64_t seed; /* 0: not drawn yet */
    if (seed == 0 && !eti__random_bytes(&seed, sizeof seed))
        seed = 0x2545f4914f6cdd1du;
    return seed;
}
