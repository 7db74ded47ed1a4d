/*
 * tensor.h - finds a tensor's bytes in the debug buffer and compares tensors as torch.equal() does.
 */
#ifndef ETI_MODEL_TENSOR_H
#define ETI_MODEL_TENSOR_H

#include "read/etdump.h"

/* A tensor where it lies. */
typedef struct eti_tensor_view {
    const eti_etdump *dump;
    eti_etdump_tensor tensor;
    uint64_t n_elements;
    const uint8_t
        *data; /* NULL: no debug buffer, no elements, or an element type of unknown width */
    size_t n_bytes;
} eti_tensor_view;

/* ETI_ERROR_MALFORMED: no sizes, a negative or overflowing size, bytes outside the buffer. */
eti_status eti__tensor_read(eti_tensor_view *out, const eti_etdump *dump, eti_position tensor,
                            const struct eti_file *debug_buffer, eti_error *err) ETI_WARN_UNUSED;

/* Same type, shape and elements. Bit-identical tensors are equal even where they hold NaN, unlike
 * torch.equal(); 0.0 equals -0.0. Tensors without data count as zeros. */
bool eti__tensors_equal(const eti_tensor_view *a, const eti_tensor_view *b);

#endif
