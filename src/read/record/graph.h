/*
 * graph.h - turns the JSON of an exported program (a member of an ETRecord) into its operator
 * nodes.
 *
 * Kept are only the nodes' names, operators and the metadata that the Inspector shows and, if asked for,
 * what they take and give; constants, delegate blobs and nested graphs are passed over. Nodes and text live in the arena
 * given; what nodes have in common (targets, stack traces, modules) is there once.
 *
 * Nodes are named as torch 2.13 names them when executorch 1.5 loads the program. Whether an
 * operator is registered in some Python process is unknown here: an edge or torch operator counts
 * as known, where the Inspector would drop the handle of one it cannot find.
 */
#ifndef ETI_READ_RECORD_GRAPH_H
#define ETI_READ_RECORD_GRAPH_H

#include "base/arena.h"
#include "read/json.h"
#include "read/record/graph_data.h"

/* Returns the graph with the nodes of its lowered modules. */
eti_graph eti__graph_whole(const eti_graph *graph);

/* Whether a node is the one that its debug handle stands for. */
bool eti__graph_has_handle(const eti_graph *graph, size_t node);

/* Reads the program that `json`, just opened, holds, and closes it in any case.
 * ETI_ERROR_MALFORMED with the byte position or the node, ETI_ERROR_LIMIT (nesting),
 * ETI_ERROR_MEMORY, or what the reader's source returned. */
eti_status eti__graph_read(eti_graph *out, eti_arena *arena, eti_json *json,
                           eti_error *err) ETI_WARN_UNUSED;

/* The same, with lowered modules. A module that cannot be read has no nodes. */
eti_status eti__graph_read_lowered(eti_graph *out, eti_arena *arena, eti_json *json,
                                   eti_error *err) ETI_WARN_UNUSED;

/* The same, with what flows between all nodes, those of lowered modules too: these take what their call takes, and give what
 * it gives. Weights of modules are inputs of the graph. No payloads. */
eti_status eti__graph_read_values(eti_graph *out, eti_graph_values *values, eti_arena *arena,
                                  eti_json *json, eti_error *err) ETI_WARN_UNUSED;

#endif
