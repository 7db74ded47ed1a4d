/*
 * modules.h - turns the modules of a graph's nodes, and the calls of delegates that stand for nodes, into the boxes of a
 * drawing.
 *
 * A call lies in the innermost module that its nodes share; the modules of these nodes below that
 * module lie in the call. A module whose nodes several calls took is drawn once for each call.
 */
#ifndef ETI_ACCOUNT_GRAPH_MODULES_H
#define ETI_ACCOUNT_GRAPH_MODULES_H

#include "account/graph/timed_graph.h"
#include "account/places/places.h"

/* Sets the modules of a graph whose nodes have the numbers of theirs in `places`, and these numbers anew. False: out of
 * memory. */
bool eti__graph_set_modules(eti_timed_graph *graph, const eti_places *places);

#endif
