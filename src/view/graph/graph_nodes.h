/*
 * graph_nodes.h - turns a graph of the ETRecord into a table of its nodes.
 */
#ifndef ETI_VIEW_GRAPH_GRAPH_NODES_H
#define ETI_VIEW_GRAPH_GRAPH_NODES_H

#include "account/options.h"
#include "model/inspector.h"
#include "table/report.h"

/* The view "graph": options->graph as account/graph.h has it, which goes with the report. ETI_ERROR_USAGE: there is no
 * such graph. */
eti_status eti__view_graph(eti_report *report, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
