/*
 * intern.h - numbers distinct keys 0, 1, 2, … in order of first appearance, and stores an item for each: the
 * key, followed by the data that belongs to it.
 *
 *     typedef struct line { uint32_t file, number; double time; } line;
 *     static const eti_intern_kind line_kind = {.item_size = sizeof(line), .key_size = 8};
 *     ETI_INTERN_OF(line) lines = {0};
 *     if (!eti__intern_add(&lines.table, &line_kind, &(line){file, number, 0}, &i)) …
 *     lines.items[i].time += time;
 *
 * Hashes are seeded at random, so no input file can be crafted to make many keys collide.
 */
#ifndef ETI_BASE_INTERN_H
#define ETI_BASE_INTERN_H

#include "base/arena.h"
#include "base/index.h"

/* Describes the items of a table; every item begins with its key. */
typedef struct eti_intern_kind {
    size_t item_size;
    size_t key_size; /* for keys that are compared bytewise, and so must contain no padding */
    /* For keys that are compared in another way; NULL for keys compared bytewise: */
    uint64_t (*hash)(const void *key, uint64_t seed);
    bool (*is_equal)(const void *key, const void *other);
} eti_intern_kind;

/* Starts as all zeros. */
typedef struct eti_intern {
    void *items; /* indexed by number; adding an item may move them */
    size_t count;
    size_t capacity;
    eti_index index;
    uint64_t seed;
} eti_intern;

/* Declares a table with typed items; `items` and `count` alias those of `table`. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot be in parentheses */
#define ETI_INTERN_OF(item_type)                                                                   \
    union {                                                                                        \
        eti_intern table;                                                                          \
        struct {                                                                                   \
            item_type *items;                                                                      \
            size_t count;                                                                          \
        };                                                                                         \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Describes items that begin with an eti_text, which is their key. */
#define ETI_INTERN_BY_TEXT(item_type)                                                              \
    {                                                                                              \
        .item_size = sizeof(item_type), .hash = eti__intern_hash_text,                             \
        .is_equal = eti__intern_texts_equal                                                        \
    }

/* Describes items that are texts and nothing else. */
extern const eti_intern_kind eti__text_kind;

/* Stores the number of the item with the key of `item` in `*number`. A new item is copied into the table; its number is
 * the previous `count`. False: out of memory. */
bool eti__intern_add(eti_intern *table, const eti_intern_kind *kind, const void *item,
                     uint32_t *number);

/* Does the same in a table whose items are texts: copies a new text into `owner` first unless `owner` is NULL. On failure
 * the table is unchanged. */
bool eti__intern_add_text(eti_intern *table, eti_text text, eti_arena *owner, uint32_t *number);

/* Stores the number of the item with this key; returns false if the key is not in the table. */
bool eti__intern_find(const eti_intern *table, const eti_intern_kind *kind, const void *key,
                      uint32_t *number);

void eti__intern_free(eti_intern *table);

uint64_t eti__intern_hash_text(const void *key, uint64_t seed);
bool eti__intern_texts_equal(const void *key, const void *other);

#endif
