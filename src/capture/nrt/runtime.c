/*
 * runtime.c - the calls of nrt.h on the runtime and its models, which go to the engine.
 */
#include "capture/nrt/nrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the engine ------------------------------------------------------------------------------ */

NRT_STATUS etc_nrt_set_engine(const etc_nrt_engine *engine) {
    etc_nrt_engine known = ETC_NRT_ENGINE_INIT;
    if (!engine || engine->struct_size < sizeof known)
        return NRT_INVALID;
    known = *engine;
    if (!known.load || !known.execute || known.n_cores == 0 || known.n_cores > NRT_MOST_CORES)
        return NRT_INVALID;
    etc_nrt_expect_opened();
    pthread_mutex_lock(&etc__nrt.mutex);
    if (etc__nrt.phase == NRT_PHASE_OPEN && etc__nrt.engine.load)
        return etc__nrt_leave(NRT_FAILURE);
    etc__nrt.engine = known;
    return etc__nrt_leave(NRT_SUCCESS);
}

/* Returns NRT_SUCCESS if there is an engine. */
static NRT_STATUS check_engine(void) {
    if (etc__nrt.engine.load)
        return NRT_SUCCESS;
    fputs("libnrt_profile_etcapture: there is no engine that executes models: link one that calls "
          "etc_nrt_set_engine() before nrt_init(), such as examples/nrt/cpu_engine.c\n",
          stderr);
    return NRT_FAILURE;
}

/* Locked while the runtime is opened or closed, so that the engine is opened once. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static NRT_STATUS open_runtime(void) {
    pthread_mutex_lock(&etc__nrt.mutex);
    NRT_STATUS status = check_engine();
    bool is_open = etc__nrt.phase == NRT_PHASE_OPEN;
    etc_nrt_engine engine = etc__nrt.engine;
    etc__nrt_leave(NRT_SUCCESS);
    if (status || is_open)
        return status;
    status = engine.open ? engine.open(engine.context) : NRT_SUCCESS;
    if (status)
        return status;
    NRT_STATUS inspection = etc_nrt_opened();
    if (inspection)
        fprintf(stderr,
                "libnrt_profile_etcapture: inspection did not begin: %s; check the variables "
                "NEURON_RT_INSPECT_*, and whether the folder can be made\n",
                nrt_get_status_as_str(inspection));
    return NRT_SUCCESS;
}

NRT_STATUS nrt_init(nrt_framework_type_t framework, const char *fw_version,
                    const char *fal_version) {
    uint64_t start = etc_nrt_now();
    (void)fw_version;
    (void)fal_version;
    if ((unsigned)framework - 1u >= NRT_FRAMEWORK_TYPE_PRECHECK)
        return NRT_INVALID;
    pthread_mutex_lock(&opening);
    NRT_STATUS status = open_runtime();
    pthread_mutex_unlock(&opening);
    if (!status)
        etc__nrt_note_call(0, NRT_EVENT_nrt_init, start);
    return status;
}

void nrt_close(void) {
    pthread_mutex_lock(&opening);
    if (etc_nrt_closed() != NRT_UNINITIALIZED) {
        pthread_mutex_lock(&etc__nrt.mutex);
        etc__nrt_free_tensors();
        etc_nrt_engine engine = etc__nrt.engine;
        etc__nrt_leave(NRT_SUCCESS);
        if (engine.close)
            engine.close(engine.context);
    }
    pthread_mutex_unlock(&opening);
}

static NRT_STATUS count_cores(uint32_t *out) {
    if (!out)
        return NRT_INVALID;
    pthread_mutex_lock(&etc__nrt.mutex);
    NRT_STATUS status = check_engine();
    if (!status)
        *out = etc__nrt.engine.n_cores;
    return etc__nrt_leave(status);
}

NRT_STATUS nrt_get_total_nc_count(uint32_t *nc_count) {
    return count_cores(nc_count);
}

NRT_STATUS nrt_get_visible_nc_count(uint32_t *nc_count) {
    return count_cores(nc_count);
}

NRT_STATUS nrt_get_total_vnc_count(uint32_t *vnc_count) {
    return count_cores(vnc_count);
}

NRT_STATUS nrt_get_visible_vnc_count(uint32_t *vnc_count) {
    return count_cores(vnc_count);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* Returns the first NeuronCore without a model, or 0. */
