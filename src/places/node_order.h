/*
 * node_order.h - finds the nodes that have a known place in the order in which a list of nodes
 * runs, regardless of how the graph around them was divided among delegates.
 *
 * A node has a known place if each of the other nodes either needs its result or produces a value
 * that it needs, also through nodes that are not in the list.
 */
#ifndef ETI_PLACES_NODE_ORDER_H
#define ETI_PLACES_NODE_ORDER_H

#include "base/arena.h"
#include "etrecord/etrecord.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct eti_node_order {
    const bool *is_known; /* per node of the list: it runs in the order of the list */
} eti_node_order;

/* Finds the nodes of a list, in graph order, with a known place. `*work` is the work of all searches so far, which is
 * limited; beyond the limit no place is known. Returns NULL if memory runs out. */
eti_node_order *eti__node_order_find(eti_arena *arena, const eti_op_node *const *nodes, size_t n,
                                     size_t *work);

#endif
