/*
 * xnnpack_graph.h - the nodes of an XNNPACK delegate, as xnnpack.h reads them.
 */
#ifndef ETI_BACKENDS_XNNPACK_GRAPH_H
#define ETI_BACKENDS_XNNPACK_GRAPH_H

#include "etinspect.h"

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

/* How a node that lowering inserted changes the form of a tensor. */
typedef enum eti_xnnpack_change {
    ETI_XNNPACK_OTHER_CHANGE,
    ETI_XNNPACK_INTO,   /* into the form that a later node needs: quantized, channels last */
    ETI_XNNPACK_OUT_OF, /* out of the form that an earlier node produces */
} eti_xnnpack_change;

/* Largest number of owners of a node; of more users, the first ones are listed. */
#define ETI_XNNPACK_MOST_OWNERS 16

typedef struct eti_xnnpack_node {
    uint8_t kind;    /* an eti_xnnpack_kind; ETI_XNNPACK_NONE if unknown */
    bool has_limits; /* has output_min_max: its output is clamped */
    bool has_handle; /* false if no node of the payload has one */
    bool
        is_inserted; /* without a handle of its own: lowering inserted it, and its handle is an owner's */
    /* no other nodes come into question as its owners; true for a node that was not inserted */
    bool is_owner_sure;
    uint8_t change;      /* an eti_xnnpack_change; only of inserted nodes */
    uint8_t output_bits; /* bits of each number in the output: 8, 16 or 32; 0 if unknown */
    uint8_t n_inputs;
    uint32_t debug_handle; /* the handle of the first owner */
    /* Range in the payload's owners: the nodes that it belongs to, with different handles of their own; see
     * xnnpack_owners.h. None if it was not inserted, or if no node has a handle. */
    uint32_t first_owner, n_owners;
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
    const uint32_t *owners; /* indices into the nodes; each node's owners are ascending */
    const eti_xnnpack_key *keys;
    uint32_t n_keys;
    const eti_xnnpack_value *values; /* by id; a node may name ids of n_values or more */
    uint32_t n_values;
} eti_xnnpack;

/* Returns whether a node of this kind only copies numbers, possibly to other places or in another type. */
static inline bool eti__xnnpack_kind_moves(uint8_t kind) {
    return kind == ETI_XNNPACK_STATIC_TRANSPOSE || kind == ETI_XNNPACK_CONVERT ||
           kind == ETI_XNNPACK_STATIC_RESHAPE || kind == ETI_XNNPACK_COPY;
}

#endif
