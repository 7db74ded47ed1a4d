#include "etrecord/node.h"

#include "base/text.h"

/* The path of such a wrapper is, for example,
 * "torch.export._trace._non_strict_export.<locals>._tuplify_outputs.<locals>._aot_export_non_strict.<locals>.Wrapper". */
bool eti__module_is_wrapper(const eti_module *module) {
    const eti_text start = eti__text_of("torch.export."), end = eti__text_of(".<locals>.Wrapper");
    eti_text type = module->type;
    return module->path.size == 0 && type.size >= start.size + end.size &&
           memcmp(type.data + type.size - end.size, end.data, end.size) == 0 &&
           memcmp(type.data, start.data, start.size) == 0;
}

bool eti__node_is_inserted(const eti_op_node *node) {
    return node->n_modules == 1 && eti__module_is_wrapper(&node->modules[0]);
}

bool eti__node_has_own_modules(const eti_op_node *node) {
    return node->n_modules > 0 && !eti__node_is_inserted(node);
}

eti_text eti_module_key(const eti_module *module) {
    return module->key;
}

eti_text eti_module_path(const eti_module *module) {
    return module->path;
}

eti_text eti_module_type(const eti_module *module) {
    return module->type;
}

eti_text eti_op_node_name(const eti_op_node *node) {
    return node->name;
}

eti_text eti_op_node_stack_trace(const eti_op_node *node) {
    return node->stack_trace;
}

bool eti_op_node_has_modules(const eti_op_node *node) {
    return node->has_modules;
}

size_t eti_op_node_module_count(const eti_op_node *node) {
    return node->n_modules;
}

const eti_module *eti_op_node_module(const eti_op_node *node, size_t i) {
    return i < node->n_modules ? &node->modules[i] : NULL;
}

const eti_op_node *eti_graph_node_op_node(const eti_graph_node *node) {
    return &node->node;
}

eti_text eti_graph_node_op_type(const eti_graph_node *node) {
    return node->op_type;
}

eti_text eti_graph_node_target(const eti_graph_node *node) {
    return node->target;
}

bool eti_graph_node_debug_handle(const eti_graph_node *node, int64_t *out) {
    *out = node->has_debug_handle ? node->debug_handle : 0;
    return node->has_debug_handle;
}
