/*
 * module_tree.h - turns modules and the times of their events into a tree, with the children of
 * each module ordered by time, most expensive first.
 *
 * With `folds_layers`, modules of one type whose names differ only by a number are shown as one
 * module: layers.0 and layers.1 become layers.*, and modules inside them with equal names are shown
 * as one, too. Their times are added.
 */
#ifndef ETI_ROLLUP_MODULE_TREE_H
#define ETI_ROLLUP_MODULE_TREE_H

#include "base/arena.h"
#include "places/places.h"
#include "rollup/rollup.h"

typedef struct eti_tree_module {
    uint32_t parent; /* ETI_PREFIX_ROOT for the model */
    /* number of modules that it stands for; 0 if another module stands for this one */
    uint32_t n_same;
    bool is_layers; /* these modules differ by a number, which is "*" in `name` */
    eti_text name;  /* its path; for the model, its type */
    eti_text path;  /* absent for the model */
    eti_text type;
    eti_ticks self;
    eti_group all; /* totals including the modules inside it, without runs */
    /* range in tree->groups, including the groups of the modules inside it */
    size_t first_group, n_groups;
    /* range in tree->children, without modules that have no events */
    size_t first_child, n_children;
} eti_tree_module;

typedef struct eti_module_tree {
    eti_tree_module *modules; /* by index into places->modules */
    size_t n_modules;
    uint32_t *children; /* modules; the children of one parent are adjacent */
    /* groups of the rollup: each module's own groups, followed by those of the modules inside it */
    uint32_t *groups;
    uint32_t *stand_ins; /* per module of the places: the module that stands for it */
    eti_arena arena;     /* owns the names with a "*" */
} eti_module_tree;

/* Makes the tree. The Events of module n of the places are in group `first_group` + n - 1 of the rollup. Places and
 * rollup must outlive the tree. Returns false if memory runs out; free `out` in any case. */
bool eti__module_tree_make(eti_module_tree *out, const eti_places *places, const eti_rollup *rollup,
                           uint32_t first_group, bool folds_layers);
/* Returns the name without the path of the enclosing module: "qkv" for "attention.qkv" in "attention"; the whole name
 * if it does not begin with that path. */
eti_text eti__module_name_inside(eti_text name, eti_text path);

void eti__module_tree_free(eti_module_tree *tree);

#endif
