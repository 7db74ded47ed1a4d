/*
 * node.h - the structs behind the public eti_graph_node, eti_op_node and eti_module.
 */
#ifndef ETI_READ_RECORD_NODE_H
#define ETI_READ_RECORD_NODE_H

#include "etinspect.h"

struct eti_module {
    eti_text key, path, type;
};

struct eti_op_node {
    eti_text name;
    eti_text stack_trace;      /* absent where the graph has none */
    const eti_module *modules; /* outermost first */
    size_t n_modules;
    bool has_modules; /* false: the graph has no module stack for this node (not an empty one) */
    /* Name of the node of the exported program that it comes from; absent: unknown, or what flows between nodes was not
     * read. */
    eti_text origin;
    const eti_op_node
        *served; /* the operator that a node without modules of its own serves; or NULL */
};

/* Whether a module is no part of the model, but what torch.export puts around it. Nodes that a quantizer inserts have no
 * other. */
bool eti__module_is_wrapper(const eti_module *module);

/* Whether a node was inserted into the model: its only module is a wrapper. */
bool eti__node_is_inserted(const eti_op_node *node);

/* Whether a node is in a module of the model. */
bool eti__node_has_own_modules(const eti_op_node *node);

struct eti_graph_node {
    eti_op_node node;
    eti_text op_type;
    eti_text target;
    /* Nodes whose values it takes, before it in the graph; none where this was not read. */
    const eti_graph_node *const *producers;
    uint32_t n_producers;
    bool has_debug_handle;
    int64_t debug_handle;
};

#endif
