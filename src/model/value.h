/*
 * value.h - the structs behind the public eti_value and eti_tensor.
 */
#ifndef ETI_MODEL_VALUE_H
#define ETI_MODEL_VALUE_H

#include "etinspect.h"

struct eti_tensor {
    int8_t scalar_type;   /* number of ExecuTorch's ScalarType */
    const char *dtype;    /* static */
    const int64_t *sizes; /* n_dims of them */
    size_t n_dims;        /* 0 for a scalar */
    int64_t offset;       /* offset in the debug buffer, in bytes */
    const uint8_t *
        data; /* contiguous, row-major; NULL without a debug buffer, if empty, or if not recorded */
    size_t n_bytes; /* 0 if `data` is NULL */
    const int64_t *
        strides; /* as recorded, n_dims of them, unchecked; NULL: row-major. The Inspector ignores them */
};

struct eti_value {
    eti_value_kind kind;
    int64_t as_int;
    bool as_bool;
    double as_double;
    const eti_tensor *tensors; /* one if the kind is ETI_VALUE_TENSOR */
    size_t n_tensors;
};

#endif
