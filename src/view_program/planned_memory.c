#include "view_program/planned_memory.h"

#include <stdlib.h>

static void drop_memory(void *object) {
    eti_planned_memory *memory = object;
    eti__arena_free(&memory->arena);
    free(memory);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool name_operators(eti_text *out, eti_arena *arena, const eti_pte_plan *plan) {
    eti_buffer name = {0};
    bool done = out != NULL;
    for (uint32_t i = 0; i < plan->n_operators && done; i++) {
        name.size = 0;
        eti__operator_add_name(&name, &plan->operators[i]);
        done = !name.failed && eti__arena_own_text(arena, eti__buffer_text(&name), &out[i]);
    }
    eti__buffer_free(&name);
    return done;
}

bool eti__method_names_make(eti_method_names *out, eti_arena *arena, const eti_pte_plan *plan) {
    out->operators = eti__arena_alloc(arena, plan->n_operators, sizeof *out->operators);
    out->delegates = eti__arena_alloc(arena, plan->n_delegates, sizeof *out->delegates);
    bool done = out->delegates && eti__arena_own_text(arena, plan->name, &out->method);
    for (uint32_t i = 0; i < plan->n_delegates && done; i++)
        done = eti__arena_own_text(arena, plan->delegates[i].id, &out->delegates[i]);
    return done && name_operators(out->operators, arena, plan);
}

eti_text eti__call_name(const eti_method_names *names, const eti_pte_instruction *call) {
    if (call->kind == ETI_PTE_KERNEL_CALL)
        return names->operators[call->index];
    if (call->kind == ETI_PTE_DELEGATE_CALL)
        return names->delegates[call->index];
    return eti__text_of(eti__instruction_kind_name(call->kind));
}

eti_text eti__planned_call_name(const eti_planned_memory *memory, uint32_t method,
                                uint32_t instruction) {
    const eti_calls *calls = &memory->methods.methods[method].liveness.calls;
    return eti__call_name(&memory->names[method], calls->items[instruction]);
}

/* ---- making it ------------------------------------------------------------------------------- */

static eti_status fill(eti_planned_memory *memory, eti_error *err) {
    ETI_TRY(eti__planned_methods_make(&memory->methods, &memory->arena, memory->inspector, err));
    memory->names = eti__arena_alloc_zero(&memory->arena, memory->methods.n, sizeof *memory->names);
    bool done = memory->names != NULL;
    for (uint32_t i = 0; i < memory->methods.n && done; i++)
        done = eti__method_names_make(&memory->names[i], &memory->arena,
                                      memory->methods.methods[i].plan);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__planned_memory_make(eti_planned_memory **out, eti_report *report,
                                    const eti_inspector *inspector, eti_error *err) {
    eti_planned_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return eti_fail_memory(err);
    memory->inspector = inspector;
    eti__report_keep(report, (eti_kept){memory, drop_memory});
    *out = memory;
    return fill(memory, err);
}
