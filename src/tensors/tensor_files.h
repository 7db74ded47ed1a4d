/*
 * tensor_files.h - turns tensors into files that numpy and safetensors read: an .npz file, a folder of .npy files, or a
 * safetensors file.
 *
 * Elements are written in row-major order, whatever the strides. In .npy files bfloat16 becomes float32, which can hold each
 * of its values; complex numbers, 8-bit floats and quantized types can only be saved as safetensors, or not at all.
 */
#ifndef ETI_TENSORS_TENSOR_FILES_H
#define ETI_TENSORS_TENSOR_FILES_H

#include "base/output.h"
#include "tensors/tensor_values.h"

typedef enum eti_tensor_form {
    ETI_TENSOR_FORM_NPZ, /* a ZIP of stored .npy files */
    ETI_TENSOR_FORM_NPY_FOLDER, /* files are named after tensors, as base/files.h writes the names, with .npy */
    ETI_TENSOR_FORM_SAFETENSORS,
} eti_tensor_form;

/* Returns the format that the suffix of `path` stands for; a folder if it is neither .npz nor .safetensors. */
eti_tensor_form eti__tensor_form_of(const char *path);

/* Saves `n` tensors with their data, under different names, as `path`, atomically. In a folder, each file is atomic by
 * itself: a signal leaves the files that are complete. After a failure, the files that this call created, and the folder if
 * it created that too, are removed; files that it replaced stay new. Bytes of a name that are not UTF-8 become U+FFFD.
 * ETI_ERROR_USAGE: a type that the format does not have, or without `replaces` a file that exists already; ETI_ERROR_DATA:
 * two tensors of one name, or a name that no file can have; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
eti_status eti__tensors_save(const char *path, const eti_tensor_values *tensors, size_t n,
                             bool replaces, eti_error *err) ETI_WARN_UNUSED;

/* Checks whether a file at `path` may be written: unless `replaces` is set, there must be none. ETI_ERROR_USAGE. */
eti_status eti__save_check(const char *path, bool replaces, eti_error *err) ETI_WARN_UNUSED;

/* Puts the written file in place and frees `output`. ETI_ERROR_USAGE: a file was made there since
 * it was checked; ETI_ERROR_WRITE. */
eti_status eti__save_commit(eti_output *output, const char *path, bool replaces,
                            eti_error *err) ETI_WARN_UNUSED;

/* Write the files alone. Names are UTF-8 and differ. ETI_ERROR_USAGE: a type that the format does not have;
 * ETI_ERROR_MEMORY. The output reports failures to write. */
eti_status eti__npy_write(const eti_tensor_values *tensor, eti_output *output,
                          eti_error *err) ETI_WARN_UNUSED;
eti_status eti__npz_write(const eti_tensor_values *tensors, size_t n, eti_output *output,
                          eti_error *err) ETI_WARN_UNUSED;
eti_status eti__safetensors_write(const eti_tensor_values *tensors, size_t n, eti_output *output,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
