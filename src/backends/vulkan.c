#include "backends/adapters.h"

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"
#include "flatbuf/flatbuf.h"
#include "read/read.h"

#include "backends/vulkan_schema.inc"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== vulkan events =========================================================================== */
/*
 * Names of dispatches, by age of the runtime:
 *
 *     {"operator": {"name": OP, "delegate_node_id": N, "args": [ARG, ...]}, "kernel_name": K, "operator_id": M,
 *      "dispatch_id": D}           since 2026-08; before, from 2025-12, without delegate_node_id
 *     K_D                          before
 *     {K, "dispatch_id": D}        of blits, in all of them
 *
 * "operator" is absent before the first operator of the process. ARG is, for example,
 * {"type": "TENSOR", "value_ref": R, "dtype": "Float", "sizes": [1, 3], ...}.
 */

/* Level of the event around the dispatches, and of the dispatches. */
enum { GRAPH_LEVEL = 1, DISPATCH_LEVEL = 2 };

/* Most tensors of an event; those beyond are left out. */
#define MOST_TENSORS 64u

bool eti__is_vulkan(eti_text backend) {
    return eti__backend_of_id(backend) == ETI_BACKEND_VULKAN;
}

/* Cuts `part` off the end of a text. */
static bool cut_end(eti_text *text, const char *part) {
    if (!eti__text_ends_with(*text, part))
        return false;
    text->size -= strlen(part);
    return true;
}

static bool cut_number(eti_text *text, uint64_t *out) {
    size_t n = text->size;
    uint64_t power = 1;
    *out = 0;
    for (; n > 0 && text->size - n < 9 && text->data[n - 1] >= '0' && text->data[n - 1] <= '9';
         n--) {
        *out += power * (uint64_t)(text->data[n - 1] - '0');
        power *= 10;
    }
    bool is_cut = n < text->size;
    text->size = n;
    return is_cut;
}

/* Reduces ..."kernel_name": "K", "operator_id": M, "dispatch_id": D} to K and D: M counts the operators of the process, and the
 * operator of a staging dispatch is the last one that the process ran. */
bool eti__lasting_identifier(eti_text *identifier, uint64_t *number) {
    eti_text rest = *identifier;
    uint64_t operator_id;
    if (rest.size == 0 || *rest.data != '{' || !cut_end(&rest, "}") || !cut_number(&rest, number) ||
        !cut_end(&rest, ", \"dispatch_id\": ") || !cut_number(&rest, &operator_id) ||
        !cut_end(&rest, "\", \"operator_id\": "))
        return false;
    size_t n = rest.size;
    while (n > 0 && rest.data[n - 1] != '"' && rest.data[n - 1] != '\\')
        n--;
    eti_text before = {rest.data, n};
    if (!cut_end(&before, "\"kernel_name\": \""))
        return false;
    *identifier = eti__text_from(rest, n);
    return true;
}

bool eti__vulkan_owns_event(const eti_logged_event *logged) {
    return logged->has_id && (eti__text_begins_with(logged->name, "ETVK_") ||
                              eti__text_begins_with(logged->name, "{\"kernel_name\"") ||
                              eti__text_begins_with(logged->name, "{\"operator\""));
}

/* ---- events of the host ---------------------------------------------------------------------- */

static void read_host_event(eti_delegate_event *out) {
    bool copies = eti__text_begins_with(out->label, "ETVK_COPY_");
    out->clock = ETI_CLOCK_HOST;
    out->role = copies ? ETI_DELEGATE_TRANSFER : ETI_DELEGATE_WRAPPER;
    if (eti__text_is(out->label, "ETVK_COMPUTE_GRAPH_EXECUTE"))
        out->level = GRAPH_LEVEL;
}

/* ---- structured names ------------------------------------------------------------------------ */

typedef struct name_reader {
    eti_json json;
    eti_arena *arena;
    eti_delegate_event *out;
    eti_logged_tensor tensors[MOST_TENSORS];
    int64_t sizes[ETI_VULKAN_MOST_DIMENSIONS]; /* of the current tensor */
    bool has_room;
} name_reader;

/* Takes a string; skips another value. */
static void take_text(name_reader *r, eti_text *out) {
    eti_text text;
    if (eti__json_peek(&r->json) != ETI_JSON_STRING)
        eti__json_skip(&r->json);
    else if (eti__json_read_string(&r->json, &text))
        r->has_room = r->has_room && eti__arena_copy_text(r->arena, text, out);
}

