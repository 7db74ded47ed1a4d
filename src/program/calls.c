#include "program/calls.h"

eti_status eti__calls_make(eti_calls *out, eti_arena *arena, const eti_pte_plan *plan,
                           eti_error *err) {
    size_t n = 0;
    for (uint32_t c = 0; c < plan->n_chains; c++)
        n += plan->chains[c].n_instructions;
    if (n >= UINT32_MAX)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "method %.*s has %zu instructions; at most %u are supported",
                        ETI_TEXT_ARGS(plan->name), n, UINT32_MAX - 1);
    const eti_pte_instruction **items = eti__arena_alloc(arena, n, sizeof *items);
    uint32_t *first = eti__arena_alloc(arena, plan->n_chains, sizeof *first);
    if (!items || !first)
        return eti_fail_memory(err);
    *out = (eti_calls){plan, items, (uint32_t)n, first};
    for (uint32_t c = 0; c < plan->n_chains; c++) {
        first[c] = (uint32_t)(items - out->items);
        for (uint32_t i = 0; i < plan->chains[c].n_instructions; i++)
            *items++ = &plan->chains[c].instructions[i];
    }
    return ETI_OK;
}

const char *eti__value_kind_name(uint8_t kind) {
    static const char *const names[] = {
        [ETI_PTE_ABSENT] = "unknown",
        [ETI_PTE_NULL] = "none",
        [ETI_PTE_INT] = "int",
        [ETI_PTE_BOOL] = "bool",
        [ETI_PTE_DOUBLE] = "float",
        [ETI_PTE_TENSOR] = "tensor",
        [ETI_PTE_STRING] = "str",
        [ETI_PTE_INT_LIST] = "list of int",
        [ETI_PTE_DOUBLE_LIST] = "list of float",
        [ETI_PTE_BOOL_LIST] = "list of bool",
        [ETI_PTE_TENSOR_LIST] = "list of tensors",
        [ETI_PTE_OPTIONAL_TENSOR_LIST] = "list of tensors or none",
    };
    return names[kind];
}

void eti__operator_add_name(eti_buffer *out, const eti_pte_operator *op) {
    eti__buffer_add_text(out, op->name);
    if (op->overload.size > 0) {
        eti__buffer_add_char(out, '.');
        eti__buffer_add_text(out, op->overload);
    }
}

const char *eti__instruction_kind_name(uint8_t kind) {
    static const char *const names[] = {
        [ETI_PTE_NO_CALL] = "unknown",
        [ETI_PTE_KERNEL_CALL] = "kernel",
        [ETI_PTE_DELEGATE_CALL] = "delegate",
        [ETI_PTE_MOVE_CALL] = "move",
        [ETI_PTE_JUMP_FALSE_CALL] = "jump if false",
        [ETI_PTE_FREE_CALL] = "free",
    };
    return names[kind];
}

void eti__instruction_add_name(eti_buffer *out, const eti_pte_plan *plan,
                               const eti_pte_instruction *instruction) {
    if (instruction->kind == ETI_PTE_KERNEL_CALL)
        eti__operator_add_name(out, &plan->operators[instruction->index]);
    else if (instruction->kind == ETI_PTE_DELEGATE_CALL)
        eti__buffer_add_text(out, plan->delegates[instruction->index].id);
    else
        eti__buffer_add_string(out, eti__instruction_kind_name(instruction->kind));
}

eti_pte_indices eti__value_items(const eti_pte_plan *plan, const int32_t *value) {
    const eti_pte_value *of = &plan->values[*value];
    if (of->kind == ETI_PTE_TENSOR_LIST || of->kind == ETI_PTE_OPTIONAL_TENSOR_LIST)
        return of->of.as_list;
    return (eti_pte_indices){value, 1};
}

const int32_t *eti__kernel_output(const eti_pte_plan *plan,
                                  const eti_pte_instruction *instruction) {
    const eti_pte_indices *args = &instruction->args;
    if (instruction->kind != ETI_PTE_KERNEL_CALL || args->n == 0)
        return NULL;
    bool is_copy =
        eti__text_is(plan->operators[instruction->index].name, "executorch_prim::et_copy_index");
    return &args->items[is_copy ? 0 : args->n - 1];
}

bool eti__is_view_call(const eti_pte_plan *plan, const eti_pte_instruction *instruction) {
    return instruction->kind == ETI_PTE_KERNEL_CALL && instruction->args.n > 1 &&
           eti__text_is(plan->operators[instruction->index].name, "executorch_prim::et_view");
}
