#include "program/traffic.h"

#include <string.h>

/* How an operator uses the bytes of its arguments. */
typedef enum use {
    ALL,     /* reads its inputs, and writes its outputs */
    NOTHING, /* uses only sizes and numbers, or makes a view */
    EXCEPT_FIRST, /* does not read the first argument, which is overwritten, or has the shape of the output */
    TAKEN, /* reads as many elements of the first argument as it writes */
    SLICE, /* writes as many bytes as it reads */
    PART,  /* uses a part of a tensor that the program does not tell */
} use;

/* Operators that do not read and write all bytes of their arguments. The first line that fits a name applies; a name that
 * ends with ':' or '_' fits all names that begin with it. */
static const struct {
    const char *name;
    use use;
} operators[] = {
    {"executorch_prim::et_copy_index", SLICE},
    {"executorch_prim::", NOTHING},
    {"aten::sym_", NOTHING},
    {"aten::empty", NOTHING},
    {"aten::empty_", NOTHING},
    {"dim_order_ops::_empty_", NOTHING},
    {"aten::copy", EXCEPT_FIRST},
    {"aten::copy_", EXCEPT_FIRST},
    {"aten::fill", EXCEPT_FIRST},
    {"aten::fill_", EXCEPT_FIRST},
    {"aten::zero", EXCEPT_FIRST},
    {"aten::zero_", EXCEPT_FIRST},
    {"aten::full_like", EXCEPT_FIRST},
    {"aten::zeros_like", EXCEPT_FIRST},
    {"aten::ones_like", EXCEPT_FIRST},
    {"aten::rand_like", EXCEPT_FIRST},
    {"aten::randn_like", EXCEPT_FIRST},
    {"aten::embedding", TAKEN},
    {"aten::index", TAKEN},
    {"aten::index_select", TAKEN},
    {"aten::gather", TAKEN},
    {"aten::take", TAKEN},
    {"aten::select_copy", TAKEN},
    {"aten::slice_copy", TAKEN},
    {"aten::narrow_copy", TAKEN},
    {"aten::diagonal_copy", TAKEN},
    {"aten::unfold_copy", TAKEN},
    {"aten::as_strided_copy", TAKEN},
    {"aten::index_put_", PART},
    {"aten::scatter", PART},
    {"aten::scatter_", PART},
    {"aten::masked_select", PART},
    {"aten::_embedding_", PART},
    {"quantized_decomposed::embedding_", PART},
    {"llama::", PART}, /* caches of keys and values */
};

static bool fits(eti_text name, const char *pattern) {
    size_t n = strlen(pattern);
    bool is_prefix = pattern[n - 1] == ':' || pattern[n - 1] == '_';
    return is_prefix ? eti__text_begins_with(name, pattern) : eti__text_is(name, pattern);
}

static use use_of(const eti_pte_plan *plan, const eti_pte_instruction *call) {
    if (call->kind == ETI_PTE_MOVE_CALL)
        return NOTHING;
    if (call->kind != ETI_PTE_KERNEL_CALL)
        return ALL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (fits(plan->operators[call->index].name, operators[i].name))
            return operators[i].use;
    }
    return ALL;
}

eti_traffic eti__call_traffic(const eti_liveness *liveness, const eti_value_bytes *bytes,
                              uint32_t instruction) {
    const eti_pte_plan *plan = liveness->calls.plan;
    const use how = use_of(plan, liveness->calls.items[instruction]);
    if (how == NOTHING)
        return (eti_traffic){0};
    eti_call_flow flow = eti__call_flow(liveness, instruction);
    if (flow.reads.n > 0 && (how == EXCEPT_FIRST || how == TAKEN)) {
        flow.reads.items++;
        flow.reads.n--;
    }
    eti_value_sum read = eti__values_bytes(bytes, flow.reads);
    eti_value_sum written = how == SLICE ? read : eti__values_bytes(bytes, flow.writes);
    if (how == TAKEN)
        read = eti__value_sums_add(read, written);
    return (eti_traffic){read.bytes, written.bytes,
                         read.is_bound || written.is_bound || how == PART};
}