static void take_number(name_reader *r, int64_t *out) {
    if (eti__json_peek(&r->json) != ETI_JSON_NUMBER)
        eti__json_skip(&r->json);
    else
        eti__json_read_int64(&r->json, out);
}

static void take_sizes(name_reader *r, eti_logged_tensor *out) {
    if (eti__json_peek(&r->json) != ETI_JSON_ARRAY) {
        eti__json_skip(&r->json);
        return;
    }
    out->n_sizes = 0;
    eti__json_enter_array(&r->json);
    while (eti__json_next_element(&r->json)) {
        int64_t size = -1;
        take_number(r, &size);
        if (out->n_sizes < ETI_VULKAN_MOST_DIMENSIONS)
            r->sizes[out->n_sizes++] = size;
    }
}

/* Copies the sizes of the current tensor into the arena. */
static void keep_sizes(name_reader *r, eti_logged_tensor *tensor) {
    int64_t *sizes = eti__arena_alloc(r->arena, (size_t)tensor->n_sizes + 1, sizeof *sizes);
    r->has_room = r->has_room && sizes;
    if (sizes)
        memcpy(sizes, r->sizes, tensor->n_sizes * sizeof *sizes);
    tensor->sizes = sizes;
}

static void read_argument(name_reader *r) {
    eti_logged_tensor tensor = {.value = -1};
    eti_text key, type = {NULL, 0};
    if (eti__json_peek(&r->json) != ETI_JSON_OBJECT || r->out->n_tensors == MOST_TENSORS) {
        eti__json_skip(&r->json);
        return;
    }
    eti__json_enter_object(&r->json);
    while (eti__json_next_key(&r->json, &key)) {
        if (eti__text_is(key, "type"))
            take_text(r, &type);
        else if (eti__text_is(key, "dtype"))
            take_text(r, &tensor.dtype);
        else if (eti__text_is(key, "value_ref"))
            take_number(r, &tensor.value);
        else if (eti__text_is(key, "sizes"))
            take_sizes(r, &tensor);
        else
            eti__json_skip(&r->json);
    }
    tensor.is_constant = eti__text_is(type, "TENSORREF");
    if (!tensor.is_constant && !eti__text_is(type, "TENSOR"))
        return;
    keep_sizes(r, &tensor);
    r->tensors[r->out->n_tensors++] = tensor;
}

static void read_operator(name_reader *r) {
    eti_text key;
    int64_t node = -1;
    if (eti__json_peek(&r->json) != ETI_JSON_OBJECT) {
        eti__json_skip(&r->json);
        return;
    }
    eti__json_enter_object(&r->json);
    while (eti__json_next_key(&r->json, &key)) {
        if (eti__text_is(key, "name")) {
            take_text(r, &r->out->op);
        } else if (eti__text_is(key, "delegate_node_id")) {
            take_number(r, &node);
        } else if (eti__text_is(key, "args") && eti__json_peek(&r->json) == ETI_JSON_ARRAY) {
            eti__json_enter_array(&r->json);
            while (eti__json_next_element(&r->json))
                read_argument(r);
        } else {
            eti__json_skip(&r->json);
        }
    }
    if (node >= 0) {
        char digits[24];
        int n = snprintf(digits, sizeof digits, "%" PRId64, node);
        r->has_room = r->has_room &&
                      eti__arena_copy_text(r->arena, (eti_text){digits, (size_t)n}, &r->out->node);
    }
}

static bool keep_tensors(name_reader *r) {
    eti_logged_tensor *tensors =
        eti__arena_alloc(r->arena, (size_t)r->out->n_tensors + 1, sizeof *tensors);
    if (!tensors)
        return false;
    memcpy(tensors, r->tensors, r->out->n_tensors * sizeof *tensors);
    r->out->tensors = tensors;
    return true;
}

/* Reads a name that is JSON, up to the first damage. Returns false if memory runs out. */
static bool read_structured(eti_delegate_event *out, eti_arena *arena) {
    name_reader r = {.arena = arena, .out = out, .has_room = true};
    eti_error ignored;
    eti_text key;
    eti__json_open_text(&r.json, out->label);
    r.json.is_silent = true;
    if (eti__json_enter_object(&r.json)) {
        while (eti__json_next_key(&r.json, &key)) {
            if (eti__text_is(key, "operator"))
                read_operator(&r);
            else if (eti__text_is(key, "kernel_name"))
                take_text(&r, &out->kernel);
            else if (eti__text_is(key, "operator_id"))
                take_number(&r, &out->operator_number);
            else
                eti__json_skip(&r.json);
        }
    }
    bool has_room = eti__json_close(&r.json, &ignored) != ETI_ERROR_MEMORY && r.has_room;
    return has_room && keep_tensors(&r);
}

