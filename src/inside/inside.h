/*
 * inside.h - the nodes of the edge program that events inside delegates run.
 */
#ifndef ETI_INSIDE_INSIDE_H
#define ETI_INSIDE_INSIDE_H

#include "backends/backends.h"
#include "base/arena.h"
#include "base/intern.h"
#include "etinspect.h"
#include "model/model.h"

/* ==== recorded nodes ========================================================================== */
/* Finds the nodes that the delegate_map of the ETRecord has for identifiers that a delegate logged.
 *
 * A map is used only if all its handles are in the debug_handle_map of its instruction: some
 * exporters write other numbers into it. An identifier is recorded if it is a key of the map. If it
 * only contains a key, as "matmul_7" contains "matmul", that counts if the key is not a number and
 * no other key is part of the identifier. */

/* A key of a map. */
typedef struct eti_recorded_key {
    eti_text key;
    const eti_delegate_call *map;
    const eti_delegate_entry *entry;
} eti_recorded_key;

/* A map that was looked at. */
typedef struct eti_recorded_map {
    const eti_delegate_call *map;
    int32_t instruction;
    bool is_used;
} eti_recorded_map;

/* Initialize to all zeros. */
typedef struct eti_recorded_nodes {
    ETI_INTERN_OF(eti_recorded_map) maps;
    ETI_INTERN_OF(eti_recorded_key) keys;
    int64_t *handles; /* scratch */
    size_t handle_capacity;
    size_t work; /* keys compared with parts of identifiers, which are limited */
} eti_recorded_nodes;

/* Sets `*out` to the map of an instruction; NULL if there is none, or it is not used, or if it is that of a Vulkan delegate.
 * Returns false if memory runs out. */
bool eti__recorded_map_find(eti_recorded_nodes *recorded, const eti_etrecord *record, size_t method,
                            int32_t instruction, const eti_delegate_call **out);

/* Finds the entry of a map for the identifier of an event; NULL if there is none. Sets `*attribution` if it finds one. */
const eti_delegate_entry *eti__recorded_entry_find(eti_recorded_nodes *recorded,
                                                   const eti_delegate_call *map,
                                                   const eti_event *event,
                                                   eti_attribution *attribution);

/* Adds a note about the maps that are not used. ETI_ERROR_MEMORY. */
eti_status eti__recorded_nodes_note(const eti_recorded_nodes *recorded, eti_inspector *inspector,
                                    eti_error *err) ETI_WARN_UNUSED;

void eti__recorded_nodes_free(eti_recorded_nodes *recorded);

/* ==== vulkan nodes ============================================================================ */
/* Finds the operators of the edge program from which those of a Vulkan delegate were made, and the operators
 * that its events run.
 *
 * The exporter transforms the graph and then numbers the operators anew, so that no debug handle is
 * left: only names, order and data flow lead back. Operators that compute are paired in order, so
 * that as many as possible are of fitting kinds; those that only change the form of a tensor, which
 * the exporter inserts and drops, are paired by data flow ("data flow" in backends.h, which also limits the work:
 * beyond the limit, what order alone finds is only inferred). A node that is left over is part of
 * the operator whose result it takes or, if it prepares a weight, of the one that uses its result.
 * An operator that is left over stands for the nodes left over between its neighbours or, if there
 * are none, belongs to the operator that gives its input. */

/* The nodes of the edge program for a call in a Vulkan graph. */
typedef struct eti_call_nodes {
    /* Those that the call runs, then those that are part of it. */
    const eti_op_node *const *nodes;
    uint32_t n_own, n;
    const int64_t *handles; /* each once */
    uint32_t n_handles;
    const eti_text *op_types; /* each once */
    uint32_t n_op_types;
    uint8_t attribution; /* an eti_attribution; ETI_ATTRIBUTION_CALL: none are known */
} eti_call_nodes;

/* Nodes that use weights, which show the calls that were made from them. */
typedef struct eti_weight_users {
    const eti_weight_user *items; /* sorted by key */
    size_t n;
    const eti_graph *graph;
} eti_weight_users;

/* Finds the nodes of each call of a graph among those of its delegate call. Without nodes, a call has its own operator.
 * `*work` is the work of all searches so far. The arena owns the result. Returns NULL if memory runs out. */
const eti_call_nodes *eti__vulkan_nodes_find(eti_arena *arena, const eti_vulkan *graph,
                                             const eti_op_node *const *nodes, size_t n_nodes,
                                             const eti_weight_users *weights, size_t *work);

/* Finds the call of the graph that each event runs: ETI_VULKAN_NONE for events that run none, or are not in the graph.
 * `*attribution` is how sure they are. Returns false if memory runs out. */
bool eti__vulkan_calls_find(uint32_t *out, const eti_vulkan *graph,
                            const eti_delegate_event *const *events, size_t n,
                            eti_attribution *attribution, size_t *work);

/* Makes the graph of the operators that events name, for a delegate without a payload, and sets `calls` to the call of each
 * event. Returns false if memory runs out. */
bool eti__vulkan_of_events(eti_vulkan *out, uint32_t *calls, eti_arena *arena,
                           const eti_delegate_event *const *events, size_t n);

#endif
