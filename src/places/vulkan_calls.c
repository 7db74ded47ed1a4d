#include "places/vulkan_calls.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool list_events(eti_vulkan_calls *calls, const eti_delegated_call *call) {
    static const eti_delegate_event unknown = {.role = ETI_DELEGATE_WRAPPER, .operator_number = -1};
    if (!ETI_GROW(calls->events, calls->event_capacity, call->n + 1))
        return false;
    for (size_t i = 0; i < call->n; i++)
        calls->events[i] = call->events[i]->logged ? call->events[i]->logged : &unknown;
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

/* Adds to an event what its name lacks, but the graph has: the number of its node, and its tensors. */
static bool complete(eti_known_nodes *known, const eti_vulkan *graph, uint32_t number,
                     eti_event *event) {
    const eti_delegate_event *logged = event->logged;
    eti_delegate_event *made;
    char digits[16];
    if (!logged || (logged->node.size > 0 && logged->n_tensors > 0))
        return true;
    int n = snprintf(digits, sizeof digits, "%" PRIu32, graph->calls[number].node_id);
    made = eti__arena_alloc(known->arena, 1, sizeof *made);
    if (!made)
        return false;
    *made = *logged;
    event->logged = made;
    return eti__arena_copy_text(known->arena, (eti_text){digits, (size_t)n}, &made->node) &&
           (made->n_tensors > 0 || eti__vulkan_set_tensors(graph, number, made, known->arena));
}

static bool set_event(eti_vulkan_calls *calls, eti_known_nodes *known,
                      const eti_delegated_call *call, const eti_vulkan *graph,
                      const eti_call_nodes *nodes, size_t i, eti_attribution attribution) {
    uint32_t number = calls->numbers[i];
    const eti_call_nodes *found = number != ETI_VULKAN_NONE ? &nodes[number] : NULL;
    eti_event *event = call->events[i];
    if (found && !complete(known, graph, number, event))
        return false;
    if (!found || found->attribution == ETI_ATTRIBUTION_CALL)
        return eti__known_nodes_drop(known, call->event->known, ETI_ATTRIBUTION_CALL, event);
    if (found->attribution > attribution)
        attribution = found->attribution;
    return eti__known_nodes_set_found(known, found, attribution, event);
}

/* Counts the events that name operators, and forgets the payload if it is not the one that ran: too few of them are in it.
 * Kernels of other releases may have unknown names, which prove nothing. */
static void judge(eti_vulkan_calls *calls, size_t n) {
    size_t n_events = 0, n_misfits = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_node = calls->events[i]->role == ETI_DELEGATE_NODE && calls->events[i]->op.size > 0;
        n_events += is_node;
        n_misfits += is_node && calls->numbers[i] == ETI_VULKAN_NONE;
    }
    bool fits = n_misfits <= n_events / ETI_ONE_MISFIT_IN;
    calls->n_events += n_events;
    calls->n_misfits += fits ? 0 : n_misfits;
    for (size_t i = 0; i < n && !fits; i++)
        calls->numbers[i] = ETI_VULKAN_NONE;
}

bool eti__vulkan_calls_set(eti_vulkan_calls *calls, eti_known_nodes *known,
                           const eti_delegated_call *call, const eti_vulkan *payload,
                           const eti_weight_users *weights) {
    const eti_call_nodes *nodes = NULL;
    eti_attribution attribution = ETI_ATTRIBUTION_EXACT;
    if (!list_events(calls, call) || !ETI_GROW(calls->numbers, calls->number_capacity, call->n + 1))
        return false;
    for (size_t i = 0; i < call->n; i++)
        calls->numbers[i] = ETI_VULKAN_NONE;
    if (payload) {
        nodes = find_nodes(calls, known, call->event->known, payload, weights);
        if (!nodes || !eti__vulkan_calls_find(calls->numbers, payload, calls->events, call->n,
                                              &attribution, &calls->work))
            return false;
        judge(calls, call->n);
    }
    for (size_t i = 0; i < call->n; i++) {
        if (!set_event(calls, known, call, payload, nodes, i, attribution))
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
