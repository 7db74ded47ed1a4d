#include "base/prefix_tree.h"

#include "base/array.h"

#include <stdlib.h>

bool eti_prefix_tree_init(eti_prefix_tree *tree) {
    if (!ETI_GROW(tree->nodes, tree->capacity, 1))
        return false;
    tree->nodes[0] = (eti_prefix_node){.parent = ETI_PREFIX_ROOT};
    tree->n_nodes = 1;
    return true;
}

static uint64_t hash_of(uint32_t parent, uint32_t item) {
    return eti_hash_mix(eti_hash_mix(0, parent), item);
}

/* Where two jumps of the same length meet, one of twice the length begins. */
static uint32_t jump_of_child(const eti_prefix_tree *tree, uint32_t parent) {
    const eti_prefix_node *p = &tree->nodes[parent];
    const eti_prefix_node *q = &tree->nodes[p->jump];
    uint32_t first = p->depth - q->depth;
    uint32_t second = q->depth - tree->nodes[q->jump].depth;
    return first == second ? q->jump : parent;
}

bool eti_prefix_tree_add(eti_prefix_tree *tree, uint32_t parent, uint32_t item, uint32_t *out) {
    uint64_t hash = hash_of(parent, item);
    eti_index_cursor cursor = eti_index_start(&tree->index, hash);
    while ((*out = eti_index_next(&tree->index, &cursor)) != ETI_INDEX_END) {
        if (tree->nodes[*out].parent == parent && tree->nodes[*out].item == item)
            return true;
    }
    size_t n = tree->n_nodes;
    if (n >= ETI_INDEX_END - 1 || !ETI_GROW(tree->nodes, tree->capacity, n + 1) ||
        !eti_index_add(&tree->index, hash, (uint32_t)n))
        return false;
    tree->nodes[n] = (eti_prefix_node){
        .parent = parent,
        .jump = jump_of_child(tree, parent),
        .depth = tree->nodes[parent].depth + 1,
        .item = item,
    };
    *out = (uint32_t)n;
    tree->n_nodes++;
    return true;
}

uint32_t eti_prefix_tree_cut(const eti_prefix_tree *tree, uint32_t node, uint32_t depth) {
    const eti_prefix_node *nodes = tree->nodes;
    while (nodes[node].depth > depth) {
        uint32_t jump = nodes[node].jump;
        node = nodes[jump].depth >= depth ? jump : nodes[node].parent;
    }
    return node;
}

uint32_t eti_prefix_tree_common(const eti_prefix_tree *tree, uint32_t a, uint32_t b) {
    const eti_prefix_node *nodes = tree->nodes;
    if (a == b)
        return a;
    a = eti_prefix_tree_cut(tree, a, nodes[b].depth);
    b = eti_prefix_tree_cut(tree, b, nodes[a].depth);
    while (a != b) {
        bool far = nodes[a].jump != nodes[b].jump;
        a = far ? nodes[a].jump : nodes[a].parent;
        b = far ? nodes[b].jump : nodes[b].parent;
    }
    return a;
}

void eti_prefix_tree_free(eti_prefix_tree *tree) {
    free(tree->nodes);
    eti_index_free(&tree->index);
    *tree = (eti_prefix_tree){0};
}