/* ---- other names ----------------------------------------------------------------------------- */

/* Returns "Blit_half_to_float" for {Blit_half_to_float, "dispatch_id": 3}. */
static eti_text cut_blit(eti_text name) {
    size_t n = 1;
    while (n < name.size && name.data[n] != ',' && name.data[n] != '}')
        n++;
    return (eti_text){name.data + 1, n - 1};
}

/* Returns a name without the number of its dispatch. */
static eti_text cut_dispatch(eti_text name) {
    size_t n = name.size;
    while (n > 0 && name.data[n - 1] >= '0' && name.data[n - 1] <= '9')
        n--;
    return n > 1 && n < name.size && name.data[n - 1] == '_' ? (eti_text){name.data, n - 1} : name;
}

/* ---- dispatches ------------------------------------------------------------------------------ */

/* Returns whether a kernel copies inputs or outputs. The operator in its name is then the last one of the process, which may
 * be one of another graph. */
static bool is_staging(eti_text kernel) {
    return eti__text_begins_with(kernel, "nchw_to_") || eti__text_begins_with(kernel, "Blit_") ||
           eti__text_contains(kernel, eti__text_of("_to_nchw")) ||
           eti__text_contains(kernel, eti__text_of("buffer_to_buffer")) ||
           eti__text_contains(kernel, eti__text_of("staging"));
}

static bool read_dispatch(eti_delegate_event *out, eti_arena *arena) {
    bool is_object = eti__text_begins_with(out->label, "{");
    bool is_structured = is_object && eti__text_begins_with(out->label, "{\"");
    out->clock = ETI_CLOCK_DEVICE;
    out->unit = ETI_UNIT_NS;
    out->level = DISPATCH_LEVEL;
    out->compute_unit = eti__text_of("GPU");
    out->is_numbered = true;
    if (is_structured && !read_structured(out, arena))
        return false;
    if (!is_structured)
        out->kernel = is_object ? cut_blit(out->label) : cut_dispatch(out->label);
    if (is_staging(out->kernel)) {
        out->role = ETI_DELEGATE_TRANSFER;
        out->op = out->node = (eti_text){NULL, 0};
        out->tensors = NULL;
        out->n_tensors = 0;
    }
    out->label = out->kernel.size > 0 ? out->kernel : eti__text_of("(damaged name)");
    return true;
}

bool eti__vulkan_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                            eti_arena *arena) {
    if (!eti__text_begins_with(logged->name, "ETVK_"))
        return read_dispatch(out, arena);
    read_host_event(out);
    return true;
}

/* ==== vulkan ================================================================================== */

/* Offsets in the header, and its smallest size. */
#define GRAPH_OFFSET_AT 10u
#define GRAPH_SIZE_AT 14u
#define HEADER_LEAST 30u

/* Types of values. */
enum { TENSOR = 5, VALUE_LIST = 9 };

typedef struct graph_reader {
    eti_flatbuf buffer;
    eti_vector values;
    uint32_t *links; /* allocated on the heap */
    size_t n_links, capacity;
    eti_vulkan *out;
} graph_reader;

/* ---- the container --------------------------------------------------------------------------- */

static bool has_identifier(eti_text bytes, const char *identifier) {
    return bytes.size >= 8 && memcmp(bytes.data + 4, identifier, 4) == 0;
}

static eti_status find_graph(eti_flatbuf *out, eti_text payload, eti_error *err) {
    const eti_flatbuf bytes = {.data = (const uint8_t *)payload.data};
    if (!has_identifier(payload, "VH00"))
        return eti_fail(err, ETI_ERROR_MALFORMED, "not a payload of Vulkan");
    if (payload.size < HEADER_LEAST)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "the payload has %zu bytes, too few for its header", payload.size);
    uint32_t offset = eti__flatbuf_load_u32(&bytes, GRAPH_OFFSET_AT);
    uint32_t size = eti__flatbuf_load_u32(&bytes, GRAPH_SIZE_AT);
    if (offset > payload.size || size > payload.size - offset)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "according to the payload's header, its graph has %" PRIu32
                        " bytes at byte %" PRIu32 ", but the payload has %zu",
                        size, offset, payload.size);
    eti_text graph = {payload.data + offset, size};
    if (!has_identifier(graph, "VK00"))
        return eti_fail(err, ETI_ERROR_MALFORMED, "the payload has no graph of Vulkan");
    return eti__flatbuf_find(out, (const uint8_t *)graph.data, graph.size, "VK00", err);
}

