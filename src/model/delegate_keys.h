/*
 * delegate_keys.h - finds the debug handles of a delegated operator by its identifier, as the Inspector does:
 * by the keys of the call's delegate_map that are part of the identifier's text.
 */
#ifndef ETI_MODEL_DELEGATE_KEYS_H
#define ETI_MODEL_DELEGATE_KEYS_H

#include "base/index.h"
#include "read/record/delegate_call.h"

typedef struct eti_key_node eti_key_node;

/* The keys of one call, ready to be looked for inside longer texts: all at once, in one walk through the
 * text, however many they are and however long. */
typedef struct eti_delegate_keys {
    const eti_delegate_call *call;
    uint64_t seed;
    eti_key_node *nodes; /* the first is that of the empty text */
    size_t n_nodes, capacity;
    eti_index index; /* of nodes that are not their parent's first child */
} eti_delegate_keys;

/* Takes what eti__delegate_keys_free() frees; false when memory is out. `call` must outlive the keys. */
bool eti__delegate_keys_init(eti_delegate_keys *keys, const eti_delegate_call *call);
void eti__delegate_keys_free(eti_delegate_keys *keys);

/* A string identifier's own entry goes first, unless it is null. Then, of all keys that are part of the
 * text, the last in file order wins, even over an equal one before it. */
eti_debug_handles eti__delegate_keys_find(const eti_delegate_keys *keys, eti_text identifier,
                                          bool is_string);

#endif
