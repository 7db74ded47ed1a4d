#include "base/intern.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- keys ------------------------------------------------------------------------------------ */

uint64_t eti__intern_hash_text(const void *key, uint64_t seed) {
    return eti__text_hash(*(const eti_text *)key, seed);
}

bool eti__intern_texts_equal(const void *key, const void *other) {
    return eti__text_equal(*(const eti_text *)key, *(const eti_text *)other);
}

static uint64_t hash_bytes(const char *key, size_t size, uint64_t hash) {
    uint64_t word;
    for (; size >= sizeof word; size -= sizeof word, key += sizeof word) {
        memcpy(&word, key, sizeof word);
        hash = eti__hash_mix(hash, word);
    }
    if (size == 0)
        return hash;
    word = 0;
    memcpy(&word, key, size);
    return eti__hash_mix(hash, word);
}

static uint64_t hash_key(const eti_intern_kind *kind, const void *key, uint64_t seed) {
    return kind->hash ? kind->hash(key, seed) : hash_bytes(key, kind->key_size, seed);
}

typedef struct wanted_key {
    const eti_intern *table;
    const eti_intern_kind *kind;
    const void *key;
} wanted_key;

static void *item_at(const eti_intern *table, const eti_intern_kind *kind, size_t number) {
    return (char *)table->items + number * kind->item_size;
}

static bool is_wanted(const void *wanted, uint32_t number) {
    const wanted_key *w = wanted;
    const void *item = item_at(w->table, w->kind, number);
    return w->kind->is_equal ? w->kind->is_equal(item, w->key)
                             : memcmp(item, w->key, w->kind->key_size) == 0;
}

static uint32_t find(const eti_intern *table, const eti_intern_kind *kind, const void *key,
                     uint64_t hash) {
    wanted_key wanted = {table, kind, key};
    return eti__index_find(&table->index, hash, is_wanted, &wanted);
}

const eti_intern_kind eti__text_kind = ETI_INTERN_BY_TEXT(eti_text);

/* ---- items ----------------------------------------------------------------------------------- */

bool eti__intern_find(const eti_intern *table, const eti_intern_kind *kind, const void *key,
                      uint32_t *number) {
    *number = find(table, kind, key, hash_key(kind, key, table->seed));
    return *number != ETI_INDEX_END;
}

static bool make_room(eti_intern *table, size_t item_size) {
    if (table->count < table->capacity)
        return true;
    void *grown = eti__array_grow(table->items, &table->capacity, table->count + 1, item_size);
    if (grown)
        table->items = grown;
    return grown != NULL;
}

/* Returns the number of the item with the key; ETI_INDEX_END if it is new. */
static uint32_t look_up(eti_intern *table, const eti_intern_kind *kind, const void *key,
                        uint64_t *hash) {
    if (table->count == 0)
        table->seed = eti__hash_seed();
    *hash = hash_key(kind, key, table->seed);
    return find(table, kind, key, *hash);
}

static bool append(eti_intern *table, const eti_intern_kind *kind, const void *item, uint64_t hash,
                   uint32_t *number) {
    *number = (uint32_t)table->count;
    if (table->count >= ETI_INDEX_END - 1 || !make_room(table, kind->item_size) ||
        !eti__index_add(&table->index, hash, *number))
        return false;
    memcpy(item_at(table, kind, table->count++), item, kind->item_size);
    return true;
}

bool eti__intern_add(eti_intern *table, const eti_intern_kind *kind, const void *item,
                     uint32_t *number) {
    uint64_t hash;
    *number = look_up(table, kind, item, &hash);
    return *number != ETI_INDEX_END || append(table, kind, item, hash, number);
}

bool eti__intern_add_text(eti_intern *table, eti_text text, eti_arena *owner, uint32_t *number) {
    uint64_t hash;
    *number = look_up(table, &eti__text_kind, &text, &hash);
    if (*number != ETI_INDEX_END)
        return true;
    return (!owner || eti__arena_copy_text(owner, text, &text)) &&
           append(table, &eti__text_kind, &text, hash, number);
}

void eti__intern_free(eti_intern *table) {
    free(table->items);
    eti__index_free(&table->index);
    *table = (eti_intern){0};
}
