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
#include "base/array.h"
#include "etinspect.h"

/* ==== intern ================================================================================== */

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

/* Stores the number of the item with this key; returns false if the key is not in the table. */
bool eti__intern_find(const eti_intern *table, const eti_intern_kind *kind, const void *key,
                      uint32_t *number);

void eti__intern_free(eti_intern *table);

uint64_t eti__intern_hash_text(const void *key, uint64_t seed);
bool eti__intern_texts_equal(const void *key, const void *other);

/* ==== pointer table =========================================================================== */
/* Maps pointers to numbers, to store the result computed once for an object that many others
 * share. */

typedef struct eti_pointer_entry {
    const void *pointer;
    uint32_t number;
} eti_pointer_entry;

/* Starts as all zeros. */
typedef ETI_INTERN_OF(eti_pointer_entry) eti_pointer_table;

/* Stores the number of the pointer; returns false if the pointer is not in the table. */
bool eti__pointer_table_find(const eti_pointer_table *table, const void *pointer, uint32_t *number);

/* Adds a pointer that is not in the table yet, with its number. False: out of memory. */
bool eti__pointer_table_add(eti_pointer_table *table, const void *pointer, uint32_t number);

/* Returns where the number of a pointer is stored, valid until the next pointer is added. For a new pointer, the number
 * is ETI_INDEX_END, and the caller sets it. NULL: out of memory. */
uint32_t *eti__pointer_table_at(eti_pointer_table *table, const void *pointer);

void eti__pointer_table_free(eti_pointer_table *table);

/* ==== prefix tree ============================================================================= */
/* Turns paths (of modules, stack frames or other numbered items) into nodes of a tree: the common
 * prefix of two paths is the common ancestor of their nodes.
 *
 * Finding the ancestor takes time logarithmic in the depth, because files may contain paths of any
 * length, and lists of them. */

/* Number of the root, which is the empty path. */
#define ETI_PREFIX_ROOT 0

typedef struct eti_prefix_node {
    uint32_t parent; /* for the root, itself */
    uint32_t item;   /* last item of the path; ETI_INDEX_END for the root */
    uint32_t jump;   /* an ancestor far above, as in a skew-binary list */
    uint32_t depth;  /* 0 for the root */
} eti_prefix_node;

/* Starts as all zeros. Parents have lower numbers than their children. */
typedef union eti_prefix_tree {
    eti_intern table;
    struct {
        eti_prefix_node *nodes; /* contain the root as soon as they contain any node */
        size_t n_nodes;
    };
} eti_prefix_tree;

/* Creates the root. False: out of memory. */
bool eti__prefix_tree_init(eti_prefix_tree *tree);

/* Finds the path that consists of `parent` and one more item, adding it if it is new. False: out of memory. */
bool eti__prefix_tree_add(eti_prefix_tree *tree, uint32_t parent, uint32_t item, uint32_t *out);

/* Returns the longest common prefix of both paths. */
uint32_t eti__prefix_tree_common(const eti_prefix_tree *tree, uint32_t a, uint32_t b);

/* Returns the first `depth` items of the path, or the path itself if it is not longer. */
uint32_t eti__prefix_tree_cut(const eti_prefix_tree *tree, uint32_t node, uint32_t depth);

void eti__prefix_tree_free(eti_prefix_tree *tree);

/* ==== text table ============================================================================== */
/* Numbers distinct texts 0, 1, 2, … in order of first appearance.
 *
 * The caller keeps the data that belong to a text in an array with the same numbers. The texts
 * themselves are copied into an arena or borrowed, as the caller chooses; the table is on the
 * heap, and its owner frees it. */

/* Starts as all zeros. */
typedef union eti_text_table {
    eti_intern table;
    struct {
        eti_text *texts; /* by number */
        size_t count;
    };
} eti_text_table;

/* Stores the number of `text`, which is added if it is new: `*number` is then the old `count`. A
 * new text is copied into the arena `owner`; if that is NULL, the text must outlive the table.
 * False: out of memory; the table may then only be freed. */
bool eti__text_table_add(eti_text_table *table, eti_text text, eti_arena *owner, uint32_t *number);

/* Returns false if `text` was never added. */
bool eti__text_table_find(const eti_text_table *table, eti_text text, uint32_t *number);

/* Numbers equal texts 1, 2, … in their order. `n_equal`, unless it is NULL, gets for each text how many equal it, itself
 * included. False: out of memory. */
bool eti__number_equal_texts(const eti_text *texts, size_t n, uint32_t *numbers, uint32_t *n_equal);

void eti__text_table_free(eti_text_table *table);

/* ==== shared texts ============================================================================ */
/* Numbers the distinct texts, which may be long, of objects that share them: the bytes at an
 * address are read only once. */

/* Does what eti__intern_add() does, for items that begin with a text. The bytes at one address always stand for the same
 * text; they are read only if `places` does not contain the address. */
static inline bool eti__intern_add_shared(eti_intern *table, const eti_intern_kind *kind,
                                          eti_pointer_table *places, const void *item,
                                          uint32_t *number) {
    eti_text text = *(const eti_text *)item;
    if (text.size == 0)
        return eti__intern_add(table, kind, item, number);
    uint32_t *known = eti__pointer_table_at(places, text.data);
    if (!known || (*known == ETI_INDEX_END && !eti__intern_add(table, kind, item, known)))
        return false;
    *number = *known;
    return true;
}

/* Starts as all zeros. Texts are borrowed. */
typedef struct eti_shared_texts {
    eti_text_table texts;
    eti_pointer_table places;
} eti_shared_texts;

/* Stores the number of `text`. False: out of memory. */
static inline bool eti__shared_texts_add(eti_shared_texts *shared, eti_text text,
                                         uint32_t *number) {
    return eti__intern_add_shared(&shared->texts.table, &eti__text_kind, &shared->places, &text,
                                  number);
}

/* Copies the distinct texts, in the order in which they were added, to the arena. NULL: out of memory. */
static inline eti_text *eti__shared_texts_copy(const eti_shared_texts *shared, eti_arena *arena) {
    size_t n = shared->texts.count;
    eti_text *copy = eti__arena_alloc(arena, n + 1, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        copy[i] = shared->texts.texts[i];
    return copy;
}

static inline void eti__shared_texts_free(eti_shared_texts *shared) {
    eti__text_table_free(&shared->texts);
    eti__pointer_table_free(&shared->places);
}

#endif
