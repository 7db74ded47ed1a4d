/*
 * program_walk.h - reads the complete content of an opened program or data file, to the last byte, and checks the promises
 * of its header. A file that includes it defines WALK_EXPECT(condition) and WALK_TOUCH(text), which reads all bytes of a
 * text.
 */
#ifndef ETI_TESTS_PROGRAM_WALK_H
#define ETI_TESTS_PROGRAM_WALK_H

#include "base/arena.h"
#include "program_bytes.h"
#include "pte/pte.h"
#include "tensors/tensors.h"

/* Texts are UTF-8, whatever bytes the file has. */
static inline void walk_program_text(eti_text text) {
    WALK_EXPECT(eti__text_valid_utf8(text) == text.size);
    WALK_TOUCH(text);
}

static inline void walk_bytes(const void *data, size_t size) {
    WALK_EXPECT(data || size == 0);
    WALK_TOUCH(((eti_text){data, size}));
}

static inline void walk_indices(eti_pte_indices indices, uint32_t n_values, int32_t least) {
    for (uint32_t i = 0; i < indices.n; i++)
        WALK_EXPECT(indices.items[i] >= least && indices.items[i] < (int64_t)n_values);
}

static inline void walk_shape(const eti_pte_tensor *tensor) {
    for (uint32_t i = 0; i < tensor->n_dims; i++) {
        WALK_EXPECT(tensor->sizes[i] >= 0);
        WALK_EXPECT(!tensor->dim_order || tensor->dim_order[i] < tensor->n_dims);
    }
    WALK_EXPECT(tensor->n_bytes == ETI_PTE_UNKNOWN_SIZE || tensor->n_bytes <= INT64_MAX);
}

static inline void walk_tensor(const eti_pte *pte, const eti_pte_plan *plan,
                               const eti_pte_tensor *tensor) {
    walk_shape(tensor);
    walk_program_text(tensor->name);
    WALK_EXPECT(tensor->dynamism <= ETI_PTE_UNBOUND);
    WALK_EXPECT(!tensor->is_planned || tensor->memory_id < plan->n_arenas);
    WALK_EXPECT(!tensor->is_external || tensor->name.data);
    WALK_EXPECT(!tensor->has_initial_data || tensor->mutable_data < pte->n_mutable_data);
    WALK_TOUCH(constant_bytes(pte, tensor));
    WALK_TOUCH(initial_bytes(pte, tensor));
}

static inline void walk_value(const eti_pte *pte, const eti_pte_plan *plan, uint32_t i) {
    const eti_pte_value *value = &plan->values[i];
    const eti_pte_tensor *tensor = eti__pte_tensor_at(plan, (int32_t)i);
    WALK_EXPECT(!tensor == (value->kind != ETI_PTE_TENSOR));
    switch (value->kind) {
    case ETI_PTE_TENSOR:
        walk_tensor(pte, plan, tensor);
        break;
    case ETI_PTE_STRING:
        walk_program_text(value->of.as_string);
        break;
    case ETI_PTE_DOUBLE_LIST:
    case ETI_PTE_BOOL_LIST:
        walk_bytes(value->of.as_numbers.bytes,
                   (size_t)value->of.as_numbers.n * (value->kind == ETI_PTE_DOUBLE_LIST ? 8 : 1));
        break;
    case ETI_PTE_INT_LIST:
    case ETI_PTE_TENSOR_LIST:
    case ETI_PTE_OPTIONAL_TENSOR_LIST:
        walk_indices(value->of.as_list, plan->n_values,
                     value->kind == ETI_PTE_OPTIONAL_TENSOR_LIST ? -1 : 0);
        break;
    default:
        WALK_EXPECT(value->kind <= ETI_PTE_OPTIONAL_TENSOR_LIST);
    }
}

