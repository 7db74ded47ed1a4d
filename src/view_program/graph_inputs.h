/*
 * graph_inputs.h - folds the inputs at the beginning of a graph's nodes into one line.
 */
#ifndef ETI_VIEW_PROGRAM_GRAPH_INPUTS_H
#define ETI_VIEW_PROGRAM_GRAPH_INPUTS_H

#include "rollup/rollup.h"
#include "table/table.h"

/* Replaces the inputs at the beginning of the graph by one line in formats for people, in the last
 * section of the report. ETI_ERROR_MEMORY. */
eti_status eti__view_fold_inputs(const eti_timed_graph *graph, eti_report *report,
                                 eti_error *err) ETI_WARN_UNUSED;

#endif
