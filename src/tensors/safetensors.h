/*
 * safetensors.h - reads the tensors of a safetensors file, which are views of the file.
 *
 * All requirements of the format are checked: a header of at most 100 MB, unique names, and data whose sizes match shape and
 * dtype and which cover the rest of the file without overlaps or gaps. __metadata__ is skipped.
 */
#ifndef ETI_TENSORS_SAFETENSORS_H
#define ETI_TENSORS_SAFETENSORS_H

#include "base/arena.h"
#include "base/files.h"
#include "etinspect.h"
#include "tensors/tensors.h"

typedef struct eti_safetensors {
    const eti_tensor_values *tensors; /* in the order of their data in the file */
    size_t n_tensors;
} eti_safetensors;

/* Returns whether these bytes, the first of a file or all, may belong to a safetensors file. */
bool eti__safetensors_is(const void *data, size_t size);

/* Reads `file`, whose bytes must outlive the tensors; everything else is in `arena`. ETI_ERROR_MALFORMED, also for a
 * dtype whose elements are not whole bytes or that ExecuTorch does not know; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
eti_status eti__safetensors_read(eti_safetensors *out, eti_arena *arena,
                                 const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

#endif
