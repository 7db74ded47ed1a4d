/*
 * flatbuf.c - a bounds-checked reader of FlatBuffers.
 *
 *   file    [u32 size] | u32 root offset | "ED00" | ...
 *           the size exists only in a prefixed file; offsets count from the byte after it
 *
 *   table   i32 back to vtable | field bytes, in any order
 *   vtable  u16 own size | u16 table size | u16 place of field 0 | u16 of field 1 | ...   (0: absent)
 *   offset  u32, forward, from its own place to a table, vector or string
 *   vector  u32 count | elements
 *   string  a vector of u8, followed by a NUL
 *
 * Everything is little-endian and read byte by byte, because alignment is not guaranteed: the runtime aligns to the file,
 * flatc to the buffer, and a size prefix lies between the two.
 */
#include "flatbuf/flatbuf.h"

#include "base/parallel.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* Deeper than any schema described here; the schemas are not recursive, so the limit only guards against changes. */
#define DEPTH_LIMIT 16
/* Threads share the tables of a vector that has at least this many; of a shorter vector, they share those of the vectors
 * below it, because a profile may be one long run. */
#define SHARED_FROM 8u
/* Shared offsets are legal but must not turn a small file into much work. The cost of reading a table hardly depends on
 * its size in bytes. In a file of tables with 4 bytes each, the smallest possible, and an offset to each, every byte
 * costs 8, so that no file without sharing is rejected. */
#define WORK_FLOOR 4096u
#define WORK_FACTOR 8
/* Strings cost less, because they are only compared and hashed: a capture shares the names of events between its runs, and
 * their names may be much longer than the tables that refer to them. */
#define STRING_BYTES_PER_BYTE 4u
#define TEXT_OF(macro) TEXT_OF_NUMBER(macro)
#define TEXT_OF_NUMBER(number) #number
#define WORK_PER_TABLE 56u
#define WORK_PER_BYTE 8u /* of metadata, which is printed with up to ten characters per byte */

/* Sizes of the fields inside a table, in bytes; 4 for an offset to the value. */
static const uint8_t widths[] = {
    [ETI_FIELD_I8] = 1,    [ETI_FIELD_U8] = 1,      [ETI_FIELD_I16] = 2,    [ETI_FIELD_U16] = 2,
    [ETI_FIELD_I32] = 4,   [ETI_FIELD_U32] = 4,     [ETI_FIELD_I64] = 8,    [ETI_FIELD_U64] = 8,
    [ETI_FIELD_F32] = 4,   [ETI_FIELD_F64] = 8,     [ETI_FIELD_STRING] = 4, [ETI_FIELD_STRINGS] = 4,
    [ETI_FIELD_BYTES] = 4, [ETI_FIELD_BLOB] = 4,    [ETI_FIELD_I16S] = 4,   [ETI_FIELD_I32S] = 4,
    [ETI_FIELD_I64S] = 4,  [ETI_FIELD_STRUCTS] = 4, [ETI_FIELD_TABLE] = 4,  [ETI_FIELD_TABLES] = 4,
    [ETI_FIELD_UNION] = 4,
};

static size_t width_of(const eti_field *field) {
    return field->kind == ETI_FIELD_STRUCT ? field->of.table->struct_size : widths[field->kind];
}

eti_status eti__flatbuf_find(eti_flatbuf *out, const uint8_t *data, size_t size,
                             const char identifier[4], eti_error *err) {
    if (size > UINT32_MAX)
        return eti_fail(err, ETI_ERROR_LIMIT, "%zu bytes, but a FlatBuffer has at most %lu", size,
                        (unsigned long)UINT32_MAX);
    if (size >= 12 && memcmp(data + 8, identifier, 4) == 0) {
        *out = (eti_flatbuf){.data = data + 4, .size = size - 4, .file_offset = 4};
        return ETI_OK;
    }
    if (size >= 8 && memcmp(data + 4, identifier, 4) == 0) {
        *out = (eti_flatbuf){.data = data, .size = size};
        return ETI_OK;
    }
    return eti_fail(err, ETI_ERROR_MALFORMED, "expected the identifier %.4s at byte 8 or 4 of %zu",
                    identifier, size);
}