static inline void walk_instruction(const eti_pte_plan *plan, const eti_pte_chain *chain,
                                    const eti_pte_instruction *instruction) {
    uint32_t n = instruction->kind == ETI_PTE_KERNEL_CALL     ? plan->n_operators
                 : instruction->kind == ETI_PTE_DELEGATE_CALL ? plan->n_delegates
                                                              : plan->n_values;
    walk_indices(instruction->args, plan->n_values, 0);
    WALK_EXPECT(instruction->kind <= ETI_PTE_FREE_CALL);
    if (instruction->kind != ETI_PTE_NO_CALL)
        WALK_EXPECT(instruction->index >= 0 && (uint32_t)instruction->index < n);
    if (instruction->kind == ETI_PTE_MOVE_CALL)
        WALK_EXPECT(instruction->target >= 0 && (uint32_t)instruction->target < n);
    if (instruction->kind == ETI_PTE_JUMP_FALSE_CALL)
        WALK_EXPECT(instruction->target >= 0 &&
                    (uint32_t)instruction->target <= chain->n_instructions);
}

static inline void walk_chain(const eti_pte_plan *plan, const eti_pte_chain *chain) {
    for (uint32_t i = 0; i < chain->n_instructions; i++)
        walk_instruction(plan, chain, &chain->instructions[i]);
    walk_indices(chain->inputs, plan->n_values, 0);
    walk_indices(chain->outputs, plan->n_values, 0);
    for (uint32_t i = 0; i < chain->n_stacks; i++) {
        for (uint32_t k = 0; k < chain->stacks[i].n; k++) {
            walk_program_text(chain->stacks[i].items[k].file);
            walk_program_text(chain->stacks[i].items[k].function);
            walk_program_text(chain->stacks[i].items[k].code);
        }
    }
}

static inline void walk_delegate(const eti_pte *pte, const eti_pte_delegate *delegate) {
    walk_program_text(delegate->id);
    WALK_TOUCH(delegate->payload);
    WALK_EXPECT(!delegate->is_segment || delegate->index < pte->n_segments);
    for (uint32_t i = 0; i < delegate->n_specs; i++) {
        walk_program_text(delegate->specs[i].key);
        WALK_TOUCH(delegate->specs[i].value);
    }
}

static inline void walk_plan(const eti_pte *pte, const eti_pte_plan *plan) {
    walk_program_text(plan->name);
    walk_program_text(plan->encoded_inputs);
    walk_program_text(plan->encoded_outputs);
    WALK_EXPECT(plan->n_chains > 0);
    walk_bytes(plan->arena_sizes, plan->n_arenas * sizeof *plan->arena_sizes);
    walk_bytes(plan->devices, plan->n_devices * sizeof *plan->devices);
    walk_indices(plan->inputs, plan->n_values, 0);
    walk_indices(plan->outputs, plan->n_values, 0);
    for (uint32_t i = 0; i < plan->n_values; i++)
        walk_value(pte, plan, i);
    for (uint32_t i = 0; i < plan->n_operators; i++) {
        walk_program_text(plan->operators[i].name);
        walk_program_text(plan->operators[i].overload);
    }
    for (uint32_t i = 0; i < plan->n_delegates; i++)
        walk_delegate(pte, &plan->delegates[i]);
    for (uint32_t i = 0; i < plan->n_chains; i++)
        walk_chain(plan, &plan->chains[i]);
}

/* No two of them overlap. */
static inline void walk_segments(const eti_pte_segment *segments, uint32_t n, uint64_t from,
                                 uint64_t end) {
    for (uint32_t i = 0; i < n; i++) {
        WALK_EXPECT(segments[i].offset <= end && segments[i].size <= end - segments[i].offset);
        WALK_EXPECT(segments[i].size == 0 || segments[i].offset >= from);
        for (uint32_t k = 0; k < i && k < 100; k++)
            WALK_EXPECT(segments[i].size == 0 || segments[k].size == 0 ||
                        segments[i].offset + segments[i].size <= segments[k].offset ||
                        segments[k].offset + segments[k].size <= segments[i].offset);
    }
}

