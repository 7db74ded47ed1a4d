/*
 * flatbuf.h - FlatBuffers: a verifier, and a cursor over verified bytes.
 */
#ifndef ETI_FLATBUF_FLATBUF_H
#define ETI_FLATBUF_FLATBUF_H

#include "base/bytes.h"
#include "etinspect.h"

/* ==== flatbuf ================================================================================= */
/* Turns bytes into a verified FlatBuffer, and verified tables into values.
 *
 * There are two steps. eti__flatbuf_verify() walks everything reachable from the root, following a
 * static description of the schema, and checks every offset, vtable, vector and string; after
 * that, the accessors cannot fail and return values. Verification guarantees memory safety, not
 * meaning: callers check enum numbers and relations between fields. Unknown fields are ignored.
 * Nothing is copied or allocated; text is borrowed from the buffer.
 *
 * The format is described in the "FlatBuffers Binary Format" document of google/flatbuffers, and
 * its use by ETDump in flatbuf.c. */

typedef enum eti_field_kind {
    ETI_FIELD_I8,
    ETI_FIELD_U8, /* also the type of a union, which precedes its value */
    ETI_FIELD_I16,
    ETI_FIELD_U16,
    ETI_FIELD_I32,
    ETI_FIELD_U32,
    ETI_FIELD_I64,
    ETI_FIELD_U64,
    ETI_FIELD_F32,
    ETI_FIELD_F64,
    ETI_FIELD_STRUCT, /* a struct described by `table`, stored inline */
    /* The following fields hold offsets. */
    ETI_FIELD_STRING,
    ETI_FIELD_STRINGS, /* vector of strings */
    ETI_FIELD_BYTES,   /* vector of u8 that may be printed */
    ETI_FIELD_BLOB,    /* vector of u8 that is passed on or skipped as a whole */
    ETI_FIELD_I16S,    /* vector of i16 or u16; the next kinds are similar, also for floats */
    ETI_FIELD_I32S,
    ETI_FIELD_I64S,
    ETI_FIELD_STRUCTS, /* vector of `table` structs */
    ETI_FIELD_TABLE,   /* of `table` */
    ETI_FIELD_TABLES,  /* vector of `table` */
    ETI_FIELD_UNION,   /* one of `members`; its type is the field before it */
} eti_field_kind;

typedef struct eti_table_schema eti_table_schema;

/* The tables of a union, by type; the first is NULL. A value of any other type is ignored. */
typedef struct eti_union_schema {
    const eti_table_schema *const *members;
    size_t n_members;
} eti_union_schema;

/* Fields in .fbs order: the index is the field's id. schema/make_tables.awk makes these descriptions from
 * schema/NAME.fbs. */
typedef struct eti_field {
    const char *name;
    eti_field_kind kind;
    union {
        const eti_table_schema *table; /* for tables and structs */
        const eti_union_schema *members;
    } of;
} eti_field;

struct eti_table_schema {
    const char *name;
    const eti_field *fields; /* NULL: no fields, or a struct */
    size_t n_fields;
    size_t struct_size; /* bytes of a struct; 0 for a table */
};

/* The buffer without its size prefix: offsets count from `data`. */
typedef struct eti_flatbuf {
    const uint8_t *data;
    size_t size; /* bytes, at most UINT32_MAX */
    size_t
        file_offset; /* offset of `data` in the file, for messages: 4 if there is a size prefix */
    /* Python's builder lets tables of several sizes share a vtable, so that the table size in it may be too small; fields
     * are then only required to lie inside the buffer. */
    bool has_unsure_sizes;
} eti_flatbuf;

/* The position of a verified table or vector; 0 if absent. */
typedef uint32_t eti_position;

typedef struct eti_vector {
    eti_position first; /* of the first element */
    uint32_t count;
} eti_vector;

/* Finds `identifier` at byte 8 (size-prefixed) or else at byte 4, and sets `out` to the buffer. The value of the prefix
 * is ignored, as by the Inspector. ETI_ERROR_MALFORMED if the identifier is at neither place, ETI_ERROR_LIMIT above 4
 * GiB. */
eti_status eti__flatbuf_find(eti_flatbuf *out, const uint8_t *data, size_t size,
                             const char identifier[4], eti_error *err) ETI_WARN_UNUSED;

/* Verifies everything below the root table and stores its position. ETI_ERROR_MALFORMED names the byte in the file and
 * the path to it from the root, such as run_data[3].events[17].name. ETI_ERROR_LIMIT if shared offsets make the walk
 * visit more than 8 times the buffer's size, where each table counts as 56 bytes more than it has, and each byte of
 * ETI_FIELD_BYTES as 8. */
eti_status eti__flatbuf_verify(const eti_flatbuf *buffer, const eti_table_schema *root,
                               size_t n_threads, eti_position *root_table,
                               eti_error *err) ETI_WARN_UNUSED;

/* ---- access to verified tables --------------------------------------------------------------- */

/* Return little-endian numbers at any place inside the buffer. */
static inline uint16_t eti__flatbuf_load_u16(const eti_flatbuf *buffer, size_t at) {
    return eti__load_u16(buffer->data + at);
}

static inline uint32_t eti__flatbuf_load_u32(const eti_flatbuf *buffer, size_t at) {
    return eti__load_u32(buffer->data + at);
}

static inline uint64_t eti__flatbuf_load_u64(const eti_flatbuf *buffer, size_t at) {
    return eti__load_u64(buffer->data + at);
}

