/*
 * tensor.h - a tensor as described in programs, data files and bundles, and the reading of its shape.
 */
#ifndef ETI_PTE_TENSOR_H
#define ETI_PTE_TENSOR_H

#include "base/arena.h"
#include "flatbuf/flatbuf.h"

typedef enum eti_pte_dynamism {
    ETI_PTE_STATIC,
    ETI_PTE_UPPER_BOUND, /* sizes are upper bounds */
    ETI_PTE_UNBOUND,     /* sizes are unknown */
} eti_pte_dynamism;

#define ETI_PTE_UNKNOWN_SIZE UINT64_MAX

typedef struct eti_pte_tensor {
    const int32_t *sizes;
    const uint8_t *dim_order; /* n_dims of them, each below n_dims; or NULL */
    uint32_t n_dims;
    int8_t scalar_type; /* number of the schema's ScalarType, possibly an unknown one */
    int8_t layout;
    uint8_t dynamism; /* an eti_pte_dynamism */
    bool requires_grad;
    bool is_planned; /* has a place in an arena */
    bool
        is_external; /* its bytes are in a .ptd under its name; if it is planned, they are its initial bytes */
    bool has_initial_data; /* is planned, and filled from mutable_data[mutable_data] */
    int8_t device_type, device_index;
    int32_t storage_offset;
    uint32_t data_buffer_idx;
    uint32_t memory_id; /* memory id of the arena, an index into arena_sizes */
    uint64_t memory_offset;
    uint64_t mutable_data; /* index into eti_pte.mutable_data */
    uint64_t
        n_bytes; /* product of the sizes and the type's width; ETI_PTE_UNKNOWN_SIZE if unbound or of unknown type */
    eti_text name; /* fully qualified; absent if it has none */
} eti_pte_tensor;

/* Sets sizes, dimension order and number of bytes; scalar type and dynamism must be set. ETI_ERROR_MALFORMED: the shape
 * is impossible; `*field` and `*wrong` name the field and the reason. ETI_ERROR_MEMORY. */
eti_status eti__tensor_read_shape(eti_pte_tensor *out, eti_arena *arena, const eti_flatbuf *buffer,
                                  eti_vector sizes, eti_text dim_order, const char **field,
                                  const char **wrong) ETI_WARN_UNUSED;

#endif
