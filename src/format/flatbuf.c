/*
 * flatbuf.c - a bounds-checked reader of FlatBuffers.
 *
 *   file    [u32 size] | u32 root offset | "ED00" | ...
 *           the size is there only in a prefixed file; offsets count from the byte behind it
 *
 *   table   i32 back to vtable | field bytes, in any order
 *   vtable  u16 own size | u16 table size | u16 place of field 0 | u16 of field 1 | ...   (0: absent)
 *   offset  u32, forward, from its own place to a table, vector or string
 *   vector  u32 count | elements
 *   string  a vector of u8 and a NUL behind it
 *
 * Everything is little-endian and put together byte by byte, for nothing is promised about alignment: the
 * runtime aligns to the file, flatc to the buffer, and a size prefix lies between the two.
 */
#include "format/flatbuf.h"

#include <string.h>

/* Deeper than any schema described here; the schemas are not recursive, so this only guards
 * changes. */
#define DEPTH_LIMIT 16
/* Shared offsets are legal but must not turn a small file into much work. What a table costs those who
 * read it depends little on its bytes: of a file of tables with 4 bytes each, the smallest there are,
 * none of them shared, each byte costs 7, so that nothing is refused that shares nothing. */
#define WORK_FLOOR 4096u
#define WORK_FACTOR 8u
#define WORK_PER_TABLE 48u
#define WORK_PER_BYTE 4u /* of metadata, which is printed with up to ten characters for each */

static const size_t scalar_width[] = {
    [ETI_FIELD_I8] = 1,     [ETI_FIELD_U8] = 1,    [ETI_FIELD_I32] = 4,  [ETI_FIELD_U32] = 4,
    [ETI_FIELD_I64] = 8,    [ETI_FIELD_U64] = 8,   [ETI_FIELD_F32] = 4,  [ETI_FIELD_F64] = 8,
    [ETI_FIELD_STRING] = 4, [ETI_FIELD_BYTES] = 4, [ETI_FIELD_I64S] = 4, [ETI_FIELD_TABLE] = 4,
    [ETI_FIELD_TABLES] = 4,
};

eti_status eti_flatbuf_find(eti_flatbuf *out, const uint8_t *data, size_t size,
                            const char identifier[4], eti_error *err) {
    if (size > UINT32_MAX)
        return eti_fail(err, ETI_ERROR_LIMIT, "%zu bytes, but FlatBuffers end at %lu", size,
                        (unsigned long)UINT32_MAX);
    if (size >= 12 && memcmp(data + 8, identifier, 4) == 0) {
        *out = (eti_flatbuf){data + 4, size - 4, 4};
        return ETI_OK;
    }
    if (size >= 8 && memcmp(data + 4, identifier, 4) == 0) {
        *out = (eti_flatbuf){data, size, 0};
        return ETI_OK;
    }
    return eti_fail(err, ETI_ERROR_MALFORMED, "expected the identifier %.4s at byte 8 or 4 of %zu",
                    identifier, size);
}

/* ---- verification ---------------------------------------------------------------------------- */

typedef struct eti_walk {
    const eti_flatbuf *buffer;
    uint64_t work_left; /* bytes that may still be visited, and WORK_PER_TABLE for each table */
    eti_error *err;
} eti_walk;

/* Where a field lies, for messages. */
typedef struct eti_place {
    const char *table;
    const char *field;
} eti_place;

static eti_status verify_table(eti_walk *walk, const eti_table_schema *schema, size_t table,
                               unsigned depth);

static eti_status fail_at(const eti_walk *walk, eti_place place, size_t at, const char *what) {
    return eti_fail(walk->err, ETI_ERROR_MALFORMED, "byte %zu: %s%s%s: %s",
                    at + walk->buffer->file_offset, place.table, place.field ? "." : "",
                    place.field ? place.field : "", what);
}

static eti_status spend(eti_walk *walk, eti_place place, size_t at, uint64_t bytes) {
    if (bytes > walk->work_left)
        return eti_fail(walk->err, ETI_ERROR_LIMIT,
                        "byte %zu: %s: offsets share so much data that reading it all would cost "
                        "more than %u times the file",
                        at + walk->buffer->file_offset, place.table, WORK_FACTOR);
    walk->work_left -= bytes;
    return ETI_OK;
}

/* Follows the offset stored at `at` (whose 4 bytes are inside) to a place with at least 4 bytes. */
static eti_status follow(const eti_walk *walk, eti_place place, size_t at, size_t *target) {
    uint32_t offset = eti_flatbuf_load_u32(walk->buffer, at);
    size_t left = walk->buffer->size - at;
    if (offset == 0)
        return fail_at(walk, place, at, "expected an offset, found 0");
    if (left < 4 || offset > left - 4)
        return fail_at(walk, place, at, "the offset leads outside the file (is it truncated?)");
    *target = at + offset;
    return ETI_OK;
}

static eti_status verify_vector(eti_walk *walk, eti_place place, size_t vector, size_t width,
                                uint32_t *count) {
    *count = eti_flatbuf_load_u32(walk->buffer, vector);
    if (*count > (walk->buffer->size - vector - 4) / width)
        return fail_at(walk, place, vector,
                       "the vector is longer than the rest of the file (is it truncated?)");
    return spend(walk, place, vector, (uint64_t)*count * width + 4);
}

