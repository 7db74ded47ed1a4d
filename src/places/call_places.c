#include "places/call_places.h"

#include "places/handle_nodes.h"

#include <stdlib.h>
#include <string.h>

/* Limit on the number of nodes of all instructions that are looked up. */
#define MOST_LISTED ((size_t)4 << 20)

eti_status eti__call_places_init(eti_call_places *out, const eti_inspector *inspector,
                                 const eti_planned_method *method, eti_error *err) {
    *out = (eti_call_places){.method = method, .graph = inspector->graph};
    out->payloads.arena = &out->arena;
    if (!eti__places_init(&out->places))
        return eti_fail_memory(err);
    if (method->record_method == ETI_NO_METHOD)
        return ETI_OK;
    out->record = inspector->record;
    out->work = (eti_call_work){.record = out->record, .method = method->record_method};
    out->n_left = ETI_PAYLOADS_EXAMINED * (uint64_t)inspector->programs[0].file->size;
    if (method->record_method != inspector->method)
        ETI_TRY(eti__record_graph(inspector->opened_record, ETI_READ_EDGE, method->record_method,
                                  NULL, &out->graph, err));
    return eti__handle_index_init(&out->by_handle, &out->graph) ? ETI_OK : eti_fail_memory(err);
}

void eti__call_places_free(eti_call_places *places) {
    eti__places_free(&places->places);
    eti__handle_index_free(&places->by_handle);
    free((void *)places->found);
    eti__call_work_free(&places->work);
    eti__payloads_free(&places->payloads);
    eti__arena_free(&places->arena);
    *places = (eti_call_places){0};
}

/* Lists the nodes of handles, up to the limit. Returns false if memory runs out. */
static bool find_nodes(eti_call_places *places, const eti_debug_handles *handles) {
    const eti_handle_index *index = &places->by_handle;
    places->n_found = 0;
    for (size_t i = 0; i < handles->n; i++) {
        int64_t handle = handles->handles[i];
        for (size_t at = eti__handle_index_first(index, handle);
             at < index->n && index->nodes[at].handle == handle; at++) {
            if (places->n_listed == MOST_LISTED) {
                /* some of the nodes may have a place that not all of them share */
                places->n_found = 0;
                return true;
            }
            places->n_listed++;
            if (!ETI_GROW(places->found, places->found_capacity, places->n_found + 1))
                return false;
            places->found[places->n_found++] = &places->graph.nodes[index->nodes[at].node].node;
        }
    }
    return true;
}

static bool has_kernel(const eti_op_node *node, eti_text kernel) {
    eti_text op = ((const eti_graph_node *)(const void *)node)->op_type;
    return eti__text_equal(eti__operator_name(op), kernel);
}

/* Keeps only the nodes of the kernel's operator, if there are any. */
static void keep_kernel(eti_call_places *places, eti_text kernel) {
    size_t n = 0;
    for (size_t i = 0; i < places->n_found && kernel.size > 0; i++) {
        const eti_op_node *node = places->found[i];
        if (!has_kernel(node, kernel))
            continue;
        places->found[i] = places->found[n]; /* swapped, so that all nodes are kept if none fits */
        places->found[n++] = node;
    }
    if (n > 0)
        places->n_found = n;
}

/* Returns "add" for "aten::add"; absent for calls of other kinds. */
static eti_text kernel_of(const eti_pte_plan *plan, const eti_pte_instruction *call) {
    if (call->kind != ETI_PTE_KERNEL_CALL)
        return (eti_text){NULL, 0};
    return eti__operator_name(plan->operators[call->index].name);
}

/* Keeps only the nodes that a delegate call is for, if the program has a payload that fits. Returns false if memory runs
 * out. */
static bool keep_work(eti_call_places *places, const eti_pte_instruction *call,
                      const eti_debug_handles *handles) {
    const eti_pte_delegate *delegate = &places->method->plan->delegates[call->index];
    const eti_xnnpack *payload;
    eti_error ignored;
    bool fits;
    if (!eti__is_xnnpack(delegate->id) || delegate->payload.size > places->n_left)
        return true;
    places->n_left -= delegate->payload.size;
    if (eti__payloads_find(&places->payloads, delegate->id, delegate->payload, &payload,
                           &ignored) != ETI_OK)
        return false;
    return !payload || (eti__payload_is_listed(payload, handles, &fits) &&
                        (!fits || eti__call_work_find(&places->work, payload, places->found,
                                                      places->n_found, &places->n_found)));
}

bool eti__call_places_find(eti_call_places *places, uint32_t instruction, eti_call_place *out) {
    const eti_planned_method *method = places->method;
    eti_debug_handles handles;
    eti_place place;
    *out = (eti_call_place){0};
    if (!places->record || instruction >= method->plan->chains[0].n_instructions ||
        !eti__etrecord_find_handles(places->record, method->record_method, (int32_t)instruction,
                                    &handles))
        return true;
    if (!find_nodes(places, &handles))
        return false;
    if (places->n_found == 0)
        return true;
    const eti_pte_instruction *call = method->liveness.calls.items[instruction];
    keep_kernel(places, kernel_of(method->plan, call));
    if (call->kind == ETI_PTE_DELEGATE_CALL && !keep_work(places, call, &handles))
        return false;
    eti_event_nodes nodes = {places->found, places->n_found};
    if (!eti__places_of_nodes(&places->places, &nodes, &place))
        return false;
    out->node = eti__event_nodes_single(&nodes);
    if (place.module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(&places->places, place.module);
    if (place.frame != ETI_PREFIX_ROOT) {
        const eti_stack_frame *frame = &eti__places_frame(&places->places, place.frame)->frame;
        out->file = frame->file;
        out->line = frame->line;
    }
    return true;
}
