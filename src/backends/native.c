#include "backends/adapters.h"

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"
#include "flatbuf/flatbuf.h"

#include "backends/native_schema.inc"

#include <stdlib.h>
#include <string.h>

/* ==== native event ============================================================================ */

/* No runtime logs events yet. An event is taken for a node of the payload if it has the name of one. */
bool eti__native_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                            eti_arena *arena) {
    (void)arena;
    out->clock = ETI_CLOCK_UNKNOWN;
    if (logged->has_id && !logged->has_int_id)
        out->node = logged->name;
    return true;
}

/* ==== native ================================================================================== */

/* Most values that one node may take and return, and that all nodes together may. Those beyond are left out. */
#define MOST_LINKS_OF_NODE 1024u
#define MOST_LINKS ((size_t)1 << 22)

/* Kinds of nodes and of outputs, and types of arguments. */
enum { CALL_FUNCTION = 0, TENSOR_LIST = 1 };
enum { TENSOR_ARG = 1, TENSOR_LIST_ARG = 11, OPTIONAL_TENSOR_LIST_ARG = 12 };
enum { AFFINE_GROUP = 1 };

typedef struct graph_reader {
    eti_flatbuf buffer;
    eti_text *links; /* allocated on the heap */
    size_t n_links, capacity;
    eti_native *out;
} graph_reader;

/* ---- nodes ----------------------------------------------------------------------------------- */

static eti_text text_at(const eti_flatbuf *buffer, eti_vector strings, uint32_t i) {
    size_t string = eti__flatbuf_vector_table(buffer, strings, i);
    return (eti_text){(const char *)buffer->data + string + 4,
                      eti__flatbuf_load_u32(buffer, string)};
}

static bool add_link(graph_reader *r, eti_text value, uint32_t *n) {
    if (value.size == 0 || *n == MOST_LINKS_OF_NODE || r->n_links == MOST_LINKS)
        return true;
    if (!ETI_GROW(r->links, r->capacity, r->n_links + 1))
        return false;
    r->links[r->n_links++] = value;
    ++*n;
    return true;
}

static bool add_links(graph_reader *r, eti_vector names, uint32_t *n) {
    for (uint32_t i = 0; i < names.count && i < MOST_LINKS_OF_NODE; i++) {
        if (!add_link(r, text_at(&r->buffer, names, i), n))
            return false;
    }
    return true;
}

/* Adds the tensors of an argument. Missing tensors of a list have no names. */
static bool add_argument(graph_reader *r, eti_position named, uint32_t *n) {
    const eti_flatbuf *b = &r->buffer;
    eti_position argument = eti__flatbuf_table(b, named, NAMED_ARGUMENT_ARG);
    if (!argument)
        return true;
    eti_position one = eti__flatbuf_union(b, argument, ARGUMENT_VALUE, TENSOR_ARG);
    eti_position list = eti__flatbuf_union(b, argument, ARGUMENT_VALUE, TENSOR_LIST_ARG);
    eti_position some = eti__flatbuf_union(b, argument, ARGUMENT_VALUE, OPTIONAL_TENSOR_LIST_ARG);
    if (one)
        return add_link(r, eti__flatbuf_text(b, one, TENSOR_ARG_NAME), n);
    if (list)
        return add_links(r, eti__flatbuf_vector(b, list, TENSOR_LIST_ARG_NAMES), n);
    return !some || add_links(r, eti__flatbuf_vector(b, some, OPTIONAL_TENSOR_LIST_ARG_NAMES), n);
}

static bool add_output(graph_reader *r, eti_position output, uint32_t *n) {
    const eti_flatbuf *b = &r->buffer;
    return eti__flatbuf_i8(b, output, OUTPUT_KIND, 0) == TENSOR_LIST
               ? add_links(r, eti__flatbuf_vector(b, output, OUTPUT_NAMES), n)
               : add_link(r, eti__flatbuf_text(b, output, OUTPUT_NAME), n);
}

/* Returns "aten.add.Tensor" for "torch.ops.aten.add.Tensor". */
static eti_text op_of(eti_text target) {
    eti__text_take(&target, "torch.ops.");
    return target;
}

