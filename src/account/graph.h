/*
 * graph.h - turns a graph of the ETRecord into nodes with their inputs, their place in the model,
 * their backend and their times.
 */
#ifndef ETI_ACCOUNT_GRAPH_H
#define ETI_ACCOUNT_GRAPH_H

#include "account/account.h"
#include "account/options.h"
#include "base/arena.h"
#include "base/text.h"

/* An absent text or a NaN is unknown. */
typedef struct eti_timed_node {
    eti_text name; /* without the Inspector's "_" at the end */
    bool is_input; /* an input of the graph: has a name and a value only */
    /* Events that are no single node: has a name, an operator, a place and a time only */
    bool is_rest;
    eti_text op; /* "(input)" of an input */
    eti_text target;
    bool has_debug_handle;
    int64_t debug_handle;
    const char *dtype; /* of its first result, as is `shape`; NULL: not a tensor */
    eti_text shape;
    eti_text backend;       /* that the node was delegated to */
    eti_text module;        /* innermost module */
    bool has_several_lines; /* of `is_rest`: its nodes have, so that none is known */
    eti_text file;          /* in the user's code, as are `line` and `code` */
    uint32_t line;
    eti_text code;
    /* names of the nodes and inputs that it uses, in order, with repetitions */
    const eti_text *inputs;
    size_t n_inputs;
    double total;  /* time of Events of this node alone, target scale */
    double p50;    /* median of its sums per run */
    double share;  /* `total` as a share of the whole */
    double shared; /* time of Events of this node and others */
} eti_timed_node;

typedef struct eti_timed_graph {
    /* Inputs first, then nodes in graph order: n_nodes. Then n_rest that stand for all other Events: with them, totals
     * add up to the whole. */
    eti_timed_node *nodes;
    size_t n_nodes, n_rest;
    bool has_record; /* without an ETRecord there are no nodes */
    bool has_times;  /* it is the edge program, which Events refer to */
    eti_run_counts runs;
    size_t n_lists; /* number of sets of nodes that only have a time in common */
    eti_arena arena;
    struct eti_lowered_graph *lowered; /* owner of the texts; NULL: the inspector */
} eti_timed_graph;

/* Reads the graph options->graph. Only the edge program has times. The time of an Event that is one node
 * (event_nodes.h) counts in the node's `total`; that of an Event of several nodes, or of what a delegate did for them, in
 * the `shared` time of each. ETI_ERROR_USAGE: no such graph; any
 * status of reading the ETRecord; ETI_ERROR_MEMORY. Free `out` in any case, before the inspector is closed. */
eti_status eti__timed_graph_make(eti_timed_graph *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__timed_graph_free(eti_timed_graph *graph);

#endif
