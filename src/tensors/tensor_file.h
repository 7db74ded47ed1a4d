/*
 * tensor_file.h - turns tensors into files that numpy and safetensors read.
 */
#ifndef ETI_TENSORS_TENSOR_FILE_H
#define ETI_TENSORS_TENSOR_FILE_H

typedef enum eti_tensor_form {
    ETI_TENSOR_FORM_NPZ, /* a ZIP of stored .npy files */
    ETI_TENSOR_FORM_NPY_FOLDER, /* files are named after tensors, as base/files.h writes the names, with .npy */
    ETI_TENSOR_FORM_SAFETENSORS,
} eti_tensor_form;

/* Returns the format that the suffix of `path` stands for; a folder if it is neither .npz nor .safetensors. */
eti_tensor_form eti__tensor_form_of(const char *path);

#endif
