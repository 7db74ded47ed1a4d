/*
 * vulkan_nodes.h - finds the operators of the edge program from which those of a Vulkan delegate were made, and the operators
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
#ifndef ETI_PLACES_VULKAN_NODES_H
#define ETI_PLACES_VULKAN_NODES_H

#include "backends/backends.h"
#include "base/arena.h"
#include "etinspect.h"
#include "model/model.h"

/* ==== vulkan nodes ============================================================================ */

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

/* A node of the edge program that uses a parameter whose bytes have this SHA-256, as no other parameter has. */
typedef struct eti_weight_user {
    eti_text key;
    const eti_op_node *node;
} eti_weight_user;

typedef struct eti_weight_users {
    const eti_weight_user *items; /* sorted by key */
    size_t n;
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

#endif
