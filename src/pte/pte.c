#include "pte/parts.h"

#include "pte/ptd.h"
#include "pte/pte.h"
#include "read/read.h"

#include "pte/program_schema.inc"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ==== parts =================================================================================== */

#define ETI_PTE_NO_PLAN UINT32_MAX
#define ETI_PTE_NO_NUMBER UINT32_MAX

/* Path of the part being read, for messages, such as execution_plan[1].chains[0].instructions[17]. */
typedef struct eti_pte_place {
    uint32_t plan;    /* ETI_PTE_NO_PLAN: the program as a whole */
    const char *list; /* a list of the plan or the program; NULL: the plan or program itself */
    uint32_t
        number; /* index in the list; ETI_PTE_NO_NUMBER: it is not a list; for an instruction, its index in the chain */
    uint32_t chain;
    bool is_instruction; /* then the list is that of the chain */
} eti_pte_place;

typedef struct eti_pte_reader {
    eti_pte *pte;
    eti_flatbuf buffer;
    eti_position root;
    eti_arena *arena;
    eti_repairs *repairs;
    eti_pte_place place;
    eti_error *err;
} eti_pte_reader;

const eti_table_schema *const eti__program_schema = &program_schema;

static const char *path_of(const eti_pte_place *place, const char *field, char out[160]) {
    char plan[40] = "", list[64] = "";
    if (place->plan != ETI_PTE_NO_PLAN)
        snprintf(plan, sizeof plan, "execution_plan[%" PRIu32 "].", place->plan);
    if (place->is_instruction)
        snprintf(list, sizeof list, "chains[%" PRIu32 "].instructions[%" PRIu32 "].", place->chain,
                 place->number);
    else if (place->list && place->number == ETI_PTE_NO_NUMBER)
        snprintf(list, sizeof list, "%s.", place->list);
    else if (place->list)
        snprintf(list, sizeof list, "%s[%" PRIu32 "].", place->list, place->number);
    snprintf(out, 160, "%s%s%s", plan, list, field);
    return out;
}

/* Fails because of the data at `at` in the buffer: in field `field` (a path) of the place being read. */
static eti_status fail_pte(const eti_pte_reader *in, eti_position at, const char *field,
                           const char *wrong) {
    char path[160];
    return eti_fail(in->err, ETI_ERROR_MALFORMED, "byte %zu: %s: %s", in->buffer.file_offset + at,
                    path_of(&in->place, field, path), wrong);
}

/* Fails because `index` is not below `n`, with a message such as "there is no value 9, only 7". */
static eti_status fail_pte_index(const eti_pte_reader *in, eti_position at, const char *field,
                                 const char *what, int64_t index, uint64_t n) {
    char wrong[96];
    snprintf(wrong, sizeof wrong, "there is no %s %" PRId64 "; there are %" PRIu64, what, index, n);
    return fail_pte(in, at, field, wrong);
}

/* Reads `vector`, of i32 or i64, which contains indices of values, and checks each. `may_be_absent`: negative ones are
 * allowed and read as -1. */
static eti_status read_pte_indices(const eti_pte_reader *in, eti_vector vector, bool are_64_bits,
                                   bool may_be_absent, uint32_t n_values, const char *field,
                                   eti_pte_indices *out) {
    int32_t *items = eti__arena_alloc(in->arena, vector.count, sizeof *items);
    if (!items)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        int64_t item = are_64_bits ? eti__flatbuf_vector_i64(&in->buffer, vector, i)
                                   : eti__flatbuf_vector_i32(&in->buffer, vector, i);
        if (item < 0 && may_be_absent)
            item = -1;
        else if (item < 0 || item >= n_values) {
            char path[96];
            snprintf(path, sizeof path, "%s[%" PRIu32 "]", field, i);
            return fail_pte_index(in, vector.first + i * (are_64_bits ? 8 : 4), path, "value", item,
                                  n_values);
        }
        items[i] = (int32_t)item;
    }
    *out = (eti_pte_indices){items, vector.count};
    return ETI_OK;
}

/* ==== value =================================================================================== */
/* Reads the values of a method: tensors, lists and scalars. */

/* ---- tensors --------------------------------------------------------------------------------- */

