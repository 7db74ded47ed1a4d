/*
 * npy.h - reads the array of numbers in a .npy file, or in a member of an .npz file, which has the same form.
 *
 * Versions 1.0, 2.0 and 3.0 are supported, with integers, floats and bools of either byte order, in C or Fortran order.
 * Arrays of other things (objects, texts, raw bytes, dates, complex numbers, structures) are rejected. The header, which is
 * a Python dict, is parsed for its three keys; nothing is evaluated.
 */
#ifndef ETI_TENSORS_NPY_H
#define ETI_TENSORS_NPY_H

#include "base/arena.h"
#include "base/files.h"
#include "tensors/tensor_values.h"

/* Largest size of magic number and header; numpy, too, rejects headers of more than 10,000 bytes. */
#define ETI_NPY_MOST_BEFORE_DATA 10012

/* Returns whether the data begin like a .npy file. */
bool eti__npy_is(const void *data, size_t size);

typedef struct eti_npy_header {
    uint32_t data_offset; /* number of bytes before the data */
    bool is_big_endian;
} eti_npy_header;

/* Reads the header of an array from `beginning`, the first of `size` bytes: at least ETI_NPY_MOST_BEFORE_DATA of them, or
 * all. Sets all of `values` except for name and data. Messages do not name the file. ETI_ERROR_MALFORMED: not an array,
 * an unsupported type, or a size that does not match the array; ETI_ERROR_LIMIT: a longer header; ETI_ERROR_MEMORY. */
eti_status eti__npy_read_header(eti_npy_header *out, eti_tensor_values *values, eti_arena *arena,
                                eti_text beginning, uint64_t size, eti_error *err) ETI_WARN_UNUSED;

/* Sets the data of an array, given the bytes after its header: a view of these, or if they are big-endian, a copy in
 * `arena`. ETI_ERROR_MEMORY. */
eti_status eti__npy_set_data(eti_tensor_values *values, eti_arena *arena,
                             const eti_npy_header *header, const uint8_t *data,
                             eti_error *err) ETI_WARN_UNUSED;

/* Reads a .npy file, whose bytes must outlive the values; the array has no name. ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT,
 * ETI_ERROR_MEMORY. */
eti_status eti__npy_read(eti_tensor_values *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

#endif