/* ---- verification ---------------------------------------------------------------------------- */

#define KNOWN_VTABLES 32 /* a power of 2 */
#define MAX_FOLLOWED 16  /* fields of a table that hold offsets; no schema here has more */

/* A field that holds an offset, and its place in the table. */
typedef struct eti_followed {
    uint16_t id, offset;
    uint16_t type_offset; /* place of a union's type; 0 if the union is absent */
} eti_followed;

/* A vtable that was verified for a schema; tables share vtables. */
typedef struct eti_known_vtable {
    const eti_table_schema *schema; /* NULL: the entry is free */
    size_t vtable;
    uint32_t table_size; /* at least up to the end of the last known field */
    uint16_t n_followed;
    eti_followed followed[MAX_FOLLOWED];
} eti_known_vtable;

/* A step of the path from the root to a fault: into a field, or to an element of the vector in a field. */
typedef struct eti_step {
    const char *field; /* NULL for an element */
    size_t index;
} eti_step;

/* The fault. Its path is recorded while the functions along it return, so that only faulty files pay for it. */
typedef struct eti_fault {
    const char *root; /* name of the faulty table if there are no steps */
    size_t at;
    const char *what;
    eti_step steps[2 * DEPTH_LIMIT]; /* innermost first */
    size_t n_steps;
} eti_fault;

typedef struct eti_walk {
    const eti_flatbuf *buffer;
    uint64_t work_left; /* bytes that may still be visited; each table also costs WORK_PER_TABLE */
    eti_known_vtable known[KNOWN_VTABLES];
    size_t n_threads; /* number of threads that may share the next long vector */
    eti_fault fault;
} eti_walk;

static eti_status verify_table(eti_walk *walk, const eti_table_schema *schema, size_t table,
                               unsigned depth);

static eti_status fail_at(eti_walk *walk, size_t at, const char *what) {
    walk->fault.at = at;
    walk->fault.what = what;
    return ETI_ERROR_MALFORMED;
}

static eti_status fail_inside(eti_walk *walk, eti_step step, eti_status status) {
    eti_fault *fault = &walk->fault;
    if (fault->n_steps < sizeof fault->steps / sizeof *fault->steps)
        fault->steps[fault->n_steps++] = step;
    return status;
}

/* Writes a path such as "run_data[3].events[17].profile_event.name". */
static void write_path(char *out, size_t size, const eti_fault *fault) {
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = fault->n_steps; i-- > 0 && n < size;) {
        const eti_step *step = &fault->steps[i];
        int written = step->field
                          ? snprintf(out + n, size - n, "%s%s", n > 0 ? "." : "", step->field)
                          : snprintf(out + n, size - n, "[%zu]", step->index);
        n += (size_t)written;
    }
}

/* Describes the walk's fault. */
static eti_status fail_verification(const eti_walk *walk, eti_status status, eti_error *err) {
    char path[256];
    write_path(path, sizeof path, &walk->fault);
    return eti_fail(err, status, "byte %zu: %s: %s", walk->fault.at + walk->buffer->file_offset,
                    path[0] ? path : walk->fault.root, walk->fault.what);
}

static inline eti_status spend(eti_walk *walk, size_t at, uint64_t bytes) {
    if (bytes > walk->work_left) {
        (void)fail_at(
            walk, at,
            "offsets share so much data that reading it all would cost more than " TEXT_OF(
                WORK_FACTOR) " times the file");
        return ETI_ERROR_LIMIT;
    }
    walk->work_left -= bytes;
    return ETI_OK;
}

