/*
 * handle_nodes.h - finds the edge-program node from which a node of a delegate's payload was made:
 * a node with the same debug handle; if there are several, one with a fitting operator.
 */
#ifndef ETI_ACCOUNT_DELEGATE_HANDLE_NODES_H
#define ETI_ACCOUNT_DELEGATE_HANDLE_NODES_H

#include "base/intern.h"
#include "model/associate.h"
#include "model/handle_index.h"
#include "read/pte/xnnpack.h"

/* Node found for a handle and a kind of node. */
typedef struct eti_found_node {
    int64_t handle;
    uint64_t kind; /* an eti_xnnpack_kind */
    const eti_graph_node *node;
} eti_found_node;

/* Initialize to all zeros. */
typedef struct eti_handle_nodes {
    const eti_graph *graph;
    eti_handle_index by_handle;
    ETI_INTERN_OF(eti_found_node) found;
} eti_handle_nodes;

/* Makes the index of a graph, which must outlive the index. Returns false if memory runs out. */
bool eti__handle_nodes_init(eti_handle_nodes *nodes, const eti_graph *graph);
void eti__handle_nodes_free(eti_handle_nodes *nodes);

/* Finds a node with this handle. Prefers a node whose operator becomes a node of this kind, one with a stack trace
 * first; then the first that does more than quantize; then the first. Sets `*out` to NULL if no node has the handle.
 * Returns false if memory runs out. */
bool eti__handle_nodes_find(eti_handle_nodes *nodes, int64_t handle, uint8_t kind,
                            const eti_graph_node **out);

/* Sets `*out` to whether the handles of a payload lead to nodes with its operators; in the ETRecord of another export, the
 * same numbers lead to other nodes. Returns false if memory runs out. */
bool eti__handle_nodes_fit(eti_handle_nodes *nodes, const eti_xnnpack *payload, bool *out);

#endif
