#include "base/prefix_tree.h"

#include <stddef.h>

static const eti_intern_kind node_kind = {.item_size = sizeof(eti_prefix_node),
                                          .key_size = offsetof(eti_prefix_node, jump)};

bool eti__prefix_tree_init(eti_prefix_tree *tree) {
    uint32_t root;
    return eti__intern_add(&tree->table, &node_kind,
                           &(eti_prefix_node){ETI_PREFIX_ROOT, ETI_INDEX_END, 0, 0}, &root);
}

/* Computes the jump of a new child of `parent`: two jumps of equal length that meet are followed by one of twice the
 * length. */
static uint32_t jump_of_child(const eti_prefix_tree *tree, uint32_t parent) {
    const eti_prefix_node *p = &tree->nodes[parent];
    const eti_prefix_node *q = &tree->nodes[p->jump];
    uint32_t first = p->depth - q->depth;
    uint32_t second = q->depth - tree->nodes[q->jump].depth;
    return first == second ? q->jump : parent;
}

bool eti__prefix_tree_add(eti_prefix_tree *tree, uint32_t parent, uint32_t item, uint32_t *out) {
    eti_prefix_node node = {parent, item, jump_of_child(tree, parent),
                            tree->nodes[parent].depth + 1};
    return eti__intern_add(&tree->table, &node_kind, &node, out);
}

uint32_t eti__prefix_tree_cut(const eti_prefix_tree *tree, uint32_t node, uint32_t depth) {
    const eti_prefix_node *nodes = tree->nodes;
    while (nodes[node].depth > depth) {
        uint32_t jump = nodes[node].jump;
        node = nodes[jump].depth >= depth ? jump : nodes[node].parent;
    }
    return node;
}

uint32_t eti__prefix_tree_common(const eti_prefix_tree *tree, uint32_t a, uint32_t b) {
    const eti_prefix_node *nodes = tree->nodes;
    if (a == b)
        return a;
    a = eti__prefix_tree_cut(tree, a, nodes[b].depth);
    b = eti__prefix_tree_cut(tree, b, nodes[a].depth);
    while (a != b) {
        bool far = nodes[a].jump != nodes[b].jump;
        a = far ? nodes[a].jump : nodes[a].parent;
        b = far ? nodes[b].jump : nodes[b].parent;
    }
    return a;
}

void eti__prefix_tree_free(eti_prefix_tree *tree) {
    eti__intern_free(&tree->table);
}