static eti_status read_allocation(const eti_pte_reader *in, eti_position table, uint32_t n_arenas,
                                  eti_pte_tensor *out) {
    eti_position at = eti__flatbuf_table(&in->buffer, table, TENSOR_ALLOCATION_INFO);
    if (!at)
        return ETI_OK;
    uint64_t low = eti__flatbuf_u32(&in->buffer, at, ALLOCATION_DETAILS_MEMORY_OFFSET_LOW, 0);
    uint64_t high = eti__flatbuf_u32(&in->buffer, at, ALLOCATION_DETAILS_MEMORY_OFFSET_HIGH, 0);
    out->is_planned = true;
    out->memory_id = eti__flatbuf_u32(&in->buffer, at, ALLOCATION_DETAILS_MEMORY_ID, 0);
    out->memory_offset = high << 32 | low;
    return out->memory_id < n_arenas ? ETI_OK
                                     : fail_pte_index(in, at, "val.allocation_info.memory_id",
                                                      "arena", out->memory_id, n_arenas);
}

/* Reads a text, and makes it UTF-8. */
static eti_status read_name(const eti_pte_reader *in, eti_position table, unsigned field,
                            eti_text *out) {
    *out = eti__flatbuf_text(&in->buffer, table, field);
    return eti__repairs_apply(in->repairs, out, in->err);
}

static eti_status read_extra(const eti_pte_reader *in, eti_position table, eti_pte_tensor *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_position at = eti__flatbuf_table(buffer, table, TENSOR_EXTRA_TENSOR_INFO);
    if (!at)
        return ETI_OK;
    ETI_TRY(read_name(in, at, EXTRA_TENSOR_INFO_FULLY_QUALIFIED_NAME, &out->name));
    out->is_external = eti__flatbuf_i8(buffer, at, EXTRA_TENSOR_INFO_LOCATION, 0) == 1;
    out->mutable_data =
        eti__flatbuf_u64(buffer, at, EXTRA_TENSOR_INFO_MUTABLE_DATA_SEGMENTS_IDX, 0);
    out->device_type = eti__flatbuf_i8(buffer, at, EXTRA_TENSOR_INFO_DEVICE_TYPE, 0);
    out->device_index = eti__flatbuf_i8(buffer, at, EXTRA_TENSOR_INFO_DEVICE_INDEX, 0);
    return !out->is_external || out->name.data
               ? ETI_OK
               : fail_pte(in, at, "val.extra_tensor_info.fully_qualified_name",
                          "an external tensor has no name");
}

/* Checks that the bytes that a tensor has when its method is loaded exist. */
static eti_status check_data(const eti_pte_reader *in, eti_position table, eti_pte_tensor *tensor) {
    const eti_pte *pte = in->pte;
    if (tensor->is_external || tensor->data_buffer_idx == 0)
        return ETI_OK;
    tensor->has_initial_data = tensor->is_planned;
    if (tensor->has_initial_data && tensor->mutable_data >= pte->n_mutable_data)
        return fail_pte_index(in, table, "val.extra_tensor_info.mutable_data_segments_idx",
                              "entry of mutable_data_segments", (int64_t)tensor->mutable_data,
                              pte->n_mutable_data);
    const eti_pte_slots *slots =
        tensor->has_initial_data ? &pte->mutable_data[tensor->mutable_data] : &pte->constants;
    bool are_inline = !tensor->has_initial_data && !pte->has_constant_segment;
    uint32_t n = are_inline ? pte->n_inline_constants : slots->n_offsets;
    if (tensor->data_buffer_idx >= n)
        return fail_pte_index(in, table, "val.data_buffer_idx", "buffer", tensor->data_buffer_idx,
                              n);
    if (tensor->n_bytes == ETI_PTE_UNKNOWN_SIZE || tensor->n_bytes == 0)
        return ETI_OK;
    uint64_t room =
        are_inline ? pte->inline_constants[tensor->data_buffer_idx].size
                   : pte->segments[slots->segment].size - slots->offsets[tensor->data_buffer_idx];
    return tensor->n_bytes <= room ? ETI_OK
                                   : fail_pte(in, table, "val.data_buffer_idx",
                                              "its buffer has fewer bytes than the tensor");
}

static eti_status read_shape(const eti_pte_reader *in, eti_position table, eti_pte_tensor *out) {
    const eti_flatbuf *buffer = &in->buffer;
    const char *field = NULL, *wrong = NULL;
    eti_status status = eti__tensor_read_shape(
        out, in->arena, buffer, eti__flatbuf_vector(buffer, table, TENSOR_SIZES),
        eti__flatbuf_text(buffer, table, TENSOR_DIM_ORDER), &field, &wrong);
    if (status == ETI_ERROR_MALFORMED)
        return fail_pte(in, table, field[0] == 's' ? "val.sizes" : "val.dim_order", wrong);
    return status == ETI_OK ? ETI_OK : eti_fail_memory(in->err);
}

