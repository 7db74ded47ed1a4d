/*
 * nrt_experimental.h - descriptions of models, with the names, types and values of the vendor's header: see nrt.h. Its calls for
 * asynchronous execution, collectives and microcode are missing.
 */
#ifndef NRT_EXPERIMENTAL_H
#define NRT_EXPERIMENTAL_H

#include "nrt/nrt.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef NRT_API
#if defined(__GNUC__)
#define NRT_API __attribute__((visibility("default")))
#else
#define NRT_API
#endif
#endif

typedef enum nrt_tensor_usage {
    NRT_TENSOR_USAGE_INPUT = 0,
    NRT_TENSOR_USAGE_OUTPUT
} nrt_tensor_usage_t;

#define NRT_TENSOR_NAME_MAX 256

/* Describes an input or output of a model. */
typedef struct nrt_tensor_info {
    char name[NRT_TENSOR_NAME_MAX];
    nrt_tensor_usage_t usage;
    size_t size; /* bytes */
    nrt_dtype_t dtype;
    uint32_t *shape; /* `ndim` numbers */
    uint32_t ndim;
} nrt_tensor_info_t;

typedef struct nrt_tensor_info_array {
    uint64_t tensor_count;
#if defined(__GNUC__)
    __extension__ nrt_tensor_info_t tensor_array[]; /* C++ has no such arrays */
#else
    nrt_tensor_info_t tensor_array[];
#endif
} nrt_tensor_info_array_t;

/* Stores the inputs and outputs of a model, as its engine described them. Free *tensor_info. NRT_INVALID: NULL;
 * NRT_INVALID_HANDLE; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_get_model_tensor_info(nrt_model_t *model,
                                             nrt_tensor_info_array_t **tensor_info);
/* Frees a description. NRT_INVALID: NULL. */
NRT_API NRT_STATUS nrt_free_model_tensor_info(nrt_tensor_info_array_t *tensor_info);
/* Stores the number of threads that should execute a model at the same time: 1. NRT_INVALID: NULL; NRT_INVALID_HANDLE. */
NRT_API NRT_STATUS nrt_get_model_instance_count(nrt_model_t *model, uint32_t *instance_count);

typedef struct nrt_model_info {
    uint32_t vnc;
} nrt_model_info_t;

/* Stores the first `info_size_in` bytes of a description, and their number in *info_size_out. NRT_INVALID: NULL;
 * NRT_INVALID_HANDLE. */
NRT_API NRT_STATUS nrt_get_model_info(const nrt_model_t *model, nrt_model_info_t *info,
                                      size_t info_size_in, size_t *info_size_out);

#ifdef __cplusplus
}
#endif

#endif
