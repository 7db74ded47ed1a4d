/*
 * associate.h - gives events the debug handles, backends, operators, stack traces and modules that
 * an ETRecord has for their instructions.
 */
#ifndef ETI_MODEL_ASSOCIATE_H
#define ETI_MODEL_ASSOCIATE_H

#include "base/arena.h"
#include "base/array.h"
#include "etinspect.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "tensors/tensors.h"

#include <pthread.h>

/* ==== associate =============================================================================== */

/* Chooses blocks by their number. */
typedef bool (*eti_block_choice)(const void *context, size_t block);

/* Sets `known` of all events, and the association, of the chosen blocks (NULL: all) from the maps and `graph` of one
 * method; `as_inspector` takes the Inspector's names of operators. ETI_ERROR_LIMIT if handles and nodes multiply to more than
 * 4194304 operators, or more than 65536 plus one for each byte of the record; ETI_ERROR_MEMORY. */
eti_status eti__associate(eti_blocks *blocks, eti_arena *arena, const eti_etrecord *record,
                          size_t method, const eti_graph *graph, bool as_inspector,
                          eti_block_choice is_chosen, const void *context,
                          eti_error *err) ETI_WARN_UNUSED;

/* Returns whether the event's name is one that the runtime's framework uses for itself. */
bool eti__is_framework_event(eti_text name);

/* ==== delegate keys =========================================================================== */
/* Finds the debug handles of a delegated operator by its identifier, as the Inspector does: by the
 * keys in the call's delegate_map that are substrings of the identifier. */

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

/* ==== record ================================================================================== */

/* Returns the reference outputs as eti__etrecord_read_saved() reads them. */
eti_status eti__record_reference_outputs(eti_record *record, const eti_saved_value **out,
                                         eti_error *err) ETI_WARN_UNUSED;

#endif
