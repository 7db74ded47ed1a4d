/*
 * node.h - the structs behind the public eti_graph_node, eti_op_node and eti_module.
 */
#ifndef ETI_ETRECORD_NODE_H
#define ETI_ETRECORD_NODE_H

#include "etinspect.h"

struct eti_module {
    eti_text key, path, type;
};

struct eti_op_node {
    eti_text name;
    eti_text stack_trace;      /* absent if the graph has none */
    const eti_module *modules; /* outermost first */
    size_t n_modules;
    bool
        has_modules; /* false if the graph has no module stack for this node (which is not the same as an empty one) */
    /* Name of the exported program's node that it comes from; absent if unknown, or if values were not read. */
    eti_text origin;
    const eti_op_node *served; /* operator that a node without modules of its own serves, or NULL */
};

/* Returns whether a module is not part of the model but a wrapper added by torch.export. Nodes inserted by quantizers
 * have no other module. */
bool eti__module_is_wrapper(const eti_module *module);

/* Returns whether a node was inserted into the model: its only module is a wrapper. */
bool eti__node_is_inserted(const eti_op_node *node);

/* Returns whether a node is in a module of the model. */
bool eti__node_has_own_modules(const eti_op_node *node);

struct eti_graph_node {
    eti_op_node node;
    eti_text op_type;
    eti_text target;
    /* Nodes whose values it takes, all before it in the graph; none if this was not read. */
    const eti_graph_node *const *producers;
    uint32_t n_producers;
    bool has_debug_handle;
    int64_t debug_handle;
};

#endif
