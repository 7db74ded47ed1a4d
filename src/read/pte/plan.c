/*
 * plan.c - a method of a program: values, instructions, operators, delegates.
 */
#include "read/pte/parts.h"
#include "read/scalar_type.h"

#include <inttypes.h>
#include <string.h>

/* ---- messages -------------------------------------------------------------------------------- */

/* Fails because an index does not exist. `path` is what holds it, inside the method: "operators[3]". */
static eti_status fail_index(const eti_pte_reader *in, eti_position table, const char *list,
                             uint32_t i, const char *what, int64_t index, uint32_t n) {
    return eti_fail(in->err, ETI_ERROR_MALFORMED,
                    "byte %zu: execution_plan[%" PRIu32 "].%s[%" PRIu32 "]: there is no %s %" PRId64
                    ", only %" PRIu32,
                    eti__pte_byte(in, table), in->plan, list, i, what, index, n);
}

static eti_status fail_tensor(const eti_pte_reader *in, eti_position table, uint32_t value,
                              const char *field, const char *wrong) {
    return eti_fail(in->err, ETI_ERROR_MALFORMED,
                    "byte %zu: execution_plan[%" PRIu32 "].values[%" PRIu32 "].val.%s: %s",
                    eti__pte_byte(in, table), in->plan, value, field, wrong);
}

/* ---- lists of indices ------------------------------------------------------------------------ */

/* Copies a vector of i32, or of i64 that must fit. False: out of memory, or one does not fit. */
static bool copy_indices(const eti_pte_reader *in, eti_vector vector, bool are_64_bits,
                         eti_pte_indices *out) {
    int32_t *items = eti__arena_alloc(in->arena, vector.count, sizeof *items);
    if (!items)
        return false;
    for (uint32_t i = 0; i < vector.count; i++) {
        int64_t item = are_64_bits ? eti__flatbuf_vector_i64(&in->buffer, vector, i)
                                   : eti__flatbuf_vector_i32(&in->buffer, vector, i);
        items[i] = item < -1 || item > INT32_MAX ? -1 : (int32_t)item;
    }
    *out = (eti_pte_indices){items, vector.count};
    return true;
}

/* Reads a list of values' indices, of which none may be negative or past the last. */
static eti_status read_values_of(eti_pte_reader *in, const eti_pte_plan *plan, eti_position table,
                                 unsigned field, const char *list, uint32_t number,
                                 eti_pte_indices *out) {
    if (!copy_indices(in, eti__flatbuf_vector(&in->buffer, table, field), false, out))
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < out->n; i++) {
        if (out->items[i] < 0 || (uint32_t)out->items[i] >= plan->n_values)
            return fail_index(in, table, list, number, "value", out->items[i], plan->n_values);
    }
    return ETI_OK;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static eti_status read_sizes(eti_pte_reader *in, eti_position table, uint32_t number,
                             eti_pte_tensor *out) {
    eti_vector sizes = eti__flatbuf_vector(&in->buffer, table, TENSOR_SIZES);
    eti_text order = eti__flatbuf_text(&in->buffer, table, TENSOR_DIM_ORDER);
    eti_pte_indices copy;
    if (!copy_indices(in, sizes, false, &copy))
        return eti_fail_memory(in->err);
    out->sizes = copy.items;
    out->n_dims = sizes.count;
    if (order.size == sizes.count && order.size > 0)
        out->dim_order = (const uint8_t *)order.data;
    else if (order.size != 0 && order.size != sizes.count)
        return fail_tensor(in, table, number, "dim_order", "is of another length than the sizes");
    uint64_t n = eti__scalar_type(out->scalar_type)->width;
    bool is_empty = false, is_too_large = false;
    for (uint32_t i = 0; i < out->n_dims; i++) {
        if (out->sizes[i] < 0)
            return fail_tensor(in, table, number, "sizes", "a size is negative");
        is_empty = is_empty || out->sizes[i] == 0;
    }
    for (uint32_t i = 0; i < out->n_dims && !is_empty && !is_too_large; i++)
        is_too_large = __builtin_mul_overflow(n, (uint64_t)out->sizes[i], &n) || n > INT64_MAX;
    if (is_too_large)
        return fail_tensor(in, table, number, "sizes", "their product is larger than any memory");
    bool is_known = n > 0 && out->dynamism != ETI_PTE_UNBOUND;
    out->n_bytes = !is_known ? ETI_PTE_UNKNOWN_SIZE : is_empty ? 0 : n;
    return ETI_OK;
}

