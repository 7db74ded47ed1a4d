#include "timeline/planned_use.h"

static eti_status add_plan(eti_planned_use *use, eti_slice_source *source, const eti_pte *pte,
                           const eti_pte_plan *plan, eti_error *err) {
    eti_used_plan *of = &use->plans[use->n_plans++];
    *of = (eti_used_plan){.plan = plan, .first = use->n_arenas};
    ETI_TRY(eti__planned_method_make(&of->method, &source->arena, source->inspector, pte,
                                     (uint32_t)(plan - pte->plans), err));
    uint32_t n = of->method.arenas.n_arenas;
    of->n = n < ETI_MOST_SHOWN_ARENAS ? n : ETI_MOST_SHOWN_ARENAS;
    use->n_arenas += of->n;
    return ETI_OK;
}

/* Returns whether the block ran a method of this program, as far as is known. */
static bool is_of_program(const eti_pte *pte, const eti_event_block *block) {
    return eti__block_is_of_program(block) && block->plan >= pte->plans &&
           block->plan < pte->plans + pte->n_plans;
}

static eti_status make(eti_planned_use *use, eti_slice_source *source, const eti_pte *pte,
                       eti_error *err) {
    const eti_blocks *blocks = &source->inspector->blocks;
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        const eti_event_block *block = &blocks->blocks[i];
        if (source->first_event[i] == SIZE_MAX || !is_of_program(pte, block) ||
            eti__planned_use_of(use, block))
            continue;
        ETI_TRY(add_plan(use, source, pte, block->plan, err));
    }
    return ETI_OK;
}

eti_status eti__planned_use_make(const eti_planned_use **out, eti_slice_source *source,
                                 eti_error *err) {
    *out = NULL;
    if (source->inspector->n_programs == 0)
        return ETI_OK;
    const eti_pte *pte = &source->inspector->programs[0];
    eti_planned_use *use = eti__arena_alloc_zero(&source->arena, 1, sizeof *use);
    if (!use)
        return eti_fail_memory(err);
    use->plans =
        eti__arena_alloc_zero(&source->arena, (size_t)pte->n_plans + 1, sizeof *use->plans);
    if (!use->plans)
        return eti_fail_memory(err);
    ETI_TRY(make(use, source, pte, err));
    *out = use->n_arenas > 0 ? use : NULL;
    return ETI_OK;
}

const eti_used_plan *eti__planned_use_of(const eti_planned_use *use, const eti_event_block *block) {
    if (!eti__block_is_of_program(block))
        return NULL;
    for (size_t i = 0; i < use->n_plans; i++) {
        if (use->plans[i].plan == block->plan)
            return &use->plans[i];
    }
    return NULL;
}

uint32_t eti__used_plan_instruction(const eti_used_plan *plan, const eti_event *event,
                                    const eti_block_run *run, uint32_t number) {
    const eti_pte_plan *of = plan->plan;
    uint64_t chain = 0;
    if (!eti__event_has_instruction(event) || event->instruction_id < 0)
        return ETI_NO_INSTRUCTION;
    if (of->n_chains > 1) {
        eti_etdump_event read;
        eti__etdump_read_event(&read, run->dump, eti__block_run_position(run, number));
        chain = read.key.chain_index;
    }
    uint32_t id = (uint32_t)event->instruction_id;
    if (chain >= of->n_chains || id >= of->chains[chain].n_instructions)
        return ETI_NO_INSTRUCTION;
    return plan->method.liveness.calls.first_of_chain[chain] + id;
}