static eti_status read_tensor(const eti_pte_reader *in, eti_position table, uint32_t n_arenas,
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
        return fail_pte(in, table, "val.shape_dynamism", "is not 0, 1 or 2");
    ETI_TRY(read_shape(in, table, tensor));
    ETI_TRY(read_allocation(in, table, n_arenas, tensor));
    ETI_TRY(read_extra(in, table, tensor));
    out->of.as_tensor = tensor;
    return check_data(in, table, tensor);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns the items of a list; all kinds of lists have them in field 0. */
static eti_vector items_of(const eti_pte_reader *in, eti_position list) {
    return eti__flatbuf_vector(&in->buffer, list, INT_LIST_ITEMS);
}

static eti_pte_numbers numbers_of(const eti_pte_reader *in, eti_position list) {
    eti_vector items = items_of(in, list);
    return (eti_pte_numbers){in->buffer.data + items.first, items.count};
}

static eti_status read_list(const eti_pte_reader *in, eti_position table, uint8_t kind,
                            uint32_t n_values, eti_pte_value *out) {
    return read_pte_indices(in, items_of(in, table), kind == ETI_PTE_INT_LIST,
                            kind == ETI_PTE_OPTIONAL_TENSOR_LIST, n_values, "val.items",
                            &out->of.as_list);
}

static eti_status read_value(const eti_pte_reader *in, const eti_pte_plan *plan, eti_position value,
                             eti_pte_value *out) {
    const eti_flatbuf *buffer = &in->buffer;
    uint8_t kind = eti__flatbuf_u8(buffer, value, E_VALUE_VAL_TYPE, 0);
    *out = (eti_pte_value){.kind = kind == ETI_PTE_NULL ? ETI_PTE_NULL : ETI_PTE_ABSENT};
    if (kind <= ETI_PTE_NULL || kind > ETI_PTE_OPTIONAL_TENSOR_LIST)
        return ETI_OK;
    eti_position table = eti__flatbuf_union(buffer, value, E_VALUE_VAL, kind);
    if (!table)
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
        return read_name(in, table, STRING_STRING_VAL, &out->of.as_string);
    case ETI_PTE_TENSOR:
        return read_tensor(in, table, plan->n_arenas, out);
    case ETI_PTE_DOUBLE_LIST:
    case ETI_PTE_BOOL_LIST:
        out->of.as_numbers = numbers_of(in, table);
        return ETI_OK;
    default:
        return read_list(in, table, kind, plan->n_values, out);
    }
}

/* Checks that the items of a tensor list are tensors; those of an optional list may be absent. */
static eti_status check_list(const eti_pte_reader *in, eti_position value, const eti_pte_plan *plan,
                             const eti_pte_value *list) {
    bool is_optional = list->kind == ETI_PTE_OPTIONAL_TENSOR_LIST;
    if (list->kind != ETI_PTE_TENSOR_LIST && !is_optional)
        return ETI_OK;
    for (uint32_t i = 0; i < list->of.as_list.n; i++) {
        int32_t item = list->of.as_list.items[i];
        uint8_t kind = item < 0 ? ETI_PTE_NULL : plan->values[item].kind;
        if (kind != ETI_PTE_TENSOR && !(is_optional && kind == ETI_PTE_NULL))
            return fail_pte(in, value, "val.items", "an item of the list is not a tensor");
    }
    return ETI_OK;
}

/* Reads the values of a method whose arenas have been read. */
static eti_status read_pte_values(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_VALUES);
    eti_pte_value *values = eti__arena_alloc(in->arena, vector.count, sizeof *values);
    if (!values)
        return eti_fail_memory(in->err);
    if (vector.count > INT32_MAX)
        return eti_fail(in->err, ETI_ERROR_LIMIT,
                        "the method has more values than an index can address");
    out->values = values;
    out->n_values = vector.count;
    in->place.list = "values";
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place.number = i;
        ETI_TRY(read_value(in, out, eti__flatbuf_vector_table(&in->buffer, vector, i), &values[i]));
    }
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place.number = i;
        ETI_TRY(check_list(in, eti__flatbuf_vector_table(&in->buffer, vector, i), out, &values[i]));
    }
    in->place.list = NULL;
    return ETI_OK;
}

/* ==== plan ==================================================================================== */
/* Reads a method of a program: instructions, operators, delegates and arenas. pte.c reads its
 * values. */

/* ---- operators and delegates ------------------------------------------------------------------ */

static eti_status read_operators(const eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_OPERATORS);
    eti_pte_operator *operators = eti__arena_alloc(in->arena, vector.count, sizeof *operators);
    if (!operators)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position at = eti__flatbuf_vector_table(&in->buffer, vector, i);
        ETI_TRY(read_name(in, at, OPERATOR_NAME, &operators[i].name));
        ETI_TRY(read_name(in, at, OPERATOR_OVERLOAD, &operators[i].overload));
    }
    out->operators = operators;
    out->n_operators = vector.count;
    return ETI_OK;
}