static uint32_t find_free_core(void) {
    uint8_t used[NRT_MOST_CORES / 8] = {0};
    for (const nrt_model_t *model = etc__nrt.models; model; model = model->next)
        used[model->core / 8] |= (uint8_t)(1u << model->core % 8);
    for (uint32_t core = 0; core < etc__nrt.engine.n_cores; core++) {
        if (!(used[core / 8] >> core % 8 & 1))
            return core;
    }
    return 0;
}

/* Lets the engine load a model. */
static NRT_STATUS load(etc_nrt_loading *loading, int32_t vnc, int32_t vnc_count,
                       nrt_model_t **model) {
    uint64_t start = etc_nrt_now();
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    loading->vnc = vnc == -1 ? find_free_core() : (uint32_t)vnc;
    etc_nrt_engine engine = etc__nrt.engine;
    status = check_engine();
    if (!status && (!model || !loading->bytes || !loading->size || loading->vnc >= engine.n_cores ||
                    (vnc_count != 1 && vnc_count != -1) || loading->device >= loading->n_devices))
        status = NRT_INVALID;
    etc__nrt_leave(NRT_SUCCESS);
    if (!status)
        status = engine.load(engine.context, loading);
    if (status)
        return status;
    status = etc__nrt_enter();
    nrt_model_t *loaded = NULL;
    if (!status) {
        status = etc__nrt_add_model(loading->name, loading->vnc, &loaded);
        if (loaded) {
            loaded->is_of_engine = true;
            loaded->handle = loading->model;
            loaded->tensors = loading->tensors;
            loaded->n_tensors = loading->tensors ? loading->n_tensors : 0;
        }
        etc__nrt_leave(status);
    }
    if (status) {
        if (engine.unload)
            engine.unload(engine.context, loading->model);
        return status;
    }
    *model = loaded;
    etc__nrt_note_call(loading->vnc, NRT_EVENT_nrt_load, start);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_load(const void *neff_bytes, size_t size, int32_t vnc, int32_t vnc_count,
                    nrt_model_t **model) {
    etc_nrt_loading loading = {.bytes = neff_bytes, .size = size, .n_devices = 1};
    return load(&loading, vnc, vnc_count, model);
}

NRT_STATUS nrt_load_collectives(const void *neff_bytes, size_t size, int32_t vnc, int32_t vnc_count,
                                uint32_t ctx_device_id, uint32_t ctx_device_count,
                                nrt_model_t **model) {
    etc_nrt_loading loading = {
        .bytes = neff_bytes, .size = size, .device = ctx_device_id, .n_devices = ctx_device_count};
    return load(&loading, vnc, vnc_count, model);
}

/* Locks the mutex and finds a model that the engine loaded; leaves the mutex unlocked on failure. */
static NRT_STATUS enter_loaded(const nrt_model_t *model, nrt_model_t **loaded) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    *loaded = etc__nrt_find_model(model);
    return *loaded && (*loaded)->is_of_engine ? NRT_SUCCESS : etc__nrt_leave(NRT_INVALID_HANDLE);
}

NRT_STATUS nrt_unload(nrt_model_t *model) {
    uint64_t start = etc_nrt_now();
    nrt_model_t *loaded = NULL;
    NRT_STATUS status = enter_loaded(model, &loaded);
    if (status)
        return status;
    uint32_t core = loaded->core;
    loaded = etc__nrt_unload(loaded);
    etc__nrt_leave(NRT_SUCCESS);
    etc__nrt_dispose(loaded);
    etc__nrt_note_call(core, NRT_EVENT_nrt_unload, start);
    return NRT_SUCCESS;
}

/* Locks the mutex if the model is loaded and `out` is not NULL; otherwise returns why not. */
static NRT_STATUS enter_model(const nrt_model_t *model, const void *out) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!out)
        return etc__nrt_leave(NRT_INVALID);
    return etc__nrt_find_model(model) ? NRT_SUCCESS : etc__nrt_leave(NRT_INVALID_HANDLE);
}

static NRT_STATUS store_one(const nrt_model_t *model, uint32_t *out) {
    NRT_STATUS status = enter_model(model, out);
    if (status)
        return status;
    *out = 1;
    return etc__nrt_leave(NRT_SUCCESS);
}

NRT_STATUS nrt_get_model_nc_count(const nrt_model_t *model, uint32_t *nc_count) {
    return store_one(model, nc_count);
}

