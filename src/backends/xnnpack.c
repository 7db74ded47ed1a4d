#include "backends/xnnpack.h"

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"
#include "flatbuf/flatbuf.h"

#include "backends/xnnpack_schema.inc"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== xnnpack owners ========================================================================== */

#define NO_NODE UINT32_MAX
/* Number of value identifiers per node, and for all nodes, up to which values are known. */
#define VALUES_PER_NODE 8u
#define FEW_VALUES 1024u

/* Nodes with handles, ascending. */
typedef struct node_list {
    uint32_t nodes[ETI_XNNPACK_MOST_OWNERS];
    uint32_t n;
    bool is_used_directly; /* a node with a handle uses the value without a change of its form */
    bool is_cut;           /* there are more nodes */
} node_list;

typedef struct finder {
    eti_xnnpack_node *nodes;
    uint32_t n;
    size_t n_values;     /* ids of this number or more are unknown */
    node_list *users;    /* per value: nodes that use it, among those visited so far */
    uint32_t *producers; /* per value: the last node visited so far that produces it */
    /* per node: the nearest node with a handle on the path from which its first input comes */
    uint32_t *origins;
    uint32_t *owners;
    size_t n_owners, capacity;
} finder;

/* ---- kinds ----------------------------------------------------------------------------------- */

static bool concatenates(const eti_xnnpack_node *node) {
    return node->kind == ETI_XNNPACK_CONCATENATE_2 || node->kind == ETI_XNNPACK_CONCATENATE_3 ||
           node->kind == ETI_XNNPACK_CONCATENATE_4 || node->kind == ETI_XNNPACK_CONCATENATE_5;
}

/* Returns whether a node adds inputs to the concatenation before it, which has too many for one node. */
static bool continues(const eti_xnnpack_node *nodes, uint32_t number) {
    const eti_xnnpack_node *node = &nodes[number];
    if (number == 0 || !concatenates(node) || !concatenates(node - 1))
        return false;
    for (size_t i = 0; i < node->n_inputs; i++) {
        if (node->inputs[i] == node[-1].output)
            return true;
    }
    return false;
}

/* ---- data flow ------------------------------------------------------------------------------- */

static void find_origins(finder *f) {
    for (uint32_t i = 0; i < f->n; i++) {
        const eti_xnnpack_node *node = &f->nodes[i];
        bool has_input = node->n_inputs > 0 && node->inputs[0] < f->n_values;
        uint32_t producer = continues(f->nodes, i) ? i - 1
                            : has_input            ? f->producers[node->inputs[0]]
                                                   : NO_NODE;
        bool is_path = producer != NO_NODE && f->nodes[producer].is_inserted;
        f->origins[i] = is_path ? f->origins[producer] : producer;
        if (node->n_inputs > 0 && node->output < f->n_values)
            f->producers[node->output] = i;
    }
}

/* Adds a node to a list, which keeps the earliest ones if it is full. */
static void add_node(node_list *list, uint32_t node) {
    uint32_t at = list->n;
    while (at > 0 && list->nodes[at - 1] > node)
        at--;
    if (at > 0 && list->nodes[at - 1] == node)
        return;
    list->is_cut = list->is_cut || list->n == ETI_XNNPACK_MOST_OWNERS;
    if (at == ETI_XNNPACK_MOST_OWNERS)
        return;
    uint32_t n_kept = list->n < ETI_XNNPACK_MOST_OWNERS ? list->n : ETI_XNNPACK_MOST_OWNERS - 1;
    memmove(list->nodes + at + 1, list->nodes + at, (n_kept - at) * sizeof *list->nodes);
    list->nodes[at] = node;
    list->n = n_kept + 1;
}

/* Adds a node, or the users of an inserted node, to the users of a value. */
static void add_users(const finder *f, uint32_t value, uint32_t node, const node_list *users) {
    if (value >= f->n_values)
        return;
    node_list *list = &f->users[value];
    if (!f->nodes[node].is_inserted) {
        add_node(list, node);
        list->is_used_directly = true;
    }
    list->is_cut = list->is_cut || users->is_cut;
    for (uint32_t i = 0; i < users->n; i++)
        add_node(list, users->nodes[i]);
}

/* ---- owners ---------------------------------------------------------------------------------- */

