/*
 * module_tree.h - turns modules and the times of their events into a tree: each module with what is inside it, the most
 * expensive first.
 *
 * With `folds_layers`, modules of one type whose names differ only by a number are shown as one
 * module: layers.0 and layers.1 become layers.*, and modules of equal names inside them are shown
 * as one, too. Their times are added.
 */
#ifndef ETI_ACCOUNT_PLACES_MODULE_TREE_H
#define ETI_ACCOUNT_PLACES_MODULE_TREE_H

#include "account/places/places.h"
#include "account/rollup.h"

typedef struct eti_tree_module {
    uint32_t parent; /* the model's: ETI_PREFIX_ROOT */
    uint32_t
        n_same; /* number of modules that it stands for; 0: another module stands for this one */
    bool is_layers; /* these differ by a number, which is "*" in `name` */
    eti_text name;  /* its path; of the model, its type */
    eti_text path;  /* absent: the model */
    eti_text type;
    eti_ticks self;
    eti_group all;                  /* with the modules inside; without runs */
    size_t first_group, n_groups;   /* in tree->groups, with those of the modules inside */
    size_t first_child, n_children; /* in tree->children; without those that have no events */
} eti_tree_module;

typedef struct eti_module_tree {
    eti_tree_module *modules; /* by number in places->modules */
    size_t n_modules;
    uint32_t *children; /* modules, those of one parent together */
    uint32_t
        *groups; /* of the rollup: each module's own, followed by those of the modules inside it */
    uint32_t *stand_ins; /* per module of the places: the one that stands for it */
    eti_arena arena;     /* of names with a "*" */
} eti_module_tree;

/* Makes the tree. Events of module n of the places are in group `first_group` + n - 1 of the rollup. Places and rollup
 * must outlive the tree. False: out of memory; free `out` in any case. */
bool eti__module_tree_make(eti_module_tree *out, const eti_places *places, const eti_rollup *rollup,
                           uint32_t first_group, bool folds_layers);
/* Returns the name without the path of the module around it: "qkv" for "attention.qkv" in
 * "attention"; the whole name if it does not begin with that path. */
eti_text eti__module_name_inside(eti_text name, eti_text path);

void eti__module_tree_free(eti_module_tree *tree);

#endif
