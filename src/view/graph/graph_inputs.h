/*
 * graph_inputs.h - folds the inputs that the nodes of a graph begin with into a line.
 */
#ifndef ETI_VIEW_GRAPH_GRAPH_INPUTS_H
#define ETI_VIEW_GRAPH_GRAPH_INPUTS_H

#include "account/graph.h"
#include "table/report.h"

/* Gives people one line for the inputs that the graph begins with, in the last section of the report. ETI_ERROR_MEMORY. */
eti_status eti__view_fold_inputs(const eti_timed_graph *graph, eti_report *report,
                                 eti_error *err) ETI_WARN_UNUSED;

#endif