/* Adds an owner; one of several owners with the same handle is enough. */
static bool add_owner(finder *f, eti_xnnpack_node *node, uint32_t owner) {
    for (uint32_t i = 0; i < node->n_owners; i++) {
        if (f->nodes[f->owners[node->first_owner + i]].debug_handle == f->nodes[owner].debug_handle)
            return true;
    }
    if (!ETI_GROW(f->owners, f->capacity, f->n_owners + 1))
        return false;
    if (node->n_owners == 0) {
        node->first_owner = (uint32_t)f->n_owners;
        node->debug_handle = f->nodes[owner].debug_handle;
        node->has_handle = true;
    }
    node->n_owners++;
    f->owners[f->n_owners++] = owner;
    return true;
}

/* Finds the owners of an inserted node. A node that computes and has lost its handle may be part of the operators on
 * either side; and nodes with handles that use the channels of a value in the order of the model may be the cause of that
 * order. */
static bool own_inserted(finder *f, uint32_t i, const node_list *users) {
    eti_xnnpack_node *node = &f->nodes[i];
    uint32_t origin = f->origins[i];
    bool moves = eti__xnnpack_kind_moves(node->kind);
    bool is_continued = origin != NO_NODE && continues(f->nodes, i);
    bool is_for_users = !is_continued && (node->change == ETI_XNNPACK_INTO || !moves);
    bool has_both = origin != NO_NODE && users->n > 0;
    bool is_ambiguous = node->change == ETI_XNNPACK_OTHER_CHANGE ||
                        (node->kind == ETI_XNNPACK_STATIC_TRANSPOSE &&
                         node->change == ETI_XNNPACK_OUT_OF && users->is_used_directly);
    bool is_known = origin != NO_NODE || users->n > 0;
    node->is_owner_sure =
        is_continued || (is_known && moves && !users->is_cut && !(has_both && is_ambiguous));
    if (origin != NO_NODE && (!is_for_users || users->n == 0))
        return add_owner(f, node, origin);
    for (uint32_t k = 0; k < users->n; k++) {
        if (!add_owner(f, node, users->nodes[k]))
            return false;
    }
    return true;
}

/* Goes from the last node to the first, so that all users of a value are visited before its producer. */
static bool own_by_flow(finder *f) {
    for (uint32_t i = f->n; i-- > 0;) {
        eti_xnnpack_node *node = &f->nodes[i];
        node_list users = {.n = 0};
        if (node->is_inserted && node->n_inputs > 0 && node->output < f->n_values)
            users = f->users[node->output];
        for (uint32_t k = 0; k < node->n_inputs; k++)
            add_users(f, node->inputs[k], i, &users);
        if (node->is_inserted && !own_inserted(f, i, &users))
            return false;
    }
    return true;
}

/* Gives the nodes without an owner that of the next node or, after the last node with a handle, of the previous one. */
static bool own_by_order(finder *f) {
    uint32_t nearest = NO_NODE;
    for (uint32_t i = f->n; i-- > 0;) {
        eti_xnnpack_node *node = &f->nodes[i];
        nearest = node->is_inserted ? nearest : i;
        if (!node->has_handle && nearest != NO_NODE && !add_owner(f, node, nearest))
            return false;
    }
    for (uint32_t i = 0; i < f->n; i++) {
        eti_xnnpack_node *node = &f->nodes[i];
        nearest = node->is_inserted ? nearest : i;
        if (!node->has_handle && nearest != NO_NODE && !add_owner(f, node, nearest))
            return false;
    }
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool has_inserted(const finder *f) {
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->nodes[i].is_inserted)
            return true;
    }
    return false;
}

static size_t count_values(const finder *f) {
    size_t n = 0, most = (size_t)f->n * VALUES_PER_NODE + FEW_VALUES;
    for (uint32_t i = 0; i < f->n; i++) {
        const eti_xnnpack_node *node = &f->nodes[i];
        for (uint32_t k = 0; k < node->n_inputs; k++)
            n = node->inputs[k] >= n && node->inputs[k] < most ? node->inputs[k] + (size_t)1 : n;
        n = node->output >= n && node->output < most ? node->output + (size_t)1 : n;
    }
    return n;
}

static bool find(finder *f) {
    f->n_values = count_values(f);
    f->users = calloc(f->n_values + 1, sizeof *f->users);
    f->producers = malloc((f->n_values + 1) * sizeof *f->producers);
    f->origins = malloc(((size_t)f->n + 1) * sizeof *f->origins);
    if (!f->users || !f->producers || !f->origins)
        return false;
    memset(f->producers, 0xff, f->n_values * sizeof *f->producers);
    find_origins(f);
    return own_by_flow(f) && own_by_order(f);
}

