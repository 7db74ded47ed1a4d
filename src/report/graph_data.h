/*
 * graph_data.h - writes the drawings of a graph into the page's data block: one for each depth of modules that differs from
 * those before it, and one of all operators.
 *
 * Nodes have the numbers of rows of the table "nodes" of the view "graph"; a node that stands for a module lists those of its
 * members. All else are columns of numbers, which layout.h explains.
 */
#ifndef ETI_REPORT_GRAPH_DATA_H
#define ETI_REPORT_GRAPH_DATA_H

#include "account/graph/timed_graph.h"
#include "base/text.h"

#define ETI_MOST_GRAPH_DEPTH 3

/* Appends an array of drawings, the one of the fewest nodes first; nothing if the graph has no nodes. One that would be too
 * large is there with the reason in its place, and with `leaves_out_large` that of all operators likewise if it is not the
 * only one. ETI_ERROR_MEMORY. */
eti_status eti__graph_data_add(eti_buffer *out, const eti_timed_graph *graph, bool leaves_out_large,
                               eti_error *err) ETI_WARN_UNUSED;

#endif
