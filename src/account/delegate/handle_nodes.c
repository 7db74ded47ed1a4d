#include "account/delegate/handle_nodes.h"

#include "account/delegate/xnnpack_kinds.h"

bool eti__handle_nodes_init(eti_handle_nodes *nodes, const eti_graph *graph) {
    *nodes = (eti_handle_nodes){.graph = graph};
    return eti__handle_index_init(&nodes->by_handle, graph);
}

void eti__handle_nodes_free(eti_handle_nodes *nodes) {
    eti__handle_index_free(&nodes->by_handle);
    eti__intern_free(&nodes->found.table);
    *nodes = (eti_handle_nodes){0};
}

/* Searches the nodes from number `from` on. */
static const eti_graph_node *search_from(const eti_handle_nodes *nodes, size_t from, int64_t handle,
                                         uint8_t kind) {
    const eti_graph_node *first = NULL, *working = NULL, *fitting = NULL;
    const eti_handle_index *index = &nodes->by_handle;
    size_t at = eti__handle_index_first(index, handle);
    for (; at < index->n && index->nodes[at].handle == handle; at++) {
        if (index->nodes[at].node < from)
            continue;
        const eti_graph_node *node = &nodes->graph->nodes[index->nodes[at].node];
        bool fits = eti__xnnpack_kind_is_of(kind, node->op_type);
        if (fits && node->node.stack_trace.data)
            return node;
        fitting = fitting || !fits ? fitting : node;
        first = first ? first : node;
        if (!working && !eti__is_quantizing(node->op_type))
            working = node;
    }
    if (fitting)
        return fitting;
    return working ? working : first;
}

/* Searches the nodes of lowered modules first: the nodes of the graph around them ran as kernels, and may share the
 * handle. */
static const eti_graph_node *search(const eti_handle_nodes *nodes, int64_t handle, uint8_t kind) {
    const eti_graph *graph = nodes->graph;
    size_t n_around = graph->is_whole ? graph->n_nodes - graph->n_lowered : 0;
    const eti_graph_node *found = search_from(nodes, n_around, handle, kind);
    return found || n_around == 0 ? found : search_from(nodes, 0, handle, kind);
}

bool eti__handle_nodes_find(eti_handle_nodes *nodes, int64_t handle, uint8_t kind,
                            const eti_graph_node **out) {
    static const eti_intern_kind found_kind = {.item_size = sizeof(eti_found_node),
                                               .key_size = offsetof(eti_found_node, node)};
    size_t n_known = nodes->found.count;
    uint32_t number;
    *out = NULL;
    if (!nodes->graph)
        return true;
    if (!eti__intern_add(&nodes->found.table, &found_kind,
                         &(eti_found_node){.handle = handle, .kind = kind}, &number))
        return false;
    if (number == n_known)
        nodes->found.items[number].node = search(nodes, handle, kind);
    *out = nodes->found.items[number].node;
    return true;
}

/* A payload belongs to the record's export if at most one in this number of its nodes has another operator there; the
 * right payload has none. */
#define ONE_UNLIKE_IN 8u

/* Returns whether a node must become the operator that its handle leads to; nodes that lowering inserts or splits off
 * need not. */
static bool is_operator(const eti_xnnpack_node *node) {
    return node->has_handle && !node->is_inserted && !eti__xnnpack_kind_is_fusible(node->kind) &&
           eti__xnnpack_kind_name(node->kind).data;
}

bool eti__handle_nodes_fit(eti_handle_nodes *nodes, const eti_xnnpack *payload, bool *out) {
    size_t n = 0, n_unlike = 0;
    for (uint32_t i = 0; i < payload->n_nodes; i++) {
        const eti_xnnpack_node *node = &payload->nodes[i];
        const eti_graph_node *found = NULL;
        if (!is_operator(node))
            continue;
        if (!eti__handle_nodes_find(nodes, node->debug_handle, node->kind, &found))
            return false;
        n += found != NULL;
        n_unlike += found && !eti__xnnpack_kind_is_of(node->kind, found->op_type);
    }
    *out = n_unlike <= n / ONE_UNLIKE_IN;
    return true;
}