/* Copies the owners into the arena. */
static bool keep_owners(const finder *f, eti_arena *arena, const uint32_t **out) {
    uint32_t *owners = eti__arena_alloc(arena, f->n_owners + 1, sizeof *owners);
    if (owners && f->n_owners > 0)
        memcpy(owners, f->owners, f->n_owners * sizeof *owners);
    *out = owners;
    return owners != NULL;
}

bool eti__xnnpack_find_owners(eti_xnnpack_node *nodes, uint32_t n, eti_arena *arena,
                              const uint32_t **owners) {
    finder f = {.nodes = nodes, .n = n};
    bool done = (!has_inserted(&f) || find(&f)) && keep_owners(&f, arena, owners);
    free(f.users);
    free(f.producers);
    free(f.origins);
    free(f.owners);
    return done;
}

/* ==== xnnpack ================================================================================= */

/* Offsets in the header, and its smallest size. */
#define GRAPH_OFFSET_AT 10u
#define GRAPH_SIZE_AT 14u
#define HEADER_LEAST 30u

/* Handles of nodes that lowering inserted. */
#define NO_HANDLE_16 65535u
#define NO_HANDLE_32 UINT32_MAX

/* ---- fields of the kinds --------------------------------------------------------------------- */

/* Fields of the values that a node takes and returns. */
typedef struct node_fields {
    uint8_t n_inputs;
    uint8_t inputs[ETI_XNNPACK_MOST_INPUTS];
    uint8_t output;
    uint8_t bias; /* 0: none, for it is never the first field */
} node_fields;

#define UNARY                                                                                      \
    { 1, {XNN_NODE1X1_INPUT_ID}, XNN_NODE1X1_OUTPUT_ID, 0 }
#define BINARY                                                                                     \
    { 2, {XNN_NODE2X1_INPUT1_ID, XNN_NODE2X1_INPUT2_ID}, XNN_NODE2X1_OUTPUT_ID, 0 }
#define CONVOLUTION                                                                                \
    {                                                                                              \
        2, {XNN_NODE_CONV_INPUT1_ID, XNN_NODE_CONV_FILTER_ID}, XNN_NODE_CONV_OUTPUT_ID,            \
            XNN_NODE_CONV_BIAS_ID                                                                  \
    }
#define POOLING                                                                                    \
    { 1, {XNN_POOLING2_D_INPUT_ID}, XNN_POOLING2_D_OUTPUT_ID, 0 }
#define CONCATENATE(n)                                                                             \
    {                                                                                              \
        n,                                                                                         \
            {XNN_CAT_INPUT1_ID, XNN_CAT_INPUT2_ID, XNN_CAT_INPUT3_ID, XNN_CAT_INPUT4_ID,           \
             XNN_CAT_INPUT5_ID},                                                                   \
            XNN_CAT_OUTPUT_ID, 0                                                                   \
    }

