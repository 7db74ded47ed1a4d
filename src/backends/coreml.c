#include "backends/adapters.h"

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"
#include "read/read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== core ml event =========================================================================== */
/* Core ML logs an event for each MIL operation, called OUTPUT:OPERATION, with JSON as metadata:
 *
 *     {"preferredComputeUnit": "NE", "supportedComputeUnits": ["CPU", "NE"], "outputNames": […],
 *      "operatorName": "ios16.conv", "estimatedCost": 0.04} */

/* Events can share a text in the file, so the work for each event has to be small. Real metadata have some 300 bytes. */
#define MOST_METADATA 4096u
#define MOST_UNITS 8u

bool eti__coreml_owns(const eti_logged_event *logged) {
    eti_text metadata = logged->metadata;
    return logged->has_id && !logged->has_int_id && metadata.size > 0 &&
           metadata.size <= MOST_METADATA && metadata.data[0] == '{' &&
           eti__text_contains(metadata, eti__text_of("\"estimatedCost\""));
}

/* Takes a string, or skips another value. */
static void read_text(eti_json *json, eti_arena *arena, eti_text *out) {
    eti_text text;
    if (eti__json_peek(json) != ETI_JSON_STRING)
        eti__json_skip(json);
    else if (eti__json_read_string(json, &text) && !eti__arena_copy_text(arena, text, out))
        eti__json_fail_memory(json);
}

/* Takes a list of strings, or skips another value. */
static void read_units(eti_json *json, eti_arena *arena, eti_delegate_event *out) {
    if (eti__json_peek(json) != ETI_JSON_ARRAY) {
        eti__json_skip(json);
        return;
    }
    eti_text *units = eti__arena_alloc_zero(arena, MOST_UNITS, sizeof *units);
    if (!units) {
        eti__json_fail_memory(json);
        return;
    }
    eti__json_enter_array(json);
    out->supported_units = units;
    out->n_supported_units = 0;
    while (eti__json_next_element(json)) {
        if (out->n_supported_units == MOST_UNITS) {
            eti__json_skip(json);
            continue;
        }
        read_text(json, arena, &units[out->n_supported_units]);
        out->n_supported_units += units[out->n_supported_units].data != NULL;
    }
}

static bool read_metadata(eti_delegate_event *out, eti_text metadata, eti_arena *arena) {
    eti_json json;
    eti_text key;
    eti_error ignored;
    if (metadata.size == 0 || metadata.size > MOST_METADATA || metadata.data[0] != '{')
        return true;
    eti__json_open_text(&json, metadata);
    json.is_silent = true;
    eti__json_enter_object(&json);
    while (eti__json_next_key(&json, &key)) {
        if (eti__text_is(key, "preferredComputeUnit"))
            read_text(&json, arena, &out->compute_unit);
        else if (eti__text_is(key, "operatorName"))
            read_text(&json, arena, &out->kernel);
        else if (eti__text_is(key, "supportedComputeUnits"))
            read_units(&json, arena, out);
        else
            eti__json_skip(&json);
    }
    return eti__json_close(&json, &ignored) != ETI_ERROR_MEMORY;
}

bool eti__coreml_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                            eti_arena *arena) {
    out->unit = ETI_UNIT_NS;
    out->clock = ETI_CLOCK_DEVICE;
    out->is_estimate = true;
    return read_metadata(out, logged->metadata, arena);
}

/* ==== core ml payload ========================================================================= */
/* The payload is an in-memory file system: the bytes of its files, and a description of them that
 * stands at the end, reversed byte by byte. So the description is read from the last byte to the first.
 *
 *     {"nodes": [{"name": "debug_info.json", "kind": 0, "children": {},
 *                 "dataRegion": {"offset": 76825, "size": 29198}}, …]}
 *
 * Offsets count from the beginning of the payload. The kind is 0 for a file and 1 for a directory, whose
 * children are numbers of nodes by name. The root is the node that is the child of no other. Only the
 * root's file debug_info.json is of interest, so nothing is visited twice. */

#define DEBUG_INFO "debug_info.json"
/* Largest number of files and directories; real payloads have some ten. */
#define MOST_NODES 65536u
#define NO_CHILD UINT32_MAX

typedef struct file_node {
    uint64_t offset, size;
    uint32_t debug_info; /* number of its child with that name, or NO_CHILD */
    bool is_directory;
} file_node;

typedef struct file_system {
    file_node *nodes;
    size_t n, capacity;
    bool is_child[MOST_NODES]; /* per number of a node */
} file_system;

/* The part of a payload that was not read yet. */
typedef struct reversed {
    eti_text left;
} reversed;

