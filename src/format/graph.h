/*
 * graph.h - turns the JSON of an exported program (a member of an ETRecord) into its operator
 * nodes.
 *
 * Kept are only the nodes' names, operators and the metadata that the Inspector shows; tensors,
 * constants, delegate blobs and nested graphs are passed over. Nodes and text live in the arena
 * given; what nodes have in common (targets, stack traces, modules) is there once.
 *
 * Nodes are named as torch 2.13 names them when executorch 1.5 loads the program. Whether an
 * operator is registered in some Python process is unknown here: an edge or torch operator counts
 * as known, where the Inspector would drop the handle of one it cannot find.
 */
#ifndef ETI_FORMAT_GRAPH_H
#define ETI_FORMAT_GRAPH_H

#include "base/arena.h"
#include "format/json.h"

/* Operator nodes (calls, without getitem and memory.alloc) of the top graph, in graph order. */
typedef struct eti_graph {
    const eti_graph_node *nodes;
    size_t n_nodes;
} eti_graph;

/* Reads the program that `json`, just opened, holds, and closes it in any case.
 * ETI_ERROR_MALFORMED with the byte position or the node, ETI_ERROR_LIMIT (nesting),
 * ETI_ERROR_MEMORY, or what the reader's source returned. */
eti_status eti_graph_read(eti_graph *out, eti_arena *arena, eti_json *json,
                          eti_error *err) ETI_WARN_UNUSED;

#endif