NRT_STATUS nrt_get_model_vnc_count(const nrt_model_t *model, uint32_t *vnc_count) {
    return store_one(model, vnc_count);
}

NRT_STATUS nrt_get_model_instance_count(nrt_model_t *model, uint32_t *instance_count) {
    return store_one(model, instance_count);
}

NRT_STATUS nrt_get_model_info(const nrt_model_t *model, nrt_model_info_t *info, size_t info_size_in,
                              size_t *info_size_out) {
    NRT_STATUS status = enter_model(model, info_size_out ? info : NULL);
    if (status)
        return status;
    nrt_model_info_t known = {.vnc = model->core};
    *info_size_out = info_size_in < sizeof known ? info_size_in : sizeof known;
    memcpy(info, &known, *info_size_out);
    return etc__nrt_leave(NRT_SUCCESS);
}

/* Copies descriptions, with their shapes behind them. */
static nrt_tensor_info_array_t *copy_info(const nrt_model_t *model) {
    size_t n_numbers = 0, n = model->n_tensors;
    for (size_t i = 0; i < n; i++)
        n_numbers += model->tensors[i].ndim;
    nrt_tensor_info_array_t *array =
        malloc(sizeof *array + n * sizeof array->tensor_array[0] + n_numbers * sizeof(uint32_t));
    if (!array)
        return NULL;
    array->tensor_count = n;
    uint32_t *numbers = (uint32_t *)(void *)(array->tensor_array + n);
    for (size_t i = 0; i < n; i++) {
        nrt_tensor_info_t *info = &array->tensor_array[i];
        *info = model->tensors[i];
        info->shape = numbers;
        if (info->ndim)
            memcpy(numbers, model->tensors[i].shape, info->ndim * sizeof *numbers);
        numbers += info->ndim;
    }
    return array;
}

NRT_STATUS nrt_get_model_tensor_info(nrt_model_t *model, nrt_tensor_info_array_t **tensor_info) {
    NRT_STATUS status = enter_model(model, tensor_info);
    if (status)
        return status;
    nrt_tensor_info_array_t *array = copy_info(model);
    if (array)
        *tensor_info = array;
    return etc__nrt_leave(array ? NRT_SUCCESS : NRT_RESOURCE);
}

NRT_STATUS nrt_free_model_tensor_info(nrt_tensor_info_array_t *tensor_info) {
    free(tensor_info);
    return tensor_info ? NRT_SUCCESS : NRT_INVALID;
}

/* ---- executions ------------------------------------------------------------------------------ */

/* Returns whether the sets have all tensors of a model. */
static bool has_tensors(const nrt_model_t *model, const nrt_tensor_set_t *inputs,
                        const nrt_tensor_set_t *outputs) {
    for (size_t i = 0; i < model->n_tensors; i++) {
        const nrt_tensor_info_t *info = &model->tensors[i];
        const nrt_tensor_t *tensor = etc__nrt_find_tensor(
            info->usage == NRT_TENSOR_USAGE_INPUT ? inputs : outputs, info->name);
        if (!tensor || tensor->size != info->size || (info->size && !tensor->bytes))
            return false;
    }
    return true;
}

NRT_STATUS nrt_execute(nrt_model_t *model, const nrt_tensor_set_t *input_set,
                       nrt_tensor_set_t *output_set) {
    return nrt_execute_repeat(model, input_set, output_set, 1);
}

NRT_STATUS nrt_execute_repeat(nrt_model_t *model, const nrt_tensor_set_t *input_set,
                              nrt_tensor_set_t *output_set, int repeat_count) {
    nrt_model_t *loaded = NULL;
    NRT_STATUS status = enter_loaded(model, &loaded);
    if (status)
        return status;
    if (!input_set || !output_set || repeat_count < 1 ||
        !has_tensors(loaded, input_set, output_set))
        return etc__nrt_leave(NRT_INVALID);
    etc_nrt_engine engine = etc__nrt.engine;
    void *handle = loaded->handle;
    loaded->n_running++; /* it must not be unloaded before the last execution ends */
    etc__nrt_leave(NRT_SUCCESS);
    for (int i = 0; !status && i < repeat_count; i++) {
        etc_capture *capture = etc_nrt_execute_begin(model);
        status = engine.execute(engine.context, handle, capture, input_set, output_set);
        etc_nrt_execute_end(model, status);
    }
    etc__nrt_release(model);
    return status;
}