static void read_allocation(const eti_pte_reader *in, eti_position table, eti_pte_tensor *out) {
    eti_position at = eti__flatbuf_table(&in->buffer, table, TENSOR_ALLOCATION_INFO);
    if (!at)
        return;
    uint64_t low = eti__flatbuf_u32(&in->buffer, at, ALLOCATION_DETAILS_MEMORY_OFFSET_LOW, 0);
    uint64_t high = eti__flatbuf_u32(&in->buffer, at, ALLOCATION_DETAILS_MEMORY_OFFSET_HIGH, 0);
    out->is_planned = true;
    out->memory_id = eti__flatbuf_u32(&in->buffer, at, ALLOCATION_DETAILS_MEMORY_ID, 0);
    out->memory_offset = high << 32 | low;
}

static void read_extra(const eti_pte_reader *in, eti_position table, eti_pte_tensor *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_position at = eti__flatbuf_table(buffer, table, TENSOR_EXTRA_TENSOR_INFO);
    if (!at)
        return;
    out->name = eti__flatbuf_text(buffer, at, EXTRA_TENSOR_INFO_FULLY_QUALIFIED_NAME);
    out->is_external = eti__flatbuf_i8(buffer, at, EXTRA_TENSOR_INFO_LOCATION, 0) == 1;
    out->mutable_data =
        eti__flatbuf_u64(buffer, at, EXTRA_TENSOR_INFO_MUTABLE_DATA_SEGMENTS_IDX, 0);
    out->device_type = eti__flatbuf_i8(buffer, at, EXTRA_TENSOR_INFO_DEVICE_TYPE, 0);
    out->device_index = eti__flatbuf_i8(buffer, at, EXTRA_TENSOR_INFO_DEVICE_INDEX, 0);
}

static eti_status read_tensor(eti_pte_reader *in, eti_position table, uint32_t number,
                              eti_pte_value *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_pte_tensor *tensor = eti__arena_alloc_zero(in->arena, 1, sizeof *tensor);
    if (!tensor)
        return eti_fail_memory(in->err);
    tensor->scalar_type = eti__flatbuf_i8(buffer, table, TENSOR_SCALAR_TYPE, 0);
    tensor->storage_offset = eti__flatbuf_i32(buffer, table, TENSOR_STORAGE_OFFSET, 0);
    tensor->requires_grad = eti__flatbuf_u8(buffer, table, TENSOR_REQUIRES_GRAD, 0) != 0;
    tensor->data_buffer_idx = eti__flatbuf_u32(buffer, table, TENSOR_DATA_BUFFER_IDX, 0);
    tensor->layout = eti__flatbuf_i8(buffer, table, TENSOR_LAYOUT, 0);
    tensor->dynamism = (uint8_t)eti__flatbuf_i8(buffer, table, TENSOR_SHAPE_DYNAMISM, 0);
    if (tensor->dynamism > ETI_PTE_UNBOUND)
        return fail_tensor(in, table, number, "shape_dynamism", "is none of 0, 1 and 2");
    read_allocation(in, table, tensor);
    read_extra(in, table, tensor);
    tensor->has_initial_data =
        tensor->is_planned && tensor->data_buffer_idx > 0 && !tensor->is_external;
    if (tensor->has_initial_data && tensor->mutable_data >= in->pte->n_mutable_data)
        return fail_tensor(in, table, number, "extra_tensor_info.mutable_data_segments_idx",
                           "there is no such entry in mutable_data_segments");
    out->of.as_tensor = tensor;
    return read_sizes(in, table, number, tensor);
}

/* ---- values ---------------------------------------------------------------------------------- */

static eti_status read_list(eti_pte_reader *in, eti_position table, bool are_64_bits,
                            eti_pte_value *out) {
    /* each kind of list has its items in field 0 */
    eti_vector items = eti__flatbuf_vector(&in->buffer, table, INT_LIST_ITEMS);
    return copy_indices(in, items, are_64_bits, &out->of.as_list) ? ETI_OK
                                                                  : eti_fail_memory(in->err);
}

