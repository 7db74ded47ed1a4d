#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

/* ==== intern ================================================================================== */

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

/* Does the same in a table whose items are texts: copies a new text into `owner` first unless `owner` is NULL. On failure
 * the table is unchanged. */
static bool add_interned_text(eti_intern *table, eti_text text, eti_arena *owner,
                              uint32_t *number) {
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

/* ==== pointer table =========================================================================== */

static const eti_intern_kind entry_kind = {.item_size = sizeof(eti_pointer_entry),
                                           .key_size = sizeof(void *)};

bool eti__pointer_table_find(const eti_pointer_table *table, const void *pointer,
                             uint32_t *number) {
    uint32_t entry;
    if (!eti__intern_find(&table->table, &entry_kind, &pointer, &entry))
        return false;
    *number = table->items[entry].number;
    return true;
}

bool eti__pointer_table_add(eti_pointer_table *table, const void *pointer, uint32_t number) {
    uint32_t entry;
    return eti__intern_add(&table->table, &entry_kind, &(eti_pointer_entry){pointer, number},
                           &entry);
}

uint32_t *eti__pointer_table_at(eti_pointer_table *table, const void *pointer) {
    const eti_pointer_entry wanted = {pointer, ETI_INDEX_END};
    uint32_t entry;
    return eti__intern_add(&table->table, &entry_kind, &wanted, &entry)
               ? &table->items[entry].number
               : NULL;
}

void eti__pointer_table_free(eti_pointer_table *table) {
    eti__intern_free(&table->table);
}

/* ==== text table ============================================================================== */

bool eti__text_table_add(eti_text_table *table, eti_text text, eti_arena *owner, uint32_t *number) {
    return add_interned_text(&table->table, text, owner, number);
}

bool eti__text_table_find(const eti_text_table *table, eti_text text, uint32_t *number) {
    return eti__intern_find(&table->table, &eti__text_kind, &text, number);
}

void eti__text_table_free(eti_text_table *table) {
    eti__intern_free(&table->table);
}

bool eti__number_equal_texts(const eti_text *texts, size_t n, uint32_t *numbers,
                             uint32_t *n_equal) {
    eti_text_table known = {0};
    uint32_t *counts = calloc(n + 1, sizeof *counts), number;
    bool done = counts != NULL;
    for (size_t i = 0; i < n && done; i++) {
        done = eti__text_table_add(&known, texts[i], NULL, &number);
        if (!done)
            break;
        numbers[i] = ++counts[number];
        if (n_equal)
            n_equal[i] = number;
    }
    for (size_t i = 0; i < n && done && n_equal; i++)
        n_equal[i] = counts[n_equal[i]];
    free(counts);
    eti__text_table_free(&known);
    return done;
}

/* ==== prefix tree ============================================================================= */

static const eti_intern_kind node_kind = {.item_size = sizeof(eti_prefix_node),
                                          .key_size = offsetof(eti_prefix_node, jump)};

bool eti__prefix_tree_init(eti_prefix_tree *tree) {
    uint32_t root;
    return eti__intern_add(&tree->table, &node_kind,
                           &(eti_prefix_node){ETI_PREFIX_ROOT, ETI_INDEX_END, 0, 0}, &root);
}

/* Computes the jump of a new child of `parent`: two jumps of equal length that meet are followed by one of twice the
 * length. */
static uint32_t jump_of_child(const eti_prefix_tree *tree, uint32_t parent) {
    const eti_prefix_node *p = &tree->nodes[parent];
    const eti_prefix_node *q = &tree->nodes[p->jump];
    uint32_t first = p->depth - q->depth;
    uint32_t second = q->depth - tree->nodes[q->jump].depth;
    return first == second ? q->jump : parent;
}

bool eti__prefix_tree_add(eti_prefix_tree *tree, uint32_t parent, uint32_t item, uint32_t *out) {
    eti_prefix_node node = {parent, item, jump_of_child(tree, parent),
                            tree->nodes[parent].depth + 1};
    return eti__intern_add(&tree->table, &node_kind, &node, out);
}

uint32_t eti__prefix_tree_cut(const eti_prefix_tree *tree, uint32_t node, uint32_t depth) {
    const eti_prefix_node *nodes = tree->nodes;
    while (nodes[node].depth > depth) {
        uint32_t jump = nodes[node].jump;
        node = nodes[jump].depth >= depth ? jump : nodes[node].parent;
    }
    return node;
}

uint32_t eti__prefix_tree_common(const eti_prefix_tree *tree, uint32_t a, uint32_t b) {
    const eti_prefix_node *nodes = tree->nodes;
    if (a == b)
        return a;
    a = eti__prefix_tree_cut(tree, a, nodes[b].depth);
    b = eti__prefix_tree_cut(tree, b, nodes[a].depth);
    while (a != b) {
        bool far = nodes[a].jump != nodes[b].jump;
        a = far ? nodes[a].jump : nodes[a].parent;
        b = far ? nodes[b].jump : nodes[b].parent;
    }
    return a;
}

void eti__prefix_tree_free(eti_prefix_tree *tree) {
    eti__intern_free(&tree->table);
}
