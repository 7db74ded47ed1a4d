/*
 * flatbuf.h - turns bytes into a verified FlatBuffer and verified tables into values.
 *
 * Two steps. eti_flatbuf_verify() walks everything that can be reached from the root along one
 * static description of the schema and checks every offset, vtable, vector and string; after that
 * the accessors cannot fail and return values. Verification promises memory safety, not meaning:
 * enum numbers and relations between fields are the caller's to check. Unknown fields are passed
 * over. Nothing is copied and nothing is allocated; text is borrowed from the buffer.
 *
 * The format: the "FlatBuffers Binary Format" document of google/flatbuffers; what ETDump makes of
 * it: the drawing in flatbuf.c.
 */
#ifndef ETI_FORMAT_FLATBUF_H
#define ETI_FORMAT_FLATBUF_H

#include "base/status.h"

typedef enum eti_field_kind {
    ETI_FIELD_I8,
    ETI_FIELD_U8,
    ETI_FIELD_I32,
    ETI_FIELD_U32,
    ETI_FIELD_I64,
    ETI_FIELD_U64,
    ETI_FIELD_F32,
    ETI_FIELD_F64,
    ETI_FIELD_STRING,
    ETI_FIELD_BYTES,  /* vector of u8 */
    ETI_FIELD_I64S,   /* vector of i64 */
    ETI_FIELD_TABLE,  /* of `table` */
    ETI_FIELD_TABLES, /* vector of `table` */
} eti_field_kind;

typedef struct eti_table_schema eti_table_schema;

/* Fields in .fbs order: the index is the field's id. */
typedef struct eti_field {
    const char *name;
    eti_field_kind kind;
    const eti_table_schema *table; /* NULL unless a table or tables */
} eti_field;

struct eti_table_schema {
    const char *name;
    const eti_field *fields;
    size_t n_fields;
};

/* The buffer without its size prefix: offsets count from `data`. */
typedef struct eti_flatbuf {
    const uint8_t *data;
    size_t size;        /* bytes, at most UINT32_MAX */
    size_t file_offset; /* of `data` in the file, for messages: 4 when there is a size prefix */
} eti_flatbuf;

/* The position of a verified table or vector; 0: absent. */
typedef uint32_t eti_position;

typedef struct eti_vector {
    eti_position first; /* of the first element */
    uint32_t count;
} eti_vector;

/* Finds `identifier` at byte 8 (size-prefixed) or else at byte 4, and sets `out` to the buffer. What
 * the prefix says is not used; nor does the Inspector. ETI_ERROR_MALFORMED when the identifier is
 * at neither place, ETI_ERROR_LIMIT above 4 GiB. */
eti_status eti_flatbuf_find(eti_flatbuf *out, const uint8_t *data, size_t size,
                            const char identifier[4], eti_error *err) ETI_WARN_UNUSED;

/* Verifies everything below the root table and gives its position. ETI_ERROR_MALFORMED names the
 * table, the field and the byte in the file; ETI_ERROR_LIMIT when shared offsets make the walk visit
 * more than 8 times the buffer's size, where each table counts for 48 bytes more than it has, and each
 * byte of a vector of bytes for 4. */
eti_status eti_flatbuf_verify(const eti_flatbuf *buffer, const eti_table_schema *root,
                              eti_position *root_table, eti_error *err) ETI_WARN_UNUSED;

/* Accessors: `table` is a verified one, `field` the id. Absent scalars give `absent`. */
bool eti_flatbuf_has(const eti_flatbuf *buffer, eti_position table, unsigned field);
int8_t eti_flatbuf_i8(const eti_flatbuf *buffer, eti_position table, unsigned field, int8_t absent);
uint8_t eti_flatbuf_u8(const eti_flatbuf *buffer, eti_position table, unsigned field,
                       uint8_t absent);
int32_t eti_flatbuf_i32(const eti_flatbuf *buffer, eti_position table, unsigned field,
                        int32_t absent);
uint32_t eti_flatbuf_u32(const eti_flatbuf *buffer, eti_position table, unsigned field,
                         uint32_t absent);
int64_t eti_flatbuf_i64(const eti_flatbuf *buffer, eti_position table, unsigned field,
                        int64_t absent);
uint64_t eti_flatbuf_u64(const eti_flatbuf *buffer, eti_position table, unsigned field,
                         uint64_t absent);
float eti_flatbuf_f32(const eti_flatbuf *buffer, eti_position table, unsigned field, float absent);
double eti_flatbuf_f64(const eti_flatbuf *buffer, eti_position table, unsigned field,
                       double absent);

/* Strings and byte vectors; absent text when the field is absent. */
eti_text eti_flatbuf_text(const eti_flatbuf *buffer, eti_position table, unsigned field);
/* 0 when absent. */
eti_position eti_flatbuf_table(const eti_flatbuf *buffer, eti_position table, unsigned field);
/* {0, 0} when absent; an empty vector has a position. */
eti_vector eti_flatbuf_vector(const eti_flatbuf *buffer, eti_position table, unsigned field);
/* The i-th table of a vector of tables. */
eti_position eti_flatbuf_vector_table(const eti_flatbuf *buffer, eti_vector vector, uint32_t i);
/* The i-th i64 of a vector of i64. */
int64_t eti_flatbuf_vector_i64(const eti_flatbuf *buffer, eti_vector vector, uint32_t i);

#endif
