#include "places/delegated_calls.h"

#include <stdlib.h>

static bool has_delegated(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (block->events[i].is_timed_as_delegated)
            return true;
    }
    return false;
}

/* Makes the list of events of each call, and counts all listed events. */
static bool link_events(eti_delegated_calls *calls, size_t *n_events) {
    const eti_call_order *order = &calls->order;
    size_t n = order->n_calls;
    *n_events = 0;
    if (!ETI_GROW(calls->firsts, calls->first_capacity, n + 1) ||
        !ETI_GROW(calls->nexts, calls->next_capacity, n + 1))
        return false;
    for (size_t i = 0; i < n; i++)
        calls->firsts[i] = ETI_NO_CALL;
    for (size_t i = n; i-- > 0;) {
        uint32_t call = order->calls[i].delegate_call;
        if (call == ETI_NO_CALL)
            continue;
        calls->nexts[i] = calls->firsts[call];
        calls->firsts[call] = (uint32_t)i;
        ++*n_events;
    }
    return true;
}

/* Lists a call; its events come after the `n_listed` events listed so far. */
static bool add_call(eti_delegated_calls *calls, eti_event_block *block, size_t number,
                     size_t *n_listed) {
    const eti_call *call = &calls->order.calls[number];
    const eti_block_run *run = &block->runs[0];
    eti_etdump_event read;
    if (!ETI_GROW(calls->calls, calls->capacity, calls->n + 1))
        return false;
    eti__etdump_read_event(&read, run->dump, eti__block_run_position(run, call->number));
    eti_delegated_call *out = &calls->calls[calls->n++];
    *out = (eti_delegated_call){.event = &block->events[call->event],
                                .chain = read.key.chain_index,
                                .instruction = read.key.instruction_id,
                                .events = calls->events + *n_listed,
                                .names = calls->names + *n_listed};
    for (uint32_t i = calls->firsts[number]; i != ETI_NO_CALL; i = calls->nexts[i]) {
        eti_event *event = &block->events[calls->order.calls[i].event];
        calls->events[*n_listed] = event;
        calls->names[*n_listed] = event->name;
        ++*n_listed;
        out->n++;
    }
    return true;
}

static bool add_calls(eti_delegated_calls *calls, eti_event_block *block) {
    size_t n_events, n_listed = 0;
    if (!link_events(calls, &n_events) ||
        !ETI_GROW(calls->events, calls->event_capacity, n_events + 1) ||
        !ETI_GROW(calls->names, calls->name_capacity, n_events + 1))
        return false;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        if (calls->firsts[i] != ETI_NO_CALL && !add_call(calls, block, i, &n_listed))
            return false;
    }
    return true;
}

eti_status eti__delegated_calls_list(eti_delegated_calls *calls, eti_event_block *block,
                                     eti_error *err) {
    calls->n = 0;
    if (block->n_runs == 0 || !has_delegated(block))
        return ETI_OK;
    ETI_TRY(eti__call_order_read(&calls->order, block, &block->runs[0], err));
    return add_calls(calls, block) ? ETI_OK : eti_fail_memory(err);
}

void eti__delegated_calls_free(eti_delegated_calls *calls) {
    eti__call_order_free(&calls->order);
    free(calls->calls);
    free(calls->firsts);
    free(calls->nexts);
    free(calls->events);
    free(calls->names);
    *calls = (eti_delegated_calls){0};
}

const eti_pte_delegate *eti__delegated_call_delegate(const eti_delegated_call *call,
                                                     const eti_pte_plan *plan) {
    if (!plan || call->chain >= plan->n_chains || call->instruction < 0)
        return NULL;
    const eti_pte_chain *chain = &plan->chains[call->chain];
    if ((uint32_t)call->instruction >= chain->n_instructions)
        return NULL;
    const eti_pte_instruction *instruction = &chain->instructions[call->instruction];
    return instruction->kind == ETI_PTE_DELEGATE_CALL ? &plan->delegates[instruction->index] : NULL;
}
