/*
 * etrecord/etrecord.h - writes the drawings of a graph into the page's data block: one for each depth of modules that differs from
 * those before it, and one of all operators.
 *
 * Nodes have the numbers of rows of the table "nodes" of the view "graph"; a node that stands for a module lists the rows of
 * its members. Everything else is in columns of numbers, which layout.h explains.
 */
#ifndef ETI_REPORT_GRAPH_DATA_H
#define ETI_REPORT_GRAPH_DATA_H

#include "base/json_writer.h"
#include "rollup/rollup.h"

#define ETI_MOST_GRAPH_DEPTH 3

/* Adds an array of drawings, the drawing with the fewest nodes first; nothing if the graph has no nodes. A drawing that
 * would be too large is replaced by the reason. With `leaves_out_large`, so is the drawing of all operators, unless it is
 * the only one. ETI_ERROR_MEMORY. */
eti_status eti__graph_data_add(eti_json_writer *json, const eti_timed_graph *graph,
                               bool leaves_out_large, eti_error *err) ETI_WARN_UNUSED;

#endif
