#include "model/method_payloads.h"

#include "model/associate.h"
#include "model/instructions.h"

#include <stdlib.h>

static int compare_ids(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

bool eti__find_calls(const eti_inspector *inspector, eti_method *method, eti_arena *arena) {
    const eti_etrecord *record = inspector->record;
    size_t n = 0, n_modules = method->graph.n_modules;
    int32_t *calls = eti__arena_alloc(arena, n_modules, sizeof *calls);
    if (!calls)
        return false;
    for (size_t i = 0; i < eti__etrecord_method_instruction_count(record, method->number); i++) {
        const eti_delegate_call *call;
        int32_t id;
        (void)eti__etrecord_instruction_handles(record, method->number, i, &call);
        if (!call || !eti__etrecord_instruction_id(record, method->number, i, &id))
            continue;
        if (n < n_modules)
            calls[n] = id;
        n++;
    }
    if (n != n_modules)
        return true;
    qsort(calls, n, sizeof *calls, compare_ids);
    method->calls = calls;
    return true;
}

/* Returns whether a handle of the module's nodes is among the instruction's handles, as it must be. */
static bool has_handles_of(const eti_method *method, size_t number,
                           const eti_debug_handles *handles) {
    const eti_graph *graph = &method->graph;
    size_t first = graph->modules[number].first;
    for (size_t i = 0; i < graph->modules[number].n_nodes; i++) {
        const eti_graph_node *node = &graph->nodes[first + i];
        for (size_t k = 0; node->has_debug_handle && k < handles->n; k++) {
            if (handles->handles[k] == node->debug_handle)
                return true;
        }
        if (node->has_debug_handle)
            return false;
    }
    return false;
}

const eti_lowered_module *eti__find_lowered_module(const eti_inspector *inspector,
                                                   const eti_method *method,
                                                   const eti_event *event) {
    eti_debug_handles handles;
    if (!method || !method->calls || !eti__event_has_instruction(event) ||
        !eti__etrecord_find_handles(inspector->record, method->number, event->instruction_id,
                                    &handles))
        return NULL;
    const int32_t *found = bsearch(&event->instruction_id, method->calls, method->graph.n_modules,
                                   sizeof *found, compare_ids);
    size_t module = found ? (size_t)(found - method->calls) : 0;
    return found && has_handles_of(method, module, &handles) ? &method->graph.modules[module]
                                                             : NULL;
}

bool eti__find_payload(const eti_inspector *inspector, const eti_method *method,
                       const eti_pte_plan *plan, const eti_event *event, eti_text *backend,
                       eti_text *payload) {
    const eti_pte_instruction *called = plan ? eti__event_instruction(event, plan) : NULL;
    const eti_lowered_module *module = eti__find_lowered_module(inspector, method, event);
    if (called && called->kind == ETI_PTE_DELEGATE_CALL) {
        *backend = plan->delegates[called->index].id;
        *payload = plan->delegates[called->index].payload;
        return true;
    }
    if (!module || module->payload.size == 0)
        return false;
    *backend = module->backend;
    *payload = module->payload;
    return true;
}
