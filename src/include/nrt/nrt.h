/*
 * nrt.h - the calls with which programs load and execute models on the Neuron Runtime, on any machine: names, types and
 * values are those of the vendor's header, so that programs written to it compile, and link with libnrt_profile_etcapture.
 *
 * The calls forward models and executions to an engine, which must be set before nrt_init(): see etc_nrt_set_engine() in
 * etcapture_nrt.h. Tensors are in the memory of the process, wherever a program places them. Each call is profiled as
 * nrt_profile.h and nrt_sys_trace.h describe. Calls for collectives, for memory of the device and for its description are
 * missing.
 *
 * Ownership: a tensor that is in a set must live as long as the set. nrt_close() unloads all models and frees all tensors and
 * sets.
 *
 * Statuses: every call that returns NRT_STATUS, except the numbers of NeuronCores, also returns NRT_UNINITIALIZED before
 * nrt_init() and NRT_CLOSED after nrt_close(). NRT_FAILURE: no engine is set.
 *
 * Threads: all calls may be made from any thread; a tensor or a set belongs to one thread at a time.
 */
#ifndef NRT_H
#define NRT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nrt/nrt_status.h"

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

#define NRT_MAJOR_VERSION 2
#define NRT_MINOR_VERSION 0

/* Identifies a model that is loaded on a NeuronCore. */
typedef struct nrt_model nrt_model_t;
typedef struct nrt_tensor nrt_tensor_t;
/* Holds tensors by their names. */
typedef void nrt_tensor_set_t;

typedef enum {
    NRT_TENSOR_PLACEMENT_DEVICE,
    NRT_TENSOR_PLACEMENT_HOST,
    NRT_TENSOR_PLACEMENT_VIRTUAL
} nrt_tensor_placement_t;

typedef enum {
    NRT_FRAMEWORK_TYPE_INVALID = 0,
    NRT_FRAMEWORK_TYPE_NO_FW = 1,
    NRT_FRAMEWORK_TYPE_TENSORFLOW,
    NRT_FRAMEWORK_TYPE_PYTORCH,
    NRT_FRAMEWORK_TYPE_MXNET,
    NRT_FRAMEWORK_TYPE_PRECHECK
} nrt_framework_type_t;

typedef enum nrt_dtype {
    NRT_DTYPE_UNKNOWN = 0x0,
    NRT_DTYPE_INVALID = 0x0,
    NRT_DTYPE_UINT64 = 0x1,
    NRT_DTYPE_INT8 = 0x2,
    NRT_DTYPE_UINT8 = 0x3,
    NRT_DTYPE_INT16 = 0x4,
    NRT_DTYPE_UINT16 = 0x5,
    NRT_DTYPE_BFLOAT16 = 0x6,
    NRT_DTYPE_FLOAT16 = 0x7,
    NRT_DTYPE_INT32 = 0x8,
    NRT_DTYPE_UINT32 = 0x9,
    NRT_DTYPE_FLOAT32 = 0xA,
    NRT_DTYPE_FP32R = 0xB,
    NRT_DTYPE_INT64 = 0xC,
    NRT_DTYPE_FP8_E3 = 0xD,
    NRT_DTYPE_FP8_E4 = 0xE,
    NRT_DTYPE_FP8_E5 = 0xF
} nrt_dtype_t;

/* ---- the runtime ----------------------------------------------------------------------------- */

/* Opens the runtime; succeeds at once if it is open already. The versions are not used. Begins inspection if
 * NEURON_RT_INSPECT_ENABLE is 1; if that fails, says so on stderr. NRT_INVALID: `framework` is not in the enum, or
 * NRT_FRAMEWORK_TYPE_INVALID; NRT_FAILURE: no engine is set; or the status with which the engine refused. */
NRT_API NRT_STATUS nrt_init(nrt_framework_type_t framework, const char *fw_version,
                            const char *fal_version);
/* Writes all profiles, unloads all models, frees all tensors and sets, and closes the runtime. */
NRT_API void nrt_close(void);

/* Store the number of NeuronCores that the engine has. May be called before nrt_init(). NRT_INVALID: NULL; NRT_FAILURE: no
 * engine is set. */
NRT_API NRT_STATUS nrt_get_total_nc_count(uint32_t *nc_count);
NRT_API NRT_STATUS nrt_get_visible_nc_count(uint32_t *nc_count);
NRT_API NRT_STATUS nrt_get_total_vnc_count(uint32_t *vnc_count);
NRT_API NRT_STATUS nrt_get_visible_vnc_count(uint32_t *vnc_count);

/* ---- models ---------------------------------------------------------------------------------- */

/* Loads a model in a format of the engine onto NeuronCore `vnc`; -1: the first that has no model, or the first of all.
 * `vnc_count` must be 1 or -1. NRT_INVALID: a pointer is NULL, `size` is 0, or `vnc` or `vnc_count` is wrong; NRT_RESOURCE;
 * or the status with which the engine refused. */
NRT_API NRT_STATUS nrt_load(const void *neff_bytes, size_t size, int32_t vnc, int32_t vnc_count,
                            nrt_model_t **model);
/* Does the same for a model that is device `ctx_device_id` of `ctx_device_count`, which the engine may use. NRT_INVALID: as
 * above, or the id is not below the count. */
NRT_API NRT_STATUS nrt_load_collectives(const void *neff_bytes, size_t size, int32_t vnc,
                                        int32_t vnc_count, uint32_t ctx_device_id,
                                        uint32_t ctx_device_count, nrt_model_t **model);
