/*
 * npy.h - turns tensors into the bytes of .npy files piece by piece, for files and members of an .npz file.
 */
#ifndef ETI_TENSORS_NPY_WRITE_H
#define ETI_TENSORS_NPY_WRITE_H

#include "base/text.h"
#include "tensors/tensor_values.h"

#define ETI_NPY_PIECE_BYTES 65536

/* The elements of a tensor in row-major order, piece by piece. */
typedef struct eti_row_major {
    const eti_tensor_values *tensor;
    uint64_t next;   /* element */
    bool is_widened; /* bfloat16 becomes float32 */
} eti_row_major;

/* Fills `piece`, aligned for any element, and returns the number of bytes in it; 0 at the end. */
size_t eti__row_major_next(eti_row_major *rows, void *piece);

/* Appends magic, version and header. ETI_ERROR_USAGE: .npy files do not have the type. If memory
 * runs out, the buffer's `failed` is set. */
eti_status eti__npy_add_header(eti_buffer *out, const eti_tensor_values *tensor,
                               eti_error *err) ETI_WARN_UNUSED;

/* Returns the number of bytes of the elements in a .npy file. */
uint64_t eti__npy_data_size(const eti_tensor_values *tensor);

/* Starts at the first element, as .npy files store it. */
eti_row_major eti__npy_rows(const eti_tensor_values *tensor);

#endif
