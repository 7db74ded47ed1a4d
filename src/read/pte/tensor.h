/*
 * tensor.h - a tensor as programs, data files and bundles describe it, and how its shape is read.
 */
#ifndef ETI_READ_PTE_TENSOR_H
#define ETI_READ_PTE_TENSOR_H

#include "base/arena.h"
#include "flatbuf/flatbuf.h"

typedef enum eti_pte_dynamism {
    ETI_PTE_STATIC,
    ETI_PTE_UPPER_BOUND, /* sizes are the largest */
    ETI_PTE_UNBOUND,     /* sizes are not known */
} eti_pte_dynamism;

#define ETI_PTE_UNKNOWN_SIZE UINT64_MAX

typedef struct eti_pte_tensor {
    const int32_t *sizes;
    const uint8_t *dim_order; /* n_dims of them, each below n_dims, or NULL */
    uint32_t n_dims;
    int8_t scalar_type; /* ScalarType of the schema; maybe one that it does not know */
    int8_t layout;
    uint8_t dynamism; /* an eti_pte_dynamism */
    bool requires_grad;
    bool is_planned;  /* it has a place in an arena */
    bool is_external; /* its bytes are in a .ptd, by its name; planned too: those it begins with */
    bool has_initial_data; /* planned, and filled from mutable_data[mutable_data] */
    int8_t device_type, device_index;
    int32_t storage_offset;
    uint32_t data_buffer_idx;
    uint32_t memory_id; /* of the arena, an index of arena_sizes */
    uint64_t memory_offset;
    uint64_t mutable_data; /* an index of eti_pte.mutable_data */
    uint64_t
        n_bytes; /* product of sizes and of the type's; ETI_PTE_UNKNOWN_SIZE: unbound, or an unknown type */
    eti_text name; /* fully qualified; absent: none */
} eti_pte_tensor;

/* Sets sizes, dimension order and number of bytes; scalar type and dynamism are set already. ETI_ERROR_MALFORMED: an
 * impossible shape; `*field` and `*wrong` say which field and why. ETI_ERROR_MEMORY. */
eti_status eti__tensor_read_shape(eti_pte_tensor *out, eti_arena *arena, const eti_flatbuf *buffer,
                                  eti_vector sizes, eti_text dim_order, const char **field,
                                  const char **wrong) ETI_WARN_UNUSED;

#endif
