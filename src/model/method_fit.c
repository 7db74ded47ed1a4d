#include "model/method_fit.h"

#include "backends/backends.h"
#include "model/associate.h"
#include "model/instructions.h"

#include <stdlib.h>

/* ---- instructions of the program ------------------------------------------------------------- */

/* Returns the number of calls in the first chain that have no event. */
static uint64_t count_missing(const eti_pte_chain *chain, const bool *seen) {
    uint64_t n_missing = 0;
    for (uint32_t i = 0; i < chain->n_instructions; i++) {
        uint8_t kind = chain->instructions[i].kind;
        n_missing += !seen[i] && (kind == ETI_PTE_KERNEL_CALL || kind == ETI_PTE_DELEGATE_CALL);
    }
    return n_missing;
}

bool eti__fit_plan(const eti_event_block *block, const eti_pte_plan *plan, eti_method_fit *out) {
    const eti_pte_chain *first = &plan->chains[0];
    bool *seen = calloc((size_t)first->n_instructions + 1, sizeof *seen);
    *out = (eti_method_fit){0};
    if (!seen)
        return false;
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!eti__event_has_instruction(event))
            continue;
        const eti_pte_instruction *instruction = eti__event_instruction(event, plan);
        out->n_compared++;
        if (!instruction || !eti__event_fits(event, plan, instruction))
            out->n_unlike++;
        else if (plan->n_chains == 1)
            seen[event->instruction_id] = true;
    }
    out->n_missing = plan->n_chains == 1 ? count_missing(first, seen) : 0;
    free(seen);
    return true;
}

/* ---- instructions of the record -------------------------------------------------------------- */

static bool is_of_delegate(const eti_event *event) {
    return event->is_delegated_op || eti__text_is(event->name, "DELEGATE_CALL");
}

static bool is_of_kernel(const eti_event *event) {
    return !is_of_delegate(event) &&
           (event->is_operator_call || eti__kernel_overload(event->name).data);
}

bool eti__fit_record(const eti_inspector *inspector, const eti_event_block *block, size_t method,
                     eti_method_fit *out) {
    *out = (eti_method_fit){0};
    eti_id_table ids = {0};
    bool done = true;
    for (size_t i = 0; i < block->n_events && done; i++) {
        const eti_event *event = &block->events[i];
        eti_debug_handles handles;
        uint32_t ignored;
        if (!eti__event_has_instruction(event))
            continue;
        bool has_it =
            eti__etrecord_find_handles(inspector->record, method, event->instruction_id, &handles);
        bool has_delegate =
            has_it && eti__etrecord_find_delegate(inspector->record, method, event->instruction_id);
        bool fits = has_it && !(has_delegate ? is_of_kernel(event) : is_of_delegate(event));
        out->n_compared++;
        out->n_contrary += has_delegate && !fits;
        out->n_unlike += !fits;
        if (has_it)
            done = eti__id_table_add(&ids, event->instruction_id, &ignored);
    }
    size_t n = eti__etrecord_method_instruction_count(inspector->record, method);
    out->n_missing = n > ids.count ? n - ids.count : 0;
    eti__id_table_free(&ids);
    return done;
}

/* ---- program and record ----------------------------------------------------------------------- */

static bool is_call(const eti_pte_instruction *instruction) {
    return instruction->kind == ETI_PTE_KERNEL_CALL || instruction->kind == ETI_PTE_DELEGATE_CALL;
}

/* Returns the number of calls; 0 if there are jumps, because their targets are not recorded. */
static uint64_t count_calls(const eti_pte_plan *plan) {
    uint64_t n = 0;
    if (plan->n_chains != 1 || !plan->chains[0].instructions)
        return 0;
    const eti_pte_chain *chain = &plan->chains[0];
    for (uint32_t i = 0; i < chain->n_instructions; i++) {
        if (chain->instructions[i].kind == ETI_PTE_JUMP_FALSE_CALL)
            return 0;
        n += is_call(&chain->instructions[i]);
    }
    return n;
}

void eti__fit_files(const eti_inspector *inspector, const eti_method *method, eti_method_fit *out) {
    const eti_etrecord *record = inspector->record;
    const eti_pte_chain *chain = &method->plan->chains[0];
    *out = (eti_method_fit){0};
    out->n_compared = eti__etrecord_method_instruction_count(record, method->number);
    for (size_t i = 0; i < out->n_compared; i++) {
        const eti_delegate_call *call;
        int32_t id;
        (void)eti__etrecord_instruction_handles(record, method->number, i, &call);
        bool has_id = eti__etrecord_instruction_id(record, method->number, i, &id) && id >= 0 &&
                      (uint32_t)id < chain->n_instructions;
        const eti_pte_instruction *instruction = has_id ? &chain->instructions[id] : NULL;
        out->n_contrary += !instruction || !is_call(instruction) ||
                           (call && instruction->kind != ETI_PTE_DELEGATE_CALL);
    }
    uint64_t n_calls = count_calls(method->plan);
    out->n_missing = n_calls > out->n_compared ? n_calls - out->n_compared : 0;
}

/* ---- kernels' names -------------------------------------------------------------------------- */

/* Returns whether the kernel belongs to an operator of the event; subtracts the bytes compared from `*left`. */
static bool has_operator(const eti_event *event, eti_text kernel, size_t *left) {
    const eti_event_record *known = event->known;
    for (size_t i = 0; i<known->n_op_types && * left> 0; i++) {
        size_t size = known->op_types[i].size + 1;
        *left -= size < *left ? size : *left;
        if (eti__is_kernel_of(known->op_types[i], kernel))
            return true;
    }
    return false;
}

uint64_t eti__count_unlike_kernels(const eti_event_block *block, size_t *left,
                                   uint64_t *n_compared) {
    uint64_t n_unlike = 0;
    for (size_t i = 0; i<block->n_events && * left> 0; i++) {
        const eti_event *event = &block->events[i];
        eti_text kernel = eti__kernel_operator(event->name);
        if (!kernel.data || event->known->n_op_types == 0)
            continue;
        ++*n_compared;
        n_unlike += !has_operator(event, kernel, left);
    }
    return n_unlike;
}
