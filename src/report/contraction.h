/*
 * contraction.h - turns a graph with times into the nodes and edges of a drawing, in which modules may stand for their nodes.
 *
 * Left out are weights, results that nothing uses and that are no outputs, and what is computed of weights alone, unless it took
 * time. Down to a depth, nodes that follow each other and whose modules have the first `depth` parts of their paths in common
 * become one node; a node of a module with fewer parts stays. As each edge leads to a node further behind, no cycle comes of it.
 */
#ifndef ETI_REPORT_CONTRACTION_H
#define ETI_REPORT_CONTRACTION_H

#include "account/graph/timed_graph.h"
#include "report/layout.h"

/* A node of the drawing. A NaN is unknown. */
typedef struct eti_drawn_node {
    const uint32_t *members; /* numbers of nodes of the graph; one, unless it stands for a module */
    size_t n_members;
    eti_text module; /* that it stands for; absent: its only member */
    /* Sums of the members; of a module that one node stands for, with the time that its nodes only have in common. */
    double total, share;
    eti_gap gap; /* the worst of the members */
} eti_drawn_node;

typedef struct eti_contraction {
    eti_drawn_node *nodes; /* in topological order, where the graph's is */
    size_t n_nodes;
    eti_layout_edge *edges; /* between different nodes, with repetitions */
    size_t n_edges;
    double rest_total, rest_share; /* of events that belong to no single node of the drawing */
    eti_arena arena;
} eti_contraction;

#define ETI_ALL_OPERATORS 0 /* in place of a depth: each node stands for itself */

/* Contracts `graph`, which must outlive the result. ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__contract(eti_contraction *out, const eti_timed_graph *graph, size_t depth,
                         eti_error *err) ETI_WARN_UNUSED;
void eti__contraction_free(eti_contraction *contraction);

#endif
