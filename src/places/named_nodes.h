/*
 * named_nodes.h - finds the nodes of events that backends log under the names of their own graphs: names of operations, of
 * nodes of the exporter's graph, or keys of the ETRecord's delegate_map.
 *
 * Core ML's payload and a delegate_map give debug handles for such names. QNN keeps the names of nodes, which its passes
 * may number anew. The payload of the native backend has such names, and operators that have no handles. Events that are no
 * nodes belong to their call.
 */
#ifndef ETI_PLACES_NAMED_NODES_H
#define ETI_PLACES_NAMED_NODES_H

#include "backends/backends.h"
#include "base/arena.h"
#include "base/intern.h"
#include "inside/inside.h"
#include "model/model.h"
#include "places/inferring.h"
#include "places/known_nodes.h"
#include "places/places.h"

/* Initialize to all zeros, except for the first four members. */
typedef struct eti_named_nodes {
    eti_inspector *inspector;
    eti_known_nodes *known; /* of the current method */
    eti_recorded_nodes *recorded;
    eti_payloads *payloads;
    /* Names of values in the graph of a method, read for the first call that needs them. */
    eti_lowered_graph names;
    bool are_names_read;
    size_t named_method;
    eti_native_nodes native; /* of these names; all zeros until it is needed */
    uint32_t *n_users;       /* per node of the method's graph; NULL until it is needed */
    const eti_graph *counted;
    size_t n_listed; /* number of nodes and handles listed for all events, which is limited */
} eti_named_nodes;

/* Returns whether the events of a backend are found in this way. */
bool eti__has_named_nodes(eti_backend backend);

/* Sets `known` of the events of a call. Fails with ETI_ERROR_MEMORY, or with any status of reading the ETRecord. */
eti_status eti__named_nodes_set(eti_named_nodes *named, const eti_event_block *block,
                                const eti_delegated_call *call, eti_error *err) ETI_WARN_UNUSED;

/* Sets `known` of the events without a delegate's identifier inside the calls of a block: they belong to the call. Returns
 * false if memory runs out. */
bool eti__named_nodes_set_plain(eti_named_nodes *named, eti_event_block *block);

/* Adds to a call of the native backend the operators that have no handles. Fails with ETI_ERROR_MEMORY, or with any status of
 * reading the ETRecord. */
eti_status eti__named_nodes_set_native_call(eti_named_nodes *named, const eti_event_block *block,
                                            eti_event *call, eti_error *err) ETI_WARN_UNUSED;

void eti__named_nodes_free(eti_named_nodes *named);

#endif
