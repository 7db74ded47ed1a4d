/*
 * handle_nodes.h - finds the edge-program nodes from which a node of a delegate's payload may have
 * been made: nodes with the same debug handle and a fitting operator.
 *
 * Handles are those of the program before decomposition, so all steps of an LSTM share one. Nodes
 * that ran as kernels are left out. If several nodes remain, node_order.h may distinguish them.
 */
#ifndef ETI_PLACES_HANDLE_NODES_H
#define ETI_PLACES_HANDLE_NODES_H

#include "backends/backends.h"
#include "base/arena.h"
#include "base/intern.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "places/node_order.h"
#include "pte/pte.h"

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
    size_t order_work; /* see node_order.h */
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
 * same numbers; if there are none, those that do more than quantize; otherwise all. Returns NULL if memory runs out. */
eti_node_class *eti__handle_nodes_find(eti_handle_nodes *nodes, const eti_lowered_module *module,
                                       const eti_xnnpack_node *node);

/* Returns the only node of the class that can be number `place` of those that ran, in order of execution; NULL if there
 * are several. Sets `*failed` if memory runs out. */
const eti_op_node *eti__handle_nodes_at(eti_handle_nodes *nodes, eti_node_class *of, size_t place,
                                        bool *failed);

/* Sets `*out` to whether the handles of a payload lead to nodes with its operators; in the ETRecord of another export, the
 * same numbers lead to other nodes. Returns false if memory runs out. */
bool eti__handle_nodes_fit(eti_handle_nodes *nodes, const eti_lowered_module *module,
                           const eti_xnnpack *payload, bool *out);

/* Compares two debug handles, for qsort() and bsearch(). */
int eti__compare_handles(const void *a, const void *b);

/* Sets `*out` to whether the handles that the record lists for a call, at least one, include all handles of its payload.
 * Returns false if memory runs out. */
bool eti__payload_is_listed(const eti_xnnpack *payload, const eti_debug_handles *listed, bool *out);

#endif