/* Finds the bytes passed to a delegate. */
static eti_status find_payload(const eti_pte_reader *in, eti_position table,
                               eti_pte_delegate *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_position at = eti__flatbuf_table(buffer, table, BACKEND_DELEGATE_PROCESSED);
    if (!at)
        return ETI_OK;
    out->is_segment = eti__flatbuf_i8(buffer, at, BACKEND_DELEGATE_DATA_REFERENCE_LOCATION, 0) == 1;
    out->index = eti__flatbuf_u32(buffer, at, BACKEND_DELEGATE_DATA_REFERENCE_INDEX, 0);
    uint32_t n = out->is_segment ? in->pte->n_segments : in->pte->n_inline_delegates;
    if (out->index >= n)
        return fail_pte_index(in, at, "processed.index",
                              out->is_segment ? "segment" : "inline payload", out->index, n);
    out->payload = out->is_segment ? eti__pte_segment_bytes(in->pte, out->index)
                                   : in->pte->inline_delegates[out->index];
    return ETI_OK;
}

static eti_status read_specs(const eti_pte_reader *in, eti_position table, eti_pte_delegate *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, BACKEND_DELEGATE_COMPILE_SPECS);
    eti_pte_compile_spec *specs = eti__arena_alloc(in->arena, vector.count, sizeof *specs);
    if (!specs)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position at = eti__flatbuf_vector_table(&in->buffer, vector, i);
        ETI_TRY(read_name(in, at, COMPILE_SPEC_KEY, &specs[i].key));
        specs[i].value = eti__flatbuf_text(&in->buffer, at, COMPILE_SPEC_VALUE); /* any bytes */
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
    in->place.list = "delegates";
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position at = eti__flatbuf_vector_table(&in->buffer, vector, i);
        in->place.number = i;
        ETI_TRY(read_name(in, at, BACKEND_DELEGATE_ID, &delegates[i].id));
        ETI_TRY(find_payload(in, at, &delegates[i]));
        ETI_TRY(read_specs(in, at, &delegates[i]));
    }
    in->place.list = NULL;
    out->delegates = delegates;
    out->n_delegates = vector.count;
    return ETI_OK;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static eti_status check_index(const eti_pte_reader *in, eti_position call, const char *field,
                              const char *what, int32_t index, uint32_t n) {
    return index >= 0 && (uint32_t)index < n ? ETI_OK
                                             : fail_pte_index(in, call, field, what, index, n);
}

static eti_status read_args(const eti_pte_reader *in, const eti_pte_plan *plan, eti_position call,
                            eti_pte_indices *out) {
    /* field 1 in both kinds of calls */
    return read_pte_indices(in, eti__flatbuf_vector(&in->buffer, call, KERNEL_CALL_ARGS), false,
                            false, plan->n_values, "instr_args.args", out);
}

/* Reads an instruction. The chain has `n` instructions; a jump to `n` leads to its end. */
static eti_status read_call(const eti_pte_reader *in, const eti_pte_plan *plan, eti_position call,
                            uint32_t n, eti_pte_instruction *out) {
    const eti_flatbuf *buffer = &in->buffer;
    out->index = eti__flatbuf_i32(buffer, call, KERNEL_CALL_OP_INDEX, 0); /* field 0 in all kinds */
    switch (out->kind) {
    case ETI_PTE_KERNEL_CALL:
        ETI_TRY(check_index(in, call, "instr_args.op_index", "operator", out->index,
                            plan->n_operators));
        return read_args(in, plan, call, &out->args);
    case ETI_PTE_DELEGATE_CALL:
        ETI_TRY(check_index(in, call, "instr_args.delegate_index", "delegate", out->index,
                            plan->n_delegates));
        return read_args(in, plan, call, &out->args);
    case ETI_PTE_MOVE_CALL:
        out->target = eti__flatbuf_i32(buffer, call, MOVE_CALL_MOVE_TO, 0);
        ETI_TRY(check_index(in, call, "instr_args.move_to", "value", out->target, plan->n_values));
        return check_index(in, call, "instr_args.move_from", "value", out->index, plan->n_values);
    case ETI_PTE_JUMP_FALSE_CALL:
        out->target = eti__flatbuf_i32(buffer, call, JUMP_FALSE_CALL_DESTINATION_INSTRUCTION, 0);
        if (out->target < 0 || (uint32_t)out->target > n)
            return fail_pte_index(in, call, "instr_args.destination_instruction", "instruction",
                                  out->target, n);
        return check_index(in, call, "instr_args.cond_value_index", "value", out->index,
                           plan->n_values);
    default:
        return check_index(in, call, "instr_args.value_index", "value", out->index, plan->n_values);
    }
}

