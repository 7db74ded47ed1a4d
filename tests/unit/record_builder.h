/* record_builder.h - writes ETRecords for tests: a ZIP of stored members, by the description of the format. */
#ifndef ETI_TESTS_RECORD_BUILDER_H
#define ETI_TESTS_RECORD_BUILDER_H

#include "base/files.h"
#include "base/text.h"

#include <string.h>

typedef struct record_builder {
    eti_buffer bytes;     /* local headers and contents */
    eti_buffer directory; /* the central directory */
    unsigned n_members;
    struct eti_file file; /* after finish_record() */
} record_builder;

static inline void add_le(eti_buffer *out, uint32_t number, size_t width) {
    for (size_t i = 0; i < width; i++)
        eti__buffer_add_char(out, (char)(number >> (8 * i)));
}

static inline uint32_t crc32_of(const char *data, size_t size) {
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= (uint8_t)data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* Writes the fields shared by a local header and an entry of the directory. */
static inline void add_zip_fields(eti_buffer *out, const char *name, const char *content,
                                  uint32_t size) {
    add_le(out, 20, 2); /* version needed */
    add_le(out, 0, 2);  /* flags */
    add_le(out, 0, 2);  /* stored */
    add_le(out, 0, 2);  /* time */
    add_le(out, 0x21, 2);
    add_le(out, crc32_of(content, size), 4);
    add_le(out, size, 4);
    add_le(out, size, 4);
    add_le(out, (uint32_t)strlen(name), 2);
    add_le(out, 0, 2); /* extra field */
}

static inline void add_sized_member(record_builder *r, const char *name, const char *content,
                                    size_t size) {
    uint32_t offset = (uint32_t)r->bytes.size;
    eti__buffer_add(&r->bytes, "PK\3\4", 4);
    add_zip_fields(&r->bytes, name, content, (uint32_t)size);
    eti__buffer_add_string(&r->bytes, name);
    eti__buffer_add(&r->bytes, content, size);

    eti__buffer_add(&r->directory, "PK\1\2", 4);
    add_le(&r->directory, 20, 2);
    add_zip_fields(&r->directory, name, content, (uint32_t)size);
    add_le(&r->directory, 0, 2); /* comment */
    add_le(&r->directory, 0, 2); /* disk */
    add_le(&r->directory, 0, 2);
    add_le(&r->directory, 0, 4);
    add_le(&r->directory, offset, 4);
    eti__buffer_add_string(&r->directory, name);
    r->n_members++;
}

static inline void add_member(record_builder *r, const char *name, const char *content) {
    add_sized_member(r, name, content, strlen(content));
}

static inline void finish_record(record_builder *r) {
    uint32_t offset = (uint32_t)r->bytes.size, size = (uint32_t)r->directory.size;
    eti__buffer_add(&r->bytes, r->directory.data, r->directory.size);
    eti__buffer_add(&r->bytes, "PK\5\6", 4);
    add_le(&r->bytes, 0, 2);
    add_le(&r->bytes, 0, 2);
    add_le(&r->bytes, r->n_members, 2);
    add_le(&r->bytes, r->n_members, 2);
    add_le(&r->bytes, size, 4);
    add_le(&r->bytes, offset, 4);
    add_le(&r->bytes, 0, 2);
    r->file = (struct eti_file){.name = (char *)(uintptr_t) "test.etrecord",
                                .data = (const uint8_t *)r->bytes.data,
                                .size = r->bytes.size};
}

/* Parts of a record; NULL: no such member. */
typedef struct record_spec {
    const char *handles, *delegates, *num_outputs; /* maps of method "forward": {"1": 7} */
    const char *edge;                              /* the edge program of "forward" */
} record_spec;

static inline void add_forward_map(record_builder *r, const char *name, const char *map) {
    eti_buffer json = {0};
    if (!map)
        return;
    eti__buffer_printf(&json, "{\"forward\": %s}", map);
    eti__buffer_add_char(&json, '\0');
    add_member(r, name, json.data);
    eti__buffer_free(&json);
}

static inline void make_record(record_builder *r, const record_spec *spec) {
    add_member(r, "ETRECORD_V0", "");
    if (spec->edge)
        add_member(r, "edge_dialect_exported_program/forward", spec->edge);
    add_forward_map(r, "debug_handle_map", spec->handles);
    add_forward_map(r, "delegate_map", spec->delegates);
    add_forward_map(r, "instruction_id_to_num_outs_map", spec->num_outputs);
    finish_record(r);
}

static inline void free_record(record_builder *r) {
    eti__buffer_free(&r->bytes);
    eti__buffer_free(&r->directory);
    *r = (record_builder){0};
}

/* Edge program of these NODE()s, joined with ",". */
#define EDGE_PROGRAM(nodes) "{\"graph_module\": {\"graph\": {\"nodes\": [" nodes "]}}}"
#define NODE(name, handle, modules)                                                                \
    "{\"name\": \"" name "\", \"target\": \"executorch.exir.dialects.edge.ops.aten." name          \
    ".default\", \"inputs\": [], \"outputs\": [{\"as_tensor\": {\"name\": \"" name                 \
    "\"}}], \"metadata\": {\"debug_handle\": \"" handle "\", \"stack_trace\": \"at " name          \
    "\", \"nn_module_stack\": \"" modules "\"}}"

#endif
