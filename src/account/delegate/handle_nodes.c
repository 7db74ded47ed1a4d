#include "account/delegate/handle_nodes.h"

#include "account/delegate/xnnpack_kinds.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const eti_handle_node *x = a, *y = b;
    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

bool eti__handle_nodes_init(eti_handle_nodes *nodes, const eti_graph *graph) {
    *nodes = (eti_handle_nodes){.graph = graph};
    nodes->by_handle = malloc((graph->n_nodes + 1) * sizeof *nodes->by_handle);
    if (!nodes->by_handle)
        return false;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (eti__graph_has_handle(graph, i))
            nodes->by_handle[nodes->n++] =
                (eti_handle_node){graph->nodes[i].debug_handle, (uint32_t)i};
    }
    qsort(nodes->by_handle, nodes->n, sizeof *nodes->by_handle, compare);
    return true;
}

void eti__handle_nodes_free(eti_handle_nodes *nodes) {
    free(nodes->by_handle);
    eti__intern_free(&nodes->found.table);
    *nodes = (eti_handle_nodes){0};
}

/* The first place whose handle is not below. */
static size_t lower_bound(const eti_handle_nodes *nodes, int64_t handle) {
    size_t low = 0, high = nodes->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (nodes->by_handle[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Looks among the nodes from number `from` on. */
static const eti_graph_node *search_from(const eti_handle_nodes *nodes, size_t from, int64_t handle,
                                         uint8_t kind) {
    const eti_graph_node *first = NULL, *working = NULL, *fitting = NULL;
    size_t at = lower_bound(nodes, handle);
    for (; at < nodes->n && nodes->by_handle[at].handle == handle; at++) {
        if (nodes->by_handle[at].node < from)
            continue;
        const eti_graph_node *node = &nodes->graph->nodes[nodes->by_handle[at].node];
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

/* Nodes of lowered modules go first: those of the graph around them ran as kernels, and may share the handle. */
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