static const node_fields fields_of[ETI_XNNPACK_N_KINDS] = {
    [ETI_XNNPACK_ADD] = BINARY,
    [ETI_XNNPACK_FULLY_CONNECTED] = {2,
                                     {XNN_FULLY_CONNECTED_INPUT1_ID, XNN_FULLY_CONNECTED_FILTER_ID},
                                     XNN_FULLY_CONNECTED_OUTPUT_ID,
                                     XNN_FULLY_CONNECTED_BIAS_ID},
    [ETI_XNNPACK_SOFTMAX] = UNARY,
    [ETI_XNNPACK_SIGMOID] = UNARY,
    [ETI_XNNPACK_STATIC_TRANSPOSE] = {1,
                                      {XNN_STATIC_TRANSPOSE_INPUT_ID},
                                      XNN_STATIC_TRANSPOSE_OUTPUT_ID,
                                      0},
    [ETI_XNNPACK_CLAMP] = UNARY,
    [ETI_XNNPACK_CONV2D] = CONVOLUTION,
    [ETI_XNNPACK_DIV] = BINARY,
    [ETI_XNNPACK_STATIC_RESIZE_BILINEAR_2D] = {1,
                                               {XNN_STATIC_RESIZE_BILINEAR2_D_INPUT_ID},
                                               XNN_STATIC_RESIZE_BILINEAR2_D_OUTPUT_ID,
                                               0},
    [ETI_XNNPACK_STATIC_CONSTANT_PAD] = {1,
                                         {XNN_STATIC_CONSTANT_PAD_INPUT_ID},
                                         XNN_STATIC_CONSTANT_PAD_OUTPUT_ID,
                                         0},
    [ETI_XNNPACK_AVG_POOLING_2D] = POOLING,
    [ETI_XNNPACK_MINIMUM] = BINARY,
    [ETI_XNNPACK_DEPTHWISE_CONV2D] = CONVOLUTION,
    [ETI_XNNPACK_MAX_POOLING_2D] = POOLING,
    [ETI_XNNPACK_MULTIPLY] = BINARY,
    [ETI_XNNPACK_SUBTRACT] = BINARY,
    [ETI_XNNPACK_FLOOR] = UNARY,
    [ETI_XNNPACK_CONVERT] = UNARY,
    [ETI_XNNPACK_GLOBAL_AVG_POOLING_2D] = UNARY,
    [ETI_XNNPACK_STATIC_RESHAPE] = {1,
                                    {XNN_STATIC_RESHAPE_INPUT_ID},
                                    XNN_STATIC_RESHAPE_OUTPUT_ID,
                                    0},
    [ETI_XNNPACK_ARG_MAX_POOLING_2D] = {1,
                                        {XNN_ARG_MAX_POOLING2D_INPUT_ID},
                                        XNN_ARG_MAX_POOLING2D_OUTPUT_VALUE_ID,
                                        0},
    [ETI_XNNPACK_SQUARE_ROOT] = UNARY,
    [ETI_XNNPACK_CEILING] = UNARY,
    [ETI_XNNPACK_HARDSWISH] = UNARY,
    [ETI_XNNPACK_LEAKY_RELU] = {1, {XNN_LEAKY_RE_LU_INPUT_ID}, XNN_LEAKY_RE_LU_OUTPUT_ID, 0},
    [ETI_XNNPACK_MAXIMUM] = BINARY,
    [ETI_XNNPACK_NEGATE] = UNARY,
    [ETI_XNNPACK_SQUARE] = UNARY,
    [ETI_XNNPACK_ELU] = {1, {XNNELU_INPUT_ID}, XNNELU_OUTPUT_ID, 0},
    [ETI_XNNPACK_ABS] = UNARY,
    [ETI_XNNPACK_PRELU] = BINARY,
    [ETI_XNNPACK_CONCATENATE_2] = CONCATENATE(2),
    [ETI_XNNPACK_CONCATENATE_3] = CONCATENATE(3),
    [ETI_XNNPACK_CONCATENATE_4] = CONCATENATE(4),
    [ETI_XNNPACK_STATIC_SLICE] = {1, {XNN_STATIC_SLICE_INPUT_ID}, XNN_STATIC_SLICE_OUTPUT_ID, 0},
    [ETI_XNNPACK_SCALED_DOT_PRODUCT_ATTENTION] = {5,
                                                  {XNN_SCALED_DOT_PRODUCT_ATTENTION_QUERY_ID,
                                                   XNN_SCALED_DOT_PRODUCT_ATTENTION_KEY_ID,
                                                   XNN_SCALED_DOT_PRODUCT_ATTENTION_VALUE_ID,
                                                   XNN_SCALED_DOT_PRODUCT_ATTENTION_SCALE_ID,
                                                   XNN_SCALED_DOT_PRODUCT_ATTENTION_MASK_ID},
                                                  XNN_SCALED_DOT_PRODUCT_ATTENTION_OUTPUT_ID,
                                                  0},
    [ETI_XNNPACK_BATCH_MATRIX_MULTIPLY] = BINARY,
    [ETI_XNNPACK_CONCATENATE_5] = CONCATENATE(5),
    [ETI_XNNPACK_CONV_TRANSPOSE_2D] = CONVOLUTION,
    [ETI_XNNPACK_RECIPROCAL_SQUARE_ROOT] = UNARY,
    [ETI_XNNPACK_LOG] = UNARY,
    [ETI_XNNPACK_GELU] = UNARY,
    [ETI_XNNPACK_TANH] = UNARY,
    [ETI_XNNPACK_EXP] = UNARY,
    [ETI_XNNPACK_SIN] = UNARY,
    [ETI_XNNPACK_COPY] = UNARY,
    [ETI_XNNPACK_COS] = UNARY,
};

