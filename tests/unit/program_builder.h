/*
 * program_builder.h - writes small programs for tests, by the description of the format alone: one method with the given
 * values and instructions, or several. See etdump_builder.h for how FlatBuffers are written.
 */
#ifndef ETI_TESTS_PROGRAM_BUILDER_H
#define ETI_TESTS_PROGRAM_BUILDER_H

#include "etdump_builder.h"

/* Types of values and of instructions. */
enum { A_NULL = 1, AN_INT, A_BOOL, A_DOUBLE, A_TENSOR, A_STRING, AN_INT_LIST, A_DOUBLE_LIST };
enum { A_BOOL_LIST = 9, A_TENSOR_LIST, AN_OPTIONAL_LIST };
enum { A_KERNEL_CALL = 1, A_DELEGATE_CALL, A_MOVE_CALL, A_JUMP_FALSE_CALL, A_FREE_CALL };

/* Places of tables that a vector will hold. */
typedef struct table_list {
    place *at;
    size_t n, capacity;
} table_list;

static inline int32_t add_table(table_list *list, place table) {
    if (list->n == list->capacity) {
        list->capacity = list->capacity * 2 + 16;
        list->at = realloc(list->at, list->capacity * sizeof *list->at);
        if (!list->at)
            abort();
    }
    list->at[list->n] = table;
    return (int32_t)list->n++;
}

/* Writes the vector of the tables, and empties the list. */
static inline place put_list(builder *b, table_list *list) {
    place vector = put_tables(b, list->at, list->n);
    free(list->at);
    *list = (table_list){0};
    return vector;
}

/* Content of a program; all zeros: a method with an empty chain. */
typedef struct program_spec {
    builder b;
    table_list values, instructions, delegates;
    table_list methods; /* those that end_method() ended */
    size_t n_operators;
    const char *const *operator_names; /* NULL: "aten::add"; the overload is "out" */
    place inputs, outputs, arenas;     /* vectors */
    bool has_no_chain, has_no_method;
    size_t n_empty_chains; /* before the chain of a method */
    place constant_buffer, delegate_data, segments, constant_segment, mutable_data, named_data;
} program_spec;

static inline place put_i32s(builder *b, const int32_t *items, size_t n) {
    for (size_t i = n; i-- > 0;)
        put_number(b, (uint32_t)items[i], 4);
    put_number(b, n, 4);
    return here(b);
}

#define I32S(b, ...)                                                                               \
    put_i32s((b), (const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__}) / 4)
