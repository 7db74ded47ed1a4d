/*
 * timed_graph.h - the nodes of a graph with their inputs, their place in the model, their backend and their times.
 */
#ifndef ETI_ROLLUP_TIMED_GRAPH_H
#define ETI_ROLLUP_TIMED_GRAPH_H

#include "account/account.h"
#include "base/arena.h"

/* A module, or a delegate call with the modules inside it, identified by its path. */
typedef struct eti_timed_module {
    uint32_t parent; /* number of the parent, always lower; 0: no parent */
    eti_text name;   /* name of the module as nodes have it, such as "blocks.0.q" */
    /* part of the name after the parent's, such as "q"; empty for the model itself */
    eti_text part;
    bool is_call; /* it is a delegate call, not a module */
} eti_timed_module;

/* A node with times. Unknown texts are absent and unknown numbers are NaN. */
typedef struct eti_timed_node {
    eti_text name;  /* name without the "_" that the Inspector appends */
    bool is_input;  /* it is an input of the graph, with only a name and a value */
    bool is_weight; /* it is an input that is a parameter, a buffer or a constant of the model */
    /* it stands for Events that are not a single node, with only a name, an operator, a place and a time */
    bool is_rest;
    bool is_other_method; /* for `is_rest`: it stands for all Events of another method */
    eti_text op;          /* "(input)" for an input */
    eti_text target;
    bool has_debug_handle;
    int64_t debug_handle;
    const char *dtype; /* type of its first result, as is `shape`; NULL if that is not a tensor */
    eti_text shape;
    eti_text backend; /* backend that the node was delegated to */
    uint32_t call;    /* node of the delegate call that contains it; ETI_NO_NODE if there is none */
    bool is_call;     /* the nodes after it are those that it calls */
    eti_text module;  /* innermost module */
    uint32_t module_number; /* index into graph->modules; 0: no module */
    bool has_several_lines; /* for `is_rest`: its nodes have different lines, so no line is known */
    eti_text file;          /* file of the user's code, as are `line` and `code` */
    uint32_t line;
    eti_text code;
    /* names of the nodes and inputs that it uses, in order, with repetitions */
    const eti_text *inputs;
    const uint32_t *input_nodes; /* numbers of these; ETI_NO_NODE if unknown */
    size_t n_inputs;
    double total;     /* time of Events of this node alone, in the target scale */
    double p50;       /* median of its sums per run */
    double share;     /* `total` as a share of the whole */
    double shared;    /* time of Events that it shares with other nodes */
    uint32_t lowered; /* index into graph->lowered; ETI_NO_NODE for an input or `is_rest` */
    eti_gap gap;      /* gap of its results, if graph->has_gaps */
} eti_timed_node;

typedef struct eti_timed_graph {
    /* Inputs come first, then the other nodes in graph order, with each call followed by the nodes that it stands
     * for: n_nodes in total. Then come n_rest nodes that stand for all other Events, so that totals add up to the
     * whole. */
    eti_timed_node *nodes;
    size_t n_nodes, n_rest;
    /* name of the method, or of another graph of the ETRecord; absent without an ETRecord */
    eti_text name;
    bool is_of_several_methods;      /* the record or the program has further methods */
    const eti_timed_module *modules; /* the first stands for no module */
    size_t n_modules;
    bool has_record; /* false: without an ETRecord there are no nodes */
    bool has_times;  /* it is the edge program, which the Events refer to */
    bool has_gaps;   /* results were compared with those of a reference */
    eti_run_counts runs;
    size_t n_lists; /* number of sets of nodes with only a common time */
    eti_arena arena;
    bool shows_weights;                /* whether drawings show weights */
    struct eti_lowered_graph *lowered; /* owner of the texts; NULL if the inspector owns them */
} eti_timed_graph;

#endif
