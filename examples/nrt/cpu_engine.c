/*
 * cpu_engine.c - an engine for programs that are written to nrt/nrt.h: executes the network of ../tiny_cnn on the processor.
 *
 * A constructor sets the engine, so that programs need not be changed: link this source and those of the network with a program,
 * or make a library of them and preload it.
 *
 *     cc -I../tiny_cnn program.c cpu_engine.c ../tiny_cnn/network.c ../tiny_cnn/layers.c ../tiny_cnn/weights.c \
 *         $(pkg-config --cflags --libs nrt_profile_etcapture) -pthread
 *
 * The model is a text, "tiny_cnn". It has the input "image", int8 [1, 8, 8], and the output "certainties", int8 [10].
 */
#include <etcapture_nrt.h>

#include "network.h"

#include <pthread.h>
#include <string.h>

enum { N_CORES = 4 };

static const char format[] = "tiny_cnn";

/* One execution at a time: the network has one set of buffers and of names. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static uint32_t image_shape[] = {1, IMAGE_SIDE, IMAGE_SIDE};
static uint32_t certainties_shape[] = {N_DIGITS};

static const nrt_tensor_info_t tensors[] = {
    {"image", NRT_TENSOR_USAGE_INPUT, IMAGE_PIXELS, NRT_DTYPE_INT8, image_shape, 3},
    {"certainties", NRT_TENSOR_USAGE_OUTPUT, N_DIGITS, NRT_DTYPE_INT8, certainties_shape, 1},
};

static NRT_STATUS load(void *context, etc_nrt_loading *loading) {
    (void)context;
    size_t length = sizeof format - 1;
    if (loading->size < length || memcmp(loading->bytes, format, length) != 0)
        return NRT_UNSUPPORTED_NEFF_VERSION;
    if (!network_load(NULL))
        return NRT_INVALID;
    loading->name = format;
    loading->tensors = tensors;
    loading->n_tensors = sizeof tensors / sizeof *tensors;
    return NRT_SUCCESS;
}

/* Returns the memory of a tensor. The library has checked that it is in the set. */
static void *memory_of(const nrt_tensor_set_t *set, const char *name) {
    nrt_tensor_t *tensor = NULL;
    nrt_get_tensor_from_tensor_set((nrt_tensor_set_t *)set, name, &tensor);
    return nrt_tensor_get_va(tensor);
}

static NRT_STATUS execute(void *context, void *model, etc_capture *capture,
                          const nrt_tensor_set_t *inputs, nrt_tensor_set_t *outputs) {
    (void)context;
    (void)model;
    const int8_t *image = memory_of(inputs, "image");
    int8_t *certainties = memory_of(outputs, "certainties");
    if (!image || !certainties)
        return NRT_EXEC_BAD_INPUT;
    pthread_mutex_lock(&mutex);
    network_intern(capture);
    memcpy(certainties, network_execute(capture, image), N_DIGITS);
    pthread_mutex_unlock(&mutex);
    return NRT_SUCCESS;
}

__attribute__((constructor)) static void set_engine(void) {
    etc_nrt_engine engine = ETC_NRT_ENGINE_INIT;
    engine.n_cores = N_CORES;
    engine.load = load;
    engine.execute = execute;
    etc_nrt_set_engine(&engine);
}
