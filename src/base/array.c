#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ==== array =================================================================================== */

#define FIRST_CAPACITY 4 /* there may be a great many arrays with one element */
#define HUGE_BYTES ((size_t)4 << 20)

/* Allocates memory that begins at a page boundary: the kernel takes three times as long to read a file into other memory. */
static void *allocate_pages(size_t page, size_t size) {
    void *memory = NULL;
    return posix_memalign(&memory, page, size) == 0 ? memory : NULL;
}

void *eti__realloc(void *memory, size_t size) {
    if (size < HUGE_BYTES)
        return realloc(memory, size);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *grown = memory ? realloc(memory, size) : allocate_pages(page, size);
#ifdef MADV_HUGEPAGE
    if (grown) {
        uintptr_t first = ((uintptr_t)grown + page - 1) / page * page;
        (void)madvise(grown + (first - (uintptr_t)grown), size - page, MADV_HUGEPAGE);
    }
#endif
    return grown;
}

void *eti__array_grow(void *array, size_t *capacity, size_t needed, size_t element_size) {
    size_t larger = *capacity < FIRST_CAPACITY ? FIRST_CAPACITY : *capacity;
    while (larger < needed) {
        if (larger > SIZE_MAX / 2)
            return NULL;
        larger *= 2;
    }
    if (larger > SIZE_MAX / element_size)
        return NULL;
    void *grown = eti__realloc(array, larger * element_size);
    if (grown)
        *capacity = larger;
    return grown;
}

bool eti__array_grow_at(void *place, void *grown) {
    if (!grown)
        return false;
    /* Pointers to all object types have the same representation here; copying the bytes avoids an aliasing violation. */
    memcpy(place, &grown, sizeof grown);
    return true;
}

size_t eti__last_not_above(const size_t *numbers, size_t n, size_t value) {
    size_t low = 0;
    while (n > 1) {
        size_t half = n / 2;
        if (numbers[low + half] <= value)
            low += half;
        n -= half;
    }
    return low;
}

/* ==== index =================================================================================== */

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

/* ==== near index ============================================================================== */

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
