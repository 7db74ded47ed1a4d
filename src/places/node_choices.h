/*
 * node_choices.h - chooses, for each node of a delegate's payload, the node of the edge program from
 * which it was made.
 *
 * If several nodes have its handle and a fitting operator, the node is known if it has a known place
 * in their order, and all of them are in the payloads of the block. Otherwise only the class of these
 * nodes is known.
 */
#ifndef ETI_PLACES_NODE_CHOICES_H
#define ETI_PLACES_NODE_CHOICES_H

#include "backends/backends.h"
#include "etrecord/etrecord.h"
#include "places/handle_nodes.h"

/* The choice for a node of a payload. */
typedef struct eti_node_choice {
    const eti_node_class *of; /* NULL: the node has no handle of its own */
    const eti_op_node *node;  /* the node chosen; NULL if there are none or several */
} eti_node_choice;

/* Initialize to all zeros. */
typedef struct eti_node_choices {
    eti_node_choice *items; /* per node of the payload */
    size_t capacity;
} eti_node_choices;

/* Counts the nodes of a payload that a call of this block runs. Returns false if memory runs out. */
bool eti__node_choices_count(eti_handle_nodes *nodes, const eti_lowered_module *module,
                             const eti_xnnpack *payload, size_t block);

/* Chooses the nodes for a payload. `is_in_order`: all payloads of the block were counted, and the calls before this one
 * were passed in order of execution. Returns false if memory runs out. */
bool eti__node_choices_make(eti_node_choices *choices, eti_handle_nodes *nodes,
                            const eti_lowered_module *module, const eti_xnnpack *payload,
                            bool is_in_order);

void eti__node_choices_free(eti_node_choices *choices);

#endif
