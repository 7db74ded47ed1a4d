/*
 * known_nodes.h - sets the attributes of a delegated Event from the nodes that were found for it.
 */
#ifndef ETI_PLACES_KNOWN_NODES_H
#define ETI_PLACES_KNOWN_NODES_H

#include "backends/backends.h"
#include "base/arena.h"
#include "base/intern.h"
#include "etinspect.h"
#include "inside/inside.h"
#include "model/model.h"
#include "places/alignment.h"
#include "places/places.h"

/* ==== known nodes ============================================================================= */

/* Initialize to all zeros, except for the arena. */
typedef struct eti_known_nodes {
    eti_arena *arena;
    eti_handle_nodes graph;    /* nodes of the edge program; may be empty */
    eti_node_choices choices;  /* nodes of the edge program for the payload of the current call */
    eti_call_work work;        /* of the current method */
    eti_intern calls;          /* records of delegate calls with their own nodes first */
    const eti_op_node **nodes; /* scratch: those of one call */
    size_t node_capacity;
    eti_intern combinations; /* lists of nodes for events whose choices contain several nodes */
    size_t n_listed; /* number of nodes in the lists of all these events, which is limited */
    uint32_t *firsts,
        /* Linked lists of the payload nodes that are part of an event: the first node per event, the next per node.
         * */
        *nexts;
    size_t first_capacity, next_capacity;
} eti_known_nodes;

/* Prepares for the events of an alignment. Returns false if memory runs out. */
bool eti__known_nodes_begin(eti_known_nodes *known, const eti_alignment *alignment,
                            const eti_xnnpack *payload, size_t n_events);

/* Sets the handles, nodes and operators of event `i` of the alignment, which found a node: those chosen for the node
 * and for all nodes fused into it. An event for whose node several nodes were chosen belongs to all of them. If no
 * nodes of the edge program are known, the kind of the node serves as operator. Returns false if memory runs out. */
bool eti__known_nodes_set(eti_known_nodes *known, const eti_alignment *alignment,
                          const eti_xnnpack *payload, size_t i, eti_event *event);

/* Records the nodes that a delegate call with this payload is for; its list of nodes begins with them.
 * Returns false if memory runs out. */
bool eti__known_nodes_set_work(eti_known_nodes *known, const eti_xnnpack *payload, eti_event *call);

/* Records that an event was inferred to be this node of the edge program. Returns false if memory runs out. */
bool eti__known_nodes_infer(eti_known_nodes *known, const eti_graph_node *node, eti_event *event);

/* Records the nodes of an event that were found for a call in the graph of its delegate. Returns false if memory runs out. */
bool eti__known_nodes_set_found(eti_known_nodes *known, const eti_call_nodes *found,
                                eti_attribution attribution, eti_event *event);

/* Records that only the call of an event is known; what a map of the record has for the event is dropped. Returns false if
 * memory runs out. */
bool eti__known_nodes_drop(eti_known_nodes *known, const eti_event_record *call,
                           eti_attribution attribution, eti_event *event);

/* Records that only the call of an event is known. Returns false if memory runs out. */
bool eti__known_nodes_set_call(eti_known_nodes *known, const eti_event_record *call,
                               eti_event *event);

/* Records that an event runs the whole call, with all its operators. Returns false if memory runs out. */
bool eti__known_nodes_set_device(eti_known_nodes *known, const eti_event_record *call,
                                 eti_event *event);

/* Records that these nodes and handles, which the arena or a file owns, were found for an event. If exactly one of the nodes
 * has a main operator (a convolution, a product of matrices), it gives the event its operator, and is moved to the front.
 * Without nodes, the kernel of the event, if it is known, serves as operator. Returns false if memory runs out. */
bool eti__known_nodes_set_list(eti_known_nodes *known, eti_attribution attribution,
                               const eti_op_node **nodes, size_t n, const int64_t *handles,
                               size_t n_handles, eti_event *event);

/* Adds nodes to those of a delegate call. Returns false if memory runs out. */
bool eti__known_nodes_add(eti_known_nodes *known, const eti_op_node *const *nodes, size_t n,
                          eti_event *call);

/* Records that the delegate's own identifier names the handles of an event. Returns false if memory runs out. */
bool eti__known_nodes_set_recorded(eti_known_nodes *known, const eti_debug_handles *handles,
                                   eti_attribution attribution, eti_event *event);

void eti__known_nodes_free(eti_known_nodes *known);

/* ==== call work =============================================================================== */

/* Moves the operators that the call is for before the other nodes of its instruction, and sets `*n_own` to their number:
 * at least one unless `n` is 0. Returns false if memory runs out. */
bool eti__call_work_find(eti_call_work *work, const eti_xnnpack *payload, const eti_op_node **nodes,
                         size_t n, size_t *n_own);

void eti__call_work_free(eti_call_work *work);

#endif
