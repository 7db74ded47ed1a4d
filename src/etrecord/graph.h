/*
 * graph.h - turns the JSON of an exported program (a member of an ETRecord) into its operator nodes.
 *
 * Only the names and operators of nodes and the metadata that the Inspector shows are kept, and on request their inputs and
 * outputs; constants, delegate blobs and nested graphs are skipped. Nodes and text live in the given arena; data that nodes
 * have in common (targets, stack traces, modules) is stored once.
 *
 * Nodes are named as torch 2.13 names them when executorch 1.5 loads the program. Whether an operator is registered in a
 * given Python process is unknown here: an edge or torch operator counts as known, whereas the Inspector would drop the
 * handle of one that it cannot find.
 */
#ifndef ETI_ETRECORD_GRAPH_H
#define ETI_ETRECORD_GRAPH_H

#include "base/arena.h"
#include "etrecord/graph_data.h"
#include "read/read.h"

/* Returns the graph including the nodes of its lowered modules. */
eti_graph eti__graph_whole(const eti_graph *graph);

/* Returns whether a node is the one represented by its debug handle. */
bool eti__graph_has_handle(const eti_graph *graph, size_t node);

/* Reads the program from `json`, which must have just been opened, and closes it in any case. ETI_ERROR_MALFORMED with
 * the byte position or the node, ETI_ERROR_LIMIT (nesting), ETI_ERROR_MEMORY, or the status of the reader's source. */
eti_status eti__graph_read(eti_graph *out, eti_arena *arena, eti_json *json,
                           eti_error *err) ETI_WARN_UNUSED;

/* Does the same, and includes lowered modules. A module that cannot be read has no nodes. */
eti_status eti__graph_read_lowered(eti_graph *out, eti_arena *arena, eti_json *json,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Does the same, and finds the values between all nodes, including those of lowered modules, which take the inputs of
 * their call and produce its outputs. Weights of modules are inputs of the graph. Payloads are not read. */
eti_status eti__graph_read_values(eti_graph *out, eti_graph_values *values, eti_arena *arena,
                                  eti_json *json, eti_error *err) ETI_WARN_UNUSED;

#endif
