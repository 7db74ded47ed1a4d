/*
 * etdump_builder.h - writes ETDumps for tests, from the wire facts alone: it shares nothing with
 * src/format.
 *
 * Like every FlatBuffer writer it works from the end to the front, so that what is referred to is
 * written first. A `place` counts from the end; 0 means that the field is absent. Nothing is
 * aligned: readers must not rely on it. Absent scalars are `optional`s that are not set.
 *
 *     builder b = {0};
 *     place event = TIMED(&b, .name = "add", .instruction_id = SOME(1), .start_time = 10, .end_time
 * = 12); finish_dump(&b, DUMP(&b, RUN(&b, "Execute", event)), true); … b.file … builder_free(&b);
 */
#ifndef ETI_TESTS_ETDUMP_BUILDER_H
#define ETI_TESTS_ETDUMP_BUILDER_H

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

typedef uint32_t place;

typedef struct builder {
    uint8_t *bytes; /* the last `size` of `capacity` bytes are written */
    size_t capacity, size;
    bool vtables_behind; /* after their tables, so that their offset is negative */
    bool vtables_shared; /* equal vtables are written once */
    place vtables[64];
    size_t n_vtables;
    struct eti_file file; /* after finish_dump() */
} builder;

typedef struct optional {
    bool is_set;
    uint64_t bits;
} optional;

#define SOME(number)                                                                               \
    { true, (uint64_t)(number) }

/* ---- FlatBuffers ----------------------------------------------------------------------------- */

static inline void put(builder *b, const void *data, size_t size) {
    if (b->capacity - b->size < size) {
        size_t capacity = (b->capacity + size) * 2 + 256;
        uint8_t *bytes = malloc(capacity);
        if (!bytes)
            abort();
        if (b->size > 0)
            memcpy(bytes + capacity - b->size, b->bytes + b->capacity - b->size, b->size);
        free(b->bytes);
        b->bytes = bytes;
        b->capacity = capacity;
    }
    b->size += size;
    if (size > 0)
        memcpy(b->bytes + b->capacity - b->size, data, size);
}

/* Writes a number, little-endian, in `width` bytes. */
static inline void put_number(builder *b, uint64_t bits, size_t width) {
    uint8_t bytes[8];
    for (size_t i = 0; i < width; i++)
        bytes[i] = (uint8_t)(bits >> (8 * i));
    put(b, bytes, width);
}

static inline place here(const builder *b) {
    return (place)b->size;
}

/* Returns the offset to `target` from the place where it will lie. */
static inline void put_offset(builder *b, place target) {
    put_number(b, here(b) + 4u - target, 4);
}

static inline place put_bytes(builder *b, const void *data, size_t size) {
    put(b, data, size);
    put_number(b, size, 4);
    return here(b);
}

static inline place put_string_of(builder *b, const char *data, size_t size) {
    put(b, "", 1);
    return put_bytes(b, data, size);
}

static inline place put_string(builder *b, const char *c_string) {
    return c_string ? put_string_of(b, c_string, strlen(c_string)) : 0;
}

static inline place put_i64s(builder *b, const int64_t *values, size_t n) {
    for (size_t i = n; i-- > 0;)
        put_number(b, (uint64_t)values[i], 8);
    put_number(b, n, 4);
    return here(b);
}

static inline place put_tables(builder *b, const place *tables, size_t n) {
    for (size_t i = n; i-- > 0;)
        put_offset(b, tables[i]);
    put_number(b, n, 4);
    return here(b);
}

/* A field of a table: a number of `width` bytes or the offset of `target`; neither: absent. */
typedef struct slot {
    size_t width;
    uint64_t bits;
    place target;
} slot;

static inline slot number_slot(size_t width, optional number) {
    return (slot){number.is_set ? width : 0, number.bits, 0};
}

static inline slot target_slot(place target) {
    return (slot){target ? 4 : 0, 0, target};
}

/* Writes the vtable unless an equal one may be shared. */
static inline place put_vtable(builder *b, const uint16_t *words, size_t n) {
    for (size_t i = 0; b->vtables_shared && i < b->n_vtables; i++) {
        const uint8_t *old = b->bytes + b->capacity - b->vtables[i];
        size_t equal = 0;
        while (equal < n && 2 * (equal + 1) <= b->vtables[i] &&
               (old[2 * equal] | old[2 * equal + 1] << 8) == words[equal])
            equal++;
        if (equal == n)
            return b->vtables[i];
    }
    for (size_t i = n; i-- > 0;)
        put_number(b, words[i], 2);
    if (b->n_vtables < sizeof b->vtables / sizeof b->vtables[0])
        b->vtables[b->n_vtables++] = here(b);
    return here(b);
}

