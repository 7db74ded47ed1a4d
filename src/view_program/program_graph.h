/*
 * rollup/graph.h - lists the instructions of a method with their values: the view "graph" without an ETDump.
 */
#ifndef ETI_VIEW_PROGRAM_PROGRAM_GRAPH_H
#define ETI_VIEW_PROGRAM_PROGRAM_GRAPH_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Adds the graph of the program's method: see rollup/graph.h. */
eti_status eti__view_program_graph(eti_report *report, const eti_inspector *inspector,
                                   const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
