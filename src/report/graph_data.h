/*
 * graph_data.h - writes the drawings of a graph into the page's data block: one for each depth of modules that differs from
 * those before it, and one of all operators.
 *
 * Nodes have the numbers of rows of the table "nodes" of the view "graph"; a node that stands for a module lists the rows of
 * its members. Everything else is in columns of numbers, which layout.h explains.
 */
#ifndef ETI_REPORT_GRAPH_DATA_H
#define ETI_REPORT_GRAPH_DATA_H

#include "account/account.h"
#include "base/arena.h"
#include "base/json_writer.h"
#include "etinspect.h"
#include "report/layout.h"
#include "rollup/rollup.h"

/* ==== graph data ============================================================================== */

/* Adds an array of drawings, the drawing with the fewest nodes first; nothing if the graph has no nodes. A drawing that
 * would be too large is replaced by the reason. With `leaves_out_large`, so is the drawing of all operators, unless it is
 * the only one. ETI_ERROR_MEMORY. */
eti_status eti__graph_data_add(eti_json_writer *json, const eti_timed_graph *graph,
                               bool leaves_out_large, eti_error *err) ETI_WARN_UNUSED;

/* ==== contraction ============================================================================= */
/* Turns a graph with times into the nodes and edges of a drawing, in which modules may stand for
 * their nodes.
 *
 * The drawing leaves out weights, results that are neither used nor outputs, and nodes computed
 * from weights alone, unless they took time. Down to a depth, consecutive nodes whose modules have
 * the first `depth` parts of their paths in common become one node; a node of a module with fewer
 * parts stays. As each edge leads to a later node, no cycle results. */

/* A node of the drawing. A NaN is unknown. */
typedef struct eti_drawn_node {
    const uint32_t *members; /* numbers of nodes of the graph; one, unless it stands for a module */
    size_t n_members;
    eti_text module; /* module that it stands for; absent: it stands for its only member */
    /* Sums of the members; if it is the only node of its module, including the time of events of several of its nodes. */
    double typical, share;
    eti_gap gap; /* the worst of the members */
} eti_drawn_node;

typedef struct eti_contraction {
    eti_drawn_node *nodes; /* in topological order, if the graph is */
    size_t n_nodes;
    eti_layout_edge *edges; /* between different nodes, with repetitions */
    size_t n_edges;
    double rest_typical, rest_share;   /* of events that belong to no single node of the drawing */
    double other_typical, other_share; /* of other methods than that of the graph */
    eti_arena arena;
} eti_contraction;

#define ETI_ALL_OPERATORS 0 /* as a depth: each node stands for itself */

/* Contracts `graph`, which must outlive the result. ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__contract(eti_contraction *out, const eti_timed_graph *graph, size_t depth,
                         eti_error *err) ETI_WARN_UNUSED;
void eti__contraction_free(eti_contraction *contraction);

#endif
