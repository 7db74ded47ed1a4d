/*
 * plan.c - reads a method of a program: instructions, operators, delegates and arenas. value.c reads its values.
 */
#include "pte/parts.h"

/* ---- operators and delegates ------------------------------------------------------------------ */

static eti_status read_operators(const eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
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
        return eti__pte_fail_index(in, at, "processed.index",
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
    in->place.list = "delegates";
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position at = eti__flatbuf_vector_table(&in->buffer, vector, i);
        in->place.number = i;
        delegates[i].id = eti__flatbuf_text(&in->buffer, at, BACKEND_DELEGATE_ID);
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
                                             : eti__pte_fail_index(in, call, field, what, index, n);
}

static eti_status read_args(const eti_pte_reader *in, const eti_pte_plan *plan, eti_position call,
                            eti_pte_indices *out) {
    /* field 1 in both kinds of calls */
    return eti__pte_read_indices(in, eti__flatbuf_vector(&in->buffer, call, KERNEL_CALL_ARGS),
                                 false, false, plan->n_values, "instr_args.args", out);
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
            return eti__pte_fail_index(in, call, "instr_args.destination_instruction",
                                       "instruction", out->target, n);
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
        frames[i] = (eti_pte_frame){
            .file = eti__flatbuf_text(buffer, at, FRAME_FILENAME),
            .function = eti__flatbuf_text(buffer, at, FRAME_NAME),
            .code = eti__flatbuf_text(buffer, at, FRAME_CONTEXT),
            .line = eti__flatbuf_i32(buffer, at, FRAME_LINENO, 0),
        };
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
    ETI_TRY(eti__pte_read_indices(in, eti__flatbuf_vector(buffer, chain, CHAIN_INPUTS), false,
                                  false, plan->n_values, "inputs", &out->inputs));
    ETI_TRY(eti__pte_read_indices(in, eti__flatbuf_vector(buffer, chain, CHAIN_OUTPUTS), false,
                                  false, plan->n_values, "outputs", &out->outputs));
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
        return eti__pte_fail(in, table, "chains", "the method has none");
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
            return eti__pte_fail(in, vector.first + i * 8, "non_const_buffer_sizes",
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
static void read_nesting(const eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_position at = eti__flatbuf_table(&in->buffer, table, EXECUTION_PLAN_CONTAINER_META_TYPE);
    if (!at)
        return;
    out->encoded_inputs = eti__flatbuf_text(&in->buffer, at, CONTAINER_METADATA_ENCODED_INP_STR);
    out->encoded_outputs = eti__flatbuf_text(&in->buffer, at, CONTAINER_METADATA_ENCODED_OUT_STR);
}

static eti_status read_ends(const eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    ETI_TRY(eti__pte_read_indices(in,
                                  eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_INPUTS),
                                  false, false, out->n_values, "inputs", &out->inputs));
    return eti__pte_read_indices(in,
                                 eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_OUTPUTS),
                                 false, false, out->n_values, "outputs", &out->outputs);
}

eti_status eti__pte_read_plan(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    out->name = eti__flatbuf_text(&in->buffer, table, EXECUTION_PLAN_NAME);
    read_nesting(in, table, out);
    ETI_TRY(read_arenas(in, table, out));
    ETI_TRY(read_devices(in, table, out));
    ETI_TRY(eti__pte_read_values(in, table, out));
    ETI_TRY(read_ends(in, table, out));
    ETI_TRY(read_operators(in, table, out));
    ETI_TRY(read_delegates(in, table, out));
    return read_chains(in, table, out);
}
