/*
 * event_nodes.h - finds the nodes of the edge program that an Event computes.
 *
 * The Events of an instruction share its nodes, unless kernel_nodes.h distinguished its kernels. An
 * operator inside a delegate whose nodes are known (seen_through.h) is the first of its nodes, or one
 * of the first if these share a debug handle; the others were fused into it. Operator, module, line of
 * source and node of an Event all follow from this rule.
 */
#ifndef ETI_PLACES_EVENT_NODES_H
#define ETI_PLACES_EVENT_NODES_H

#include "etrecord/etrecord.h"
#include "model/model.h"

/* Nodes of an Event. */
typedef struct eti_event_nodes {
    const eti_op_node *const *all; /* array of n nodes */
    size_t n;
} eti_event_nodes;

/* Returns the nodes that are known for an Event itself. */
eti_event_nodes eti__event_nodes(const eti_event *event);

/* Returns the only node, or NULL if there is none or more than one. */
const eti_graph_node *eti__event_nodes_single(const eti_event_nodes *nodes);

/* Returns the operator that all nodes of an Event have; absent if it has no nodes, if they differ, or if there are
 * too many for one operator. */
eti_text eti__event_op(const eti_event *event);

#endif