/* Returns the place of the field, or 0 if it is absent. */
static inline size_t eti__flatbuf_place(const eti_flatbuf *buffer, eti_position table,
                                        unsigned field) {
    size_t vtable = (size_t)((int64_t)table - (int32_t)eti__flatbuf_load_u32(buffer, table));
    size_t entry = 4 + 2 * (size_t)field;
    if (entry >= eti__flatbuf_load_u16(buffer, vtable))
        return 0;
    size_t offset = eti__flatbuf_load_u16(buffer, vtable + entry);
    return offset == 0 ? 0 : table + offset;
}

/* For callers that compare fields one by one: once it is inlined there, the vtable is looked up only once. */
#if defined(__GNUC__)
#define ETI_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ETI_ALWAYS_INLINE static inline
#endif

/* Accessors: `table` is a verified table, `field` the field's id. Absent scalars yield `absent`. They are inline because
 * a profile consists of little but tables. */

static inline bool eti__flatbuf_has(const eti_flatbuf *buffer, eti_position table, unsigned field) {
    return eti__flatbuf_place(buffer, table, field) != 0;
}

static inline int8_t eti__flatbuf_i8(const eti_flatbuf *buffer, eti_position table, unsigned field,
                                     int8_t absent) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return (int8_t)(at ? buffer->data[at] : absent);
}

static inline uint8_t eti__flatbuf_u8(const eti_flatbuf *buffer, eti_position table, unsigned field,
                                      uint8_t absent) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return at ? buffer->data[at] : absent;
}

static inline int16_t eti__flatbuf_i16(const eti_flatbuf *buffer, eti_position table,
                                       unsigned field, int16_t absent) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return (int16_t)(at ? eti__flatbuf_load_u16(buffer, at) : absent);
}

static inline int32_t eti__flatbuf_i32(const eti_flatbuf *buffer, eti_position table,
                                       unsigned field, int32_t absent) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return at ? (int32_t)eti__flatbuf_load_u32(buffer, at) : absent;
}

static inline uint32_t eti__flatbuf_u32(const eti_flatbuf *buffer, eti_position table,
                                        unsigned field, uint32_t absent) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return at ? eti__flatbuf_load_u32(buffer, at) : absent;
}

static inline int64_t eti__flatbuf_i64(const eti_flatbuf *buffer, eti_position table,
                                       unsigned field, int64_t absent) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return at ? (int64_t)eti__flatbuf_load_u64(buffer, at) : absent;
}

static inline uint64_t eti__flatbuf_u64(const eti_flatbuf *buffer, eti_position table,
                                        unsigned field, uint64_t absent) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return at ? eti__flatbuf_load_u64(buffer, at) : absent;
}

static inline float eti__flatbuf_f32(const eti_flatbuf *buffer, eti_position table, unsigned field,
                                     float absent) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return at ? eti__load_f32(buffer->data + at) : absent;
}

static inline double eti__flatbuf_f64(const eti_flatbuf *buffer, eti_position table, unsigned field,
                                      double absent) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return at ? eti__load_f64(buffer->data + at) : absent;
}

/* Returns a string or byte vector; absent text if the field is absent. */
static inline eti_text eti__flatbuf_text(const eti_flatbuf *buffer, eti_position table,
                                         unsigned field) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    if (!at)
        return (eti_text){NULL, 0};
    size_t vector = at + eti__flatbuf_load_u32(buffer, at);
    return (eti_text){(const char *)buffer->data + vector + 4,
                      eti__flatbuf_load_u32(buffer, vector)};
}

/* Returns the position of the table; 0 if the field is absent. */
static inline eti_position eti__flatbuf_table(const eti_flatbuf *buffer, eti_position table,
                                              unsigned field) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    return at ? (eti_position)(at + eti__flatbuf_load_u32(buffer, at)) : 0;
}

/* Returns the vector; {0, 0} if the field is absent. An empty vector has a position. */
static inline eti_vector eti__flatbuf_vector(const eti_flatbuf *buffer, eti_position table,
                                             unsigned field) {
    size_t at = eti__flatbuf_place(buffer, table, field);
    if (!at)
        return (eti_vector){0, 0};
    size_t vector = at + eti__flatbuf_load_u32(buffer, at);
    return (eti_vector){(eti_position)(vector + 4), eti__flatbuf_load_u32(buffer, vector)};
}

/* Returns the i-th table of a vector of tables. */
static inline eti_position eti__flatbuf_vector_table(const eti_flatbuf *buffer, eti_vector vector,
                                                     uint32_t i) {
    size_t at = vector.first + (size_t)i * 4;
    return (eti_position)(at + eti__flatbuf_load_u32(buffer, at));
}

/* Returns the table of a union with the type `type`, which is stored in field `field` - 1; 0 if the union is empty or has
 * another type. `type` must be in the schema: tables of other types are not verified. */
static inline eti_position eti__flatbuf_union(const eti_flatbuf *buffer, eti_position table,
                                              unsigned field, uint8_t type) {
    return eti__flatbuf_u8(buffer, table, field - 1, 0) == type
               ? eti__flatbuf_table(buffer, table, field)
               : 0;
}

/* Returns the i-th element of a vector of i32. */
static inline int32_t eti__flatbuf_vector_i32(const eti_flatbuf *buffer, eti_vector vector,
                                              uint32_t i) {
    return (int32_t)eti__flatbuf_load_u32(buffer, vector.first + (size_t)i * 4);
}

/* Returns the i-th element of a vector of i64. */
static inline int64_t eti__flatbuf_vector_i64(const eti_flatbuf *buffer, eti_vector vector,
                                              uint32_t i) {
    return (int64_t)eti__flatbuf_load_u64(buffer, vector.first + (size_t)i * 8);
}

#endif
