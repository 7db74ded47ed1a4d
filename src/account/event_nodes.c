#include "account/event_nodes.h"

#include "base/text.h"

#include <string.h>

/* Kernels stand for a few nodes at most: lists that are longer are those of delegates. */
#define MOST_NODES_OF_KERNEL 64
/* Of an operator, bytes. */
#define LONGEST_NAME 256

/* The text between the first `skip` of dots and the next. */
static eti_text part_of(eti_text text, size_t skip) {
    if (text.size > LONGEST_NAME)
        return (eti_text){NULL, 0};
    while (text.size > 0) {
        const char *dot = memchr(text.data, '.', text.size);
        size_t size = dot ? (size_t)(dot - text.data) : text.size;
        if (skip-- == 0)
            return (eti_text){text.data, size};
        if (!dot)
            break;
        text = (eti_text){dot + 1, text.size - size - 1};
    }
    return (eti_text){NULL, 0};
}

/* "add" of native_call_add.out; absent where the name is of another kind. */
static eti_text kernel_of(const eti_event *event) {
    static const char prefix[] = "native_call_";
    const size_t size = sizeof prefix - 1;
    if (event->name.size <= size || memcmp(event->name.data, prefix, size) != 0)
        return (eti_text){NULL, 0};
    return part_of((eti_text){event->name.data + size, event->name.size - size}, 0);
}

static const eti_graph_node *node_at(const eti_event_nodes *nodes, size_t i) {
    return (const eti_graph_node *)(const void *)nodes->all[i];
}

bool eti__event_nodes_have(const eti_event_nodes *nodes, size_t i) {
    return !nodes->kernel.data ||
           eti__text_equal(part_of(node_at(nodes, i)->op_type, 1), nodes->kernel);
}

eti_event_nodes eti__event_nodes(const eti_event *event) {
    const eti_event_record *record = event->known;
    eti_event_nodes nodes = {.all = record->op_nodes, .n = record->n_op_nodes};
    if (record->is_first_node && nodes.n > 1)
        nodes.n = 1;
    if (nodes.n < 2 || nodes.n > MOST_NODES_OF_KERNEL)
        return nodes;
    nodes.kernel = kernel_of(event);
    size_t n_kernel = 0;
    for (size_t i = 0; i < nodes.n && nodes.kernel.data && n_kernel == 0; i++)
        n_kernel += eti__event_nodes_have(&nodes, i);
    if (n_kernel == 0)
        nodes.kernel = (eti_text){NULL, 0};
    return nodes;
}

const eti_graph_node *eti__event_nodes_single(const eti_event_nodes *nodes) {
    const eti_graph_node *found = NULL;
    if (nodes->n > MOST_NODES_OF_KERNEL)
        return NULL;
    for (size_t i = 0; i < nodes->n; i++) {
        if (!eti__event_nodes_have(nodes, i))
            continue;
        if (found)
            return NULL;
        found = node_at(nodes, i);
    }
    return found;
}

eti_text eti__event_nodes_op(const eti_event_nodes *nodes) {
    const eti_text none = {NULL, 0};
    const eti_graph_node *found = NULL;
    if (nodes->n > MOST_NODES_OF_KERNEL)
        return none;
    for (size_t i = 0; i < nodes->n; i++) {
        const eti_graph_node *node = node_at(nodes, i);
        if (!eti__event_nodes_have(nodes, i))
            continue;
        if (found &&
            (node->op_type.size > LONGEST_NAME || !eti__text_equal(found->op_type, node->op_type)))
            return none;
        found = node;
    }
    return found ? found->op_type : none;
}
