/*
 * graph_data.h - a graph of an ETRecord: its nodes, its lowered modules and the values between nodes.
 */
#ifndef ETI_ETRECORD_GRAPH_DATA_H
#define ETI_ETRECORD_GRAPH_DATA_H

#include "etrecord/node.h"

#define ETI_NO_NODE UINT32_MAX

/* Nodes that a delegate call replaces, in an ETRecord made after lowering. */
typedef struct eti_lowered_module {
    eti_text backend; /* such as "XnnpackBackend" */
    eti_text payload; /* for XNNPACK: the part that its nodes need; otherwise empty */
    size_t n_nodes;   /* number of delegated nodes */
    size_t first;     /* index of the first one in the whole graph */
    uint32_t call;    /* the node that calls it; ETI_NO_NODE if unknown */
} eti_lowered_module;

/* Operator nodes (calls, without getitem and memory.alloc) of the top graph, in graph order. */
typedef struct eti_graph {
    const eti_graph_node *nodes;
    size_t n_nodes;
    /* Only on request, in an ETRecord made after lowering: the modules that delegate calls stand for, in graph order.
     * Their nodes follow those of the graph in the same array. */
    const eti_lowered_module *modules;
    size_t n_modules, n_lowered;
    bool
        is_whole; /* n_nodes includes those nodes, too; delegate calls then represent no other nodes */
} eti_graph;

/* A value on the edges of a graph: a tensor or a number. */
typedef struct eti_graph_value {
    eti_text name;     /* as in the file */
    const char *dtype; /* such as "float32"; NULL if it is not a tensor */
    eti_text shape;    /* such as "[1, s0]"; absent if it is not a tensor */
    uint32_t producer; /* a node; ETI_NO_NODE for an input of the graph, or if unknown */
    bool is_weight; /* an input of the graph that is a parameter, buffer or constant of the model */
    bool is_output; /* is an output of the graph */
} eti_graph_value;

/* Indices of the values that a node takes and produces, in order. */
typedef struct eti_graph_ports {
    const uint32_t *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
} eti_graph_ports;

typedef struct eti_graph_values {
    const eti_graph_value *values; /* the inputs of the graph come first */
    size_t n_values, n_graph_inputs;
    const eti_graph_ports *ports; /* per node of the whole graph */
} eti_graph_values;

#endif
