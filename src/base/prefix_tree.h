/*
 * prefix_tree.h - turns paths (of modules, of stack frames, of whatever is numbered) into nodes of a tree, so
 * that two paths begin alike as far as their nodes have a common ancestor.
 *
 * It is found in a logarithm of the depth, for files may hold paths of any length, and lists of them.
 */
#ifndef ETI_BASE_PREFIX_TREE_H
#define ETI_BASE_PREFIX_TREE_H

#include "base/intern.h"

/* The empty path. */
#define ETI_PREFIX_ROOT 0

typedef struct eti_prefix_node {
    uint32_t parent; /* of the root: itself */
    uint32_t item;   /* the last of the path; of the root: ETI_INDEX_END */
    uint32_t jump;   /* an ancestor far above, as in a skew-binary list */
    uint32_t depth;  /* of the root: 0 */
} eti_prefix_node;

/* Starts as all zeros. Parents have lower numbers than their children. */
typedef union eti_prefix_tree {
    eti_intern table;
    struct {
        eti_prefix_node *nodes; /* the root is there once anything is */
        size_t n_nodes;
    };
} eti_prefix_tree;

/* Makes the root; false when memory is out. */
bool eti__prefix_tree_init(eti_prefix_tree *tree);

/* The path of `parent` and one item more, which is made when it is new; false when memory is out. */
bool eti__prefix_tree_add(eti_prefix_tree *tree, uint32_t parent, uint32_t item, uint32_t *out);

/* How both paths begin. */
uint32_t eti__prefix_tree_common(const eti_prefix_tree *tree, uint32_t a, uint32_t b);

/* The first `depth` items of the path; the path itself when it is not longer. */
uint32_t eti__prefix_tree_cut(const eti_prefix_tree *tree, uint32_t node, uint32_t depth);

void eti__prefix_tree_free(eti_prefix_tree *tree);

#endif
