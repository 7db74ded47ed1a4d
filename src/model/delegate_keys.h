/*
 * delegate_keys.h - finds the debug handles of a delegated operator by its identifier, as the Inspector does:
 * by the keys of the call's delegate_map that are part of the identifier's text.
 */
#ifndef ETI_MODEL_DELEGATE_KEYS_H
#define ETI_MODEL_DELEGATE_KEYS_H

#include "base/index.h"
#include "read/record/delegate_call.h"

typedef struct eti_key_node eti_key_node;

/* The keys of one call, prepared for finding all of them in one pass through a text, however many
 * they are and however long. */
typedef struct eti_delegate_keys {
    const eti_delegate_call *call;
    uint64_t seed;
    eti_key_node *nodes; /* the first is that of the empty text */
    size_t n_nodes, capacity;
    eti_index index; /* of nodes that are not their parent's first child */
} eti_delegate_keys;

/* Allocates memory that eti__delegate_keys_free() frees; false: out of memory. `call` must outlive
 * the keys. */
bool eti__delegate_keys_init(eti_delegate_keys *keys, const eti_delegate_call *call);
void eti__delegate_keys_free(eti_delegate_keys *keys);

/* An entry whose key is the string identifier itself is preferred, unless it is null. Otherwise, of
 * all keys that are part of the text, the last in file order counts, even if an equal one precedes
 * it. */
eti_debug_handles eti__delegate_keys_find(const eti_delegate_keys *keys, eti_text identifier,
                                          bool is_string);

#endif
