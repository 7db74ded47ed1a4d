/*
 * main.c - runs the network on this machine: tiny_cnn ETDUMP [DEBUG_BUFFER]
 *
 * Writes the profile of 200 runs; with a second file, of 20 runs, and the output of each layer.
 */
#include "network.h"

#include <stdio.h>

enum { N_RUNS = 200, N_RUNS_WITH_VALUES = 20 };

static int fail(const char *what, const char *reason) {
    fprintf(stderr, "tiny_cnn: %s: %s\n", what, reason);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: tiny_cnn ETDUMP [DEBUG_BUFFER]\n");
        return 2;
    }
    const char *dump = argv[1], *debug_buffer = argv[2];

    static uint8_t values[1 << 17];
    etc_capture *capture;
    etc_config config = ETC_CONFIG_INIT; /* without a clock: CLOCK_MONOTONIC */
    if (debug_buffer)
        config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_status status = etc_open(&capture, &config);
    if (status)
        return fail("libetcapture", etc_status_text(status));
    if (debug_buffer)
        etc_set_debug_buffer(capture, values, sizeof values);

    if (!network_load(capture))
        return fail("weights.c", "the weights are damaged");
    unsigned n_right = 0, n_runs = debug_buffer ? N_RUNS_WITH_VALUES : N_RUNS;
    for (unsigned run = 0; run < n_runs; run++) {
        int8_t image[IMAGE_PIXELS];
        unsigned digit = run % N_DIGITS;
        draw_digit(digit, run / N_DIGITS, image);
        if (debug_buffer) /* values differ: the runs do not have the same input */
            etc_set_bundled_input(capture, (int32_t)run);
        answer found = network_run(capture, image);
        n_right += found.digit == (int)digit;
        if (run < N_RUNS_WITH_VALUES)
            printf("%u: %d (%d/128)\n", digit, found.digit, found.certainty);
    }
    printf("%u of %u right\n", n_right, n_runs);

    status = etc_save_file(capture, NULL, dump, debug_buffer);
    etc_close(capture);
    return status ? fail(dump, etc_status_text(status)) : 0;
}
