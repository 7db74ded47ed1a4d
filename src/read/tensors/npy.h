/*
 * npy.h - turns a .npy file, or the same as a member of an .npz file, into the array of numbers in it.
 *
 * Versions 1.0, 2.0 and 3.0 are read, with integers, floats and bools of either byte order, in C or Fortran order. Arrays of other
 * things (objects, texts, raw bytes, dates, complex numbers, structures) are refused. The header, which is a Python dict, is read
 * by its three keys; nothing is evaluated.
 */
#ifndef ETI_READ_TENSORS_NPY_H
#define ETI_READ_TENSORS_NPY_H

#include "base/files/file.h"
#include "read/tensors/tensor_values.h"

/* More is refused; numpy refuses headers of more than 10,000 bytes, too. */
#define ETI_NPY_MOST_BEFORE_DATA 10012

/* The bytes of a .npy file begin so. */
bool eti__npy_is(const void *data, size_t size);

typedef struct eti_npy_header {
    uint32_t data_offset; /* bytes before the data */
    bool is_big_endian;
} eti_npy_header;

/* Reads the header of an array from `beginning`, the first bytes of `size`: at least ETI_NPY_MOST_BEFORE_DATA of them, or all. Sets all
 * of `values` but name and data. Messages name no file. ETI_ERROR_MALFORMED: no array, another type, or other than as many bytes as the array needs; ETI_ERROR_LIMIT: a longer header; ETI_ERROR_MEMORY. */
eti_status eti__npy_read_header(eti_npy_header *out, eti_tensor_values *values, eti_arena *arena,
                                eti_text beginning, uint64_t size, eti_error *err) ETI_WARN_UNUSED;

/* Sets the data of an array, the bytes after its header: where they are, or where they are big-endian a copy in `arena`.
 * ETI_ERROR_MEMORY. */
eti_status eti__npy_set_data(eti_tensor_values *values, eti_arena *arena,
                             const eti_npy_header *header, const uint8_t *data,
                             eti_error *err) ETI_WARN_UNUSED;

/* Reads a .npy file, whose bytes must outlive the values; they have no name. ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__npy_read(eti_tensor_values *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

#endif
