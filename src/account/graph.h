/*
 * graph.h - turns a graph of the ETRecord into what its nodes compute from what, where in the model, on which backend, and
 * how long that took.
 */
#ifndef ETI_ACCOUNT_GRAPH_H
#define ETI_ACCOUNT_GRAPH_H

#include "account/options.h"
#include "base/arena.h"
#include "base/text.h"

/* Absent texts, and times that are NaN, are unknown. */
typedef struct eti_timed_node {
    eti_text name; /* without the Inspector's "_" at the end */
    bool is_input; /* of the graph, which has a name and a value alone */
    eti_text op;   /* "(input)" of an input */
    eti_text target;
    bool has_debug_handle;
    int64_t debug_handle;
    const char *dtype; /* of its first result, as is `shape`; NULL: no tensor */
    eti_text shape;
    eti_text backend; /* that took it */
    eti_text module;  /* the innermost */
    eti_text file;    /* of the user's code, as are `line` and `code` */
    uint32_t line;
    eti_text code;
    const eti_text
        *inputs; /* names of the nodes and inputs that it takes from, repeated as it takes them */
    size_t n_inputs;
    double total;  /* of events of this node alone, target scale */
    double share;  /* that of the whole */
    double shared; /* of events that stand for this node and others */
} eti_timed_node;

typedef struct eti_timed_graph {
    eti_timed_node *nodes; /* inputs first, then nodes in graph order */
    size_t n_nodes;
    bool has_record; /* without an ETRecord there are no nodes */
    bool has_times;  /* it is the edge program, which events refer to */
    size_t n_lists;  /* of nodes that have times in common only */
    eti_arena arena;
    struct eti_lowered_graph *lowered; /* that texts are borrowed from; NULL: somebody else's */
} eti_timed_graph;

/* Reads options->graph. Only the edge program has times, which are those of events that stand for one node; those that stand
 * for several are `shared` of each. ETI_ERROR_USAGE: there is no such graph; what reading the record can end with;
 * ETI_ERROR_MEMORY. To be freed in any case, before the inspector is closed. */
eti_status eti__timed_graph_make(eti_timed_graph *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__timed_graph_free(eti_timed_graph *graph);

#endif
