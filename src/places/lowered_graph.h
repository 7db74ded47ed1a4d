/*
 * lowered_graph.h - determines for each node of a graph of the ETRecord whether it was delegated,
 * run as a kernel, or executed at all.
 *
 * If the graph holds lowered modules, exactly their nodes are delegated.
 *
 * The ETRecord is read a second time for the values passed between nodes, which no other code
 * needs.
 */
#ifndef ETI_PLACES_LOWERED_GRAPH_H
#define ETI_PLACES_LOWERED_GRAPH_H

#include "account/account.h"
#include "base/arena.h"
#include "base/intern.h"
#include "etrecord/etrecord.h"
#include "model/model.h"

typedef struct eti_lowered_node {
    /* without the Inspector's "_" at the end; preceded by the name of its call if nodes would otherwise share a name */
    eti_text name;
    bool is_delegated; /* it belongs to an instruction that calls a delegate */
    bool is_kernel;    /* it belongs to another instruction */
    bool is_executed;  /* it belongs to an Event */
    eti_text backend;  /* absent: none */
    /* node of the delegate call whose lowered module contains it; ETI_NO_NODE if there is none */
    uint32_t call;
    bool is_call; /* nodes of a lowered module stand for it */
} eti_lowered_node;

typedef struct eti_lowered_graph {
    eti_arena arena;
    eti_etrecord *record;
    size_t method;   /* method of the graph; ETI_NO_METHOD if unknown */
    eti_graph graph; /* includes the nodes of its lowered modules */
    eti_graph_values values;
    /* the inspector's nodes, n_matched in the same order; NULL for another graph */
    const eti_graph_node *matched;
    size_t n_matched;
    eti_lowered_node *nodes; /* one per node of the graph */
    eti_pointer_table seen;  /* lists of nodes already marked as executed */
} eti_lowered_graph;

/* Reads the graph `name`, or the graph of the selected blocks' method if `name` is NULL; empty without an ETRecord.
 * Fails with ETI_ERROR_USAGE, or with any status of reading the ETRecord. Free `out` in any case. */
eti_status eti__lowered_graph_read(eti_lowered_graph *out, const eti_inspector *inspector,
                                   const eti_view_options *options, const char *name,
                                   eti_error *err) ETI_WARN_UNUSED;
/* Reads the graph of a method; empty if the ETRecord has none. Fails with the same statuses; free `out` in any case. */
eti_status eti__lowered_graph_read_method(eti_lowered_graph *out, const eti_inspector *inspector,
                                          size_t method, eti_error *err) ETI_WARN_UNUSED;
void eti__lowered_graph_free(eti_lowered_graph *graph);

/* Marks the nodes of the block's timed Events as executed, and those that are a kernel's alone as run by it. Returns
 * false if memory runs out. */
bool eti__lowered_graph_mark(eti_lowered_graph *graph, const eti_event_block *block);

/* Returns the number of an Event's node, or ETI_NO_NODE if it belongs to another graph. */
uint32_t eti__lowered_graph_number(const eti_lowered_graph *graph, const eti_op_node *node);

#endif
