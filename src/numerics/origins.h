/*
 * origins.h - finds the node of the edge program that computed a recorded tensor, and the recorded
 * tensors that were its inputs.
 *
 * A kernel's tensors belong to the last node of its last debug handle. The last tensors of a
 * delegate call are its outputs; the ETRecord has their number, and the others are inputs. The
 * boundary of a call consists of the values of its nodes that are used outside of the call, or by
 * the graph's output. If the boundary has as many handles as the call has outputs, output k belongs
 * to the k-th handle in the order of their last positions in the list. If instead it has as many
 * values as the call has outputs, as with a node that splits a tensor, the same order applies, and
 * the values of one handle are in graph order. Otherwise, as in the Inspector, the last output
 * belongs to the last handle in the list, and so on backwards.
 */
#ifndef ETI_NUMERICS_ORIGINS_H
#define ETI_NUMERICS_ORIGINS_H

#include "base/intern.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "numerics/recorded.h"
#include "places/places.h"

/* Returns whether the event is a delegate call, judged by its name because the call may have no time. */
bool eti__is_delegate_call(const eti_event *event);

/* Origin of a recorded tensor. */
typedef struct eti_tensor_origin {
    const eti_graph_node *node; /* NULL if unknown, or for an input or an output of the run */
    /* last node in the graph with its debug handle, which may be a view that is not executed */
    const eti_graph_node *last;
    uint32_t port; /* for a delegate call: index of the output of its node */
    bool is_input; /* for a delegate call: whether it is an input */
    /* for a delegate call: whether a later node has the same handle and produces the value of that handle */
    bool is_inner;
} eti_tensor_origin;

/* Last node with a debug handle. */
typedef struct eti_handled_node {
    int64_t handle;
    uint32_t node;
} eti_handled_node;

/* The graph of a method, with the uses of each value. */
typedef struct eti_origin_graph {
    eti_lowered_graph graph;
    uint32_t *first_use; /* per value: index of its first use; one more than values */
    uint32_t *uses;      /* nodes */
    uint32_t *marks;     /* per node: the last search that visited it */
    uint32_t n_searches;
    ETI_INTERN_OF(eti_handled_node) last_nodes;
} eti_origin_graph;

typedef struct eti_origins {
    const eti_recorded *recorded;
    eti_tensor_origin *of; /* per tensor */
    eti_origin_graph *graphs;
    size_t n_graphs;
} eti_origins;

/* Finds the origins of all tensors; none without an ETRecord. Fails with any status of reading the ETRecord. Free
 * `out` in any case. */
eti_status eti__origins_find(eti_origins *out, const eti_recorded *recorded,
                             const eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;
void eti__origins_free(eti_origins *origins);

/* Returns the graph of the method that the block ran, or NULL if there is none. */
eti_origin_graph *eti__origins_graph(const eti_origins *origins, const eti_event_block *block);

/* The recorded tensors from which another was computed. */
typedef struct eti_tensor_inputs {
    uint32_t *tensors; /* indexes into `recorded`, in ascending order; allocated with malloc() */
    size_t n, capacity;
} eti_tensor_inputs;

/* Finds the nearest tensors upstream in the same run: the inputs that the delegate logged, or the results of the
 * nodes that the nodes of the event use. There are none if they were not recorded or are unknown. Returns false if
 * memory runs out. */
bool eti__origins_inputs(eti_origins *origins, size_t tensor, eti_tensor_inputs *out);

#endif
