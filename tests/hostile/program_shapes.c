/* program_shapes.c - programs alone: their plans, calls and the places of their bytes. */
#include "program_builder.h"
#include "shapes.h"

static void finish(files *out, program_spec *p, size_t size) {
    size_t n_data = p->b.size < size ? size - p->b.size : 16;
    char *data = calloc(1, n_data);
    if (!data)
        abort();
    finish_program_with(p, 32, data, n_data);
    free(data);
    out->program = p->b;
}

static int32_t add_planned(program_spec *p, uint32_t offset, int32_t n_floats) {
    return ADD_TENSOR(p, .scalar_type = 6, .sizes = I32S(&p->b, 1, n_floats),
                      .dim_order = put_bytes(&p->b, "\0\1", 2), .is_planned = true, .memory_id = 1,
                      .offset_low = offset);
}

/* ---- valid programs -------------------------------------------------------------------------- */

/* An instruction accounts for a tenth of the bytes of a small model, and less of a large one. */
static void make_valid_program(files *out, size_t size) {
    program_spec p = {.n_operators = 10};
    builder *b = &p.b;
    p.b.vtables_shared = true;
    size_t n = size / 1000 + 1;
    int32_t before = add_planned(&p, 0, 16),
            weight = ADD_TENSOR(&p, .scalar_type = 6, .sizes = I32S(b, 4), .buffer = 1);
    p.inputs = I32S(b, before);
    for (size_t i = 0; i < n; i++) {
        int32_t alpha = add_value(&p, AN_INT, put_int(b, (int64_t)i));
        int32_t next = add_planned(&p, (uint32_t)(64 * (1 + i % 3)), 16);
        add_call(&p, A_KERNEL_CALL, (int32_t)(i % 10),
                 I32S(b, before, weight, alpha, alpha, next, next));
        before = next;
    }
    p.outputs = I32S(b, before);
    p.arenas = I64S(b, 0, 256);
    size_t n_data = b->size < size ? size - b->size : 16;
    place segment = put_segment(b, 0, n_data);
    p.segments = put_tables(b, &segment, 1);
    p.constant_segment = put_slots(b, 0, I64S(b, 0, 0));
    finish(out, &p, b->size + n_data);
}

/* ---- shared offsets -------------------------------------------------------------------------- */

/* Share of a visited table in the cost of 8 times the size that reading a program may have. */
#define WORK_PER_INSTRUCTION 160
#define WORK_PER_VALUE 280

static size_t work(size_t size) {
    return size * 15 / 2;
}

/* Calls that share a few long lists of arguments, with the maximum number of arguments. */
static void make_shared_arguments(files *out, size_t size) {
    program_spec p = {.n_operators = 1};
    builder *b = &p.b;
    b->vtables_shared = true;
    size_t n = size / 40 + 1;
    for (size_t i = 0; i < n / 10 + 1; i++)
        add_planned(&p, (uint32_t)(64 * i), 16);
    for (size_t i = n; i-- > 0;)
        put_number(b, i % p.values.n, 4);
    put_number(b, n, 4);
    place args = here(b);
    for (size_t i = 0; i < work(size) / (4 * n + WORK_PER_INSTRUCTION) / 2; i++)
        add_call(&p, A_KERNEL_CALL, 0, args);
    p.arenas = I64S(b, 0, 1 << 30);
    pad_dump(b, size);
    finish(out, &p, size);
}

/* One tensor is all values. */
static void make_shared_tensor(files *out, size_t size) {
    program_spec p = {0};
    builder *b = &p.b;
    b->vtables_shared = true;
    add_planned(&p, 0, 16);
    place value = p.values.at[0];
    while (p.values.n < work(size) / WORK_PER_VALUE)
        add_table(&p.values, value);
    p.arenas = I64S(b, 0, 64);
    pad_dump(b, size - 4 * p.values.n);
    finish(out, &p, size);
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* All tensors live all the time, each overlapping half of the previous one. */
static void make_overlapping_plan(files *out, size_t size) {
    program_spec p = {.n_operators = 1};
    builder *b = &p.b;
    b->vtables_shared = true;
    for (size_t i = 0; b->size < size * 4 / 5; i++) {
        int32_t tensor = add_planned(&p, (uint32_t)(32 * i), 16);
        add_call(&p, A_KERNEL_CALL, 0, I32S(b, tensor));
    }
    p.arenas = I64S(b, 0, 1 << 30);
    size_t n = p.values.n;
    for (size_t i = n; i-- > 0;)
        put_number(b, i, 4);
    put_number(b, n, 4);
    p.outputs = here(b);
    finish(out, &p, size);
}

/* Nested loops, with a tensor that lives between each two. */
static void make_nested_loops(files *out, size_t size) {
    program_spec p = {.n_operators = 1};
    builder *b = &p.b;
    b->vtables_shared = true;
    int32_t condition = add_value(&p, A_BOOL, put_bool(b, 1));
    size_t n = size / 400 + 1;
    for (size_t i = 0; i < n; i++)
        add_call(&p, A_KERNEL_CALL, 0, I32S(b, add_planned(&p, (uint32_t)(64 * i), 16)));
    for (size_t i = 0; i < n; i++)
        add_instruction(&p, A_JUMP_FALSE_CALL, condition, (int32_t)(n - 1 - i));
    p.arenas = I64S(b, 0, 1 << 30);
    finish(out, &p, size);
}

/* Views of views of the same bytes. */
static void make_all_aliases(files *out, size_t size) {
    program_spec p = {.n_operators = 1};
    builder *b = &p.b;
    b->vtables_shared = true;
    int32_t first = add_planned(&p, 0, 16);
    p.inputs = I32S(b, first);
    while (b->size < size) {
        int32_t view = add_planned(&p, 0, 16);
        add_call(&p, A_KERNEL_CALL, 0, I32S(b, view, first));
    }
    p.arenas = I64S(b, 0, 64);
    finish(out, &p, size);
}

/* Segments of a byte, the last one first, each with a key. */
static void make_many_segments(files *out, size_t size) {
    program_spec p = {0};
    builder *b = &p.b;
    table_list segments = {0}, named = {0};
    b->vtables_shared = true;
    size_t n = size / 80 + 1;
    place key = put_string(b, "key");
    for (size_t i = 0; i < n; i++) {
        add_table(&segments, put_segment(b, n - 1 - i, 1));
        add_table(&named, PUT_TABLE(b, target_slot(key), (slot){4, i, 0}));
    }
    p.segments = put_list(b, &segments);
    p.named_data = put_list(b, &named);
    finish(out, &p, b->size + n);
}

const shape program_shapes[] = {
    {"valid_program", make_valid_program, "valid_program", "0"},
    {"shared_arguments", make_shared_arguments, "valid_program", "0"},
    {"shared_tensor", make_shared_tensor, "valid_program", "0"},
    {"overlapping_plan", make_overlapping_plan, "valid_program", "0"},
    {"nested_loops", make_nested_loops, "valid_program", "0"},
    {"all_aliases", make_all_aliases, "valid_program", "0"},
    {"many_segments", make_many_segments, "valid_program", "0"},
    {0},
};