static eti_status read_instruction(const eti_pte_reader *in, const eti_pte_plan *plan,
                                   eti_position instruction, uint32_t n, eti_pte_instruction *out) {
    uint8_t kind = eti__flatbuf_u8(&in->buffer, instruction, INSTRUCTION_INSTR_ARGS_TYPE, 0);
    *out = (eti_pte_instruction){.kind = ETI_PTE_NO_CALL};
    if (kind == ETI_PTE_NO_CALL || kind > ETI_PTE_FREE_CALL)
        return ETI_OK;
    eti_position call = eti__flatbuf_union(&in->buffer, instruction, INSTRUCTION_INSTR_ARGS, kind);
    if (!call)
        return ETI_OK;
    out->kind = kind;
    return read_call(in, plan, call, n, out);
}

static eti_status read_frames(const eti_pte_reader *in, eti_position list, eti_pte_frames *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_vector vector = eti__flatbuf_vector(buffer, list, FRAME_LIST_ITEMS);
    eti_pte_frame *frames = eti__arena_alloc(in->arena, vector.count, sizeof *frames);
    if (!frames)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position at = eti__flatbuf_vector_table(buffer, vector, i);
        ETI_TRY(read_name(in, at, FRAME_FILENAME, &frames[i].file));
        ETI_TRY(read_name(in, at, FRAME_NAME, &frames[i].function));
        ETI_TRY(read_name(in, at, FRAME_CONTEXT, &frames[i].code));
        frames[i].line = eti__flatbuf_i32(buffer, at, FRAME_LINENO, 0);
    }
    *out = (eti_pte_frames){frames, vector.count};
    return ETI_OK;
}

/* Reads the stack traces of a chain, one per instruction, which exporters write on request. */
static eti_status read_stacks(const eti_pte_reader *in, eti_position chain, eti_pte_chain *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, chain, CHAIN_STACKTRACE);
    eti_pte_frames *stacks = eti__arena_alloc(in->arena, vector.count, sizeof *stacks);
    if (!stacks)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++)
        ETI_TRY(read_frames(in, eti__flatbuf_vector_table(&in->buffer, vector, i), &stacks[i]));
    out->stacks = stacks;
    out->n_stacks = vector.count;
    return ETI_OK;
}

static eti_status read_chain(eti_pte_reader *in, const eti_pte_plan *plan, eti_position chain,
                             eti_pte_chain *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_vector vector = eti__flatbuf_vector(buffer, chain, CHAIN_INSTRUCTIONS);
    eti_pte_instruction *instructions =
        eti__arena_alloc(in->arena, vector.count, sizeof *instructions);
    if (!instructions)
        return eti_fail_memory(in->err);
    ETI_TRY(read_pte_indices(in, eti__flatbuf_vector(buffer, chain, CHAIN_INPUTS), false, false,
                             plan->n_values, "inputs", &out->inputs));
    ETI_TRY(read_pte_indices(in, eti__flatbuf_vector(buffer, chain, CHAIN_OUTPUTS), false, false,
                             plan->n_values, "outputs", &out->outputs));
    in->place.is_instruction = true;
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place.number = i;
        ETI_TRY(read_instruction(in, plan, eti__flatbuf_vector_table(buffer, vector, i),
                                 vector.count, &instructions[i]));
    }
    in->place.is_instruction = false;
    out->instructions = instructions;
    out->n_instructions = vector.count;
    return read_stacks(in, chain, out);
}

static eti_status read_chains(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_CHAINS);
    eti_pte_chain *chains = eti__arena_alloc_zero(in->arena, vector.count, sizeof *chains);
    if (!chains)
        return eti_fail_memory(in->err);
    if (vector.count == 0)
        return fail_pte(in, table, "chains", "the method has none");
    in->place.list = "chains";
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place.chain = in->place.number = i;
        ETI_TRY(read_chain(in, out, eti__flatbuf_vector_table(&in->buffer, vector, i), &chains[i]));
    }
    in->place.list = NULL;
    out->chains = chains;
    out->n_chains = vector.count;
    return ETI_OK;
}

/* ---- the method ------------------------------------------------------------------------------ */

