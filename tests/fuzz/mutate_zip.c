#include "mutate.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

#define LARGEST_MEMBER ((size_t)256 << 10)

static const char *const names[] = {
    "ETRECORD_V0",
    "debug_handle_map",
    "delegate_map",
    "instruction_id_to_num_outs_map",
    "export_graph_id",
    "edge_dialect_exported_program",
    "edge_dialect_exported_program/forward",
    "edge_dialect_exported_program/encode",
    "et_dialect_graph_module/forward",
    "before/forward",
    "exported_program",
    "reference_outputs",
    "edge_dialect_exported_program/forward_state_dict",
};

#define N_NAMES (sizeof names / sizeof *names)

/* State of mutating one input. */
typedef struct change {
    zip_t *zip;
    zip_uint64_t n_members;
    unsigned random; /* used up from its beginning */
    uint8_t *content;
    size_t content_size;
} change;

static unsigned choose(change *c, unsigned n) {
    unsigned chosen = c->random % n;
    c->random /= n;
    return chosen;
}

/* Reads a member with room to grow; returns false if it cannot be read. */
static bool read_content(change *c, zip_uint64_t member) {
    zip_file_t *file = zip_fopen_index(c->zip, member, 0);
    if (!file)
        return false;
    zip_int64_t n = zip_fread(file, c->content, LARGEST_MEMBER);
    zip_fclose(file);
    c->content_size = n > 0 ? (size_t)n : 0;
    return n >= 0;
}

static zip_source_t *content_source(change *c) {
    if (c->content_size == 0) /* libzip would not free the copy */
        return zip_source_buffer(c->zip, NULL, 0, 0);
    uint8_t *copy = malloc(c->content_size);
    if (!copy)
        return NULL;
    memcpy(copy, c->content, c->content_size);
    zip_source_t *source = zip_source_buffer(c->zip, copy, c->content_size, 1);
    if (!source)
        free(copy);
    return source;
}

/* Times are always the same, so that equal inputs have equal bytes. */
static bool set_method(change *c, zip_int64_t member, bool deflate) {
    zip_int32_t method = deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
    return member >= 0 && zip_set_file_compression(c->zip, (zip_uint64_t)member, method, 0) == 0 &&
           zip_file_set_dostime(c->zip, (zip_uint64_t)member, 0, 0x21, 0) == 0;
}

static bool change_content(change *c, zip_uint64_t member) {
    bool deflate = choose(c, 4) == 0;
    if (!read_content(c, member))
        return false;
    c->content_size = LLVMFuzzerMutate(c->content, c->content_size, LARGEST_MEMBER);
    zip_source_t *source = content_source(c);
    if (!source)
        return false;
    if (zip_file_replace(c->zip, member, source, 0) != 0) {
        zip_source_free(source);
        return false;
    }
    return set_method(c, (zip_int64_t)member, deflate);
}

/* Makes a member with a known name and the content of another. */
static bool add_copy(change *c, zip_uint64_t member) {
    bool deflate = choose(c, 2) == 0;
    const char *name = names[choose(c, N_NAMES)];
    if (!read_content(c, member))
        return false;
    zip_source_t *source = content_source(c);
    if (!source)
        return false;
    zip_int64_t added = zip_file_add(c->zip, name, source, ZIP_FL_OVERWRITE);
    if (added < 0)
        zip_source_free(source);
    return set_method(c, added, deflate);
}

static bool change_something(change *c) {
    zip_uint64_t member = choose(c, (unsigned)c->n_members);
    switch (choose(c, 10)) {
    case 0:
        return zip_delete(c->zip, member) == 0;
    case 1:
        return zip_file_rename(c->zip, member, names[choose(c, N_NAMES)], 0) == 0;
    case 2:
        return add_copy(c, member);
    case 3:
        return set_method(c, (zip_int64_t)member, choose(c, 2));
    default:
        return change_content(c, member);
    }
}

/* Stores the bytes that `source` holds; returns 0 if they are more than `max_size`, or none. */
static size_t read_back(zip_source_t *source, uint8_t *data, size_t max_size) {
    zip_stat_t stat;
    if (zip_source_stat(source, &stat) != 0 || stat.size > max_size || zip_source_open(source) != 0)
        return 0;
    zip_int64_t n = zip_source_read(source, data, stat.size);
    zip_source_close(source);
    return n > 0 ? (size_t)n : 0;
}

/* Returns 0 if there is no result. */
static size_t repack(change *c, zip_source_t *source, uint8_t *data, size_t max_size) {
    zip_int64_t n = zip_get_num_entries(c->zip, 0);
    c->n_members = n > 0 ? (zip_uint64_t)n : 0;
    if (n <= 0 || !change_something(c) || zip_close(c->zip) != 0) {
        zip_discard(c->zip);
        return 0;
    }
    return read_back(source, data, max_size);
}

static size_t change_zip(change *c, uint8_t *data, size_t size, size_t max_size) {
    uint8_t *copy = malloc(size);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    zip_source_t *source = zip_source_buffer_create(copy, size, 1, NULL);
    if (!source) {
        free(copy);
        return 0;
    }
    zip_source_keep(source); /* read when the ZIP is closed */
    c->zip = zip_open_from_source(source, 0, NULL);
    size_t new_size = 0;
    if (c->zip)
        new_size = repack(c, source, data, max_size);
    else
        zip_source_free(source);
    zip_source_free(source);
    return new_size;
}

size_t mutate_zip(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    change c = {.random = seed / 4, .content = NULL};
    size_t new_size = 0;
    if (size > 0 && seed % 4 != 0 && (c.content = malloc(LARGEST_MEMBER)) != NULL)
        new_size = change_zip(&c, data, size, max_size);
    free(c.content);
    return new_size ? new_size : LLVMFuzzerMutate(data, size, max_size);
}
