/*
 * stacks.h - turns an inspector into a profile by stack: the self time of every operator below its
 * method and its modules, as flame graphs and profilers show it.
 *
 * A stack is the method, its modules from the outside to the inside, and the operator. An event
 * that a delegate logged is below the module of its node if that is known, otherwise below the
 * module of its call. Time that belongs to no operator is below the method, as "(framework) around
 * operators" or "(framework) between instructions", or below the module of its call, as
 * "(XnnpackBackend) not logged". Only runs that count are included (see account/account.h), so the times of
 * all stacks add up to the whole of the rollup.
 *
 * A module has its name inside the enclosing module, such as "q" in "blocks.0"; if that is a number
 * or a "*", the last part of the enclosing module's name precedes it, as in "mlp.0". Modules more
 * than ETI_MOST_STACK_MODULES levels below the model are replaced by the modules around them.
 */
#ifndef ETI_TIMELINE_STACKS_H
#define ETI_TIMELINE_STACKS_H

#include "account/account.h"
#include "base/arena.h"
#include "base/intern.h"
#include "model/model.h"
#include "places/places.h"
#include "rollup/rollup.h"

#define ETI_MOST_STACK_MODULES 100
#define ETI_STACK_ROOT 0 /* the node around the methods, which has no function */

/* A distinct name in stacks. */
typedef struct eti_stack_function {
    eti_text name;
    /* file of the line that all stacks ending in it have in common; absent if there is none */
    eti_text file;
    uint32_t line;
    bool has_lines; /* whether stacks ending in it have lines, equal or not */
} eti_stack_function;

/* A prefix of stacks. Parents have lower numbers. */
typedef struct eti_stack_node {
    uint32_t parent;
    uint32_t function;
    uint32_t depth; /* number of functions, including this one */
} eti_stack_node;

/* Stacks that end in the same node are adjacent; they differ in their line or backend. */
typedef struct eti_stack {
    uint32_t node;
    uint32_t line;
    eti_text file;    /* file of the line in the source; absent if unknown */
    eti_text backend; /* backend of a delegate; absent if unknown or none */
    eti_text method;
    uint64_t n_events; /* number of profile events */
    uint64_t ns;       /* self time; cycles of an unknown clock count as 1 ns */
} eti_stack;

/* Borrows from the inspector. */
typedef struct eti_stacks {
    ETI_INTERN_OF(eti_stack_function) functions;
    ETI_INTERN_OF(eti_stack_node) nodes;
    eti_stack *items; /* depth first, in the order in which nodes appear in the runs */
    size_t n;
    uint64_t total; /* in ns; at most INT64_MAX */
    bool is_in_cycles;
    eti_rollup rollup; /* its groups are stacks */
    eti_places places;
    eti_module_tree modules;
    eti_arena arena; /* owns names */
} eti_stacks;

/* Source of the stacks; a report holds it until it is written. */
typedef struct eti_stack_source {
    const eti_inspector *inspector;
    eti_view_options options; /* folds_layers is described in rollup/rollup.h */
    uint64_t most_text;       /* limit for the total size of the names of all stacks; 0: no limit */
    /* Whether Event i of block k is left out, at first_event[k] + i; NULL leaves out no Event. */
    const bool *is_left_out;
    const size_t *first_event;
} eti_stack_source;

/* Makes the stacks of the blocks that the options select. Fails with ETI_ERROR_MEMORY or ETI_ERROR_LIMIT; free `out`
 * in any case. */
eti_status eti__stacks_make(eti_stacks *out, const eti_stack_source *source,
                            eti_error *err) ETI_WARN_UNUSED;
void eti__stacks_free(eti_stacks *stacks);

/* Stores the nodes of a stack in `path`, beginning with the method. Returns the number of nodes, at most
 * ETI_MOST_STACK_DEPTH. */
#define ETI_MOST_STACK_DEPTH (ETI_MOST_STACK_MODULES + 3)
size_t eti__stack_path(const eti_stacks *stacks, uint32_t node,
                       uint32_t path[ETI_MOST_STACK_DEPTH]);

static inline eti_text eti__stack_name(const eti_stacks *stacks, uint32_t node) {
    return stacks->functions.items[stacks->nodes.items[node].function].name;
}

/* Returns the total size of the names of all stacks. */
uint64_t eti__stacks_text_size(const eti_stacks *stacks);

#endif