static eti_status read_arenas(const eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector =
        eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_NON_CONST_BUFFER_SIZES);
    uint64_t *sizes = eti__arena_alloc(in->arena, vector.count, sizeof *sizes);
    if (!sizes)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        int64_t size = eti__flatbuf_vector_i64(&in->buffer, vector, i);
        if (size < 0)
            return fail_pte(in, vector.first + i * 8, "non_const_buffer_sizes",
                            "the size of an arena is negative");
        sizes[i] = (uint64_t)size;
    }
    out->arena_sizes = sizes;
    out->n_arenas = vector.count;
    return ETI_OK;
}

static eti_status read_devices(const eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_vector vector = eti__flatbuf_vector(buffer, table, EXECUTION_PLAN_NON_CONST_BUFFER_DEVICE);
    eti_pte_device *devices = eti__arena_alloc(in->arena, vector.count, sizeof *devices);
    if (!devices)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position at = eti__flatbuf_vector_table(buffer, vector, i);
        devices[i] = (eti_pte_device){
            .arena = eti__flatbuf_i32(buffer, at, NON_CONST_BUFFER_DEVICE_BUFFER_IDX, 0),
            .type = eti__flatbuf_i8(buffer, at, NON_CONST_BUFFER_DEVICE_DEVICE_TYPE, 0),
            .index = eti__flatbuf_i8(buffer, at, NON_CONST_BUFFER_DEVICE_DEVICE_INDEX, 0),
        };
    }
    out->devices = devices;
    out->n_devices = vector.count;
    return ETI_OK;
}

/* Reads how the method's inputs and outputs were nested in Python. */
static eti_status read_nesting(const eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_position at = eti__flatbuf_table(&in->buffer, table, EXECUTION_PLAN_CONTAINER_META_TYPE);
    if (!at)
        return ETI_OK;
    ETI_TRY(read_name(in, at, CONTAINER_METADATA_ENCODED_INP_STR, &out->encoded_inputs));
    return read_name(in, at, CONTAINER_METADATA_ENCODED_OUT_STR, &out->encoded_outputs);
}

static eti_status read_ends(const eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    ETI_TRY(read_pte_indices(in, eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_INPUTS),
                             false, false, out->n_values, "inputs", &out->inputs));
    return read_pte_indices(in, eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_OUTPUTS),
                            false, false, out->n_values, "outputs", &out->outputs);
}

/* Reads a method and checks all its indices. `out` must be all zeros. */
static eti_status read_pte_plan(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    ETI_TRY(read_name(in, table, EXECUTION_PLAN_NAME, &out->name));
    ETI_TRY(read_nesting(in, table, out));
    ETI_TRY(read_arenas(in, table, out));
    ETI_TRY(read_devices(in, table, out));
    ETI_TRY(read_pte_values(in, table, out));
    ETI_TRY(read_ends(in, table, out));
    ETI_TRY(read_operators(in, table, out));
    ETI_TRY(read_delegates(in, table, out));
    return read_chains(in, table, out);
}

/* ==== container =============================================================================== */
/* Reads the container of a program, and its data about all methods: see schema/program.fbs. */

#define HEADER_AT 8u /* the extended header, after the root offset and the identifier */
#define HEADER_LEAST 24u
#define HEADER_WITH_SEGMENT_SIZE 32u

/* ---- the container --------------------------------------------------------------------------- */

static eti_status check_identifier(eti_pte *pte, eti_error *err) {
    if (pte->size < 8)
        return eti_fail(err, ETI_ERROR_MALFORMED, "%" PRIu64 " bytes are too few for a program",
                        pte->size);
    memcpy(pte->identifier, pte->data + 4, 4);
    if (memcmp(pte->identifier, "ET12", 4) == 0)
        return ETI_OK;
    bool is_program = pte->identifier[0] == 'E' && pte->identifier[1] == 'T';
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    is_program ? "the program has version %.4s, but only ET12 is supported"
                               : "expected the identifier ET12 at byte 4, found %.4s",
                    pte->identifier);
}

/* Reads the extended header. Without it, all bytes are the FlatBuffer. */
static eti_status read_header(eti_pte *pte, eti_error *err) {
    const uint8_t *header = pte->data + HEADER_AT;
    pte->program_size = pte->size;
    if (pte->size < HEADER_AT + HEADER_LEAST || memcmp(header, "eh00", 4) != 0)
        return ETI_OK;
    pte->header_length = eti__load_u32(header + 4);
    if (pte->header_length < HEADER_LEAST)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "byte %" PRIu64 ": the extended header has %" PRIu32 " bytes, less than %u",
                        pte->offset + HEADER_AT + 4, pte->header_length, HEADER_LEAST);
    pte->program_size = eti__load_u64(header + 8);
    pte->segment_base = eti__load_u64(header + 16);
    if (pte->header_length >= HEADER_WITH_SEGMENT_SIZE &&
        pte->size >= HEADER_AT + HEADER_WITH_SEGMENT_SIZE)
        pte->segment_data_size = eti__load_u64(header + 24);
    if (pte->program_size > pte->size)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "the file was cut short: according to its header the program has %" PRIu64
                        " bytes, but the file has %" PRIu64,
                        pte->program_size, pte->size);
    if (pte->segment_base > pte->size || pte->segment_data_size > pte->size - pte->segment_base)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "the file was cut short: according to its header, segments of %" PRIu64
                        " bytes begin at byte %" PRIu64 ", but the file has %" PRIu64,
                        pte->segment_data_size, pte->segment_base, pte->size);
    return ETI_OK;
}