static bool read_node(graph_reader *r, eti_position table, eti_native_node *out) {
    const eti_flatbuf *b = &r->buffer;
    eti_vector inputs = eti__flatbuf_vector(b, table, NODE_INPUTS);
    eti_vector outputs = eti__flatbuf_vector(b, table, NODE_OUTPUTS);
    *out = (eti_native_node){
        .name = eti__flatbuf_text(b, table, NODE_NAME),
        .op = op_of(eti__flatbuf_text(b, table, NODE_TARGET)),
        .first_link = (uint32_t)r->n_links,
    };
    for (uint32_t i = 0; i < inputs.count && i < MOST_LINKS_OF_NODE; i++) {
        if (!add_argument(r, eti__flatbuf_vector_table(b, inputs, i), &out->n_inputs))
            return false;
    }
    for (uint32_t i = 0; i < outputs.count && i < MOST_LINKS_OF_NODE; i++) {
        if (!add_output(r, eti__flatbuf_vector_table(b, outputs, i), &out->n_outputs))
            return false;
    }
    return true;
}

/* Reads the nodes that run; inputs and outputs of the graph are nodes, too. */
static bool read_nodes(graph_reader *r, eti_arena *arena, eti_vector vector) {
    eti_native_node *nodes = eti__arena_alloc(arena, vector.count, sizeof *nodes);
    uint32_t n = 0;
    for (uint32_t i = 0; nodes && i < vector.count; i++) {
        eti_position table = eti__flatbuf_vector_table(&r->buffer, vector, i);
        if (eti__flatbuf_i8(&r->buffer, table, NODE_OP_KIND, 0) != CALL_FUNCTION)
            continue;
        if (!read_node(r, table, &nodes[n++]))
            return false;
    }
    eti_text *links = nodes ? eti__arena_alloc(arena, r->n_links, sizeof *links) : NULL;
    if (links && r->n_links > 0)
        memcpy(links, r->links, r->n_links * sizeof *links);
    r->out->nodes = nodes;
    r->out->n_nodes = n;
    r->out->links = links;
    return links != NULL;
}

/* ---- constants ------------------------------------------------------------------------------- */

static int compare_constants(const void *a, const void *b) {
    const eti_native_constant *x = a, *y = b;
    int order = eti__text_compare(x->name, y->name);
    return order ? order
                 : (x->keys[0].data > y->keys[0].data) - (x->keys[0].data < y->keys[0].data);
}

/* Returns the size of an element; 0 for an unknown type. */
static uint64_t element_size(int8_t dtype) {
    static const uint8_t sizes[] = {1, 1, 2, 4, 8, 2, 4, 8, 0, 0, 0, 1, 0, 0, 0, 2, 2, 4, 8};
    return dtype >= 0 && (size_t)dtype < sizeof sizes ? sizes[dtype] : 0;
}

/* Returns the number of bytes of a tensor that is not quantized; ETI_PAYLOAD_UNKNOWN_SIZE for others. */
static uint64_t size_of(const eti_flatbuf *b, eti_position meta) {
    uint64_t size = meta && !eti__flatbuf_has(b, meta, TENSOR_META_QUANT)
                        ? element_size(eti__flatbuf_i8(b, meta, TENSOR_META_DTYPE, 0))
                        : 0;
    eti_vector dims = meta ? eti__flatbuf_vector(b, meta, TENSOR_META_SIZES) : (eti_vector){0, 0};
    for (uint32_t i = 0; i < dims.count && size > 0; i++) {
        eti_position dim = eti__flatbuf_vector_table(b, dims, i);
        int64_t least = eti__flatbuf_i64(b, dim, DIM_MIN, 0);
        if (least < 0 || least != eti__flatbuf_i64(b, dim, DIM_MAX, -1) ||
            __builtin_mul_overflow(size, (uint64_t)least, &size))
            return ETI_PAYLOAD_UNKNOWN_SIZE;
    }
    return size > 0 ? size : ETI_PAYLOAD_UNKNOWN_SIZE;
}

static void read_constant(const eti_flatbuf *b, eti_position table, eti_native_constant *out) {
    eti_position meta = eti__flatbuf_table(b, table, NAMED_TENSOR_REF_META);
    eti_position quant = meta ? eti__flatbuf_table(b, meta, TENSOR_META_QUANT) : 0;
    eti_position scales = quant ? eti__flatbuf_union(b, quant, QUANT_SPEC_SCHEME, AFFINE_GROUP) : 0;
    *out = (eti_native_constant){
        .name = eti__flatbuf_text(b, table, NAMED_TENSOR_REF_NAME),
        .keys = {eti__flatbuf_text(b, table, NAMED_TENSOR_REF_DATA_KEY)},
    };
    if (!scales)
        return;
    out->keys[1] = eti__flatbuf_text(b, scales, AFFINE_GROUP_SCALE_DATA_KEY);
    out->keys[2] = eti__flatbuf_text(b, scales, AFFINE_GROUP_ZERO_POINT_DATA_KEY);
}