/* ---- values ---------------------------------------------------------------------------------- */

static eti_status read_constants(graph_reader *r, eti_arena *arena, eti_vector vector,
                                 eti_error *err) {
    eti_payload_key *constants = eti__arena_alloc(arena, vector.count, sizeof *constants);
    if (!constants)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position table = eti__flatbuf_vector_table(&r->buffer, vector, i);
        uint64_t size = eti__flatbuf_u64(&r->buffer, table, VK_BYTES_LENGTH, 0);
        constants[i] = (eti_payload_key){eti__flatbuf_text(&r->buffer, table, VK_BYTES_NAMED_KEY),
                                         size > 0 ? size : ETI_PAYLOAD_UNKNOWN_SIZE};
    }
    r->out->constants = constants;
    r->out->n_constants = vector.count;
    return ETI_OK;
}

static eti_status read_values(graph_reader *r, eti_arena *arena, eti_error *err) {
    uint32_t *tables = eti__arena_alloc(arena, r->values.count, sizeof *tables);
    uint32_t *constants = eti__arena_alloc(arena, r->values.count, sizeof *constants);
    if (!tables || !constants)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < r->values.count; i++) {
        eti_position value = eti__flatbuf_vector_table(&r->buffer, r->values, i);
        tables[i] = eti__flatbuf_union(&r->buffer, value, VK_VALUE_VALUE, TENSOR);
        int32_t constant =
            tables[i] ? eti__flatbuf_i32(&r->buffer, tables[i], VK_TENSOR_CONSTANT_ID, 0) : -1;
        constants[i] = constant >= 0 && (uint32_t)constant < r->out->n_constants
                           ? (uint32_t)constant
                           : ETI_VULKAN_NONE;
    }
    r->out->tables = tables;
    r->out->constants_of = constants;
    r->out->n_values = r->values.count;
    return ETI_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool add_link(graph_reader *r, int32_t value, uint32_t *n) {
    if (value < 0 || (uint32_t)value >= r->values.count || !r->out->tables[value] ||
        *n == ETI_VULKAN_MOST_LINKS_OF_CALL || r->n_links == ETI_VULKAN_MOST_LINKS)
        return true;
    if (!ETI_GROW(r->links, r->capacity, r->n_links + 1))
        return false;
    r->links[r->n_links++] = (uint32_t)value;
    ++*n;
    return true;
}

/* Adds a tensor, or the tensors of a list. */
static bool add_argument(graph_reader *r, int32_t value, uint32_t *n) {
    if (value < 0 || (uint32_t)value >= r->values.count)
        return true;
    eti_position table = eti__flatbuf_vector_table(&r->buffer, r->values, (uint32_t)value);
    eti_position list = eti__flatbuf_union(&r->buffer, table, VK_VALUE_VALUE, VALUE_LIST);
    if (!list)
        return add_link(r, value, n);
    eti_vector items = eti__flatbuf_vector(&r->buffer, list, VALUE_LIST_ITEMS);
    for (uint32_t i = 0; i < items.count && i < ETI_VULKAN_MOST_LINKS_OF_CALL; i++) {
        if (!add_link(r, eti__flatbuf_vector_i32(&r->buffer, items, i), n))
            return false;
    }
    return true;
}

static bool read_call(graph_reader *r, eti_position table, eti_vulkan_call *out) {
    eti_vector args = eti__flatbuf_vector(&r->buffer, table, OPERATOR_CALL_ARGS);
    *out = (eti_vulkan_call){
        .node_id = eti__flatbuf_u32(&r->buffer, table, OPERATOR_CALL_NODE_ID, 0),
        .op = eti__flatbuf_text(&r->buffer, table, OPERATOR_CALL_NAME),
        .first_link = (uint32_t)r->n_links,
    };
    for (uint32_t i = 0; i + 1 < args.count && i < ETI_VULKAN_MOST_LINKS_OF_CALL; i++) {
        if (!add_argument(r, eti__flatbuf_vector_i32(&r->buffer, args, i), &out->n_inputs))
            return false;
    }
    return args.count == 0 ||
           add_argument(r, eti__flatbuf_vector_i32(&r->buffer, args, args.count - 1),
                        &out->n_outputs);
}