/* ---- tables of the whole program -------------------------------------------------------------- */

static eti_status read_segments(eti_pte_reader *in) {
    eti_pte *pte = in->pte;
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, PROGRAM_SEGMENTS);
    eti_segment_room room = {pte->program_size, pte->segment_base, pte->size};
    pte->n_segments = vector.count;
    return eti__segments_read(&pte->segments, in->arena, &in->buffer, vector, &room, in->err);
}

/* ---- slots of segments ----------------------------------------------------------------------- */

static eti_status read_slots(const eti_pte_reader *in, eti_position table, eti_pte_slots *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, SUBSEGMENT_OFFSETS_OFFSETS);
    uint64_t *offsets = eti__arena_alloc(in->arena, vector.count, sizeof *offsets);
    if (!offsets)
        return eti_fail_memory(in->err);
    out->segment = eti__flatbuf_u32(&in->buffer, table, SUBSEGMENT_OFFSETS_SEGMENT_INDEX, 0);
    out->offsets = offsets;
    out->n_offsets = vector.count;
    if (vector.count > 0 && out->segment >= in->pte->n_segments)
        return fail_pte_index(in, table, "segment_index", "segment", out->segment,
                              in->pte->n_segments);
    for (uint32_t i = 0; i < vector.count; i++) {
        offsets[i] = (uint64_t)eti__flatbuf_vector_i64(&in->buffer, vector, i);
        if (offsets[i] > in->pte->segments[out->segment].size)
            return fail_pte(in, vector.first + i * 8, "offsets",
                            "an offset points outside its segment");
    }
    return ETI_OK;
}

/* Reads the constants. A program that has constants in a segment has more slots than the placeholder. */
static eti_status read_constants(eti_pte_reader *in) {
    eti_pte *pte = in->pte;
    eti_position table = eti__flatbuf_table(&in->buffer, in->root, PROGRAM_CONSTANT_SEGMENT);
    in->place = (eti_pte_place){ETI_PTE_NO_PLAN, "constant_segment", ETI_PTE_NO_NUMBER, 0, false};
    if (table)
        ETI_TRY(read_slots(in, table, &pte->constants));
    pte->has_constant_segment =
        pte->constants.n_offsets > 1 || (table && pte->n_inline_constants == 0);
    return ETI_OK;
}

static eti_status read_mutable_data(eti_pte_reader *in) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, PROGRAM_MUTABLE_DATA_SEGMENTS);
    eti_pte_slots *slots = eti__arena_alloc_zero(in->arena, vector.count, sizeof *slots);
    if (!slots)
        return eti_fail_memory(in->err);
    in->place.list = "mutable_data_segments";
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place.number = i;
        ETI_TRY(read_slots(in, eti__flatbuf_vector_table(&in->buffer, vector, i), &slots[i]));
    }
    in->pte->mutable_data = slots;
    in->pte->n_mutable_data = vector.count;
    return ETI_OK;
}

static eti_status read_named_data(eti_pte_reader *in) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, PROGRAM_NAMED_DATA);
    eti_pte_named_data *named = eti__arena_alloc(in->arena, vector.count, sizeof *named);
    if (!named)
        return eti_fail_memory(in->err);
    in->place.list = "named_data";
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position table = eti__flatbuf_vector_table(&in->buffer, vector, i);
        ETI_TRY(read_name(in, table, NAMED_DATA_KEY, &named[i].key));
        named[i].segment = eti__flatbuf_u32(&in->buffer, table, NAMED_DATA_SEGMENT_INDEX, 0);
        in->place.number = i;
        if (named[i].segment >= in->pte->n_segments)
            return fail_pte_index(in, table, "segment_index", "segment", named[i].segment,
                                  in->pte->n_segments);
    }
    in->pte->named_data = named;
    in->pte->n_named_data = vector.count;
    return ETI_OK;
}

