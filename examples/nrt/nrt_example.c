/*
 * nrt_example.c - uses the profiling calls of the Neuron Runtime, with the engine that they profile: a network of three
 * layers on the processor.
 *
 *     cc nrt_example.c $(pkg-config --cflags --libs nrt_profile_etcapture etcapture) -lm -o nrt_example
 *     ./nrt_example output
 *     etinspect summary output/mlp.etdp
 */
#include <etcapture_nrt.h>
#include <nrt/nrt_profile.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the engine ------------------------------------------------------------------------------ */

enum { WIDTH = 96 };

typedef struct network {
    nrt_model_t *model;
    float weights[2][WIDTH][WIDTH];
} network;

static void linear(float *out, const float *in, float weights[WIDTH][WIDTH]) {
    for (int i = 0; i < WIDTH; i++) {
        out[i] = 0;
        for (int j = 0; j < WIDTH; j++)
            out[i] += weights[i][j] * in[j];
    }
}

static void relu(float *values) {
    for (int i = 0; i < WIDTH; i++)
        values[i] = values[i] > 0 ? values[i] : 0;
}

/* An engine reports its models... */
static NRT_STATUS load(network *n, const char *name, uint32_t core) {
    uint64_t start = etc_nrt_now();
    for (int i = 0; i < WIDTH * WIDTH; i++) {
        n->weights[0][i / WIDTH][i % WIDTH] = sinf((float)i);
        n->weights[1][i / WIDTH][i % WIDTH] = cosf((float)i);
    }
    NRT_STATUS status = etc_nrt_model_loaded(name, core, &n->model);
    etc_nrt_event(core, "nrt_load", start, etc_nrt_now());
    return status;
}

/* ... and their executions, with an event for each operator. */
static NRT_STATUS execute(network *n, const float *input, float *output) {
    float hidden[WIDTH];
    etc_capture *capture = etc_nrt_execute_begin(n->model);
    etc_span span = etc_start_text(capture, "native_call_linear");
    linear(hidden, input, n->weights[0]);
    etc_end(capture, &span);
    span = etc_start_text(capture, "native_call_relu");
    relu(hidden);
    etc_end(capture, &span);
    span = etc_start_text(capture, "native_call_linear");
    linear(output, hidden, n->weights[1]);
    etc_end(capture, &span);
    NRT_STATUS result = isfinite(output[0]) ? NRT_SUCCESS : NRT_EXEC_COMPLETED_WITH_NUM_ERR;
    etc_nrt_execute_end(n->model, result);
    return result;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void check(NRT_STATUS status, const char *call) {
    if (status == NRT_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", call, nrt_get_status_as_str(status));
    exit(1);
}

#define CHECK(call) check((call), #call)

/* Profiles all models and the calls of the runtime, from loading on. */
static void inspect(network *networks, float *values, const char *folder) {
    nrt_inspect_config_t *config;
    CHECK(nrt_inspect_config_allocate(&config));
    CHECK(nrt_inspect_config_set_output_dir(config, folder));
    CHECK(nrt_inspect_begin_with_options(config));
    CHECK(nrt_inspect_config_free(config));
    CHECK(load(&networks[0], "mlp", 0));
    CHECK(load(&networks[1], "other", 1));
    for (int i = 0; i < 20; i++)
        execute(&networks[i % 2], values, values + WIDTH);
    CHECK(nrt_inspect_stop());
}

/* Writes the latest execution on demand. */
static void look_back(network *networks, float *values, const char *folder) {
    nrt_profile_continuous_options_t *options;
    CHECK(nrt_profile_continuous_options_allocate(&options));
    CHECK(nrt_profile_continuous_options_set_output_dir(options, folder));
    CHECK(nrt_profile_continuous_start(options));
    for (int i = 0; i < 20; i++)
        execute(&networks[1], values, values + WIDTH);
    CHECK(nrt_profile_continuous_save(1, options));
    CHECK(nrt_profile_continuous_stop());
    CHECK(nrt_profile_continuous_options_free(options));
}

int main(int argc, char **argv) {
    static network networks[2];
    static float values[2 * WIDTH] = {1, 2, 3};
    char filename[1000];
    const char *folder = argc > 1 ? argv[1] : "output";
    inspect(networks, values, folder);
    look_back(networks, values, folder);

    /* Profiles one model. The folder exists already. */
    snprintf(filename, sizeof filename, "%s/mlp.etdp", folder);
    CHECK(nrt_profile_start(networks[0].model, filename));
    for (int i = 0; i < 20; i++)
        execute(&networks[0], values, values + WIDTH);
    CHECK(nrt_profile_stop(filename));
    return 0;
}
