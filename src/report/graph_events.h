/*
 * graph_events.h - writes which node of the graph each Event is, so that a selection passes between tables and the drawing.
 */
#ifndef ETI_REPORT_GRAPH_EVENTS_H
#define ETI_REPORT_GRAPH_EVENTS_H

#include "base/json_writer.h"
#include "model/model.h"
#include "rollup/rollup.h"

/* Adds [{"block": "forward: Execute", "nodes": [null, 7, ...]}, ...]: for each event of an EventBlock the number of the
 * row in the table "nodes" of the view "graph" that is its only node, or null. Adds nothing if events refer to another
 * graph. ETI_ERROR_MEMORY. */
eti_status eti__graph_events_add(eti_json_writer *json, const eti_timed_graph *graph,
                                 const eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