/* Reads a vector of tables that contain only bytes: field `field` of the program, and field 0 of each table. */
static eti_status read_blobs(eti_pte_reader *in, unsigned field, const eti_text **out,
                             uint32_t *n) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, field);
    eti_text *blobs = eti__arena_alloc(in->arena, vector.count, sizeof *blobs);
    if (!blobs)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++)
        blobs[i] =
            eti__flatbuf_text(&in->buffer, eti__flatbuf_vector_table(&in->buffer, vector, i), 0);
    *out = blobs;
    *n = vector.count;
    return ETI_OK;
}

static eti_status read_plans(eti_pte_reader *in) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, PROGRAM_EXECUTION_PLAN);
    eti_pte_plan *plans = eti__arena_alloc_zero(in->arena, vector.count, sizeof *plans);
    if (!plans)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place = (eti_pte_place){.plan = i};
        ETI_TRY(read_pte_plan(in, eti__flatbuf_vector_table(&in->buffer, vector, i), &plans[i]));
    }
    in->pte->plans = plans;
    in->pte->n_plans = vector.count;
    return ETI_OK;
}

static eti_status read_program(eti_pte_reader *in) {
    eti_pte *pte = in->pte;
    if (pte->program_size > UINT32_MAX)
        return eti_fail(in->err, ETI_ERROR_LIMIT,
                        "%" PRIu64 " bytes, but a FlatBuffer has at most %lu", pte->program_size,
                        (unsigned long)UINT32_MAX);
    in->buffer = (eti_flatbuf){.data = pte->data,
                               .size = (size_t)pte->program_size,
                               .file_offset = (size_t)pte->offset,
                               .has_unsure_sizes = true};
    ETI_TRY(eti__flatbuf_verify(&in->buffer, &program_schema, 1, &in->root, in->err));
    pte->version = eti__flatbuf_u32(&in->buffer, in->root, PROGRAM_VERSION, 0);
    ETI_TRY(read_segments(in));
    ETI_TRY(
        read_blobs(in, PROGRAM_CONSTANT_BUFFER, &pte->inline_constants, &pte->n_inline_constants));
    ETI_TRY(read_constants(in));
    ETI_TRY(read_mutable_data(in));
    ETI_TRY(read_named_data(in));
    ETI_TRY(read_blobs(in, PROGRAM_BACKEND_DELEGATE_DATA, &pte->inline_delegates,
                       &pte->n_inline_delegates));
    return read_plans(in);
}

static eti_status open_container(eti_pte *pte, eti_arena *arena, eti_error *err) {
    eti_text program = {(const char *)pte->file->data, pte->file->size};
    pte->is_bundled = pte->file->kind == ETI_FILE_BUNDLED_PROGRAM;
    if (pte->is_bundled) {
        ETI_TRY(eti__bundle_open(&pte->bundle, arena, program, err));
        program = pte->bundle.program;
    }
    pte->data = (const uint8_t *)program.data;
    pte->size = program.size;
    pte->offset = (uint64_t)(pte->data - pte->file->data);
    ETI_TRY(check_identifier(pte, err));
    return read_header(pte, err);
}

eti_status eti__pte_open(eti_pte *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) {
    *out = (eti_pte){.file = file};
    eti_repairs repairs = {.arena = arena, .left = 3 * (uint64_t)file->size};
    eti_pte_reader in = {.pte = out,
                         .arena = arena,
                         .repairs = &repairs,
                         .place = {.plan = ETI_PTE_NO_PLAN},
                         .err = err};
    eti_status status = open_container(out, arena, err);
    if (status == ETI_OK)
        status = read_program(&in);
    if (status != ETI_OK)
        eti__error_prefix(err, "%s: not a readable program", file->name);
    eti__repairs_free(&repairs);
    return status;
}

/* ---- access ---------------------------------------------------------------------------------- */

eti_text eti__pte_segment_bytes(const eti_pte *pte, uint32_t segment) {
    const eti_pte_segment *of = &pte->segments[segment];
    return (eti_text){(const char *)pte->data + of->offset, (size_t)of->size};
}

const eti_pte_plan *eti__pte_find_plan(const eti_pte *pte, eti_text method) {
    for (uint32_t i = 0; i < pte->n_plans; i++) {
        if (eti__text_equal(pte->plans[i].name, method))
            return &pte->plans[i];
    }
    return NULL;
}

const eti_pte_tensor *eti__pte_tensor_at(const eti_pte_plan *plan, int32_t value) {
    if (value < 0 || (uint32_t)value >= plan->n_values ||
        plan->values[value].kind != ETI_PTE_TENSOR)
        return NULL;
    return plan->values[value].of.as_tensor;
}
