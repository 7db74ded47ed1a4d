/*
 * The keys form one automaton (Aho and Corasick, 1975): a node for every prefix of a key. At each byte of the identifier,
 * the walk stands at the longest such prefix that ends there:
 *
 *     keys "tan", "an", "nt"      (root) -t- t -a- ta -n- tan       tan: shorter is an
 *                                        -a- a -n- an               an:  shorter is n
 *                                        -n- n -t- nt               nt:  shorter is t
 *
 * Nodes are made in order of depth, extending all keys by one byte at a time, so that the shorter node exists when it is
 * needed.
 */
#include "model/delegate_keys.h"

#include <stdlib.h>

#define ROOT 0
#define NO_NODE 0 /* the root is no node's child */

struct eti_key_node {
    uint32_t parent;
    uint32_t first_child; /* the index finds the others */
    uint32_t shorter;     /* the longest other node whose text is a suffix of this one's */
    uint32_t entry;       /* index of the entry with this key, + 1; 0: none */
    uint32_t
        last_entry; /* index of the last entry in file order whose key is a suffix of this text, + 1; 0: none */
    unsigned char byte; /* last byte of the text */
};

/* ---- nodes ----------------------------------------------------------------------------------- */

static uint64_t hash_child(const eti_delegate_keys *keys, uint32_t parent, unsigned char byte) {
    return eti__hash_mix(keys->seed, (uint64_t)parent << 8 | byte);
}

typedef struct wanted_child {
    const eti_key_node *nodes;
    uint32_t parent;
    unsigned char byte;
} wanted_child;

static bool is_wanted_child(const void *wanted, uint32_t node) {
    const wanted_child *w = wanted;
    return w->nodes[node].parent == w->parent && w->nodes[node].byte == w->byte;
}

static uint32_t find_child(const eti_delegate_keys *keys, uint32_t parent, unsigned char byte) {
    uint32_t first = keys->nodes[parent].first_child;
    if (first == NO_NODE || keys->nodes[first].byte == byte)
        return first;
    wanted_child wanted = {keys->nodes, parent, byte};
    uint32_t child =
        eti__index_find(&keys->index, hash_child(keys, parent, byte), is_wanted_child, &wanted);
    return child != ETI_INDEX_END ? child : NO_NODE;
}

/* Returns the longest node whose text is a suffix of the text of `node` followed by `byte`. */
static uint32_t step(const eti_delegate_keys *keys, uint32_t node, unsigned char byte) {
    uint32_t next;
    while ((next = find_child(keys, node, byte)) == NO_NODE && node != ROOT)
        node = keys->nodes[node].shorter;
    return next;
}

