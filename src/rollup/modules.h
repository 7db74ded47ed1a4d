/*
 * modules.h - turns the modules of a graph's nodes, and the delegate calls that stand for nodes,
 * into the boxes of a drawing.
 *
 * A call lies in the innermost module that its nodes share; modules of these nodes further in lie
 * inside the call. If several calls took nodes of one module, the module is drawn once for each
 * call.
 */
#ifndef ETI_ROLLUP_MODULES_H
#define ETI_ROLLUP_MODULES_H

#include "places/places.h"
#include "rollup/timed_graph.h"

/* Sets the modules of a graph and renumbers the modules of its nodes, which are numbered as in `places` before.
 * Returns false if memory runs out. */
bool eti__graph_set_modules(eti_timed_graph *graph, const eti_places *places);

#endif