static eti_status read_value(eti_pte_reader *in, eti_position value, uint32_t number,
                             eti_pte_value *out) {
    const eti_flatbuf *buffer = &in->buffer;
    uint8_t kind = eti__flatbuf_u8(buffer, value, E_VALUE_VAL_TYPE, 0);
    eti_position table = eti__flatbuf_union(buffer, value, E_VALUE_VAL, kind);
    *out = (eti_pte_value){.kind = ETI_PTE_ABSENT};
    if (!table || kind > ETI_PTE_OPTIONAL_TENSOR_LIST)
        return ETI_OK;
    out->kind = kind;
    switch (kind) {
    case ETI_PTE_INT:
        out->of.as_int = eti__flatbuf_i64(buffer, table, INT_INT_VAL, 0);
        return ETI_OK;
    case ETI_PTE_BOOL:
        out->of.as_bool = eti__flatbuf_u8(buffer, table, BOOL_BOOL_VAL, 0) != 0;
        return ETI_OK;
    case ETI_PTE_DOUBLE:
        out->of.as_double = eti__flatbuf_f64(buffer, table, DOUBLE_DOUBLE_VAL, 0);
        return ETI_OK;
    case ETI_PTE_STRING:
        out->of.as_string = eti__flatbuf_text(buffer, table, STRING_STRING_VAL);
        return ETI_OK;
    case ETI_PTE_TENSOR:
        return read_tensor(in, table, number, out);
    case ETI_PTE_DOUBLE_LIST:
    case ETI_PTE_BOOL_LIST:
        out->of.n_items = eti__flatbuf_vector(buffer, table, DOUBLE_LIST_ITEMS).count;
        return ETI_OK;
    case ETI_PTE_INT_LIST:
    case ETI_PTE_TENSOR_LIST:
    case ETI_PTE_OPTIONAL_TENSOR_LIST:
        return read_list(in, table, kind == ETI_PTE_INT_LIST, out);
    default:
        return ETI_OK;
    }
}

/* Items of lists are values of the plan: of tensor lists, tensors; of optional ones, -1 too. */
static eti_status check_list(const eti_pte_reader *in, const eti_pte_plan *plan, eti_position table,
                             uint32_t number) {
    const eti_pte_value *value = &plan->values[number];
    bool is_optional = value->kind == ETI_PTE_OPTIONAL_TENSOR_LIST;
    if (value->kind != ETI_PTE_INT_LIST && value->kind != ETI_PTE_TENSOR_LIST && !is_optional)
        return ETI_OK;
    for (uint32_t i = 0; i < value->of.as_list.n; i++) {
        int32_t item = value->of.as_list.items[i];
        if (is_optional && item == -1)
            continue;
        if (item < 0 || (uint32_t)item >= plan->n_values)
            return fail_index(in, table, "values", number, "value", item, plan->n_values);
        uint8_t kind = plan->values[item].kind;
        if (value->kind != ETI_PTE_INT_LIST && kind != ETI_PTE_TENSOR &&
            !(is_optional && kind == ETI_PTE_NULL))
            return fail_tensor(in, table, number, "items", "an item of the list is no tensor");
    }
    return ETI_OK;
}

static eti_status read_values(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_VALUES);
    eti_pte_value *values = eti__arena_alloc(in->arena, vector.count, sizeof *values);
    if (!values)
        return eti_fail_memory(in->err);
    out->values = values;
    out->n_values = vector.count;
    for (uint32_t i = 0; i < vector.count; i++)
        ETI_TRY(read_value(in, eti__flatbuf_vector_table(&in->buffer, vector, i), i, &values[i]));
    for (uint32_t i = 0; i < vector.count; i++)
        ETI_TRY(check_list(in, out, eti__flatbuf_vector_table(&in->buffer, vector, i), i));
    return ETI_OK;
}

/* ---- operators and delegates ------------------------------------------------------------------ */