#define MOST_SLOTS 20

/* Writes a table with its fields in the order of their ids. */
static inline place put_table(builder *b, const slot *slots, size_t n) {
    uint16_t words[2 + MOST_SLOTS] = {0};
    size_t size = 4, used = 0;
    if (n > MOST_SLOTS)
        abort();
    for (size_t i = 0; i < n; i++) {
        if (slots[i].width == 0)
            continue;
        words[2 + i] = (uint16_t)size;
        size += slots[i].width;
        used = i + 1;
    }
    words[0] = (uint16_t)(4 + 2 * used);
    words[1] = (uint16_t)size;

    bool first = b->vtables_behind || b->vtables_shared;
    place vtable = first ? put_vtable(b, words, 2 + used) : 0;
    for (size_t i = n; i-- > 0;) {
        if (slots[i].target)
            put_offset(b, slots[i].target);
        else
            put_number(b, slots[i].bits, slots[i].width);
    }
    place table = here(b) + 4;
    if (!first)
        vtable = table + (place)(4 + 2 * used);
    put_number(b, (uint32_t)(vtable - table), 4);
    if (!first)
        (void)put_vtable(b, words, 2 + used);
    return table;
}

#define PUT_TABLE(b, ...)                                                                          \
    put_table((b), (const slot[]){__VA_ARGS__}, sizeof((const slot[]){__VA_ARGS__}) / sizeof(slot))

/* Writes the root offset and the identifier at the front, and the size if requested. */
static inline void finish_as(builder *b, place root, const char *identifier, bool prefixed) {
    put(b, identifier, 4);
    put_offset(b, root);
    if (prefixed)
        put_number(b, b->size, 4);
    b->file = (struct eti_file){
        .name = (char *)(uintptr_t) "test.etdp",
        .data = b->bytes + b->capacity - b->size,
        .size = b->size,
    };
}

static inline void builder_free(builder *b) {
    free(b->bytes);
    *b = (builder){0};
}

/* ---- debug values ---------------------------------------------------------------------------- */

enum {
    VAL_NULL,
    VAL_INT,
    VAL_BOOL,
    VAL_FLOAT,
    VAL_DOUBLE,
    VAL_TENSOR,
    VAL_TENSOR_LIST,
    VAL_STRING
};
enum { TYPE_BYTE, TYPE_LONG = 4, TYPE_HALF, TYPE_FLOAT, TYPE_DOUBLE, TYPE_BOOL = 11 };

typedef struct tensor_spec {
    optional scalar_type;
    place sizes, strides; /* vectors */
    optional offset;
} tensor_spec;

static inline place put_tensor(builder *b, const tensor_spec *spec) {
    return PUT_TABLE(b, number_slot(1, spec->scalar_type), target_slot(spec->sizes),
                     target_slot(spec->strides), number_slot(8, spec->offset));
}

/* Writes a tensor whose sizes are the last arguments; at least one is needed. */
#define TENSOR(b, type, at, ...)                                                                   \
    put_tensor((b), &(tensor_spec){.scalar_type = SOME(type),                                      \
                                   .sizes = put_i64s((b), (const int64_t[]){__VA_ARGS__},          \
                                                     sizeof((const int64_t[]){__VA_ARGS__}) / 8),  \
                                   .offset = SOME(at)})

typedef struct value_spec {
    optional val;
    place tensor, tensor_list, int_value, float_value, double_value, bool_value, output;
} value_spec;

static inline place put_value(builder *b, const value_spec *spec) {
    return PUT_TABLE(b, number_slot(1, spec->val), target_slot(spec->tensor),
                     target_slot(spec->tensor_list), target_slot(spec->int_value),
                     target_slot(spec->float_value), target_slot(spec->double_value),
                     target_slot(spec->bool_value), target_slot(spec->output));
}

#define VALUE(b, ...) put_value((b), &(value_spec){__VA_ARGS__})

static inline place put_int(builder *b, int64_t number) {
    return PUT_TABLE(b, (slot){8, (uint64_t)number, 0});
}

static inline place put_bool(builder *b, uint8_t truth) {
    return PUT_TABLE(b, (slot){1, truth, 0});
}

