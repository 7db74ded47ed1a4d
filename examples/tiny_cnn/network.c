/*
 * network.c - the layers in order, and their events.
 *
 * Events have the names that ExecuTorch gives them, so that reports can distinguish layers, the time around them, and
 * loading: native_call_<operator>, Method::execute, Program::load_method.
 */
#include "network.h"

#include "layers.h"

typedef struct layer {
    const char *name; /* of the layer's events */
    void (*run)(const work *w);
    shape out_shape;
    const weights *weights;
} layer;

static const layer layers[] = {
    {"native_call_conv_1", conv, {8, 8, 8}, &conv_1},
    {"native_call_relu_1", relu, {8, 8, 8}, NULL},
    {"native_call_depthwise_2", depthwise, {8, 8, 8}, &depthwise_2},
    {"native_call_pointwise_2", pointwise, {16, 8, 8}, &pointwise_2},
    {"native_call_relu_2", relu, {16, 8, 8}, NULL},
    {"native_call_max_pool_2", max_pool, {16, 2, 2}, NULL},
    {"native_call_dense_3", dense, {N_DIGITS, 1, 1}, &dense_3},
    {"native_call_softmax_3", softmax, {N_DIGITS, 1, 1}, NULL},
};

enum { N_LAYERS = sizeof layers / sizeof *layers, MOST_ELEMENTS = 16 * 8 * 8 };

/* Holds names that are interned once, while loading. */
static etc_name execute_name, layer_names[N_LAYERS];

static uint32_t checksum(void) {
    static const weights *const all[] = {&conv_1, &depthwise_2, &pointwise_2, &dense_3};
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int k = 0; k < all[i]->n_values; k++)
            sum = 31u * sum + (uint32_t)all[i]->values[k];
    return sum;
}

void network_intern(etc_capture *capture) {
    execute_name = etc_intern(capture, "Method::execute");
    for (int i = 0; i < N_LAYERS; i++)
        layer_names[i] = etc_intern(capture, layers[i].name);
}

bool network_load(etc_capture *capture) {
    network_intern(capture);
    etc_run(capture, "Default");
    etc_span loading = etc_start_text(capture, "Program::load_method");
    bool is_right = checksum() == weights_checksum;
    etc_end(capture, &loading);
    etc_run_end(capture);
    return is_right;
}

/* Records the output of a layer. Does nothing without a debug level. */
static void log_output(etc_capture *capture, const work *w, unsigned flags) {
    int64_t sizes[] = {w->out_shape.channels, w->out_shape.height, w->out_shape.width};
    etc_tensor tensor = {.scalar_type = ETC_CHAR,
                         .rank = 3,
                         .sizes = sizes,
                         .data = w->out,
                         .bytes = (size_t)elements(w->out_shape)};
    etc_log_tensor(capture, ETC_OPERATOR, &tensor, flags);
}

/* Runs all layers, with two buffers in turns. Returns the output of the last layer. */
static const int8_t *run_layers(etc_capture *capture, const int8_t *image) {
    static int8_t buffers[2][MOST_ELEMENTS];
    work w = {.out_shape = {1, IMAGE_SIDE, IMAGE_SIDE}, .in = image};
    for (int i = 0; i < N_LAYERS; i++) {
        w.in_shape = w.out_shape;
        w.out_shape = layers[i].out_shape;
        w.out = buffers[i % 2];
        w.weights = layers[i].weights;

        /* Events and values of a layer have its number. */
        etc_set_instruction(capture, 0, (uint32_t)i);
        etc_span span = etc_start_op(capture, layer_names[i]);
        layers[i].run(&w);
        etc_end(capture, &span);
        log_output(capture, &w, i == N_LAYERS - 1 ? ETC_PROGRAM_OUTPUT : 0);

        w.in = w.out;
    }
    etc_unset_instruction(capture);
    return w.out;
}

const int8_t *network_execute(etc_capture *capture, const int8_t image[IMAGE_PIXELS]) {
    etc_span execute = etc_start(capture, execute_name);
    const int8_t *certainties = run_layers(capture, image);
    etc_end(capture, &execute);
    return certainties;
}

answer network_run(etc_capture *capture, const int8_t image[IMAGE_PIXELS]) {
    etc_run(capture, "Execute");
    const int8_t *certainties = network_execute(capture, image);
    etc_run_end(capture);

    answer best = {0, certainties[0]};
    for (int digit = 1; digit < N_DIGITS; digit++)
        if (certainties[digit] > best.certainty)
            best = (answer){digit, certainties[digit]};
    return best;
}