static eti_status read_calls(graph_reader *r, eti_arena *arena, eti_vector chain, eti_error *err) {
    eti_vulkan_call *calls = eti__arena_alloc(arena, chain.count, sizeof *calls);
    bool has_room = calls != NULL;
    for (uint32_t i = 0; i < chain.count && has_room; i++)
        has_room = read_call(r, eti__flatbuf_vector_table(&r->buffer, chain, i), &calls[i]);
    uint32_t *links = has_room ? eti__arena_alloc(arena, r->n_links + 1, sizeof *links) : NULL;
    if (links && r->n_links > 0)
        memcpy(links, r->links, r->n_links * sizeof *links);
    free(r->links);
    r->out->calls = calls;
    r->out->n_calls = chain.count;
    r->out->links = links;
    return links ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__vulkan_read(eti_vulkan *out, eti_arena *arena, eti_text payload, eti_error *err) {
    graph_reader r = {.out = out};
    eti_position root = 0;
    *out = (eti_vulkan){0};
    ETI_TRY(find_graph(&r.buffer, payload, err));
    ETI_TRY(eti__flatbuf_verify(&r.buffer, &vk_graph_schema, 1, &root, err));
    out->bytes = (eti_text){(const char *)r.buffer.data, r.buffer.size};
    r.values = eti__flatbuf_vector(&r.buffer, root, VK_GRAPH_VALUES);
    eti_vector constants = eti__flatbuf_vector(&r.buffer, root, VK_GRAPH_CONSTANTS);
    ETI_TRY(read_constants(&r, arena, constants, err));
    ETI_TRY(read_values(&r, arena, err));
    return read_calls(&r, arena, eti__flatbuf_vector(&r.buffer, root, VK_GRAPH_CHAIN), err);
}

size_t eti__vulkan_count_inputs(const eti_vulkan *graph) {
    size_t n = 0;
    for (uint32_t i = 0; i < graph->n_calls; i++)
        n += graph->calls[i].n_inputs;
    return n;
}

uint32_t eti__vulkan_count_run(const eti_vulkan *graph) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_calls; i++)
        n += !eti__vulkan_op_of(graph->calls[i].op).is_prepack;
    return n;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static eti_text dtype_of(int8_t datatype) {
    static const char *const names[] = {"Bool", "Byte",  "Char",   "Int",
                                        "Half", "Float", "Double", "Long"};
    bool is_known = datatype >= 0 && (size_t)datatype < sizeof names / sizeof *names;
    return is_known ? eti__text_of(names[datatype]) : (eti_text){NULL, 0};
}

static bool read_tensor(const eti_vulkan *graph, uint32_t value, eti_logged_tensor *out,
                        eti_arena *arena) {
    const eti_flatbuf buffer = {.data = (const uint8_t *)graph->bytes.data,
                                .size = graph->bytes.size};
    eti_position table = graph->tables[value];
    eti_vector dims = eti__flatbuf_vector(&buffer, table, VK_TENSOR_DIMS);
    uint32_t n = dims.count < ETI_VULKAN_MOST_DIMENSIONS ? dims.count : ETI_VULKAN_MOST_DIMENSIONS;
    int64_t *sizes = eti__arena_alloc(arena, (size_t)n + 1, sizeof *sizes);
    for (uint32_t i = 0; sizes && i < n; i++)
        sizes[i] = (uint32_t)eti__flatbuf_vector_i32(&buffer, dims, i);
    *out = (eti_logged_tensor){
        .dtype = dtype_of(eti__flatbuf_i8(&buffer, table, VK_TENSOR_DATATYPE, 0)),
        .sizes = sizes,
        .n_sizes = n,
        .is_constant = graph->constants_of[value] != ETI_VULKAN_NONE,
        .value = value,
    };
    return sizes != NULL;
}

bool eti__vulkan_set_tensors(const eti_vulkan *graph, uint32_t number, eti_delegate_event *event,
                             eti_arena *arena) {
    const eti_vulkan_call *call = &graph->calls[number];
    uint32_t n = call->n_inputs + call->n_outputs;
    n = n < MOST_TENSORS ? n : MOST_TENSORS;
    eti_logged_tensor *tensors = eti__arena_alloc(arena, (size_t)n + 1, sizeof *tensors);
    for (uint32_t i = 0; tensors && i < n; i++) {
        if (!read_tensor(graph, graph->links[call->first_link + i], &tensors[i], arena))
            return false;
    }
    event->tensors = tensors;
    event->n_tensors = n;
    return tensors != NULL;
}