static inline place put_float(builder *b, float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return PUT_TABLE(b, (slot){4, bits, 0});
}

static inline place put_double(builder *b, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return PUT_TABLE(b, (slot){8, bits, 0});
}

static inline place put_tensor_list(builder *b, const place *tensors, size_t n) {
    return PUT_TABLE(b, target_slot(put_tables(b, tensors, n)));
}

#define INT_VALUE(b, number) VALUE(b, .val = SOME(VAL_INT), .int_value = put_int((b), (number)))
#define TENSOR_VALUE(b, table) VALUE(b, .val = SOME(VAL_TENSOR), .tensor = (table))
/* Writes a tensor that the runtime marks as an output of the run. */
#define INT_OUTPUT(b, number)                                                                      \
    VALUE(b, .val = SOME(VAL_INT), .int_value = put_int((b), (number)), .output = put_bool((b), 1))

/* ---- events ---------------------------------------------------------------------------------- */

typedef struct profile_spec {
    const char *name;
    optional chain_index, instruction_id, delegate_id_int;
    const char *delegate_id_str;
    const char *metadata;
    uint64_t start_time, end_time; /* 0: absent */
} profile_spec;

static inline place put_profile(builder *b, const profile_spec *spec) {
    place metadata = spec->metadata ? put_bytes(b, spec->metadata, strlen(spec->metadata)) : 0;
    return PUT_TABLE(b, target_slot(put_string(b, spec->name)), number_slot(4, spec->chain_index),
                     number_slot(4, spec->instruction_id), number_slot(4, spec->delegate_id_int),
                     target_slot(put_string(b, spec->delegate_id_str)), target_slot(metadata),
                     (slot){spec->start_time ? 8 : 0, spec->start_time, 0},
                     (slot){spec->end_time ? 8 : 0, spec->end_time, 0});
}

typedef struct debug_spec {
    optional chain_index, instruction_id;
    place value;
    optional delegate_id_int;
    const char *delegate_id_str;
    const char *name;
} debug_spec;

static inline place put_debug(builder *b, const debug_spec *spec) {
    return PUT_TABLE(b, number_slot(8, spec->chain_index), number_slot(4, spec->instruction_id),
                     target_slot(spec->value), number_slot(4, spec->delegate_id_int),
                     target_slot(put_string(b, spec->delegate_id_str)),
                     target_slot(put_string(b, spec->name)));
}

static inline place put_allocation(builder *b, int32_t allocator_id, uint64_t size) {
    return PUT_TABLE(b, (slot){4, (uint32_t)allocator_id, 0}, (slot){8, size, 0});
}

static inline place put_event(builder *b, place profile, place allocation, place debug) {
    return PUT_TABLE(b, target_slot(profile), target_slot(allocation), target_slot(debug));
}

/* Write events with one member. */
#define TIMED(b, ...) put_event((b), put_profile((b), &(profile_spec){__VA_ARGS__}), 0, 0)
#define LOGGED(b, ...) put_event((b), 0, 0, put_debug((b), &(debug_spec){__VA_ARGS__}))
#define ALLOCATED(b) put_event((b), 0, put_allocation((b), 1, 64), 0)

/* ---- runs and dumps -------------------------------------------------------------------------- */

typedef struct run_spec {
    const char *name;
    optional bundled_input_index;
    place allocators, events; /* vectors */
} run_spec;

static inline place put_run(builder *b, const run_spec *spec) {
    return PUT_TABLE(b, target_slot(put_string(b, spec->name)),
                     number_slot(4, spec->bundled_input_index), target_slot(spec->allocators),
                     target_slot(spec->events));
}

#define PLACES(...)                                                                                \
    (const place[]){__VA_ARGS__}, sizeof((const place[]){__VA_ARGS__}) / sizeof(place)
/* At least one argument. */
#define EVENTS(b, ...) put_tables((b), PLACES(__VA_ARGS__))
#define RUN(b, run_name, ...)                                                                      \
    put_run((b), &(run_spec){.name = (run_name), .events = EVENTS(b, __VA_ARGS__)})

static inline place put_dump(builder *b, optional version, place runs) {
    return PUT_TABLE(b, number_slot(4, version), target_slot(runs));
}

#define DUMP(b, ...) put_dump((b), (optional){0}, put_tables((b), PLACES(__VA_ARGS__)))

static inline void finish_dump(builder *b, place dump, bool prefixed) {
    finish_as(b, dump, "ED00", prefixed);
}

#endif
