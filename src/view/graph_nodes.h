/*
 * graph_nodes.h - turns a graph of the ETRecord into its nodes: what they compute from what, where in the model,
 * on which backend, and how long it took.
 */
#ifndef ETI_VIEW_GRAPH_NODES_H
#define ETI_VIEW_GRAPH_NODES_H

#include "model/inspector.h"
#include "table/report.h"

/* The view "graph": options->graph, in graph order; its inputs come first. Only the edge program has times, which
 * are those of events that stand for one node; "shared" is the time of events that stand for the node together
 * with others, and is the same for all of them. ETI_ERROR_USAGE: there is no such graph. */
eti_status eti_view_graph(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
