#include "places/vulkan_calls.h"

#include "base/array.h"

#include <stdlib.h>

/* Reads what the events mean. */
static bool read_events(eti_vulkan_calls *calls, eti_known_nodes *known,
                        const eti_delegated_call *call) {
    eti_delegate_event *read = eti__arena_alloc(known->arena, call->n, sizeof *read);
    if (!read || !ETI_GROW(calls->events, calls->event_capacity, call->n + 1))
        return false;
    for (size_t i = 0; i < call->n; i++) {
        const eti_logged_event logged = {.name = call->names[i], .has_id = true};
        if (!eti__delegate_event_read(&read[i], ETI_BACKEND_VULKAN, &logged, known->arena))
            return false;
        calls->events[i] = &read[i];
    }
    return true;
}

/* Finds the nodes of a graph among those of its delegate call, unless that was done before. Returns NULL if memory runs
 * out. */
static const eti_call_nodes *find_nodes(eti_vulkan_calls *calls, eti_known_nodes *known,
                                        const eti_event_record *call, const eti_vulkan *graph,
                                        const eti_weight_users *weights) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_vulkan_found),
                                         .key_size = offsetof(eti_vulkan_found, found)};
    const eti_vulkan_found wanted = {graph, call->op_nodes, call->n_op_nodes, NULL};
    size_t n_known = calls->found.count;
    uint32_t number;
    if (!eti__intern_add(&calls->found.table, &kind, &wanted, &number))
        return NULL;
    eti_vulkan_found *of = &calls->found.items[number];
    if (number == n_known)
        of->found = eti__vulkan_nodes_find(known->arena, graph, call->op_nodes, call->n_op_nodes,
                                           weights, &calls->work);
    return of->found;
}

static bool set_event(eti_vulkan_calls *calls, eti_known_nodes *known,
                      const eti_delegated_call *call, const eti_call_nodes *nodes, size_t i,
                      eti_attribution attribution) {
    uint32_t number = calls->numbers[i];
    const eti_call_nodes *found = nodes && number != ETI_VULKAN_NONE ? &nodes[number] : NULL;
    bool is_node = calls->events[i]->role == ETI_DELEGATE_NODE;
    calls->n_events += is_node;
    calls->n_misfits += is_node && number == ETI_VULKAN_NONE;
    if (!found || found->attribution == ETI_ATTRIBUTION_CALL)
        return eti__known_nodes_drop(known, call->event->known, ETI_ATTRIBUTION_CALL,
                                     call->events[i]);
    if (found->attribution > attribution)
        attribution = found->attribution;
    return eti__known_nodes_set_found(known, found, attribution, call->events[i]);
}

bool eti__vulkan_calls_set(eti_vulkan_calls *calls, eti_known_nodes *known,
                           const eti_delegated_call *call, const eti_vulkan *payload,
                           const eti_weight_users *weights) {
    const eti_call_nodes *nodes = NULL;
    eti_attribution attribution = ETI_ATTRIBUTION_EXACT;
    if (!read_events(calls, known, call) ||
        !ETI_GROW(calls->numbers, calls->number_capacity, call->n + 1))
        return false;
    for (size_t i = 0; i < call->n; i++)
        calls->numbers[i] = ETI_VULKAN_NONE;
    if (payload) {
        nodes = find_nodes(calls, known, call->event->known, payload, weights);
        if (!nodes || !eti__vulkan_calls_find(calls->numbers, payload, calls->events, call->n,
                                              &attribution, &calls->work))
            return false;
    }
    for (size_t i = 0; i < call->n; i++) {
        if (!set_event(calls, known, call, nodes, i, attribution))
            return false;
    }
    return true;
}

void eti__vulkan_calls_free(eti_vulkan_calls *calls) {
    eti__intern_free(&calls->found.table);
    free(calls->numbers);
    free((void *)calls->events);
    *calls = (eti_vulkan_calls){0};
}