/* Unloads a model; executions that are running end first. NRT_INVALID_HANDLE: it is not loaded. */
NRT_API NRT_STATUS nrt_unload(nrt_model_t *model);
/* Store the number of NeuronCores of a model: 1. NRT_INVALID: NULL; NRT_INVALID_HANDLE. */
NRT_API NRT_STATUS nrt_get_model_nc_count(const nrt_model_t *model, uint32_t *nc_count);
NRT_API NRT_STATUS nrt_get_model_vnc_count(const nrt_model_t *model, uint32_t *vnc_count);

/* Executes a model. The inputs are read and the outputs written in place. NRT_INVALID_HANDLE: the model is not loaded, or was
 * not loaded by nrt_load(); NRT_INVALID: a set is NULL, or lacks a tensor of the model or has one of another size; or the
 * status of the engine. */
NRT_API NRT_STATUS nrt_execute(nrt_model_t *model, const nrt_tensor_set_t *input_set,
                               nrt_tensor_set_t *output_set);
/* Executes a model `repeat_count` times, or until an execution fails, whose status it returns. NRT_INVALID: as above, or the
 * count is less than 1. */
NRT_API NRT_STATUS nrt_execute_repeat(nrt_model_t *model, const nrt_tensor_set_t *input_set,
                                      nrt_tensor_set_t *output_set, int repeat_count);

/* ---- sets of tensors ------------------------------------------------------------------------- */

/* Makes an empty set. NRT_INVALID: NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_allocate_tensor_set(nrt_tensor_set_t **result);
/* Frees a set, but not its tensors, and sets *tensor_set to NULL. NULL, also as *tensor_set, is accepted. */
NRT_API void nrt_destroy_tensor_set(nrt_tensor_set_t **tensor_set);
/* Adds a tensor, or replaces the tensor of this name. NRT_INVALID: NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_add_tensor_to_tensor_set(nrt_tensor_set_t *tensor_set,
                                                const char *tensor_name, nrt_tensor_t *tensor);
/* Stores the tensor of this name. NRT_INVALID: NULL, or there is no such tensor. */
NRT_API NRT_STATUS nrt_get_tensor_from_tensor_set(nrt_tensor_set_t *tensor_set,
                                                  const char *tensor_name, nrt_tensor_t **tensor);

/* ---- tensors --------------------------------------------------------------------------------- */

/* Makes a tensor of `size` bytes, which are 0. `vnc` is the NeuronCore to which profiles assign calls with the tensor; -1: the
 * first. `name` may be NULL. NRT_INVALID: the placement is not in the enum, `vnc` is not a NeuronCore of the engine, or
 * `tensor` is NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_tensor_allocate(nrt_tensor_placement_t tensor_placement, int vnc,
                                       size_t size, const char *name, nrt_tensor_t **tensor);
/* Makes a tensor without memory. NRT_INVALID: `tensor` is NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_tensor_allocate_empty(const char *name, nrt_tensor_t **tensor);
/* Makes a tensor that shares `size` bytes of another, from `offset` on. The memory lasts until both are freed. NRT_INVALID: a
 * pointer is NULL, or the slice is not inside the other tensor; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_tensor_allocate_slice(const nrt_tensor_t *tensor_source, size_t offset,
                                             size_t size, const char *name,
                                             nrt_tensor_t **tensor_slice);
/* Gives a tensor memory of the caller, which must live as long as the tensor and its slices. NRT_INVALID: NULL. */
NRT_API NRT_STATUS nrt_tensor_attach_buffer(nrt_tensor_t *tensor, void *buffer, size_t size);
/* Frees a tensor, and sets *tensor to NULL. NULL, also as *tensor, is accepted. */
NRT_API void nrt_tensor_free(nrt_tensor_t **tensor);
/* Copy bytes from or to a tensor. NRT_INVALID: a pointer is NULL, or the bytes are not inside the tensor. */
NRT_API NRT_STATUS nrt_tensor_read(const nrt_tensor_t *tensor, void *buf, size_t offset,
                                   size_t size);
NRT_API NRT_STATUS nrt_tensor_write(nrt_tensor_t *tensor, const void *buf, size_t offset,
                                    size_t size);
/* Copies bytes between tensors, or within one. NRT_INVALID: as above. */
NRT_API NRT_STATUS nrt_tensor_copy(const nrt_tensor_t *src, size_t src_offset, nrt_tensor_t *dst,
                                   size_t dst_offset, size_t size);
/* Sets bytes of a tensor. NRT_INVALID: as above. */
NRT_API NRT_STATUS nrt_tensor_memset(nrt_tensor_t *tensor, uint64_t offset, int value, size_t size);
/* Returns the size of a tensor, bytes; 0 if it is NULL or the runtime is closed. */
NRT_API size_t nrt_tensor_get_size(const nrt_tensor_t *tensor);
/* Returns the memory of a tensor; NULL if it has none, is NULL, or the runtime is closed. */
NRT_API void *nrt_tensor_get_va(const nrt_tensor_t *tensor);

typedef struct nrt_tensor_batch_op {
    uint64_t offset; /* into the tensor */
    uint64_t size;
    void *buffer;
} nrt_tensor_batch_op_t;

typedef struct nrt_tensor_batch {
    const nrt_tensor_t *tensor;
    const nrt_tensor_batch_op_t *ops;
    uint32_t num_ops;
} nrt_tensor_batch_t;

/* Copy bytes from or to several tensors, in order, up to the first that fails. The last parameter, `unsafe`, is not used.
 * NRT_INVALID: as from nrt_tensor_read() and nrt_tensor_write(). */
NRT_API NRT_STATUS nrt_tensor_read_batch(const nrt_tensor_batch_t *batches, uint64_t num_batches,
                                         bool unsafe);
NRT_API NRT_STATUS nrt_tensor_write_batch(const nrt_tensor_batch_t *batches, uint64_t num_batches,
                                          bool unsafe);

#ifdef __cplusplus
}
#endif

#endif
