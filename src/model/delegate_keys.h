/*
 * delegate_keys.h - finds the debug handles of a delegated operator by its identifier, as the Inspector does: by the keys in
 * the call's delegate_map that are substrings of the identifier.
 */
#ifndef ETI_MODEL_DELEGATE_KEYS_H
#define ETI_MODEL_DELEGATE_KEYS_H

#include "base/array.h"
#include "etrecord/etrecord.h"

typedef struct eti_key_node eti_key_node;

/* The keys of one call, prepared so that one pass through a text finds all of them, whatever their number and length. */
typedef struct eti_delegate_keys {
    const eti_delegate_call *call;
    uint64_t seed;
    eti_key_node *nodes; /* the first is the node of the empty text */
    size_t n_nodes, capacity;
    eti_index index; /* nodes that are not their parent's first child */
} eti_delegate_keys;

/* Allocates memory, which eti__delegate_keys_free() frees. False: out of memory. `call` must outlive the keys. */
bool eti__delegate_keys_init(eti_delegate_keys *keys, const eti_delegate_call *call);
void eti__delegate_keys_free(eti_delegate_keys *keys);

/* Returns the handles of the entry whose key is the string identifier itself, if there is one and it is not null.
 * Otherwise, the last key in file order that is part of the text counts, even if an equal key precedes it. */
eti_debug_handles eti__delegate_keys_find(const eti_delegate_keys *keys, eti_text identifier,
                                          bool is_string);

#endif
