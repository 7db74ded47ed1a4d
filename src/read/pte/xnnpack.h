/*
 * xnnpack.h - reads the nodes in the payload of an XNNPACK delegate: their operations, and the operators they belong to.
 *
 * Weights are never read. The layout is schema/xnnpack.fbs, after a header (little-endian, from the start of the payload),
 * which older payloads lack:
 *
 *      4  "XH00"
 *      8  u16 size of the header       10  u32 offset and 14  u32 size of the FlatBuffer
 *     18  u32 offset and 22  u64 size of the constants
 */
#ifndef ETI_READ_PTE_XNNPACK_H
#define ETI_READ_PTE_XNNPACK_H

#include "base/arena.h"

/* Operation of a node, by the schema's number. */
typedef enum eti_xnnpack_kind {
    ETI_XNNPACK_NONE,
    ETI_XNNPACK_ADD,
    ETI_XNNPACK_FULLY_CONNECTED,
    ETI_XNNPACK_SOFTMAX,
    ETI_XNNPACK_SIGMOID,
    ETI_XNNPACK_STATIC_TRANSPOSE,
    ETI_XNNPACK_CLAMP,
    ETI_XNNPACK_CONV2D,
    ETI_XNNPACK_DIV,
    ETI_XNNPACK_STATIC_RESIZE_BILINEAR_2D,
    ETI_XNNPACK_STATIC_CONSTANT_PAD,
    ETI_XNNPACK_AVG_POOLING_2D,
    ETI_XNNPACK_MINIMUM,
    ETI_XNNPACK_DEPTHWISE_CONV2D,
    ETI_XNNPACK_MAX_POOLING_2D,
    ETI_XNNPACK_MULTIPLY,
    ETI_XNNPACK_SUBTRACT,
    ETI_XNNPACK_FLOOR,
    ETI_XNNPACK_CONVERT,
    ETI_XNNPACK_GLOBAL_AVG_POOLING_2D,
    ETI_XNNPACK_STATIC_RESHAPE,
    ETI_XNNPACK_ARG_MAX_POOLING_2D,
    ETI_XNNPACK_SQUARE_ROOT,
    ETI_XNNPACK_CEILING,
    ETI_XNNPACK_HARDSWISH,
    ETI_XNNPACK_LEAKY_RELU,
    ETI_XNNPACK_MAXIMUM,
    ETI_XNNPACK_NEGATE,
    ETI_XNNPACK_SQUARE,
    ETI_XNNPACK_ELU,
    ETI_XNNPACK_ABS,
    ETI_XNNPACK_PRELU,
    ETI_XNNPACK_CONCATENATE_2,
    ETI_XNNPACK_CONCATENATE_3,
    ETI_XNNPACK_CONCATENATE_4,
    ETI_XNNPACK_STATIC_SLICE,
    ETI_XNNPACK_SCALED_DOT_PRODUCT_ATTENTION,
    ETI_XNNPACK_BATCH_MATRIX_MULTIPLY,
    ETI_XNNPACK_CONCATENATE_5,
    ETI_XNNPACK_CONV_TRANSPOSE_2D,
    ETI_XNNPACK_RECIPROCAL_SQUARE_ROOT,
    ETI_XNNPACK_LOG,
    ETI_XNNPACK_GELU,
    ETI_XNNPACK_TANH,
    ETI_XNNPACK_EXP,
    ETI_XNNPACK_SIN,
    ETI_XNNPACK_COPY,
    ETI_XNNPACK_COS,
    ETI_XNNPACK_N_KINDS,
} eti_xnnpack_kind;

#define ETI_XNNPACK_MOST_INPUTS 5

typedef struct eti_xnnpack_node {
    uint8_t kind;    /* an eti_xnnpack_kind; ETI_XNNPACK_NONE if unknown */
    bool has_limits; /* has output_min_max: its output is clamped */
    bool has_handle; /* false if no node of the payload has one */
    bool
        is_inserted; /* without a handle of its own: lowering inserted it, and its handle is a neighbour's */
    uint8_t output_bits; /* bits of each number in the output: 8, 16 or 32; 0 if unknown */
    uint8_t n_inputs;
    uint32_t debug_handle;
    uint32_t handle_from; /* the node that the handle belongs to: this one unless it was inserted */
    uint32_t inputs[ETI_XNNPACK_MOST_INPUTS]; /* ids of values */
    uint32_t output;                          /* id of a value */
    uint32_t bias; /* id of a value; ETI_XNNPACK_NO_VALUE if the operation has none */
} eti_xnnpack_node;

#define ETI_XNNPACK_NO_VALUE UINT32_MAX

/* The name of weights stored outside the payload. */
typedef struct eti_xnnpack_key {
    eti_text name;
    uint64_t n_bytes; /* ETI_XNNPACK_UNKNOWN_SIZE if the payload does not contain it */
} eti_xnnpack_key;

#define ETI_XNNPACK_UNKNOWN_SIZE UINT64_MAX

/* The weights of a value that are stored outside the payload. */
typedef struct eti_xnnpack_value {
    uint32_t numbers, scales; /* indices into the keys; ETI_XNNPACK_NO_KEY if there are none */
} eti_xnnpack_value;

#define ETI_XNNPACK_NO_KEY UINT32_MAX

typedef struct eti_xnnpack {
    const eti_xnnpack_node *nodes; /* in execution order */
    uint32_t n_nodes;
    const eti_xnnpack_key *keys;
    uint32_t n_keys;
    const eti_xnnpack_value *values; /* by id; a node may name ids of n_values or more */
    uint32_t n_values;
} eti_xnnpack;

/* Returns whether a delegate with this identifier ("XnnpackBackend") has such payloads. */
bool eti__is_xnnpack(eti_text backend);

/* Reads a payload into the arena. A node without a handle gets that of the next node with one, or else that of the
 * previous one; a concatenation that continues the one before it, because that has too many inputs, gets its handle. ETI_ERROR_MALFORMED with the reason: not a payload of XNNPACK, or damaged; ETI_ERROR_LIMIT;
 * ETI_ERROR_MEMORY. */
eti_status eti__xnnpack_read(eti_xnnpack *out, eti_arena *arena, eti_text payload,
                             eti_error *err) ETI_WARN_UNUSED;

#endif
