/*
 * portable.c - records random calls from its own generator, with a counting clock, and prints the dump: every processor
 * must print the same bytes. BOARD is defined on a board.
 */
#include <etcapture.h>

#ifdef BOARD
#include "board.h"
#else
#include <stdio.h>

static void board_put(void *context, char character) {
    (void)context;
    putchar(character);
}
#endif

static uint32_t state;

static uint32_t draw(uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
}

static uint64_t count(void *context) {
    (void)context;
    static uint64_t ticks = 0xfffffff0; /* soon needs more than 32 bits */
    return ticks += draw(100);
}

static const char *draw_text(void) {
    static const char *const texts[] = {"",
                                        "a",
                                        "Method::execute",
                                        "native_call_conv_1",
                                        "\xc3\xa9",
                                        "\xff no UTF-8",
                                        "convolution",
                                        NULL};
    return texts[draw(sizeof texts / sizeof *texts)];
}

static void log_value(etc_capture *c) {
    /* Uses bytes, since contents are copied without conversion. */
    int64_t sizes[] = {2, 3};
    etc_tensor tensor = {ETC_BYTE, 2, sizes, NULL, "abcdef", 6};
    etc_key key = draw(2) ? ETC_OPERATOR : (etc_key){"delegate", -1};
    uint32_t kind = draw(4), value = draw(1000);
    if (kind == 0)
        etc_log_int(c, key, (int64_t)value - 500, 0);
    else if (kind == 1)
        etc_log_double(c, key, value / 8.0, 0);
    else if (kind == 2)
        etc_log_bool(c, key, value % 2, 0);
    else
        etc_log_tensor(c, key, &tensor, value % 2 ? ETC_PROGRAM_OUTPUT : 0);
}

/* Draws in a defined order, since C does not define the order of evaluating arguments. */
static void add_event(etc_capture *c) {
    uint32_t kind = draw(4), id = draw(1000), bytes = draw(9);
    const char *text = draw_text();
    if (draw(3) == 0)
        etc_set_instruction(c, (int32_t)(id % 3) - 1, bytes);
    etc_span span = etc_start_text(c, text);
    if (kind == 0) {
        etc_name name = id % 2 ? etc_intern(c, "gemm") : 0;
        etc_span inner = etc_start_delegate(c, name, (int32_t)(id % 5) - 1);
        etc_end_delegate(c, &inner, "metadata", bytes);
    } else if (kind == 1) {
        uint64_t start = count(NULL);
        etc_log_delegate(c, 0, (int32_t)id, start, count(NULL), NULL, 0);
    } else if (kind == 2) {
        etc_allocation(c, id % 2 ? etc_allocator(c, text) : id, bytes);
    } else {
        log_value(c);
    }
    etc_end(c, &span);
}

static void record(uint32_t seed) {
    static uint8_t memory[40960],
        values[4096]; /* nothing may be lost, since the room depends on the size of pointers */
    state = seed;
    etc_config config = ETC_CONFIG_INIT;
    config.clock = count;
    config.when_full = seed % 2 ? ETC_RING : ETC_STOP;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    config.keep_partial_runs = true; /* some runs lose events for wrong arguments */
    config.auto_handles = draw(2);
    config.tick_numerator = draw(2) ? 1000 : 0;
    config.tick_denominator = config.tick_numerator ? 1 + draw(1000) : 0;
    unsigned parts = ETC_WITH_VALUES | (config.when_full == ETC_RING ? ETC_WITH_RING : 0u);
    etc_capture *c = etc_init_with(memory, sizeof memory, &config, parts);
    etc_name_lane(c, 0, "main thread");
    const etc_counter counter = {etc_intern(c, "cycles"), -7};
    etc_set_debug_buffer(c, values, sizeof values);
    for (unsigned n_runs = draw(20); n_runs; n_runs--) {
        etc_run(c, draw_text());
        etc_set_bundled_input(c, (int32_t)draw(4) - 1);
        for (unsigned n = draw(20); n; n--)
            add_event(c);
        etc_mark(c, etc_intern(c, "here"), &counter, 1);
        etc_run_end(c);
    }
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.line_width = draw(100);
    if (etc_print(c, &options, board_put, NULL))
        board_put(NULL, '\n');
}

static bool keep(void *context, const etc_filter_event *event) {
    (void)context;
    (void)event;
    return true;
}

/* Prints a digit for each set of parts and each configuration: 1 if the parts are enough. */
static void try_parts(void) {
    static uint8_t memory[ETC_MIN_BYTES];
    for (unsigned parts = 0; parts < 8; parts++) {
        for (unsigned needed = 0; needed < 8; needed++) {
            etc_config config = ETC_CONFIG_INIT;
            config.clock = count;
            config.when_full = needed & ETC_WITH_RING ? ETC_RING : ETC_STOP;
            config.filter = needed & ETC_WITH_FILTER ? keep : NULL;
            if (needed & ETC_WITH_VALUES)
                config.debug_level = ETC_DEBUG_PROGRAM_OUTPUTS;
            bool is_made = etc_init_with(memory, sizeof memory, &config, parts) != NULL;
            board_put(NULL, is_made ? '1' : '0');
        }
    }
    board_put(NULL, '\n');
}

int main(void) {
#ifdef BOARD
    board_start_uart();
#endif
    try_parts();
    for (uint32_t seed = 0; seed < 40; seed++)
        record(seed);
    return 0;
}
