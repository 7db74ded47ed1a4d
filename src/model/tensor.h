/*
 * tensor.h - finds a tensor's bytes in the debug buffer and compares tensors as torch.equal() does.
 */
#ifndef ETI_MODEL_TENSOR_H
#define ETI_MODEL_TENSOR_H

#include "read/etdump.h"

/* A tensor of a run normally lies in a place of its own, and is read once. Only overlapping tensors
 * can add up to more than the debug buffer; then no more than 64 MiB plus a multiple of the buffer
 * are read. */
#define ETI_TENSORS_READ_RATIO 4
static inline uint64_t eti__tensors_most_read(uint64_t debug_buffer_size) {
    return ((uint64_t)64 << 20) + ETI_TENSORS_READ_RATIO * debug_buffer_size;
}

/* A tensor where it lies. */
typedef struct eti_tensor_view {
    const eti_etdump *dump;
    eti_etdump_tensor tensor;
    uint64_t n_elements;
    const uint8_t
        *data; /* NULL: no debug buffer, no elements, or an element type of unknown width */
    size_t n_bytes;
} eti_tensor_view;

/* Returns whether the writer says where a tensor's contents are. libetcapture gives the offset -1
 * to tensors whose contents had no room, ETDumpGen to tensors without contents; it fails if others
 * have no room. */
bool eti__tensor_is_recorded(const eti_etdump *dump, eti_position tensor);

/* Reads a tensor; without `debug_buffer`, it has no contents. If the ETDump has a debug buffer of
 * its own, that is used. ETI_ERROR_MALFORMED: no sizes, a negative or overflowing size, bytes
 * outside the buffer or not recorded. */
eti_status eti__tensor_read(eti_tensor_view *out, const eti_etdump *dump, eti_position tensor,
                            const struct eti_file *debug_buffer, eti_error *err) ETI_WARN_UNUSED;

/* Whether both have the same type, shape and elements. Bit-identical tensors are equal even where
 * they hold NaN, unlike torch.equal(); 0.0 equals -0.0. Tensors without data count as zeros. */
bool eti__tensors_equal(const eti_tensor_view *a, const eti_tensor_view *b);

#endif