static eti_status read_reversed(void *context, void *buffer, size_t size, size_t *n,
                                eti_error *err) {
    reversed *r = context;
    char *out = buffer;
    (void)err;
    *n = size < r->left.size ? size : r->left.size;
    for (size_t i = 0; i < *n; i++)
        out[i] = r->left.data[r->left.size - 1 - i];
    r->left.size -= *n;
    return ETI_OK;
}

/* ---- the description ------------------------------------------------------------------------- */

static void read_region(eti_json *json, file_node *node) {
    eti_text key;
    eti__json_enter_object(json);
    while (eti__json_next_key(json, &key)) {
        if (eti__text_is(key, "offset"))
            eti__json_read_uint64(json, &node->offset);
        else if (eti__text_is(key, "size"))
            eti__json_read_uint64(json, &node->size);
        else
            eti__json_skip(json);
    }
}

static void read_children(eti_json *json, file_system *files, file_node *node) {
    eti_text key;
    eti__json_enter_object(json);
    while (eti__json_next_key(json, &key)) {
        bool is_debug_info = eti__text_is(key, DEBUG_INFO);
        uint64_t child = 0;
        if (!eti__json_read_uint64(json, &child))
            return;
        if (child >= MOST_NODES) {
            eti__json_fail(json, ETI_ERROR_LIMIT,
                           "the number of a node is %" PRIu64 ", but at most %u nodes are read",
                           child, MOST_NODES);
            return;
        }
        files->is_child[child] = true;
        if (is_debug_info)
            node->debug_info = (uint32_t)child;
    }
}

static void read_node(eti_json *json, file_system *files, file_node *node) {
    eti_text key;
    uint64_t kind = 0;
    *node = (file_node){.debug_info = NO_CHILD};
    eti__json_enter_object(json);
    while (eti__json_next_key(json, &key)) {
        if (eti__text_is(key, "kind"))
            eti__json_read_uint64(json, &kind);
        else if (eti__text_is(key, "dataRegion"))
            read_region(json, node);
        else if (eti__text_is(key, "children"))
            read_children(json, files, node);
        else
            eti__json_skip(json);
    }
    node->is_directory = kind == 1;
}

static void read_nodes(eti_json *json, file_system *files) {
    eti__json_enter_array(json);
    while (eti__json_next_element(json)) {
        if (files->n == MOST_NODES) {
            eti__json_fail(json, ETI_ERROR_LIMIT, "more than %u files and directories", MOST_NODES);
            return;
        }
        if (!ETI_GROW(files->nodes, files->capacity, files->n + 1)) {
            eti__json_fail_memory(json);
            return;
        }
        read_node(json, files, &files->nodes[files->n++]);
    }
}

/* Reads the description of the files. Other files stand behind it, so the reader stops at its end. */
static eti_status read_files(file_system *files, eti_text payload, eti_error *err) {
    reversed r = {payload};
    eti_json json;
    eti_text key;
    eti__json_open_stream(&json, (eti_json_source){read_reversed, &r});
    eti__json_enter_object(&json);
    while (eti__json_next_key(&json, &key)) {
        if (eti__text_is(key, "nodes"))
            read_nodes(&json, files);
        else
            eti__json_skip(&json);
    }
    bool has_failed = eti__json_failed(&json);
    eti_error unread;
    eti_status status = eti__json_close(&json, has_failed ? err : &unread);
    if (has_failed)
        eti__error_prefix(err, "the list of files");
    return has_failed ? status : ETI_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Finds the file /debug_info.json. */
static eti_status find_debug_info(const file_system *files, eti_text payload, eti_text *out,
                                  eti_error *err) {
    size_t root = 0;
    while (root < files->n && (files->is_child[root] || !files->nodes[root].is_directory))
        root++;
    if (root == files->n)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the payload of Core ML has no root directory");
    uint32_t number = files->nodes[root].debug_info;
    if (number == NO_CHILD)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the payload of Core ML has no " DEBUG_INFO);
    if (number >= files->n || files->nodes[number].is_directory)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        DEBUG_INFO " is node %" PRIu32 " of the payload's %zu, which is no file",
                        number, files->n);
    const file_node *file = &files->nodes[number];
    if (file->offset > payload.size || file->size > payload.size - file->offset)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        DEBUG_INFO " has %" PRIu64 " bytes at byte %" PRIu64
                                   ", but the payload has %zu",
                        file->size, file->offset, payload.size);
    *out = (eti_text){payload.data + file->offset, (size_t)file->size};
    return ETI_OK;
}

typedef struct symbol_list {
    eti_coreml_symbol *symbols;
    size_t n, capacity;
    int64_t *handles;
    size_t n_handles, handle_capacity;
} symbol_list;

