/*
 * vulkan_calls.h - sets what the events in a call of a Vulkan delegate run.
 *
 * The delegate_map of the ETRecord is not used: the exporter writes positions of the transformed
 * graph into it, instead of debug handles.
 */
#ifndef ETI_PLACES_VULKAN_CALLS_H
#define ETI_PLACES_VULKAN_CALLS_H

#include "base/intern.h"
#include "inside/inside.h"
#include "places/inferring.h"
#include "places/known_nodes.h"

/* The nodes of a graph in one delegate call. */
typedef struct eti_vulkan_found {
    const eti_vulkan *graph; /* the key, with the nodes of the delegate call */
    const eti_op_node *const *nodes;
    size_t n;
    const eti_call_nodes *found; /* per call of the graph */
} eti_vulkan_found;

/* Initialize to all zeros. */
typedef struct eti_vulkan_calls {
    ETI_INTERN_OF(eti_vulkan_found) found;
    uint32_t *numbers; /* per event of the current call: its call in the graph */
    const eti_delegate_event **events;
    size_t number_capacity, event_capacity;
    size_t work; /* of all searches */
    /* Number of events that run an operator in calls with a payload, and number of those that are not in it. */
    size_t n_events, n_misfits;
} eti_vulkan_calls;

/* Sets the nodes of the events of a call. `payload` is NULL if it is missing or cannot be read: the operators that the events
 * name then serve as the graph. Returns false if memory runs out. */
bool eti__vulkan_calls_set(eti_vulkan_calls *calls, eti_known_nodes *known,
                           const eti_delegated_call *call, const eti_vulkan *payload,
                           const eti_weight_users *weights);

void eti__vulkan_calls_free(eti_vulkan_calls *calls);

#endif
