/*
 * timed_graph.h - the nodes of a graph with their inputs, their place in the model, their backend and their times.
 */
#ifndef ETI_ACCOUNT_GRAPH_TIMED_GRAPH_H
#define ETI_ACCOUNT_GRAPH_TIMED_GRAPH_H

#include "account/account.h"
#include "account/gap.h"
#include "base/arena.h"
#include "base/text.h"

/* A module, or a call of a delegate with the modules in it, identified by its path. */
typedef struct eti_timed_module {
    uint32_t parent; /* a lower number; 0: none */
    eti_text name;   /* of the module, as nodes have it: "blocks.0.q" */
    eti_text part;   /* what the name adds to the parent's: "q"; empty: the model itself */
    bool is_call;    /* a call of a delegate, and no module */
} eti_timed_module;

/* An absent text or a NaN is unknown. */
typedef struct eti_timed_node {
    eti_text name;  /* without the Inspector's "_" at the end */
    bool is_input;  /* an input of the graph: has only a name and a value */
    bool is_weight; /* an input: a parameter, a buffer or a constant of the model */
    /* Events that are not a single node: has only a name, an operator, a place and a time */
    bool is_rest;
    eti_text op; /* "(input)" of an input */
    eti_text target;
    bool has_debug_handle;
    int64_t debug_handle;
    const char *dtype; /* of its first result, as is `shape`; NULL: not a tensor */
    eti_text shape;
    eti_text backend;       /* that the node was delegated to */
    uint32_t call;          /* node: the call of a delegate that it is part of; ETI_NO_NODE: none */
    bool is_call;           /* nodes behind it are what it calls */
    eti_text module;        /* innermost module */
    uint32_t module_number; /* in graph->modules; 0: none */
    bool has_several_lines; /* of `is_rest`: its nodes have, so that none is known */
    eti_text file;          /* in the user's code, as are `line` and `code` */
    uint32_t line;
    eti_text code;
    /* names of the nodes and inputs that it uses, in order, with repetitions */
    const eti_text *inputs;
    const uint32_t *input_nodes; /* their numbers; ETI_NO_NODE: not known */
    size_t n_inputs;
    double total;     /* time of Events of this node alone, target scale */
    double p50;       /* median of its sums per run */
    double share;     /* `total` as a share of the whole */
    double shared;    /* time of Events of this node and others */
    uint32_t lowered; /* its number in graph->lowered; ETI_NO_NODE: an input, or `is_rest` */
    eti_gap gap;      /* of its results, where graph->has_gaps */
} eti_timed_node;

typedef struct eti_timed_graph {
    /* Inputs come first, then nodes in graph order, each call followed by the nodes that it stands
     * for: n_nodes in all. They are followed by n_rest nodes that stand for all other Events, so
     * that totals add up to the whole. */
    eti_timed_node *nodes;
    size_t n_nodes, n_rest;
    eti_text name; /* of the method, or of another graph of the ETRecord; absent without one */
    const eti_timed_module *modules; /* the first stands for none */
    size_t n_modules;
    bool has_record; /* without an ETRecord there are no nodes */
    bool has_times;  /* it is the edge program, which Events refer to */
    bool has_gaps;   /* results were compared with those of a reference */
    eti_run_counts runs;
    size_t n_lists; /* number of sets of nodes of which only a common time is known */
    eti_arena arena;
    bool shows_weights;                /* in drawings */
    struct eti_lowered_graph *lowered; /* owner of the texts; NULL: the inspector */
} eti_timed_graph;

#endif