/* Follows the offset stored at `at`, whose 4 bytes are in bounds, to a place with at least 4 bytes. */
static inline eti_status follow(eti_walk *walk, size_t at, size_t *target) {
    uint32_t offset = eti__flatbuf_load_u32(walk->buffer, at);
    size_t left = walk->buffer->size - at;
    if (offset == 0)
        return fail_at(walk, at, "expected an offset, found 0");
    if (left < 4 || offset > left - 4)
        return fail_at(walk, at, "the offset points outside the file (is it truncated?)");
    *target = at + offset;
    return ETI_OK;
}

static inline eti_status read_count(eti_walk *walk, size_t vector, size_t width, uint32_t *count) {
    *count = eti__flatbuf_load_u32(walk->buffer, vector);
    if (*count > (walk->buffer->size - vector - 4) / width)
        return fail_at(walk, vector,
                       "the vector is longer than the rest of the file (is it truncated?)");
    return ETI_OK;
}

static inline eti_status verify_vector(eti_walk *walk, size_t vector, size_t width,
                                       uint32_t *count) {
    ETI_TRY(read_count(walk, vector, width, count));
    return spend(walk, vector, (uint64_t)*count * width + 4);
}

/* Verifies the bounds of a string. Its bytes are not checked: a name in another encoding, or with a byte lost on its way
 * from the device, is no reason to reject the file. */
static inline eti_status verify_string(eti_walk *walk, size_t string) {
    uint32_t length;
    ETI_TRY(read_count(walk, string, 1, &length));
    ETI_TRY(spend(walk, string, length / STRING_BYTES_PER_BYTE + 4));
    size_t end = string + 4 + length;
    if (end >= walk->buffer->size || walk->buffer->data[end] != 0)
        return fail_at(walk, end, "expected a NUL after the string");
    return ETI_OK;
}

static eti_status verify_strings(eti_walk *walk, size_t vector) {
    uint32_t count;
    ETI_TRY(verify_vector(walk, vector, 4, &count));
    for (uint32_t i = 0; i < count; i++) {
        size_t string = 0;
        eti_status status = follow(walk, vector + 4 + (size_t)i * 4, &string);
        if (status == ETI_OK)
            status = verify_string(walk, string);
        if (status != ETI_OK)
            return fail_inside(walk, (eti_step){NULL, i}, status);
    }
    return ETI_OK;
}

/* Verifies the elements [first, end) of a vector of tables. */
static eti_status verify_elements(eti_walk *walk, const eti_table_schema *schema, size_t vector,
                                  size_t first, size_t end, unsigned depth) {
    for (size_t i = first; i < end; i++) {
        size_t element = 0;
        eti_status status = follow(walk, vector + 4 + i * 4, &element);
        if (status == ETI_OK)
            status = verify_table(walk, schema, element, depth);
        if (status != ETI_OK)
            return fail_inside(walk, (eti_step){NULL, i}, status);
    }
    return ETI_OK;
}

/* A vector that several threads verify, each a part of it. */
typedef struct eti_shared_vector {
    const eti_walk *walk;
    const eti_table_schema *schema;
    size_t vector;
    uint32_t count;
    unsigned depth;
    size_t n_parts;
    bool verified[ETI_MAX_THREADS];
    uint64_t work[ETI_MAX_THREADS]; /* work that each part took */
} eti_shared_vector;

static void verify_part(void *context, size_t i) {
    eti_shared_vector *shared = context;
    eti_walk walk = *shared->walk;
    size_t first, end;
    walk.n_threads = 1;
    eti__parallel_part(shared->count, shared->n_parts, i, &first, &end);
    shared->verified[i] =
        verify_elements(&walk, shared->schema, shared->vector, first, end, shared->depth) == ETI_OK;
    shared->work[i] = shared->walk->work_left - walk.work_left;
}

/* Verifies the parts of a vector on several threads. Returns false if a part is damaged or the total work exceeds the
 * limit; the vector is then walked once more from its start, so that the report does not depend on threads. */