bool eti__is_xnnpack(eti_text backend) {
    return eti__backend_of_id(backend) == ETI_BACKEND_XNNPACK;
}

/* ---- the container --------------------------------------------------------------------------- */

static bool has_identifier(eti_text payload, const char *identifier) {
    return payload.size >= 8 && memcmp(payload.data + 4, identifier, 4) == 0;
}

/* Reduces the payload to its FlatBuffer. */
static eti_status cut_graph(eti_text *payload, eti_error *err) {
    const eti_flatbuf bytes = {.data = (const uint8_t *)payload->data};
    if (!has_identifier(*payload, "XH00"))
        return ETI_OK;
    if (payload->size < HEADER_LEAST)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "the payload has %zu bytes, too few for its header", payload->size);
    uint32_t offset = eti__flatbuf_load_u32(&bytes, GRAPH_OFFSET_AT);
    uint32_t size = eti__flatbuf_load_u32(&bytes, GRAPH_SIZE_AT);
    if (offset > payload->size || size > payload->size - offset)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "according to the payload's header, its graph has %" PRIu32
                        " bytes at byte %" PRIu32 ", but the payload has %zu",
                        size, offset, payload->size);
    *payload = (eti_text){payload->data + offset, size};
    return ETI_OK;
}

static eti_status find_graph(eti_flatbuf *out, eti_text payload, eti_error *err) {
    ETI_TRY(cut_graph(&payload, err));
    const char *identifier = has_identifier(payload, "XN00") ? "XN00" : "XN01";
    if (!has_identifier(payload, identifier))
        return eti_fail(err, ETI_ERROR_MALFORMED, "not a payload of XNNPACK");
    return eti__flatbuf_find(out, (const uint8_t *)payload.data, payload.size, identifier, err);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns the bits of a number, by the schema's number of its datatype; 0 if unknown or less than a byte. */
static uint8_t bits_of(int16_t datatype) {
    static const uint8_t bits[] = {0, 32, 16, 8, 8, 32, 8, 32, 0, 8, 0, 8, 32, 32, 16};
    return datatype >= 0 && (size_t)datatype < sizeof bits ? bits[datatype] : 0;
}

/* Reads the values of a graph. */
typedef struct value_reader {
    const eti_flatbuf *buffer;
    uint8_t *bits;            /* by id; 0 if unknown */
    uint32_t *ranks;          /* by id: number of dimensions; 0 if unknown */
    eti_xnnpack_value *named; /* by id */
    const uint32_t *keys;     /* by number of the constant: its key, or ETI_XNNPACK_NO_KEY */
    uint32_t n_constants, n;
} value_reader;

/* Returns the key of a constant; number 0 means that there is none. */
static uint32_t key_of(const value_reader *r, uint32_t constant) {
    return constant > 0 && constant < r->n_constants ? r->keys[constant] : ETI_XNNPACK_NO_KEY;
}

/* Returns the number of the constant with the scales of a quantized value; 0 if there is none. */
static uint32_t scales_of(const eti_flatbuf *buffer, eti_position quantized) {
    enum { PER_CHANNEL = 1, PER_CHANNEL_GROUP = 4 };
    eti_position per_channel =
        eti__flatbuf_union(buffer, quantized, XNN_QUANTIZED_TENSOR_VALUE_QUANT_PARAMS, PER_CHANNEL);
    eti_position per_group = eti__flatbuf_union(
        buffer, quantized, XNN_QUANTIZED_TENSOR_VALUE_QUANT_PARAMS, PER_CHANNEL_GROUP);
    if (per_channel)
        return eti__flatbuf_u32(buffer, per_channel, PER_CHANNEL_QUANT_SCALE_BUFFER_IDX, 0);
    return per_group
               ? eti__flatbuf_u32(buffer, per_group, PER_CHANNEL_GROUP_QUANT_SCALE_BUFFER_IDX, 0)
               : 0;
}

static void read_value(const value_reader *r, eti_position value) {
    enum { TENSOR = 1, QUANTIZED = 2 };
    const eti_flatbuf *buffer = r->buffer;
    eti_position tensor = eti__flatbuf_union(buffer, value, X_VALUE_XVALUE_UNION, TENSOR);
    eti_position quantized = eti__flatbuf_union(buffer, value, X_VALUE_XVALUE_UNION, QUANTIZED);
    if (quantized)
        tensor = eti__flatbuf_table(buffer, quantized, XNN_QUANTIZED_TENSOR_VALUE_TENSOR_VALUE);
    uint32_t id = tensor ? eti__flatbuf_u32(buffer, tensor, XNN_TENSOR_VALUE_ID_OUT, 0) : 0;
    if (!tensor || id >= r->n)
        return;
    r->bits[id] = bits_of(eti__flatbuf_i16(buffer, tensor, XNN_TENSOR_VALUE_DATATYPE, 0));
    r->ranks[id] = eti__flatbuf_u32(buffer, tensor, XNN_TENSOR_VALUE_NUM_DIMS, 0);
    r->named[id] = (eti_xnnpack_value){
        key_of(r, eti__flatbuf_u32(buffer, tensor, XNN_TENSOR_VALUE_CONSTANT_BUFFER_IDX, 0)),
        key_of(r, quantized ? scales_of(buffer, quantized) : 0)};
}

/* Reads the values; those whose ids are not below their number remain unknown. */
static eti_status read_values(value_reader *r, eti_xnnpack *out, eti_arena *arena,
                              eti_vector values, eti_error *err) {
    r->n = values.count;
    r->bits = eti__arena_alloc_zero(arena, (size_t)values.count + 1, sizeof *r->bits);
    r->ranks = eti__arena_alloc_zero(arena, (size_t)values.count + 1, sizeof *r->ranks);
    r->named = eti__arena_alloc(arena, values.count, sizeof *r->named);
    if (!r->bits || !r->ranks || !r->named)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < values.count; i++)
        r->named[i] = (eti_xnnpack_value){ETI_XNNPACK_NO_KEY, ETI_XNNPACK_NO_KEY};
    for (uint32_t i = 0; i < values.count; i++)
        read_value(r, eti__flatbuf_vector_table(r->buffer, values, i));
    out->values = r->named;
    out->n_values = values.count;
    return ETI_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void read_node(const eti_flatbuf *buffer, eti_position table, eti_xnnpack_node *out) {
    uint8_t kind = eti__flatbuf_u8(buffer, table, X_NODE_XNODE_UNION_TYPE, 0);
    uint32_t handle = eti__flatbuf_u32(buffer, table, X_NODE_DEBUG_HANDLE, 0);
    *out = (eti_xnnpack_node){
        .debug_handle = handle,
        .has_handle = handle != 0 && handle != NO_HANDLE_16 && handle != NO_HANDLE_32,
        .has_limits = eti__flatbuf_table(buffer, table, X_NODE_OUTPUT_MIN_MAX) != 0,
        .bias = ETI_XNNPACK_NO_VALUE,
    };
    out->is_inserted = !out->has_handle;
    out->is_owner_sure = out->has_handle;
    eti_position node = kind > ETI_XNNPACK_NONE && kind < ETI_XNNPACK_N_KINDS
                            ? eti__flatbuf_union(buffer, table, X_NODE_XNODE_UNION, kind)
                            : 0;
    if (!node)
        return;
    const node_fields *fields = &fields_of[kind];
    out->kind = kind;
    out->n_inputs = fields->n_inputs;
    for (size_t i = 0; i < fields->n_inputs; i++)
        out->inputs[i] = eti__flatbuf_u32(buffer, node, fields->inputs[i], 0);
    out->output = eti__flatbuf_u32(buffer, node, fields->output, 0);
    if (fields->bias > 0)
        out->bias = eti__flatbuf_u32(buffer, node, fields->bias, 0);
}

/* ---- changes --------------------------------------------------------------------------------- */

/* Returns whether a transposition has these four dimensions. */
static bool permutes(const eti_flatbuf *buffer, eti_position node, const int32_t *order) {
    eti_vector permutation = eti__flatbuf_vector(buffer, node, XNN_STATIC_TRANSPOSE_PERM);
    bool is_equal = permutation.count == 4;
    for (uint32_t i = 0; i < 4 && is_equal; i++)
        is_equal = eti__flatbuf_vector_i32(buffer, permutation, i) == order[i];
    return is_equal;
}

static eti_xnnpack_change compare_forms(uint32_t output, uint32_t input) {
    if (output == 0 || input == 0 || output == input)
        return ETI_XNNPACK_OTHER_CHANGE;
    return output > input ? ETI_XNNPACK_INTO : ETI_XNNPACK_OUT_OF;
}

/* Finds the change that a node makes: a quantized number has fewer bits, and a convolution in one dimension runs as one in
 * two. */
static eti_xnnpack_change change_of(const value_reader *r, eti_position table,
                                    const eti_xnnpack_node *node) {
    static const int32_t channels_last[] = {0, 2, 3, 1}, channels_first[] = {0, 3, 1, 2};
    if (node->n_inputs == 0 || node->inputs[0] >= r->n || node->output >= r->n)
        return ETI_XNNPACK_OTHER_CHANGE;
    uint32_t input = node->inputs[0], output = node->output;
    eti_position inner = eti__flatbuf_union(r->buffer, table, X_NODE_XNODE_UNION, node->kind);
    switch (node->kind) {
    case ETI_XNNPACK_CONVERT:
        return compare_forms(r->bits[input], r->bits[output]);
    case ETI_XNNPACK_STATIC_RESHAPE:
        return compare_forms(r->ranks[output], r->ranks[input]);
    case ETI_XNNPACK_STATIC_TRANSPOSE:
        return permutes(r->buffer, inner, channels_last)    ? ETI_XNNPACK_INTO
               : permutes(r->buffer, inner, channels_first) ? ETI_XNNPACK_OUT_OF
                                                            : ETI_XNNPACK_OTHER_CHANGE;
    default:
        return ETI_XNNPACK_OTHER_CHANGE;
    }
}

static eti_status read_nodes(const value_reader *r, eti_xnnpack *out, eti_arena *arena,
                             eti_vector vector, eti_error *err) {
    eti_xnnpack_node *nodes = eti__arena_alloc(arena, vector.count, sizeof *nodes);
    if (!nodes)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position table = eti__flatbuf_vector_table(r->buffer, vector, i);
        read_node(r->buffer, table, &nodes[i]);
        if (nodes[i].n_inputs > 0 && nodes[i].output < r->n)
            nodes[i].output_bits = r->bits[nodes[i].output];
        if (nodes[i].is_inserted)
            nodes[i].change = (uint8_t)change_of(r, table, &nodes[i]);
    }
    out->nodes = nodes;
    out->n_nodes = vector.count;
    return eti__xnnpack_find_owners(nodes, vector.count, arena, &out->owners)
               ? ETI_OK
               : eti_fail_memory(err);
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Reads the names of constants, which values refer to by number. */
static eti_status read_keys(value_reader *r, eti_xnnpack *out, eti_arena *arena,
                            eti_vector constants, eti_error *err) {
    eti_payload_key *keys = eti__arena_alloc(arena, constants.count, sizeof *keys);
    uint32_t *numbers = eti__arena_alloc(arena, constants.count, sizeof *numbers);
    if (!keys || !numbers)
        return eti_fail_memory(err);
    out->keys = keys;
    r->keys = numbers;
    r->n_constants = constants.count;
    for (uint32_t i = 0; i < constants.count; i++) {
        eti_position table = eti__flatbuf_vector_table(r->buffer, constants, i);
        eti_text name = eti__flatbuf_text(r->buffer, table, CONSTANT_DATA_OFFSET_NAMED_KEY);
        uint64_t size = eti__flatbuf_u64(r->buffer, table, CONSTANT_DATA_OFFSET_SIZE, 0);
        numbers[i] = name.size > 0 ? out->n_keys : ETI_XNNPACK_NO_KEY;
        if (name.size > 0)
            keys[out->n_keys++] =
                (eti_payload_key){name, size > 0 ? size : ETI_PAYLOAD_UNKNOWN_SIZE};
    }
    return ETI_OK;
}

eti_status eti__xnnpack_read(eti_xnnpack *out, eti_arena *arena, eti_text payload, eti_error *err) {
    eti_flatbuf buffer;
    eti_position root = 0;
    value_reader r = {.buffer = &buffer};
    *out = (eti_xnnpack){0};
    ETI_TRY(find_graph(&buffer, payload, err));
    ETI_TRY(eti__flatbuf_verify(&buffer, &xnn_graph_schema, 1, &root, err));
    eti_vector constants = eti__flatbuf_vector(&buffer, root, XNN_GRAPH_CONSTANT_DATA);
    eti_vector values = eti__flatbuf_vector(&buffer, root, XNN_GRAPH_XVALUES);
    eti_vector vector = eti__flatbuf_vector(&buffer, root, XNN_GRAPH_XNODES);
    ETI_TRY(read_keys(&r, out, arena, constants, err));
    ETI_TRY(read_values(&r, out, arena, values, err));
    return read_nodes(&r, out, arena, vector, err);
}
