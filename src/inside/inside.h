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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ==== node order ============================================================================== */
/* Finds the nodes that have a known place in the order in which a list of nodes runs, regardless
 * of how the graph around them was divided among delegates.
 *
 * A node has a known place if each of the other nodes either needs its result or produces a value
 * that it needs, also through nodes that are not in the list. */

typedef struct eti_node_order {
    const bool *is_known; /* per node of the list: it runs in the order of the list */
} eti_node_order;

/* Finds the nodes of a list, in graph order, with a known place. `*work` is the work of all searches so far, which is
 * limited; beyond the limit no place is known. Returns NULL if memory runs out. */
eti_node_order *eti__node_order_find(eti_arena *arena, const eti_op_node *const *nodes, size_t n,
                                     size_t *work);

/* ==== handle nodes ============================================================================ */
/* Finds the edge-program nodes from which a node of a delegate's payload may have been made: nodes
 * with the same debug handle and a fitting operator.
 *
 * Handles are those of the program before decomposition, so all steps of an LSTM share one. Nodes
 * that ran as kernels are left out. If several nodes remain, the order of the nodes (eti_node_order) may distinguish them. */

/* Nodes that a node of a payload may have been made from. */
typedef struct eti_node_class {
    const eti_op_node *const *nodes; /* in graph order; none if no node has the handle */
    size_t n;
    const eti_text *op_types; /* operators of the nodes, each once */
    size_t n_op_types;
    eti_text op;           /* operator of all nodes; absent if they differ */
    bool fits;             /* the operators become a node of the kind */
    eti_node_order *order; /* found at the first request; NULL before */
    /* Counts of the nodes of payloads that belong to the class, in the block with this number. */
    size_t block, n_run, n_passed;
} eti_node_class;

/* The class for a kind of node with a handle, in one lowered module. */
typedef struct eti_found_class {
    int64_t handle;
    const eti_lowered_module *module; /* NULL: anywhere */
    uint32_t kind;                    /* an eti_xnnpack_kind */
    uint32_t output_bits;             /* of a conversion: bits of its results; otherwise 0 */
    eti_node_class *of;
} eti_found_class;

/* Initialize to all zeros. */
typedef struct eti_handle_nodes {
    eti_arena *arena; /* owns the classes */
    const eti_graph *graph;
    eti_handle_index by_handle;
    bool *are_kernels; /* per node of the graph: it ran as a kernel; NULL if unknown */
    ETI_INTERN_OF(eti_found_class) found;
    size_t order_work; /* see eti_node_order */
} eti_handle_nodes;

/* Makes the index of a graph, which must outlive the index. Returns false if memory runs out. */
bool eti__handle_nodes_init(eti_handle_nodes *nodes, eti_arena *arena, const eti_graph *graph);
void eti__handle_nodes_free(eti_handle_nodes *nodes);

/* Leaves out nodes that ran as kernels: those with a handle and an operator that as many kernels of the plan have.
 * Call it before the first search. Returns false if memory runs out. */
bool eti__handle_nodes_leave_kernels(eti_handle_nodes *nodes, const eti_etrecord *record,
                                     size_t method, const eti_pte_plan *plan);

/* Finds the nodes with the handle of a payload's node, in the lowered module that the delegate call runs, if it is known
 * and has any. They are those whose operators become nodes of this kind, for a conversion preferably those that give the
 * same numbers; else those that do more than quantize; else all. Returns NULL if memory runs out. */
eti_node_class *eti__handle_nodes_find(eti_handle_nodes *nodes, const eti_lowered_module *module,
                                       const eti_xnnpack_node *node);

/* Sets `*out` to whether the handles of a payload lead to nodes with its operators; in the ETRecord of another export, the
 * same numbers lead to other nodes. Returns false if memory runs out. */
bool eti__handle_nodes_fit(eti_handle_nodes *nodes, const eti_lowered_module *module,
                           const eti_xnnpack *payload, bool *out);

/* Compares two debug handles, for qsort() and bsearch(). */
int eti__compare_handles(const void *a, const void *b);

/* Sets `*out` to whether the handles that the record lists for a call, at least one, include all handles of its payload.
 * Returns false if memory runs out. */
bool eti__payload_is_listed(const eti_xnnpack *payload, const eti_debug_handles *listed, bool *out);

/* ==== needs =================================================================================== */
/* Rows of bits: the row of an operator marks the other operators whose values it needs. */

/* Returns the number of words of a row for `n` operators. */
static inline size_t eti__need_row_words(size_t n) {
    return (n + 63) / 64;
}

static inline bool eti__need_row_has(const uint64_t *row, size_t operator) {
    return (row[operator / 64] >> (operator % 64) & 1) != 0;
}

static inline void eti__need_row_add(uint64_t *row, size_t operator) {
    row[operator / 64] |= (uint64_t)1 << (operator % 64);
}

