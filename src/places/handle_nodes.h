/*
 * handle_nodes.h - finds the edge-program nodes from which a node of a delegate's payload may have
 * been made.
 */
#ifndef ETI_PLACES_HANDLE_NODES_H
#define ETI_PLACES_HANDLE_NODES_H

#include "backends/backends.h"
#include "base/arena.h"
#include "etinspect.h"
#include "places/places.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ==== handle nodes ============================================================================ */

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
static inline size_t eti__needs_words(size_t n) {
    return (n + 63) / 64;
}

static inline bool eti__needs(const uint64_t *row, size_t operator) {
    return (row[operator / 64] >> (operator % 64) & 1) != 0;
}

static inline void eti__needs_add(uint64_t *row, size_t operator) {
    row[operator / 64] |= (uint64_t)1 << (operator % 64);
}

/* Adds everything that another row marks. */
static inline void eti__needs_join(uint64_t *row, const uint64_t *other, size_t n_words) {
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
    const eti_op_node *node;  /* the node chosen; NULL if there are none or several */
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

/* ==== node order ============================================================================== */

/* Finds the nodes of a list, in graph order, with a known place. `*work` is the work of all searches so far, which is
 * limited; beyond the limit no place is known. Returns NULL if memory runs out. */
eti_node_order *eti__node_order_find(eti_arena *arena, const eti_op_node *const *nodes, size_t n,
                                     size_t *work);

/* ==== shared handles ========================================================================== */

/* Lists the handles, unless that was done before. Returns false if memory runs out. */
bool eti__shared_handles_list(eti_shared_handles *shared, const eti_etrecord *record,
                              size_t method);

bool eti__shared_handles_have(const eti_shared_handles *shared, int64_t handle);

void eti__shared_handles_free(eti_shared_handles *shared);

#endif
