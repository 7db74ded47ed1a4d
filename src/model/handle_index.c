#include "model/handle_index.h"

#include <stdlib.h>

static int compare_nodes(const void *a, const void *b) {
    const eti_handle_node *x = a, *y = b;
    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

bool eti__handle_index_init(eti_handle_index *index, const eti_graph *graph) {
    *index = (eti_handle_index){.nodes = malloc((graph->n_nodes + 1) * sizeof *index->nodes)};
    if (!index->nodes)
        return false;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (eti__graph_has_handle(graph, i))
            index->nodes[index->n++] = (eti_handle_node){graph->nodes[i].debug_handle, (uint32_t)i};
    }
    qsort(index->nodes, index->n, sizeof *index->nodes, compare_nodes);
    return true;
}

void eti__handle_index_free(eti_handle_index *index) {
    free(index->nodes);
    *index = (eti_handle_index){0};
}

size_t eti__handle_index_first(const eti_handle_index *index, int64_t handle) {
    size_t low = 0, high = index->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->nodes[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
