/*
 * intern.h - numbers distinct keys 0, 1, 2, … in the order in which they first came, and keeps an item for
 * each: the key, and behind it what belongs to it.
 *
 *     typedef struct line { uint32_t file, number; double time; } line;
 *     static const eti_intern_kind line_kind = {.item_size = sizeof(line), .key_size = 8};
 *     ETI_INTERN_OF(line) lines = {0};
 *     if (!eti__intern_add(&lines.table, &line_kind, &(line){file, number, 0}, &i)) …
 *     lines.items[i].time += time;
 *
 * No file can foresee the hashes, so that none makes many keys share one.
 */
#ifndef ETI_BASE_INTERN_H
#define ETI_BASE_INTERN_H

#include "base/index.h"

/* What the items of a table are; each begins with its key. */
typedef struct eti_intern_kind {
    size_t item_size;
    size_t key_size; /* of keys that are equal when their bytes are: no padding is among these */
    /* Of other keys: */
    uint64_t (*hash)(const void *key, uint64_t seed);
    bool (*is_equal)(const void *key, const void *other);
} eti_intern_kind;

/* Starts as all zeros. */
typedef struct eti_intern {
    void *items; /* by number; they move when one is added */
    size_t count;
    size_t capacity;
    eti_index index;
    uint64_t seed;
} eti_intern;

/* A table that knows the type of its items: `items` and `count` are the table's. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type stands without */
#define ETI_INTERN_OF(item_type)                                                                   \
    union {                                                                                        \
        eti_intern table;                                                                          \
        struct {                                                                                   \
            item_type *items;                                                                      \
            size_t count;                                                                          \
        };                                                                                         \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* The kind of items that begin with an eti_text, which is their key. */
#define ETI_INTERN_BY_TEXT(item_type)                                                              \
    {                                                                                              \
        .item_size = sizeof(item_type), .hash = eti__intern_hash_text,                             \
        .is_equal = eti__intern_texts_equal                                                        \
    }

/* Finds the number of the item with the key of `item`, which is copied into the table when it is new:
 * `*number` is then the old `count`. False: out of memory. */
bool eti__intern_add(eti_intern *table, const eti_intern_kind *kind, const void *item,
                     uint32_t *number);

/* False when `key` was never added. */
bool eti__intern_find(const eti_intern *table, const eti_intern_kind *kind, const void *key,
                      uint32_t *number);

void eti__intern_free(eti_intern *table);

uint64_t eti__intern_hash_text(const void *key, uint64_t seed);
bool eti__intern_texts_equal(const void *key, const void *other);

#endif
