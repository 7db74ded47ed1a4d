/*
 * tensor_files.h - turns tensors into files that numpy and safetensors read: an .npz file, a folder of .npy files, or a safetensors
 * file.
 *
 * Elements are written in row-major order, whatever the strides. bfloat16 becomes float32 in .npy, which holds each of its
 * values; complex, 8-bit floats and quantized types have a place in safetensors only, or in none.
 */
#ifndef ETI_WRITE_TENSORS_TENSOR_FILES_H
#define ETI_WRITE_TENSORS_TENSOR_FILES_H

#include "base/files/atomic_file.h"
#include "read/tensors/tensor_values.h"

typedef enum eti_tensor_form {
    ETI_TENSOR_FORM_NPZ, /* a ZIP of stored .npy files */
    ETI_TENSOR_FORM_NPY_FOLDER, /* names of files are those of tensors, as file_name.h writes them, and .npy */
    ETI_TENSOR_FORM_SAFETENSORS,
} eti_tensor_form;

/* Returns the form that the suffix of `path` names; a folder without .npz or .safetensors. */
eti_tensor_form eti__tensor_form_of(const char *path);

/* Saves `n` tensors with their data, under different names, as `path`, atomically; in a folder,
 * each file is atomic by itself. Bytes of a name that are not UTF-8 become U+FFFD. ETI_ERROR_USAGE:
 * a type that the form does not have, or without `replaces` a file that exists already;
 * ETI_ERROR_DATA: two tensors of one name, or a name that no file can have; ETI_ERROR_WRITE;
 * ETI_ERROR_MEMORY. */
eti_status eti__tensors_save(const char *path, const eti_tensor_values *tensors, size_t n,
                             bool replaces, eti_error *err) ETI_WARN_UNUSED;

/* Whether a file at `path` may be written: without `replaces` there must be none. ETI_ERROR_USAGE. */
eti_status eti__save_check(const char *path, bool replaces, eti_error *err) ETI_WARN_UNUSED;

/* Puts the written file in place and frees `output`. ETI_ERROR_USAGE: a file was made there since
 * it was checked; ETI_ERROR_WRITE. */
eti_status eti__save_commit(eti_output *output, const char *path, bool replaces,
                            eti_error *err) ETI_WARN_UNUSED;

/* Write the files alone. Names are UTF-8 and differ. ETI_ERROR_USAGE: a type that the form does not have;
 * ETI_ERROR_MEMORY. Failures to write are the output's. */
eti_status eti__npy_write(const eti_tensor_values *tensor, eti_output *output,
                          eti_error *err) ETI_WARN_UNUSED;
eti_status eti__npz_write(const eti_tensor_values *tensors, size_t n, eti_output *output,
                          eti_error *err) ETI_WARN_UNUSED;
eti_status eti__safetensors_write(const eti_tensor_values *tensors, size_t n, eti_output *output,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