static bool verify_at_once(eti_walk *walk, const eti_table_schema *schema, size_t vector,
                           uint32_t count, unsigned depth) {
    eti_shared_vector shared = {walk, schema, vector, count, depth, walk->n_threads, {0}, {0}};
    bool verified = true;
    uint64_t work = 0;
    if (shared.n_parts > count)
        shared.n_parts = count;
    eti__parallel(shared.n_parts, verify_part, &shared);
    for (size_t i = 0; i < shared.n_parts; i++) {
        verified = verified && shared.verified[i] && shared.work[i] <= walk->work_left - work;
        work += verified ? shared.work[i] : 0;
    }
    if (verified)
        walk->work_left -= work;
    return verified;
}

static eti_status verify_tables(eti_walk *walk, const eti_table_schema *schema, size_t vector,
                                unsigned depth) {
    uint32_t count;
    ETI_TRY(verify_vector(walk, vector, 4, &count));
    if (walk->n_threads > 1 && count >= SHARED_FROM) {
        if (verify_at_once(walk, schema, vector, count, depth))
            return ETI_OK;
        walk->n_threads = 1;
    }
    return verify_elements(walk, schema, vector, 0, count, depth);
}

/* Verifies the value of a union of type `type`; 0: the union is empty. */
static eti_status verify_union(eti_walk *walk, const eti_field *field, uint8_t type, size_t target,
                               unsigned depth) {
    const eti_union_schema *members = field->of.members;
    if (type == 0 || type >= members->n_members)
        return ETI_OK;
    return verify_table(walk, members->members[type], target, depth);
}

/* Verifies a field that holds an offset at `at`, whose 4 bytes are inside the table. */
static eti_status verify_field(eti_walk *walk, const eti_field *field, size_t at,
                               uint8_t union_type, unsigned depth) {
    size_t target = 0; /* initialised only for compilers: it is always set */
    uint32_t count;
    ETI_TRY(follow(walk, at, &target));
    switch (field->kind) {
    case ETI_FIELD_STRING:
        return verify_string(walk, target);
    case ETI_FIELD_STRINGS:
        return verify_strings(walk, target);
    case ETI_FIELD_BYTES:
        ETI_TRY(verify_vector(walk, target, 1, &count));
        return spend(walk, target, (uint64_t)count * (WORK_PER_BYTE - 1));
    case ETI_FIELD_BLOB:
        return verify_vector(walk, target, 1, &count);
    case ETI_FIELD_I16S:
        return verify_vector(walk, target, 2, &count);
    case ETI_FIELD_I32S:
        return verify_vector(walk, target, 4, &count);
    case ETI_FIELD_I64S:
        return verify_vector(walk, target, 8, &count);
    case ETI_FIELD_STRUCTS:
        return verify_vector(walk, target, field->of.table->struct_size, &count);
    case ETI_FIELD_TABLE:
        return verify_table(walk, field->of.table, target, depth);
    case ETI_FIELD_UNION:
        return verify_union(walk, field, union_type, target, depth);
    default:
        return verify_tables(walk, field->of.table, target, depth);
    }
}

/* Verifies the vtable's own bytes, and its description of a table's fields. */
static eti_status verify_vtable(eti_walk *walk, const eti_table_schema *schema, size_t vtable,
                                eti_known_vtable *out) {
    const eti_flatbuf *buffer = walk->buffer;
    size_t size = eti__flatbuf_load_u16(buffer, vtable);
    size_t table_size = eti__flatbuf_load_u16(buffer, vtable + 2);
    if (size < 4 || size % 2 != 0 || size > buffer->size - vtable)
        return fail_at(walk, vtable, "the vtable has an impossible size");
    if (table_size < 4)
        return fail_at(walk, vtable + 2, "the table has an impossible size");
    *out = (eti_known_vtable){.vtable = vtable, .table_size = (uint32_t)table_size};
    for (size_t id = 0; id < (size - 4) / 2 && id < schema->n_fields; id++) {
        const eti_field *field = &schema->fields[id];
        size_t slot = vtable + 4 + 2 * id;
        size_t offset = eti__flatbuf_load_u16(buffer, slot);
        size_t width = width_of(field);
        if (offset == 0)
            continue;
        if (offset < 4 || (offset + width > table_size && !buffer->has_unsure_sizes))
            return fail_inside(walk, (eti_step){field->name, 0},
                               fail_at(walk, slot, "the field lies outside its table"));
        if (offset + width > out->table_size)
            out->table_size = (uint32_t)(offset + width);
        if (field->kind < ETI_FIELD_STRING)
            continue;
        if (out->n_followed == MAX_FOLLOWED)
            return fail_inside(
                walk, (eti_step){field->name, 0},
                fail_at(walk, slot,
                        "the table has too many fields with strings, vectors or tables"));
        eti_followed *followed = &out->followed[out->n_followed++];
        *followed = (eti_followed){.id = (uint16_t)id, .offset = (uint16_t)offset};
        if (field->kind == ETI_FIELD_UNION) /* its type is the field before it, and is in bounds */
            followed->type_offset = eti__flatbuf_load_u16(buffer, slot - 2);
    }
    out->schema = schema;
    return ETI_OK;
}