static eti_status read_operators(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_OPERATORS);
    eti_pte_operator *operators = eti__arena_alloc(in->arena, vector.count, sizeof *operators);
    if (!operators)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position at = eti__flatbuf_vector_table(&in->buffer, vector, i);
        operators[i] = (eti_pte_operator){eti__flatbuf_text(&in->buffer, at, OPERATOR_NAME),
                                          eti__flatbuf_text(&in->buffer, at, OPERATOR_OVERLOAD)};
    }
    out->operators = operators;
    out->n_operators = vector.count;
    return ETI_OK;
}

/* Sets the bytes that a delegate was given. */
static eti_status find_payload(eti_pte_reader *in, eti_position table, uint32_t number,
                               eti_pte_delegate *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_position at = eti__flatbuf_table(buffer, table, BACKEND_DELEGATE_PROCESSED);
    if (!at)
        return ETI_OK;
    out->is_segment = eti__flatbuf_i8(buffer, at, BACKEND_DELEGATE_DATA_REFERENCE_LOCATION, 0) == 1;
    out->index = eti__flatbuf_u32(buffer, at, BACKEND_DELEGATE_DATA_REFERENCE_INDEX, 0);
    uint32_t n = out->is_segment ? in->pte->n_segments : in->pte->n_inline_delegates;
    if (out->index >= n)
        return fail_index(in, table, "delegates", number,
                          out->is_segment ? "segment" : "inline payload", out->index, n);
    out->payload = out->is_segment ? eti__pte_segment_bytes(in->pte, out->index)
                                   : in->pte->inline_delegates[out->index];
    return ETI_OK;
}

static eti_status read_specs(eti_pte_reader *in, eti_position table, eti_pte_delegate *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, BACKEND_DELEGATE_COMPILE_SPECS);
    eti_pte_compile_spec *specs = eti__arena_alloc(in->arena, vector.count, sizeof *specs);
    if (!specs)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position at = eti__flatbuf_vector_table(&in->buffer, vector, i);
        specs[i] = (eti_pte_compile_spec){eti__flatbuf_text(&in->buffer, at, COMPILE_SPEC_KEY),
                                          eti__flatbuf_text(&in->buffer, at, COMPILE_SPEC_VALUE)};
    }
    out->specs = specs;
    out->n_specs = vector.count;
    return ETI_OK;
}

static eti_status read_delegates(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_DELEGATES);
    eti_pte_delegate *delegates = eti__arena_alloc_zero(in->arena, vector.count, sizeof *delegates);
    if (!delegates)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position at = eti__flatbuf_vector_table(&in->buffer, vector, i);
        delegates[i].id = eti__flatbuf_text(&in->buffer, at, BACKEND_DELEGATE_ID);
        ETI_TRY(find_payload(in, at, i, &delegates[i]));
        ETI_TRY(read_specs(in, at, &delegates[i]));
    }
    out->delegates = delegates;
    out->n_delegates = vector.count;
    return ETI_OK;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static eti_status check_value(const eti_pte_reader *in, const eti_pte_plan *plan,
                              eti_position table, uint32_t number, int32_t value) {
    return value >= 0 && (uint32_t)value < plan->n_values
               ? ETI_OK
               : fail_index(in, table, "instructions", number, "value", value, plan->n_values);
}

static eti_status check_callee(const eti_pte_reader *in, eti_position table, uint32_t number,
                               const char *what, int32_t index, uint32_t n) {
    return index >= 0 && (uint32_t)index < n
               ? ETI_OK
               : fail_index(in, table, "instructions", number, what, index, n);
}