/* Adds everything that another row marks. */
static inline void eti__need_row_join(uint64_t *row, const uint64_t *other, size_t n_words) {
    for (size_t i = 0; i < n_words; i++)
        row[i] |= other[i];
}

/* ==== node choices ============================================================================ */
/* Chooses, for each node of a delegate's payload, the node of the edge program from which it was
 * made.
 *
 * If several nodes have its handle and a fitting operator, the node is known if it has a known
 * place in their order, and all of them are in the payloads of the block. Otherwise only the class
 * of these nodes is known. */

/* The choice for a node of a payload. */
typedef struct eti_node_choice {
    const eti_node_class *of; /* NULL: the node has no handle of its own */
    const eti_op_node *node;  /* the node chosen; NULL: no node, or several */
} eti_node_choice;

/* Initialize to all zeros. */
typedef struct eti_node_choices {
    eti_node_choice *items; /* per node of the payload */
    size_t capacity;
} eti_node_choices;

/* Counts the nodes of a payload that a call of this block runs. Returns false if memory runs out. */
bool eti__node_choices_count(eti_handle_nodes *nodes, const eti_lowered_module *module,
                             const eti_xnnpack *payload, size_t block);

/* Chooses the nodes for a payload. `is_in_order`: all payloads of the block were counted, and the calls before this one
 * were passed in order of execution. Returns false if memory runs out. */
bool eti__node_choices_make(eti_node_choices *choices, eti_handle_nodes *nodes,
                            const eti_lowered_module *module, const eti_xnnpack *payload,
                            bool is_in_order);

void eti__node_choices_free(eti_node_choices *choices);

/* ==== shared handles ========================================================================== */
/* Lists the debug handles that several instructions of a method have in the ETRecord: an operator
 * that quantizes the result of another has the handle of that operator, even if another
 * instruction runs it, and the steps of an unrolled loop share a handle. */

/* Initialize to all zeros. */
typedef struct eti_shared_handles {
    int64_t *handles; /* sorted; NULL until they are listed */
    size_t n;
} eti_shared_handles;

/* Lists the handles, unless that was done before. Returns false if memory runs out. */
bool eti__shared_handles_list(eti_shared_handles *shared, const eti_etrecord *record,
                              size_t method);

bool eti__shared_handles_have(const eti_shared_handles *shared, int64_t handle);

void eti__shared_handles_free(eti_shared_handles *shared);

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

/* Sets `*out` to the map of an instruction; NULL if the record has no map of it, or one that is not used or of a Vulkan delegate.
 * Returns false if memory runs out. */
bool eti__recorded_map_find(eti_recorded_nodes *recorded, const eti_etrecord *record, size_t method,
                            int32_t instruction, const eti_delegate_call **out);

/* Finds the entry of a map for the identifier of an event, and sets `*attribution`. Returns NULL if it finds no entry. */
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
 * An operator that is left over stands for the nodes left over between its neighbours; without
 * such nodes it belongs to the operator that gives its input. */

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

/* ==== native nodes ============================================================================ */
/* Finds the nodes of the exporter's graph that became the nodes of a native payload. They keep their
 * names, and the names of their weights; but an operator that the exporter made overwrite its input is
 * new, without a debug handle, and is found by the values that it takes. */

typedef struct eti_native_found {
    uint32_t node;       /* in the exporter's graph; ETI_NO_NODE: unknown */
    uint8_t attribution; /* an eti_attribution: exact, inferred, or that of the call */
} eti_native_found;

/* A name in the exporter's graph. */
typedef struct eti_native_named {
    eti_text name;
    uint32_t node, value;
} eti_native_named;

/* The nodes of a payload. */
typedef struct eti_native_of {
    const eti_native *payload; /* the key */
    const eti_native_found *found;
} eti_native_of;

typedef struct eti_native_nodes {
    const eti_graph *graph;
    const eti_graph_values *values;
    eti_arena arena; /* owns what was found */
    ETI_INTERN_OF(eti_native_named) names;
    ETI_INTERN_OF(eti_native_of) found;
    bool *is_taken;           /* per node: a payload has it */
    uint32_t *firsts, *users; /* per value: the nodes that take it */
    size_t work;
} eti_native_nodes;

/* Starts a search in a graph, which must outlive it. Returns false if memory runs out; free `out` in any case. */
bool eti__native_nodes_init(eti_native_nodes *out, const eti_graph *graph,
                            const eti_graph_values *values);

/* Returns what was found for each node of a payload. Each payload is searched once, and no two share a node. Returns NULL if
 * memory runs out. */
const eti_native_found *eti__native_nodes_find(eti_native_nodes *nodes, const eti_native *payload);

void eti__native_nodes_free(eti_native_nodes *nodes);

#endif
