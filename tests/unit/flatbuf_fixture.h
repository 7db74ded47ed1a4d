/*
 * flatbuf_fixture.h - a FlatBuffer of a schema with a field of every kind.
 */
#ifndef ETI_TESTS_FLATBUF_FIXTURE_H
#define ETI_TESTS_FLATBUF_FIXTURE_H

#include "etdump_builder.h"
#include "support.h"

#include "flatbuf/flatbuf.h"

/* Schema with a field of every kind; a Node may hold Nodes. */
static const eti_table_schema node_schema;
enum { I8, U8, I32, U32, I64, U64, F32, F64, STRING, BYTES, I64S, NODE, NODES };
static const eti_field node_fields[] = {
    {"i8", ETI_FIELD_I8, {NULL}},
    {"u8", ETI_FIELD_U8, {NULL}},
    {"i32", ETI_FIELD_I32, {NULL}},
    {"u32", ETI_FIELD_U32, {NULL}},
    {"i64", ETI_FIELD_I64, {NULL}},
    {"u64", ETI_FIELD_U64, {NULL}},
    {"f32", ETI_FIELD_F32, {NULL}},
    {"f64", ETI_FIELD_F64, {NULL}},
    {"string", ETI_FIELD_STRING, {NULL}},
    {"bytes", ETI_FIELD_BYTES, {NULL}},
    {"i64s", ETI_FIELD_I64S, {NULL}},
    {"node", ETI_FIELD_TABLE, {.table = &node_schema}},
    {"nodes", ETI_FIELD_TABLES, {.table = &node_schema}},
};
static const eti_table_schema node_schema = {"Node", node_fields, COUNT_OF(node_fields), 0};

typedef struct fixture {
    builder b;
    eti_flatbuf buffer;
    eti_position root;
    eti_error err;
} fixture;

static inline eti_status verify(fixture *f) {
    return eti__flatbuf_verify(&f->buffer, &node_schema, 1, &f->root, &f->err);
}

/* Finds the buffer and verifies it. */
static inline eti_status open_buffer(fixture *f, place root, bool prefixed) {
    finish_as(&f->b, root, "TEST", prefixed);
    eti_status status =
        eti__flatbuf_find(&f->buffer, f->b.file.data, f->b.file.size, "TEST", &f->err);
    return status == ETI_OK ? verify(f) : status;
}

/* State for the assertions of support.h. */
#define err f->err

static inline fixture *new_fixture(void) {
    return calloc(1, sizeof(fixture));
}

static inline void free_fixture(fixture *f) {
    builder_free(&f->b);
    free(f);
}

static inline place put_full_node(builder *b) {
    const int64_t sizes[] = {-1, INT64_MAX};
    place child = PUT_TABLE(b, (slot){1, 7, 0});
    place children[] = {child, PUT_TABLE(b, (slot){1, 8, 0}), child};
    uint32_t f32 = 0x3fc00000;          /* 1.5 */
    uint64_t f64 = 0xc004000000000000u; /* -2.5 */
    return PUT_TABLE(b, (slot){1, 0x80, 0}, (slot){1, 0xff, 0}, (slot){4, 0x80000000, 0},
                     (slot){4, 0xffffffff, 0}, (slot){8, 0x8000000000000000u, 0},
                     (slot){8, UINT64_MAX, 0}, (slot){4, f32, 0}, (slot){8, f64, 0},
                     target_slot(put_string_of(b, "a\0b", 3)), target_slot(put_bytes(b, "\xff", 1)),
                     target_slot(put_i64s(b, sizes, 2)), target_slot(child),
                     target_slot(put_tables(b, children, 3)));
}

#endif