/* Finds the vtable of the table at `table`, whose first 4 bytes are in bounds. The next search may overwrite the result. */
static eti_status find_vtable(eti_walk *walk, const eti_table_schema *schema, size_t table,
                              const eti_known_vtable **out) {
    const eti_flatbuf *buffer = walk->buffer;
    int64_t at = (int64_t)table - (int32_t)eti__flatbuf_load_u32(buffer, table);
    *out = walk->known; /* for analysers: never NULL */
    if (at < 0 || (uint64_t)at > buffer->size - 4)
        return fail_at(walk, table, "the vtable lies outside the file");
    size_t vtable = (size_t)at;
    eti_known_vtable *known = &walk->known[vtable / 2 % KNOWN_VTABLES];
    if (known->schema != schema || known->vtable != vtable)
        ETI_TRY(verify_vtable(walk, schema, vtable, known));
    *out = known;
    return ETI_OK;
}

static eti_status verify_table(eti_walk *walk, const eti_table_schema *schema, size_t table,
                               unsigned depth) {
    const eti_known_vtable *vtable = NULL;
    if (depth == DEPTH_LIMIT) {
        (void)fail_at(walk, table, "tables are nested deeper than " TEXT_OF(DEPTH_LIMIT));
        return ETI_ERROR_LIMIT;
    }
    ETI_TRY(find_vtable(walk, schema, table, &vtable));
    if (vtable->table_size > walk->buffer->size - table)
        return fail_at(walk, vtable->vtable + 2, "the table is longer than the rest of the file");
    ETI_TRY(spend(walk, table, vtable->table_size + WORK_PER_TABLE));
    eti_followed followed[MAX_FOLLOWED];
    size_t n_followed = vtable->n_followed;
    memcpy(followed, vtable->followed, sizeof followed);
    for (size_t i = 0; i < n_followed; i++) {
        const eti_field *field = &schema->fields[followed[i].id];
        size_t type_at = followed[i].type_offset;
        uint8_t type = type_at > 0 ? walk->buffer->data[table + type_at] : 0;
        eti_status status = verify_field(walk, field, table + followed[i].offset, type, depth + 1);
        if (status != ETI_OK)
            return fail_inside(walk, (eti_step){field->name, 0}, status);
    }
    return ETI_OK;
}

eti_status eti__flatbuf_verify(const eti_flatbuf *buffer, const eti_table_schema *root,
                               size_t n_threads, eti_position *root_table, eti_error *err) {
    eti_walk walk = {
        .buffer = buffer,
        .work_left = WORK_FLOOR + (uint64_t)buffer->size * WORK_FACTOR,
        .n_threads = buffer->size >= ETI_PARALLEL_BYTES ? n_threads : 1,
        .fault = {.root = root->name},
    };
    size_t table = 0;
    eti_status status = follow(&walk, 0, &table);
    if (status == ETI_OK)
        status = verify_table(&walk, root, table, 0);
    if (status != ETI_OK)
        return fail_verification(&walk, status, err);
    *root_table = (eti_position)table;
    return ETI_OK;
}
