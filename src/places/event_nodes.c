#include "places/event_nodes.h"

#include "backends/backends.h"

/* Limit: Events other than kernels stand for a few nodes at most, so longer lists belong to delegates. */
#define MOST_NODES_OF_OP 64

static const eti_graph_node *node_at(const eti_event_nodes *nodes, size_t i) {
    return (const eti_graph_node *)(const void *)nodes->all[i];
}

eti_event_nodes eti__event_nodes(const eti_event *event) {
    const eti_event_record *record = event->known;
    size_t n = record->n_op_nodes, n_own = record->n_own_nodes;
    return (eti_event_nodes){record->op_nodes, n_own > 0 && n_own < n ? n_own : n};
}

const eti_graph_node *eti__event_nodes_single(const eti_event_nodes *nodes) {
    return nodes->n == 1 ? node_at(nodes, 0) : NULL;
}

eti_text eti__event_op(const eti_event *event) {
    const eti_text none = {NULL, 0};
    eti_event_nodes nodes = eti__event_nodes(event);
    if (event->known->own_op.data)
        return event->known->own_op;
    if (nodes.n == 0 || nodes.n > MOST_NODES_OF_OP)
        return none;
    eti_text op = node_at(&nodes, 0)->op_type;
    for (size_t i = 1; i < nodes.n; i++) {
        if (op.size > ETI_LONGEST_OPERATOR || !eti__text_equal(op, node_at(&nodes, i)->op_type))
            return none;
    }
    return op;
}