static inline void walk_slots(const eti_pte *pte, const eti_pte_slots *slots) {
    for (uint32_t i = 0; i < slots->n_offsets; i++)
        WALK_EXPECT(slots->offsets[i] <= pte->segments[slots->segment].size);
}

static inline void walk_program(const eti_pte *pte) {
    WALK_EXPECT(pte->program_size <= pte->size && pte->offset + pte->size <= pte->file->size);
    walk_segments(pte->segments, pte->n_segments, pte->program_size, pte->size);
    for (uint32_t i = 0; i < pte->n_segments; i++)
        WALK_TOUCH(eti__pte_segment_bytes(pte, i));
    for (uint32_t i = 0; i < pte->n_inline_constants; i++)
        WALK_TOUCH(pte->inline_constants[i]);
    for (uint32_t i = 0; i < pte->n_inline_delegates; i++)
        WALK_TOUCH(pte->inline_delegates[i]);
    walk_slots(pte, &pte->constants);
    for (uint32_t i = 0; i < pte->n_mutable_data; i++)
        walk_slots(pte, &pte->mutable_data[i]);
    for (uint32_t i = 0; i < pte->n_named_data; i++) {
        walk_program_text(pte->named_data[i].key);
        WALK_EXPECT(pte->named_data[i].segment < pte->n_segments);
    }
    for (uint32_t i = 0; i < pte->bundle.n_suites; i++)
        walk_program_text(pte->bundle.suites[i].method);
    for (uint32_t i = 0; i < pte->n_plans; i++)
        walk_plan(pte, &pte->plans[i]);
}

static inline void walk_bundle_value(const eti_bundle_value *value) {
    const eti_tensor_values *tensor = &value->tensor;
    uint32_t seen = 0;
    WALK_EXPECT(value->kind <= ETI_BUNDLE_DOUBLE);
    WALK_EXPECT(value->kind != ETI_BUNDLE_ABSENT || value->fault);
    if (value->kind != ETI_BUNDLE_TENSOR || value->fault)
        return;
    WALK_EXPECT(tensor->n_dims <= ETI_BUNDLE_MOST_DIMS);
    for (uint32_t i = 0; i < tensor->n_dims; i++)
        seen |= (uint32_t)1 << value->dim_order[i];
    WALK_EXPECT(seen == ((uint32_t)1 << tensor->n_dims) - 1);
    WALK_EXPECT(tensor->data || tensor->n_elements == 0);
    walk_bytes(tensor->data, (size_t)eti__tensor_values_size(tensor));
}

static inline void walk_bundle(const eti_bundle *bundle, eti_arena *arena) {
    for (uint32_t i = 0; i < bundle->n_suites; i++) {
        const eti_bundle_case *cases;
        WALK_EXPECT(eti__bundle_read_suite(&cases, arena, bundle, i, NULL) == ETI_OK);
        for (uint32_t n = 0; n < bundle->suites[i].n_cases; n++) {
            for (uint32_t k = 0; k < cases[n].n_inputs; k++)
                walk_bundle_value(&cases[n].inputs[k]);
            for (uint32_t k = 0; k < cases[n].n_expected; k++)
                walk_bundle_value(&cases[n].expected[k]);
        }
    }
}

static inline void walk_data_file(const eti_ptd *ptd) {
    walk_segments(ptd->segments, ptd->n_segments, ptd->metadata_size, ptd->file->size);
    for (uint32_t i = 0; i < ptd->n_entries; i++) {
        const eti_ptd_entry *entry = &ptd->entries[i];
        walk_program_text(entry->key);
        WALK_TOUCH(entry_bytes(ptd, entry));
        if (!entry->tensor)
            continue;
        walk_shape(entry->tensor);
        WALK_EXPECT(entry->tensor->n_bytes == ETI_PTE_UNKNOWN_SIZE ||
                    entry->tensor->n_bytes <= ptd->segments[entry->segment].size);
    }
}

#endif
