/*
 * graph_data.h - a graph of an ETRecord: its nodes, its lowered modules and what flows between nodes.
 */
#ifndef ETI_READ_RECORD_GRAPH_DATA_H
#define ETI_READ_RECORD_GRAPH_DATA_H

#include "read/record/node.h"

#define ETI_NO_NODE UINT32_MAX

/* What a call of a delegate stands for, in an ETRecord made after lowering. */
typedef struct eti_lowered_module {
    eti_text backend; /* "XnnpackBackend" */
    eti_text payload; /* of XNNPACK: as much as its nodes need; else empty */
    size_t n_nodes;   /* of what was delegated */
    size_t first;     /* the number of their first in the whole graph */
    uint32_t call;    /* the node that calls it; ETI_NO_NODE: unknown */
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

/* What flows along the edges of a graph: a tensor, or a number. */
typedef struct eti_graph_value {
    eti_text name;     /* as the file has it */
    const char *dtype; /* "float32", ...; NULL: no tensor */
    eti_text shape;    /* "[1, s0]"; absent: no tensor */
    uint32_t producer; /* a node; ETI_NO_NODE: an input of the graph, or unknown */
    bool is_weight;    /* an input of the graph: a parameter, a buffer or a constant of the model */
    bool is_output;    /* an output of the graph */
} eti_graph_value;

/* Numbers of the values that a node takes and gives, in order. */
typedef struct eti_graph_ports {
    const uint32_t *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
} eti_graph_ports;

typedef struct eti_graph_values {
    const eti_graph_value *values; /* the first are the inputs of the graph */
    size_t n_values, n_graph_inputs;
    const eti_graph_ports *ports; /* per node of the whole graph */
} eti_graph_values;

#endif