/* What the bytes mean is not looked at: a name in another encoding, or with a byte lost on its way from the
 * device, is no reason to refuse the file. */
static eti_status verify_string(eti_walk *walk, eti_place place, size_t string) {
    uint32_t length;
    ETI_TRY(verify_vector(walk, place, string, 1, &length));
    size_t end = string + 4 + length;
    if (end >= walk->buffer->size || walk->buffer->data[end] != 0)
        return fail_at(walk, place, end, "expected a NUL after the string");
    return ETI_OK;
}

static eti_status verify_tables(eti_walk *walk, const eti_field *field, eti_place place,
                                size_t vector, unsigned depth) {
    uint32_t count;
    ETI_TRY(verify_vector(walk, place, vector, 4, &count));
    for (uint32_t i = 0; i < count; i++) {
        size_t element = 0;
        ETI_TRY(follow(walk, place, vector + 4 + (size_t)i * 4, &element));
        ETI_TRY(verify_table(walk, field->table, element, depth));
    }
    return ETI_OK;
}

/* `at` holds the field: `scalar_width` bytes of it are inside the table. */
static eti_status verify_field(eti_walk *walk, const eti_field *field, eti_place place, size_t at,
                               unsigned depth) {
    if (field->kind < ETI_FIELD_STRING)
        return ETI_OK;
    size_t target;
    uint32_t count;
    ETI_TRY(follow(walk, place, at, &target));
    switch (field->kind) {
    case ETI_FIELD_STRING:
        return verify_string(walk, place, target);
    case ETI_FIELD_BYTES:
        ETI_TRY(verify_vector(walk, place, target, 1, &count));
        return spend(walk, place, target, (uint64_t)count * (WORK_PER_BYTE - 1));
    case ETI_FIELD_I64S:
        return verify_vector(walk, place, target, 8, &count);
    case ETI_FIELD_TABLE:
        return verify_table(walk, field->table, target, depth);
    default:
        return verify_tables(walk, field, place, target, depth);
    }
}

/* The vtable of the table at `table`, whose first 4 bytes are inside. */
static eti_status verify_vtable(const eti_walk *walk, eti_place place, size_t table, size_t *vtable,
                                size_t *vtable_size, size_t *table_size) {
    const eti_flatbuf *buffer = walk->buffer;
    int64_t at = (int64_t)table - (int32_t)eti_flatbuf_load_u32(buffer, table);
    if (at < 0 || (uint64_t)at > buffer->size - 4)
        return fail_at(walk, place, table, "the vtable lies outside the file");
    *vtable = (size_t)at;
    *vtable_size = eti_flatbuf_load_u16(buffer, *vtable);
    *table_size = eti_flatbuf_load_u16(buffer, *vtable + 2);
    if (*vtable_size < 4 || *vtable_size % 2 != 0 || *vtable_size > buffer->size - *vtable)
        return fail_at(walk, place, *vtable, "the vtable has an impossible size");
    if (*table_size < 4 || *table_size > buffer->size - table)
        return fail_at(walk, place, *vtable + 2, "the table is longer than the rest of the file");
    return ETI_OK;
}

static eti_status verify_table(eti_walk *walk, const eti_table_schema *schema, size_t table,
                               unsigned depth) {
    eti_place place = {schema->name, NULL};
    size_t vtable = 0, vtable_size = 4, table_size = 4;
    if (depth == DEPTH_LIMIT)
        return eti_fail(walk->err, ETI_ERROR_LIMIT, "tables are nested deeper than %d",
                        DEPTH_LIMIT);
    ETI_TRY(verify_vtable(walk, place, table, &vtable, &vtable_size, &table_size));
    ETI_TRY(spend(walk, place, table, table_size + WORK_PER_TABLE));

    size_t n_slots = (vtable_size - 4) / 2;
    for (size_t id = 0; id < n_slots && id < schema->n_fields; id++) {
        const eti_field *field = &schema->fields[id];
        size_t offset = eti_flatbuf_load_u16(walk->buffer, vtable + 4 + 2 * id);
        if (offset == 0)
            continue;
        place.field = field->name;
        size_t width = scalar_width[field->kind];
        if (offset < 4 || width > table_size || offset > table_size - width)
            return fail_at(walk, place, vtable + 4 + 2 * id, "the field lies outside its table");
        ETI_TRY(verify_field(walk, field, place, table + offset, depth + 1));
    }
    return ETI_OK;
}

eti_status eti_flatbuf_verify(const eti_flatbuf *buffer, const eti_table_schema *root,
                              eti_position *root_table, eti_error *err) {
    eti_walk walk = {
        .buffer = buffer,
        .work_left = WORK_FLOOR + (uint64_t)buffer->size * WORK_FACTOR,
        .err = err,
    };
    eti_place place = {root->name, NULL};
    size_t table;
    ETI_TRY(follow(&walk, place, 0, &table));
    ETI_TRY(verify_table(&walk, root, table, 0));
    *root_table = (eti_position)table;
    return ETI_OK;
}