/* Adds a child; returns NO_NODE if memory runs out. */
static uint32_t add_child(eti_delegate_keys *keys, uint32_t parent, unsigned char byte) {
    if (keys->n_nodes >= ETI_INDEX_END - 1 ||
        !ETI_GROW(keys->nodes, keys->capacity, keys->n_nodes + 1))
        return NO_NODE;
    uint32_t number = (uint32_t)keys->n_nodes;
    uint32_t shorter = parent == ROOT ? ROOT : step(keys, keys->nodes[parent].shorter, byte);
    if (keys->nodes[parent].first_child == NO_NODE)
        keys->nodes[parent].first_child = number;
    else if (!eti__index_add(&keys->index, hash_child(keys, parent, byte), number))
        return NO_NODE;
    keys->nodes[number] = (eti_key_node){
        .parent = parent,
        .shorter = shorter,
        .last_entry = keys->nodes[shorter].last_entry,
        .byte = byte,
    };
    keys->n_nodes++;
    return number;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* A key and the node that it has reached. */
typedef struct growing_key {
    uint32_t entry;
    uint32_t node;
} growing_key;

static void end_key(eti_delegate_keys *keys, const growing_key *key) {
    eti_key_node *node = &keys->nodes[key->node];
    node->entry = key->entry + 1;
    if (node->entry > node->last_entry)
        node->last_entry = node->entry;
}

/* Extends `n` keys from `depth` bytes by one byte; keys that end there are removed from the list. */
static bool grow_keys(eti_delegate_keys *keys, growing_key *list, size_t *n, size_t depth) {
    size_t n_left = 0;
    for (size_t i = 0; i < *n; i++) {
        growing_key key = list[i];
        eti_text text = keys->call->entries[key.entry].identifier;
        unsigned char byte = (unsigned char)text.data[depth];
        uint32_t child = find_child(keys, key.node, byte);
        if (child == NO_NODE)
            child = add_child(keys, key.node, byte);
        if (child == NO_NODE)
            return false;
        key.node = child;
        if (depth + 1 == text.size)
            end_key(keys, &key);
        else
            list[n_left++] = key;
    }
    *n = n_left;
    return true;
}

/* Lists all keys, except an empty one, which belongs to the root. */
static size_t start_keys(eti_delegate_keys *keys, growing_key *list) {
    size_t n = 0;
    for (uint32_t i = 0; i < keys->call->n_entries; i++) {
        list[n] = (growing_key){i, ROOT};
        if (keys->call->entries[i].identifier.size == 0)
            end_key(keys, &list[n]);
        else
            n++;
    }
    return n;
}

static bool add_keys(eti_delegate_keys *keys) {
    growing_key *list = malloc((keys->call->n_entries + 1) * sizeof *list);
    if (!list || !ETI_GROW(keys->nodes, keys->capacity, 1)) {
        free(list);
        return false;
    }
    keys->nodes[keys->n_nodes++] = (eti_key_node){0};
    size_t n = start_keys(keys, list);
    bool ok = true;
    for (size_t depth = 0; ok && n > 0; depth++)
        ok = grow_keys(keys, list, &n, depth);
    free(list);
    return ok;
}

bool eti__delegate_keys_init(eti_delegate_keys *keys, const eti_delegate_call *call) {
    *keys = (eti_delegate_keys){.call = call, .seed = eti__hash_seed()};
    if (add_keys(keys))
        return true;
    eti__delegate_keys_free(keys);
    return false;
}

void eti__delegate_keys_free(eti_delegate_keys *keys) {
    free(keys->nodes);
    eti__index_free(&keys->index);
    *keys = (eti_delegate_keys){0};
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Returns the index of the entry with this key, + 1; 0: none. */
static uint32_t find_own_entry(const eti_delegate_keys *keys, eti_text identifier) {
    uint32_t node = ROOT;
    for (size_t i = 0; i < identifier.size; i++) {
        node = find_child(keys, node, (unsigned char)identifier.data[i]);
        if (node == NO_NODE)
            return 0;
    }
    return keys->nodes[node].entry;
}

static uint32_t find_last_entry(const eti_delegate_keys *keys, eti_text identifier) {
    uint32_t node = ROOT;
    uint32_t last = keys->nodes[ROOT].last_entry;
    for (size_t i = 0; i < identifier.size; i++) {
        node = step(keys, node, (unsigned char)identifier.data[i]);
        if (keys->nodes[node].last_entry > last)
            last = keys->nodes[node].last_entry;
    }
    return last;
}

eti_debug_handles eti__delegate_keys_find(const eti_delegate_keys *keys, eti_text identifier,
                                          bool is_string) {
    const eti_delegate_entry *entries = keys->call->entries;
    uint32_t own = is_string ? find_own_entry(keys, identifier) : 0;
    if (own != 0 && entries[own - 1].handles.kind != ETI_HANDLES_NONE)
        return entries[own - 1].handles;
    uint32_t last = find_last_entry(keys, identifier);
    return last != 0 ? entries[last - 1].handles : (eti_debug_handles){ETI_HANDLES_NONE, NULL, 0};
}
