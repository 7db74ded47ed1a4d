/*
 * lowered_graph.h - turns a graph of the ETRecord into what became of its nodes: which were handed to a
 * delegate, which stayed kernels, which were run at all.
 *
 * The record is read a second time for what flows between the nodes, which nothing else needs.
 */
#ifndef ETI_ACCOUNT_LOWERED_GRAPH_H
#define ETI_ACCOUNT_LOWERED_GRAPH_H

#include "account/account.h"
#include "base/pointer_table.h"
#include "model/inspector.h"

typedef struct eti_lowered_node {
    bool is_delegated; /* an instruction that calls a delegate stands for it */
    bool is_kernel;    /* another instruction does */
    bool is_executed;  /* an event does */
    eti_text backend;  /* absent: none */
} eti_lowered_node;

typedef struct eti_lowered_graph {
    eti_arena arena;
    eti_etrecord *record;
    eti_graph graph;
    eti_graph_values values;
    const eti_graph_node
        *matched;            /* the inspector's nodes that are the same, in order; NULL: others */
    eti_lowered_node *nodes; /* per node of the graph */
    eti_pointer_table seen;  /* lists of nodes that were marked as executed */
} eti_lowered_graph;

/* Reads the graph called `name` as eti_view_options.graph has it; without an ETRecord it is empty.
 * ETI_ERROR_USAGE and what reading the record can end with; to be freed in any case. */
eti_status eti__lowered_graph_read(eti_lowered_graph *out, const eti_inspector *inspector,
                                   const char *name, eti_error *err) ETI_WARN_UNUSED;
void eti__lowered_graph_free(eti_lowered_graph *graph);

/* Marks the nodes of the block's timed events as executed; false when memory is out. */
bool eti__lowered_graph_mark(eti_lowered_graph *graph, const eti_event_block *block);

/* The number of an event's node; only where graph->matched is not NULL. */
size_t eti__lowered_graph_number(const eti_lowered_graph *graph, const eti_op_node *node);

/* Returns the one node among those of an event that its kernel computes, by the names: native_call_add.out is for
 * aten.add.Tensor; or the only one there is. NULL: there are none or several. With `any_of_op` the first of
 * several will do that have the same operator. */
const eti_graph_node *eti__node_of_event(const eti_event *event, bool any_of_op);

/* Without the Inspector's "_" at the end. */
eti_text eti__node_name(const eti_graph_node *node);

#endif
