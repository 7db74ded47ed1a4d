/*
 * pte/ptd.h - finds a tensor's bytes in the debug buffer and compares tensors as torch.equal() does.
 */
#ifndef ETI_MODEL_TENSOR_H
#define ETI_MODEL_TENSOR_H

#include "base/files.h"
#include "flatbuf/flatbuf.h"
#include "read/read.h"

/* Normally, the tensors of a run do not overlap, and each is read once. Only overlapping tensors can add up to more than
 * the debug buffer; then at most 64 MiB plus this multiple of the buffer are read. */
#define ETI_TENSORS_READ_RATIO 4
static inline uint64_t eti__tensors_most_read(uint64_t debug_buffer_size) {
    return ((uint64_t)64 << 20) + ETI_TENSORS_READ_RATIO * debug_buffer_size;
}

/* A tensor and its place in memory. */
typedef struct eti_tensor_view {
    const eti_etdump *dump;
    eti_etdump_tensor tensor;
    uint64_t n_elements;
    const uint8_t *
        data; /* NULL if there is no debug buffer, there are no elements, or the element type has an unknown width */
    size_t n_bytes;
} eti_tensor_view;

/* Returns whether the writer recorded where a tensor's contents are. libetcapture gives the offset -1 to tensors whose
 * contents did not fit; ETDumpGen gives it to tensors without contents, and fails if other tensors do not fit. */
bool eti__tensor_is_recorded(const eti_etdump *dump, eti_position tensor);

/* Reads a tensor; without `debug_buffer`, it has no contents. If the ETDump has its own debug buffer, that one is used.
 * ETI_ERROR_MALFORMED: no sizes, a negative or overflowing size, or bytes that are outside the buffer or not recorded. */
eti_status eti__tensor_read(eti_tensor_view *out, const eti_etdump *dump, eti_position tensor,
                            const struct eti_file *debug_buffer, eti_error *err) ETI_WARN_UNUSED;

/* Returns whether both have the same type, shape and elements. Bit-identical tensors are equal even if they contain NaN,
 * unlike in torch.equal(); 0.0 equals -0.0. A tensor without data equals any tensor of its type and shape. */
bool eti__tensors_equal(const eti_tensor_view *a, const eti_tensor_view *b);

#endif
