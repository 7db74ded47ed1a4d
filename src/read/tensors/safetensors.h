/*
 * safetensors.h - turns a safetensors file into its tensors, which are views of the file.
 *
 * All that the format asks for is checked: a header of at most 100 MB, each name once, data as large as shape and dtype say, which
 * cover the rest of the file without overlaps and holes. __metadata__ is passed over.
 */
#ifndef ETI_READ_TENSORS_SAFETENSORS_H
#define ETI_READ_TENSORS_SAFETENSORS_H

#include "base/files/file.h"
#include "read/tensors/tensor_values.h"

#define ETI_SAFETENSORS_MOST_HEADER 100000000

typedef struct eti_safetensors {
    const eti_tensor_values *tensors; /* as their data lie in the file */
    size_t n_tensors;
} eti_safetensors;

/* Whether these bytes, the first of a file or all, may be of a safetensors file. */
bool eti__safetensors_is(const void *data, size_t size);

/* Reads `file`, whose bytes must outlive the tensors; all else is in `arena`. ETI_ERROR_MALFORMED, also of a dtype whose elements are
 * not whole bytes or that ExecuTorch does not know; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
eti_status eti__safetensors_read(eti_safetensors *out, eti_arena *arena,
                                 const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

/* Returns what the format calls a scalar type; NULL: it has no such type. */
const char *eti__safetensors_dtype(int8_t scalar_type);

#endif