/* `n` instructions are in the chain. */
static eti_status read_instruction(eti_pte_reader *in, const eti_pte_plan *plan,
                                   eti_position instruction, uint32_t number, uint32_t n,
                                   eti_pte_instruction *out) {
    const eti_flatbuf *buffer = &in->buffer;
    uint8_t kind = eti__flatbuf_u8(buffer, instruction, INSTRUCTION_INSTR_ARGS_TYPE, 0);
    eti_position at = eti__flatbuf_union(buffer, instruction, INSTRUCTION_INSTR_ARGS, kind);
    *out = (eti_pte_instruction){.kind = ETI_PTE_NO_CALL};
    if (!at || kind > ETI_PTE_FREE_CALL)
        return ETI_OK;
    out->kind = kind;
    out->index = eti__flatbuf_i32(buffer, at, KERNEL_CALL_OP_INDEX, 0); /* field 0 of all kinds */
    switch (kind) {
    case ETI_PTE_KERNEL_CALL:
        ETI_TRY(check_callee(in, at, number, "operator", out->index, plan->n_operators));
        return read_values_of(in, plan, at, KERNEL_CALL_ARGS, "instructions", number, &out->args);
    case ETI_PTE_DELEGATE_CALL:
        ETI_TRY(check_callee(in, at, number, "delegate", out->index, plan->n_delegates));
        return read_values_of(in, plan, at, DELEGATE_CALL_ARGS, "instructions", number, &out->args);
    case ETI_PTE_MOVE_CALL:
        out->target = eti__flatbuf_i32(buffer, at, MOVE_CALL_MOVE_TO, 0);
        ETI_TRY(check_value(in, plan, at, number, out->target));
        break;
    case ETI_PTE_JUMP_FALSE_CALL:
        out->target = eti__flatbuf_i32(buffer, at, JUMP_FALSE_CALL_DESTINATION_INSTRUCTION, 0);
        if (out->target < 0 || (uint32_t)out->target > n)
            return fail_index(in, at, "instructions", number, "instruction", out->target, n);
        break;
    default:
        break;
    }
    return check_value(in, plan, at, number, out->index);
}

static eti_status read_chains(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_CHAINS);
    eti_pte_chain *chains = eti__arena_alloc(in->arena, vector.count, sizeof *chains);
    if (!chains)
        return eti_fail_memory(in->err);
    if (vector.count == 0)
        return eti_fail(in->err, ETI_ERROR_MALFORMED,
                        "byte %zu: execution_plan[%" PRIu32 "].chains: the method has none",
                        eti__pte_byte(in, table), in->plan);
    for (uint32_t c = 0; c < vector.count; c++) {
        eti_position chain = eti__flatbuf_vector_table(&in->buffer, vector, c);
        eti_vector of = eti__flatbuf_vector(&in->buffer, chain, CHAIN_INSTRUCTIONS);
        eti_pte_instruction *instructions =
            eti__arena_alloc(in->arena, of.count, sizeof *instructions);
        if (!instructions)
            return eti_fail_memory(in->err);
        for (uint32_t i = 0; i < of.count; i++)
            ETI_TRY(read_instruction(in, out, eti__flatbuf_vector_table(&in->buffer, of, i), i,
                                     of.count, &instructions[i]));
        chains[c] = (eti_pte_chain){instructions, of.count};
    }
    out->chains = chains;
    out->n_chains = vector.count;
    return ETI_OK;
}

static eti_status read_arenas(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector =
        eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_NON_CONST_BUFFER_SIZES);
    uint64_t *sizes = eti__arena_alloc(in->arena, vector.count, sizeof *sizes);
    if (!sizes)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        int64_t size = eti__flatbuf_vector_i64(&in->buffer, vector, i);
        if (size < 0)
            return eti_fail(in->err, ETI_ERROR_MALFORMED,
                            "byte %zu: execution_plan[%" PRIu32 "].non_const_buffer_sizes[%" PRIu32
                            "]: %" PRId64 " bytes",
                            eti__pte_byte(in, table), in->plan, i, size);
        sizes[i] = (uint64_t)size;
    }
    out->arena_sizes = sizes;
    out->n_arenas = vector.count;
    return ETI_OK;
}

eti_status eti__pte_read_plan(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    out->name = eti__flatbuf_text(&in->buffer, table, EXECUTION_PLAN_NAME);
    ETI_TRY(read_values(in, table, out));
    ETI_TRY(read_values_of(in, out, table, EXECUTION_PLAN_INPUTS, "inputs", 0, &out->inputs));
    ETI_TRY(read_values_of(in, out, table, EXECUTION_PLAN_OUTPUTS, "outputs", 0, &out->outputs));
    ETI_TRY(read_operators(in, table, out));
    ETI_TRY(read_delegates(in, table, out));
    ETI_TRY(read_chains(in, table, out));
    return read_arenas(in, table, out);
}
