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
#ifndef ETI_READ_GRAPH_H
#define ETI_READ_GRAPH_H

#include "base/arena.h"
#include "read/json.h"
#include "read/node.h"

/* What a call of a delegate stands for, in an ETRecord made after lowering. */
typedef struct eti_lowered_module {
    eti_text backend; /* "XnnpackBackend" */
    eti_text payload; /* of XNNPACK: as much as its nodes need; else empty */
    size_t n_nodes;   /* of what was delegated */
} eti_lowered_module;

/* Operator nodes (calls, without getitem and memory.alloc) of the top graph, in graph order. */
typedef struct eti_graph {
    const eti_graph_node *nodes;
    size_t n_nodes;
    /* In an ETRecord made after lowering, and only if asked for: what the calls of delegates stand for, in graph order. Their
     * nodes follow those of the graph in the same array. */
    const eti_lowered_module *modules;
    size_t n_modules, n_lowered;
    bool
        is_whole; /* n_nodes counts those, too: calls of delegates then stand for nothing themselves */
} eti_graph;

/* Returns the graph with the nodes of its lowered modules. */
eti_graph eti__graph_whole(const eti_graph *graph);

/* Whether a node is the one that its debug handle stands for. */
bool eti__graph_has_handle(const eti_graph *graph, size_t node);

#define ETI_NO_NODE UINT32_MAX

/* What flows along the edges of a graph: a tensor, or a number. */
typedef struct eti_graph_value {
    eti_text name;     /* as the file has it */
    const char *dtype; /* "float32", ...; NULL: no tensor */
    eti_text shape;    /* "[1, s0]"; absent: no tensor */
    uint32_t producer; /* a node; ETI_NO_NODE: an input of the graph, or unknown */
    bool is_weight;    /* an input of the graph: a parameter, a buffer or a constant of the model */
} eti_graph_value;

/* Numbers of the values that a node takes and gives, in order. */
typedef struct eti_graph_ports {
    const uint32_t *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
} eti_graph_ports;

typedef struct eti_graph_values {
    const eti_graph_value *values; /* the first are the inputs of the graph */
    size_t n_values, n_graph_inputs;
    const eti_graph_ports *ports; /* per node of the graph */
} eti_graph_values;

/* Reads the program that `json`, just opened, holds, and closes it in any case.
 * ETI_ERROR_MALFORMED with the byte position or the node, ETI_ERROR_LIMIT (nesting),
 * ETI_ERROR_MEMORY, or what the reader's source returned. */
eti_status eti__graph_read(eti_graph *out, eti_arena *arena, eti_json *json,
                           eti_error *err) ETI_WARN_UNUSED;

/* The same, with lowered modules. A module that cannot be read has no nodes. */
eti_status eti__graph_read_lowered(eti_graph *out, eti_arena *arena, eti_json *json,
                                   eti_error *err) ETI_WARN_UNUSED;

/* The same, with what flows between the nodes; their numbers are those of the graph. */
eti_status eti__graph_read_values(eti_graph *out, eti_graph_values *values, eti_arena *arena,
                                  eti_json *json, eti_error *err) ETI_WARN_UNUSED;

#endif
