#include "program/flow.h"

#include "program/calls.h"

#include <inttypes.h>
#include <string.h>

/* ==== flow ==================================================================================== */

/* ---- kernels --------------------------------------------------------------------------------- */

/* Returns whether a value is the output, or a list of the same tensors: a list is returned as another value. */
static bool is_output(const eti_pte_plan *plan, const int32_t *value, const int32_t *output) {
    eti_pte_indices a = eti__value_items(plan, value), b = eti__value_items(plan, output);
    if (*value == *output)
        return true;
    if (a.items == value || b.items == output || a.n != b.n || a.n == 0)
        return false;
    return memcmp(a.items, b.items, a.n * sizeof *a.items) == 0;
}

/* Returns the number of leading arguments that a kernel only reads. Its outputs follow: one by one if the last argument
 * is a list of them; usually, the last argument occurs twice. */
static uint32_t count_read(const eti_pte_plan *plan, const eti_pte_indices *args,
                           const int32_t *output) {
    eti_pte_indices items = eti__value_items(plan, output);
    uint32_t n = args->n - 1, left = items.n;
    while (n > 0 && is_output(plan, &args->items[n - 1], output))
        n--;
    while (items.items != output && n > 0 && left > 0 &&
           args->items[n - 1] == items.items[left - 1]) {
        n--;
        left--;
    }
    return n;
}

static eti_call_flow kernel_flow(const eti_pte_plan *plan, const eti_pte_instruction *call) {
    const eti_pte_indices *args = &call->args;
    const int32_t *output = eti__kernel_output(plan, call);
    if (!output)
        return (eti_call_flow){.reads = *args};
    if (output == args->items && args->n > 1) /* the output is the first argument */
        return (eti_call_flow){{args->items + 1, args->n - 1}, {output, 1}};
    return (eti_call_flow){{args->items, count_read(plan, args, output)}, {output, 1}};
}

/* ---- delegates ------------------------------------------------------------------------------- */

static bool has(eti_pte_indices values, int32_t value) {
    for (uint32_t i = 0; i < values.n; i++) {
        if (values.items[i] == value)
            return true;
    }
    return false;
}

/* Returns the planned tensor of a value, or NULL; tensors are in order of their values. */
static const eti_planned *find_planned(const eti_liveness *liveness, uint32_t value) {
    uint32_t first = 0, end = liveness->n_tensors;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (liveness->tensors[middle].value == value)
            return &liveness->tensors[middle];
        if (liveness->tensors[middle].value < value)
            first = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

static bool is_written(const eti_liveness *liveness, int32_t value, uint32_t instruction) {
    const eti_pte_plan *plan = liveness->calls.plan;
    const eti_planned *planned = find_planned(liveness, (uint32_t)value);
    if (planned)
        return planned->writer == instruction;
    return has(plan->outputs, value) && !has(plan->inputs, value);
}

/* Divides the arguments of a delegate: inputs come first, outputs last; values of other kinds may be between them. */
static eti_call_flow delegate_flow(const eti_liveness *liveness, const eti_pte_instruction *call,
                                   uint32_t instruction) {
    const eti_pte_indices *args = &call->args;
    uint32_t first = args->n;
    for (uint32_t i = args->n; i > 0; i--) {
        if (!eti__pte_tensor_at(liveness->calls.plan, args->items[i - 1]))
            continue;
        if (!is_written(liveness, args->items[i - 1], instruction))
            break;
        first = i - 1;
    }
    return (eti_call_flow){{args->items, first}, {args->items + first, args->n - first}};
}

/* ---- all calls ------------------------------------------------------------------------------- */

eti_call_flow eti__call_flow(const eti_liveness *liveness, uint32_t instruction) {
    const eti_pte_instruction *call = liveness->calls.items[instruction];
    switch (call->kind) {
    case ETI_PTE_KERNEL_CALL:
        return kernel_flow(liveness->calls.plan, call);
    case ETI_PTE_DELEGATE_CALL:
        return delegate_flow(liveness, call, instruction);
    case ETI_PTE_MOVE_CALL:
        return (eti_call_flow){{&call->index, 1}, {&call->target, 1}};
    case ETI_PTE_JUMP_FALSE_CALL:
        return (eti_call_flow){.reads = {&call->index, 1}};
    default:
        return (eti_call_flow){.reads = {NULL, 0}};
    }
}

#define MOST_DIMENSIONS 16

void eti__tensor_add_shape(eti_buffer *out, const eti_pte_tensor *tensor) {
    eti__buffer_add_char(out, '[');
    for (uint32_t i = 0; i < tensor->n_dims && i < MOST_DIMENSIONS; i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        eti__buffer_add_i64(out, tensor->sizes[i]);
    }
    eti__buffer_add_char(out, ']');
}

void eti__tensor_add_bounds(eti_buffer *out, const eti_pte_tensor *tensor) {
    eti__buffer_add_char(out, '[');
    for (uint32_t i = 0; i < tensor->n_dims; i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        if (tensor->dynamism == ETI_PTE_UNBOUND)
            eti__buffer_add_char(out, '?');
        else
            eti__buffer_printf(out, "%s%" PRId32,
                               tensor->dynamism == ETI_PTE_UPPER_BOUND ? "<=" : "",
                               tensor->sizes[i]);
    }
    eti__buffer_add_char(out, ']');
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static eti_value_sum add_value_sums(eti_value_sum a, eti_value_sum b) {
    bool is_known = b.bytes < ETI_PTE_UNKNOWN_SIZE - a.bytes;
    return (eti_value_sum){is_known ? a.bytes + b.bytes : ETI_PTE_UNKNOWN_SIZE,
                           a.is_bound || b.is_bound};
}

static eti_value_sum tensor_bytes(const eti_pte_plan *plan, int32_t value) {
    const eti_pte_tensor *tensor = eti__pte_tensor_at(plan, value);
    if (!tensor)
        return (eti_value_sum){0};
    return (eti_value_sum){tensor->n_bytes, tensor->dynamism == ETI_PTE_UPPER_BOUND};
}

eti_status eti__value_bytes_make(eti_value_bytes *out, eti_arena *arena, const eti_pte_plan *plan,
                                 eti_error *err) {
    eti_value_sum *by_value = eti__arena_alloc_zero(arena, plan->n_values, sizeof *by_value);
    if (!by_value)
        return eti_fail_memory(err);
    for (uint32_t v = 0; v < plan->n_values; v++) {
        const int32_t value = (int32_t)v;
        eti_pte_indices items = eti__value_items(plan, &value);
        for (uint32_t i = 0; i < items.n; i++)
            by_value[v] = add_value_sums(by_value[v], tensor_bytes(plan, items.items[i]));
    }
    out->by_value = by_value;
    return ETI_OK;
}

eti_value_sum eti__values_bytes(const eti_value_bytes *bytes, eti_pte_indices values) {
    eti_value_sum sum = {0};
    for (uint32_t i = 0; i < values.n; i++) {
        if (values.items[i] >= 0)
            sum = add_value_sums(sum, bytes->by_value[values.items[i]]);
    }
    return sum;
}

/* ==== traffic ================================================================================= */

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
        read = add_value_sums(read, written);
    return (eti_traffic){read.bytes, written.bytes,
                         read.is_bound || written.is_bound || how == PART};
}