#define I64S(b, ...)                                                                               \
    put_i64s((b), (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / 8)

/* Writes a union and its type. */
static inline place put_either(builder *b, uint8_t type, place table) {
    return PUT_TABLE(b, (slot){1, type, 0}, target_slot(table));
}

static inline int32_t add_value(program_spec *p, uint8_t type, place table) {
    return add_table(&p->values, put_either(&p->b, type, table));
}

/* Writes a value whose table has one field: a list, a text. */
static inline int32_t add_value_of(program_spec *p, uint8_t type, place content) {
    return add_value(p, type, PUT_TABLE(&p->b, target_slot(content)));
}

typedef struct tensor_of_program {
    uint8_t scalar_type, dynamism;
    place sizes, dim_order; /* vectors */
    uint32_t buffer;
    bool is_planned;
    uint32_t memory_id, offset_low, offset_high;
    bool is_external;
    const char *name;
    uint64_t mutable_data;
    uint32_t storage_offset;
} tensor_of_program;

static inline int32_t add_tensor_of(program_spec *p, const tensor_of_program *t) {
    builder *b = &p->b;
    place name = put_string(b, t->name);
    place planned = t->is_planned
                        ? PUT_TABLE(b, (slot){4, t->memory_id, 0}, (slot){4, t->offset_low, 0},
                                    (slot){4, t->offset_high, 0})
                        : 0;
    bool has_extra = t->is_external || t->name || t->mutable_data;
    place extra = has_extra ? PUT_TABLE(b, (slot){8, t->mutable_data, 0}, target_slot(name),
                                        (slot){1, t->is_external, 0})
                            : 0;
    return add_value(p, A_TENSOR,
                     PUT_TABLE(b, (slot){1, t->scalar_type, 0}, (slot){4, t->storage_offset, 0},
                               target_slot(t->sizes), target_slot(t->dim_order), (slot){0},
                               (slot){4, t->buffer, 0}, target_slot(planned), (slot){0},
                               (slot){1, t->dynamism, 0}, target_slot(extra)));
}

#define ADD_TENSOR(p, ...) add_tensor_of((p), &(tensor_of_program){__VA_ARGS__})

/* Adds a call of an operator or a delegate. */
static inline void add_call(program_spec *p, uint8_t type, int32_t callee, place args) {
    place call = PUT_TABLE(&p->b, (slot){4, (uint32_t)callee, 0}, target_slot(args));
    add_table(&p->instructions, put_either(&p->b, type, call));
}

/* Adds another instruction with its two numbers. */
static inline void add_instruction(program_spec *p, uint8_t type, int32_t first, int32_t second) {
    place call = PUT_TABLE(&p->b, (slot){4, (uint32_t)first, 0}, (slot){4, (uint32_t)second, 0});
    add_table(&p->instructions, put_either(&p->b, type, call));
}

static inline void add_delegate_of(program_spec *p, const char *backend, bool is_segment,
                                   uint32_t index) {
    place id = put_string(&p->b, backend);
    place processed = PUT_TABLE(&p->b, (slot){1, is_segment, 0}, (slot){4, index, 0});
    add_table(&p->delegates, PUT_TABLE(&p->b, target_slot(id), target_slot(processed)));
}

static inline void add_delegate(program_spec *p, bool is_segment, uint32_t index) {
    add_delegate_of(p, "Backend", is_segment, index);
}

static inline place put_segment(builder *b, uint64_t offset, uint64_t size) {
    return PUT_TABLE(b, (slot){8, offset, 0}, (slot){8, size, 0});
}

static inline place put_slots(builder *b, uint32_t segment, place offsets) {
    return PUT_TABLE(b, (slot){4, segment, 0}, target_slot(offsets));
}

static inline place put_operators(builder *b, const char *const *names, size_t n) {
    table_list operators = {0};
    for (size_t i = 0; i < n; i++) {
        place name = put_string(b, names ? names[i] : "aten::add"), overload = put_string(b, "out");
        add_table(&operators, PUT_TABLE(b, target_slot(name), target_slot(overload)));
    }
    return put_list(b, &operators);
}

static inline place put_chains(program_spec *p, place chain) {
    table_list chains = {0};
    for (size_t i = 0; i < p->n_empty_chains; i++)
        add_table(&chains,
                  PUT_TABLE(&p->b, (slot){0}, (slot){0}, target_slot(put_tables(&p->b, NULL, 0))));
    add_table(&chains, chain);
    return put_list(&p->b, &chains);
}

static inline place put_method(program_spec *p, const char *called) {
    builder *b = &p->b;
    place name = put_string(b, called);
    place instructions = put_list(b, &p->instructions);
    place chain = PUT_TABLE(b, (slot){0}, (slot){0}, target_slot(instructions));
    place chains = p->has_no_chain ? 0 : put_chains(p, chain);
    place values = put_list(b, &p->values);
    place operators = put_operators(b, p->operator_names, p->n_operators);
    place delegates = put_list(b, &p->delegates);
    return PUT_TABLE(b, target_slot(name), (slot){0}, target_slot(values), target_slot(p->inputs),
                     target_slot(p->outputs), target_slot(chains), target_slot(operators),
                     target_slot(delegates), target_slot(p->arenas));
}

/* Ends a method, for programs with several: what is added afterwards belongs to the next method. */
static inline void end_method(program_spec *p, const char *name) {
    add_table(&p->methods, put_method(p, name));
}

/* Writes the program without a header, and sets `p->b.file`. Unless methods were ended, what was added is method "forward". */
static inline void finish_program(program_spec *p) {
    builder *b = &p->b;
    if (p->methods.n == 0)
        end_method(p, "forward");
    if (p->has_no_method)
        p->methods.n = 0;
    place methods = put_list(b, &p->methods);
    place program = PUT_TABLE(b, (slot){4, 0, 0}, target_slot(methods),
                              target_slot(p->constant_buffer), target_slot(p->delegate_data),
                              target_slot(p->segments), target_slot(p->constant_segment),
                              target_slot(p->mutable_data), target_slot(p->named_data));
    finish_as(b, program, "ET12", false);
    b->file.name = (char *)(uintptr_t) "test.pte";
}

/* Writes the program with a header of `length` bytes, followed by `n_data` bytes of segments. */
static inline void finish_program_with(program_spec *p, size_t length, const void *data,
                                       size_t n_data) {
    finish_program(p);
    builder *b = &p->b;
    uint8_t head[8], *bytes;
    size_t metadata = b->file.size + length, header = length;
    memcpy(head, b->file.data, 8);
    bytes = calloc(1, metadata + n_data);
    if (!bytes)
        abort();
    uint32_t root = (uint32_t)(head[0] | head[1] << 8 | head[2] << 16 | head[3] << 24);
    root += (uint32_t)header;
    for (size_t i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(root >> (8 * i));
    memcpy(bytes + 4, head + 4, 4);
    memcpy(bytes + 8, "eh00", 4);
    const uint64_t numbers[] = {metadata, metadata, n_data};
    bytes[12] = (uint8_t)length;
    for (size_t i = 0; i < 24 && 8 + i < header; i++)
        bytes[16 + i] = (uint8_t)(numbers[i / 8] >> (8 * (i % 8)));
    memcpy(bytes + 8 + header, b->file.data + 8, b->file.size - 8);
    if (n_data > 0)
        memcpy(bytes + metadata, data, n_data);
    free(b->bytes);
    *b = (builder){.bytes = bytes,
                   .capacity = metadata + n_data,
                   .size = metadata + n_data,
                   .file = {.name = b->file.name, .data = bytes, .size = metadata + n_data}};
}

#endif