static bool is_constant(eti_text symbol) {
    static const char suffix[] = ":const";
    const size_t n = sizeof suffix - 1;
    return symbol.size >= n && memcmp(symbol.data + symbol.size - n, suffix, n) == 0;
}

/* Reads the handles of a symbol: numbers. */
static void read_handles(eti_json *json, symbol_list *list) {
    list->n_handles = 0;
    eti__json_enter_array(json);
    while (eti__json_next_element(json)) {
        if (!ETI_GROW(list->handles, list->handle_capacity, list->n_handles + 1)) {
            eti__json_fail_memory(json);
            return;
        }
        if (eti__json_read_int64(json, &list->handles[list->n_handles]))
            list->n_handles++;
    }
}

static void read_symbols(eti_json *json, symbol_list *list, eti_arena *arena) {
    eti_text key;
    eti__json_enter_object(json);
    while (eti__json_next_key(json, &key)) {
        eti_coreml_symbol symbol = {.is_constant = is_constant(key)};
        if (!ETI_GROW(list->symbols, list->capacity, list->n + 1) ||
            !eti__arena_copy_text(arena, key, &symbol.name)) {
            eti__json_fail_memory(json);
            return;
        }
        read_handles(json, list);
        int64_t *handles = eti__arena_alloc(arena, list->n_handles, sizeof *handles);
        if (!handles) {
            eti__json_fail_memory(json);
            return;
        }
        if (list->n_handles > 0)
            memcpy(handles, list->handles, list->n_handles * sizeof *handles);
        symbol.handles = handles;
        symbol.n_handles = list->n_handles;
        symbol.order = (uint32_t)list->n;
        list->symbols[list->n++] = symbol;
    }
}

/* Sorts by name; of equal names, the last in the file comes first. */
static int compare_symbols(const void *a, const void *b) {
    const eti_coreml_symbol *x = a, *y = b;
    int order = eti__text_compare(x->name, y->name);
    return order ? order : (x->order < y->order) - (x->order > y->order);
}

/* Copies the sorted symbols, each name once. */
static bool take_symbols(eti_coreml *out, symbol_list *list, eti_arena *arena) {
    eti_coreml_symbol *symbols = eti__arena_alloc(arena, list->n, sizeof *symbols);
    if (!symbols)
        return false;
    if (list->n > 0)
        qsort(list->symbols, list->n, sizeof *list->symbols, compare_symbols);
    for (size_t i = 0; i < list->n; i++) {
        if (out->n_symbols > 0 &&
            eti__text_equal(symbols[out->n_symbols - 1].name, list->symbols[i].name))
            continue;
        symbols[out->n_symbols++] = list->symbols[i];
        out->n_operators += !list->symbols[i].is_constant;
    }
    out->symbols = symbols;
    return true;
}

static eti_status read_debug_info(eti_coreml *out, eti_text file, eti_arena *arena,
                                  eti_error *err) {
    symbol_list list = {.n = 0};
    eti_json json;
    eti_text key;
    eti__json_open_text(&json, file);
    eti__json_enter_object(&json);
    while (eti__json_next_key(&json, &key)) {
        if (eti__text_is(key, "debugSymbolToHandles"))
            read_symbols(&json, &list, arena);
        else
            eti__json_skip(&json);
    }
    eti_status status = eti__json_close(&json, err);
    if (status != ETI_OK)
        eti__error_prefix(err, DEBUG_INFO);
    else if (!take_symbols(out, &list, arena))
        status = eti_fail_memory(err);
    free(list.symbols);
    free(list.handles);
    return status;
}

eti_status eti__coreml_read(eti_coreml *out, eti_arena *arena, eti_text payload, eti_error *err) {
    eti_text file = {NULL, 0};
    *out = (eti_coreml){0};
    if (payload.size == 0 || payload.data[payload.size - 1] != '{')
        return eti_fail(err, ETI_ERROR_MALFORMED, "not a payload of Core ML");
    file_system *files = calloc(1, sizeof *files);
    if (!files)
        return eti_fail_memory(err);
    eti_status status = read_files(files, payload, err);
    if (status == ETI_OK)
        status = find_debug_info(files, payload, &file, err);
    if (status == ETI_OK)
        status = read_debug_info(out, file, arena, err);
    free(files->nodes);
    free(files);
    return status;
}

static int compare_name(const void *name, const void *symbol) {
    return eti__text_compare(*(const eti_text *)name, ((const eti_coreml_symbol *)symbol)->name);
}

const eti_coreml_symbol *eti__coreml_find(const eti_coreml *payload, eti_text name) {
    if (payload->n_symbols == 0)
        return NULL;
    return bsearch(&name, payload->symbols, payload->n_symbols, sizeof *payload->symbols,
                   compare_name);
}