static bool read_constants(graph_reader *r, eti_arena *arena, eti_vector vector) {
    eti_native_constant *constants = eti__arena_alloc(arena, vector.count, sizeof *constants);
    eti_payload_key *keys =
        eti__arena_alloc(arena, (size_t)vector.count * ETI_NATIVE_MOST_KEYS, sizeof *keys);
    uint32_t n = 0;
    if (!constants || !keys)
        return false;
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position table = eti__flatbuf_vector_table(&r->buffer, vector, i);
        eti_position meta = eti__flatbuf_table(&r->buffer, table, NAMED_TENSOR_REF_META);
        read_constant(&r->buffer, table, &constants[i]);
        for (size_t k = 0; k < ETI_NATIVE_MOST_KEYS; k++) {
            if (constants[i].keys[k].size > 0)
                keys[n++] =
                    (eti_payload_key){constants[i].keys[k], k == 0 ? size_of(&r->buffer, meta)
                                                                   : ETI_PAYLOAD_UNKNOWN_SIZE};
        }
    }
    if (vector.count > 0)
        qsort(constants, vector.count, sizeof *constants, compare_constants);
    r->out->constants = constants;
    r->out->n_constants = vector.count;
    r->out->keys = keys;
    r->out->n_keys = n;
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b) {
    const eti_native_name *x = a, *y = b;
    int order = eti__text_compare(x->name, y->name);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* Lists the names of the nodes and of the values that they return, each once. */
static bool list_names(eti_native *out, eti_arena *arena, size_t n_links) {
    eti_native_name *names = eti__arena_alloc(arena, out->n_nodes + n_links, sizeof *names);
    size_t n = 0;
    if (!names)
        return false;
    for (uint32_t i = 0; i < out->n_nodes; i++) {
        const eti_native_node *node = &out->nodes[i];
        names[n++] = (eti_native_name){node->name, i};
        for (uint32_t k = 0; k < node->n_outputs; k++)
            names[n++] = (eti_native_name){out->links[node->first_link + node->n_inputs + k], i};
    }
    if (n > 0)
        qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 0; i < n; i++) {
        eti_native_name *last = out->n_names > 0 ? &names[out->n_names - 1] : NULL;
        if (!last || !eti__text_equal(last->name, names[i].name))
            names[out->n_names++] = names[i];
        else if (last->node != names[i].node)
            last->node = ETI_NATIVE_NONE;
    }
    out->names = names;
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

eti_status eti__native_read(eti_native *out, eti_arena *arena, eti_text payload, eti_error *err) {
    graph_reader r = {.out = out};
    eti_position root = 0;
    *out = (eti_native){0};
    if (payload.size < 8 || memcmp(payload.data + 4, "NPTG", 4) != 0)
        return eti_fail(err, ETI_ERROR_MALFORMED, "not a payload of the native backend");
    ETI_TRY(eti__flatbuf_find(&r.buffer, (const uint8_t *)payload.data, payload.size, "NPTG", err));
    ETI_TRY(eti__flatbuf_verify(&r.buffer, &program_schema, 1, &root, err));
    eti_vector methods = eti__flatbuf_vector(&r.buffer, root, PROGRAM_METHODS);
    if (methods.count == 0)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the payload has no method");
    eti_position method = eti__flatbuf_vector_table(&r.buffer, methods, 0);
    eti_position graph = eti__flatbuf_table(&r.buffer, method, METHOD_GRAPH);
    if (!graph)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the method of the payload has no graph");
    bool done =
        read_nodes(&r, arena, eti__flatbuf_vector(&r.buffer, graph, GRAPH_NODES)) &&
        read_constants(&r, arena, eti__flatbuf_vector(&r.buffer, method, METHOD_CONSTANTS)) &&
        list_names(out, arena, r.n_links);
    free(r.links);
    return done ? ETI_OK : eti_fail_memory(err);
}

static int compare_name(const void *name, const void *item) {
    return eti__text_compare(*(const eti_text *)name, ((const eti_native_name *)item)->name);
}

uint32_t eti__native_find(const eti_native *payload, eti_text name) {
    const eti_native_name *found =
        payload->n_names > 0
            ? bsearch(&name, payload->names, payload->n_names, sizeof *payload->names, compare_name)
            : NULL;
    return found ? found->node : ETI_NATIVE_NONE;
}

static int compare_constant(const void *name, const void *item) {
    return eti__text_compare(*(const eti_text *)name, ((const eti_native_constant *)item)->name);
}

const eti_native_constant *eti__native_constant_of(const eti_native *payload, eti_text value) {
    return payload->n_constants > 0 ? bsearch(&value, payload->constants, payload->n_constants,
                                              sizeof *payload->constants, compare_constant)
                                    : NULL;
}
