#include "model/instructions.h"

#include "backends/backends.h"
#include "model/associate.h"
#include "model/run_events.h"

uint64_t eti__event_chain(const eti_event *event) {
    const eti_block_run *run = &event->block->runs[0];
    size_t number = (size_t)(event - event->block->events);
    const eti_run_layout *layout = run->layout;
    uint32_t in_run = layout->profile_events[number];
    if (in_run == ETI_NO_EVENT && layout->debug_events && layout->debug_events[number].n > 0)
        in_run = layout->debug_events[number].events[0];
    if (in_run == ETI_NO_EVENT)
        return 0;
    eti_etdump_event read;
    eti__etdump_read_event(&read, run->dump, eti__block_run_position(run, in_run));
    return read.key.chain_index;
}

bool eti__block_has_instructions(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti__event_has_instruction(&block->events[i]))
            return true;
    }
    return false;
}

const eti_pte_instruction *eti__event_instruction(const eti_event *event,
                                                  const eti_pte_plan *plan) {
    if (!eti__event_has_instruction(event))
        return NULL;
    uint64_t chain = plan->n_chains == 1 ? 0 : eti__event_chain(event);
    if (chain >= plan->n_chains || event->instruction_id < 0 ||
        (uint32_t)event->instruction_id >= plan->chains[chain].n_instructions)
        return NULL;
    return &plan->chains[chain].instructions[event->instruction_id];
}

bool eti__event_fits(const eti_event *event, const eti_pte_plan *plan,
                     const eti_pte_instruction *instruction) {
    if (event->is_delegated_op || eti__text_is(event->name, "DELEGATE_CALL"))
        return instruction->kind == ETI_PTE_DELEGATE_CALL;
    eti_text kernel = eti__kernel_overload(event->name);
    if (!kernel.data)
        return !event->is_operator_call || instruction->kind == ETI_PTE_KERNEL_CALL;
    if (instruction->kind != ETI_PTE_KERNEL_CALL)
        return false;
    const eti_pte_operator *op = &plan->operators[instruction->index];
    return eti__is_overload_of(op->name, op->overload, kernel);
}

const eti_event *eti__first_misfit(const eti_event_block *block, const eti_pte_plan *plan,
                                   const eti_pte_instruction **instruction) {
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!eti__event_has_instruction(event))
            continue;
        *instruction = eti__event_instruction(event, plan);
        if (!*instruction || !eti__event_fits(event, plan, *instruction))
            return event;
    }
    return NULL;
}
