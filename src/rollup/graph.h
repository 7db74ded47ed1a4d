/*
 * etrecord/graph.h - turns a graph of the ETRecord into nodes with their inputs, their place in the model,
 * their backend and their times.
 */
#ifndef ETI_ROLLUP_GRAPH_H
#define ETI_ROLLUP_GRAPH_H

#include "account/account.h"
#include "model/model.h"
#include "rollup/timed_graph.h"

/* Reads the graph options->graph. Only the edge program has times. The time of an Event that is a single node
 * (places/places.h) counts in the node's `total`. The time of an Event of several nodes, or of an event that a delegate
 * ran for them, counts in the `shared` time of each. Fails with ETI_ERROR_USAGE if there is no such graph, with any
 * status of reading the ETRecord, or with ETI_ERROR_MEMORY. Free `out` in any case, before the inspector is closed. */
eti_status eti__timed_graph_make(eti_timed_graph *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__timed_graph_free(eti_timed_graph *graph);

#endif
