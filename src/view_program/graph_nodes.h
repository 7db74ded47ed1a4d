/*
 * graph_nodes.h - turns a graph of the ETRecord into a table of its nodes.
 */
#ifndef ETI_VIEW_PROGRAM_GRAPH_NODES_H
#define ETI_VIEW_PROGRAM_GRAPH_NODES_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Makes the view "graph" of the graph named by options->graph, see rollup/rollup.h. The graph lives as long as the report.
 * ETI_ERROR_USAGE: there is no such graph. */
eti_status eti__view_graph(eti_report *report, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
