/*
 * prefix_tree.h - turns paths (of modules, of stack frames, of any numbered items) into nodes of a
 * tree: the common beginning of two paths is the common ancestor of their nodes.
 *
 * Finding it takes time in the logarithm of the depth, because files may hold paths of any length,
 * and lists of them.
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
        eti_prefix_node *nodes; /* the root is there once any node is */
        size_t n_nodes;
    };
} eti_prefix_tree;

/* Makes the root; false: out of memory. */
bool eti__prefix_tree_init(eti_prefix_tree *tree);

/* Finds the path that is `parent` and one more item, and adds it if it is new; false: out of
 * memory. */
bool eti__prefix_tree_add(eti_prefix_tree *tree, uint32_t parent, uint32_t item, uint32_t *out);

/* Returns the longest common beginning of both paths. */
uint32_t eti__prefix_tree_common(const eti_prefix_tree *tree, uint32_t a, uint32_t b);

/* Returns the first `depth` items of the path, or the path itself if it is not longer. */
uint32_t eti__prefix_tree_cut(const eti_prefix_tree *tree, uint32_t node, uint32_t depth);

void eti__prefix_tree_free(eti_prefix_tree *tree);

#endif
