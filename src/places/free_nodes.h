/*
 * free_nodes.h - finds the nodes of kernels whose instructions the debug_handle_map lacks.
 *
 * An operator that changes its arguments in place is a node auto_functionalized in the ETRecord. The export makes a new node
 * of it, without a debug handle, after the ETRecord was made. A node is free if no instruction has its handle. If the program
 * calls an operator as often without a handle as the graph has free nodes of it, the k-th call runs the k-th node.
 *
 * A copy that the export adds to write a new value into a buffer of the model follows the tensor that it copies: it has the
 * modules and lines of the nodes that make it.
 */
#ifndef ETI_PLACES_FREE_NODES_H
#define ETI_PLACES_FREE_NODES_H

#include "model/model.h"

/* Finds the records of the instructions of a method; NULL if the program has jumps, because a record has no nodes of branches,
 * or several chains. The record of an instruction is NULL if it has handles or nothing is known. `arena` owns them. Returns
 * false if memory runs out. */
bool eti__free_nodes_match(eti_arena *arena, const eti_etrecord *record, size_t method,
                           const eti_pte_plan *plan, const eti_graph *graph,
                           const eti_event_record *const **out);

/* Initialize to all zeros, except for the inspector. */
typedef struct eti_free_nodes {
    eti_inspector *inspector;
    eti_intern methods; /* those that were examined */
} eti_free_nodes;

/* Sets `known` of such kernels in a block. Nothing is set without a program. Fails with ETI_ERROR_MEMORY. */
eti_status eti__free_nodes_set(eti_free_nodes *of, eti_event_block *block,
                               eti_error *err) ETI_WARN_UNUSED;

void eti__free_nodes_free(eti_free_nodes *of);

#endif
