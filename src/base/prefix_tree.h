/*
 * prefix_tree.h - turns paths (of modules, stack frames or other numbered items) into nodes of a tree: the common prefix of
 * two paths is the common ancestor of their nodes.
 *
 * Finding the ancestor takes time logarithmic in the depth, because files may contain paths of any length, and lists of
 * them.
 */
#ifndef ETI_BASE_PREFIX_TREE_H
#define ETI_BASE_PREFIX_TREE_H

#include "base/intern.h"

/* Number of the root, which is the empty path. */
#define ETI_PREFIX_ROOT 0

typedef struct eti_prefix_node {
    uint32_t parent; /* for the root, itself */
    uint32_t item;   /* last item of the path; ETI_INDEX_END for the root */
    uint32_t jump;   /* an ancestor far above, as in a skew-binary list */
    uint32_t depth;  /* 0 for the root */
} eti_prefix_node;

/* Starts as all zeros. Parents have lower numbers than their children. */
typedef union eti_prefix_tree {
    eti_intern table;
    struct {
        eti_prefix_node *nodes; /* contain the root as soon as they contain any node */
        size_t n_nodes;
    };
} eti_prefix_tree;

/* Creates the root. False: out of memory. */
bool eti__prefix_tree_init(eti_prefix_tree *tree);

/* Finds the path that consists of `parent` and one more item, adding it if it is new. False: out of memory. */
bool eti__prefix_tree_add(eti_prefix_tree *tree, uint32_t parent, uint32_t item, uint32_t *out);

/* Returns the longest common prefix of both paths. */
uint32_t eti__prefix_tree_common(const eti_prefix_tree *tree, uint32_t a, uint32_t b);

/* Returns the first `depth` items of the path, or the path itself if it is not longer. */
uint32_t eti__prefix_tree_cut(const eti_prefix_tree *tree, uint32_t node, uint32_t depth);

void eti__prefix_tree_free(eti_prefix_tree *tree);

#endif
