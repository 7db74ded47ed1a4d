/*
 * measure.c - measures the cost of recording on a board in QEMU, and prints "name value" lines; then prints a capture with
 * debug data in short lines.
 *
 * With -icount shift=6 an instruction takes 64 ns, which are 1.6 ticks of the SysTick at 25 MHz.
 */
#include "board.h"

#include <etcapture.h>
#include <etcapture_clock.h>

enum { N_EVENTS = 500 };

static uint8_t memory[24576];
static uint8_t values[256];
static etc_clock_timer timer;

/* A clock that takes almost no time. */
static uint64_t count(void *context) {
    (void)context;
    static uint32_t ticks;
    return ++ticks;
}

static etc_config make_config(void) {
    etc_config config = ETC_CONFIG_INIT;
    config.clock = count;
    return config;
}

static void print_value(const char *name, uint32_t value) {
    board_print(name);
    board_put(NULL, ' ');
    board_print_number(value);
    board_put(NULL, '\n');
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Returns the instructions of N_EVENTS calls. */
static uint32_t instructions(void (*call)(etc_capture *c, etc_name name), etc_capture *c,
                             etc_name name) {
    uint64_t start = etc_clock_systick(&timer);
    for (unsigned i = 0; i < N_EVENTS; i++)
        call(c, name);
    return (uint32_t)((etc_clock_systick(&timer) - start) * 5 / 8);
}

/* Two instructions. */
static void known(etc_capture *c, etc_name name) {
    (void)c;
    (void)name;
    __asm__ volatile("nop\n\tnop");
}

static void unknown(etc_capture *c, etc_name name) {
    (void)c;
    (void)name;
    __asm__ volatile("");
}

static etc_clock_function volatile clock = count;

static void nothing(etc_capture *c, etc_name name) {
    (void)c;
    (void)name;
    clock(NULL);
    clock(NULL);
}

static void by_id(etc_capture *c, etc_name name) {
    etc_span span = etc_start(c, name);
    etc_end(c, &span);
}

static void by_text(etc_capture *c, etc_name name) {
    (void)name;
    etc_span span = etc_start_text(c, "convolution_1");
    etc_end(c, &span);
}

/* Prints the instructions per event, without those of the clock. */
static void measure_events(const char *name, void (*call)(etc_capture *c, etc_name name),
                           etc_when_full when_full) {
    etc_config config = make_config();
    config.when_full = when_full;
    etc_capture *c = etc_init(memory, sizeof memory, &config);
    etc_name event = etc_intern(c, "convolution_1");
    etc_run(c, "Execute");
    etc_end(c, &(etc_span){0});
    uint32_t without = instructions(nothing, c, event), with = instructions(call, c, event);
    print_value(name, (with - without + N_EVENTS / 2) / N_EVENTS);
    etc_run_end(c);
    etc_stats stats = ETC_STATS_INIT;
    etc_get_stats(c, &stats);
    if (stats.events != N_EVENTS)
        print_value("events_missing", (uint32_t)(N_EVENTS - stats.events));
}

/* ---- stack ----------------------------------------------------------------------------------- */

extern uint8_t stack_begin[]; /* see mps2.ld */

enum { PAINT = 0xa5, NEAR = 64 };

/* Returns the stack used by a function called here. */
static __attribute__((noinline)) uint32_t stack_of(void (*call)(void)) {
    uint8_t *here = __builtin_frame_address(0);
    for (volatile uint8_t *at = stack_begin; at < here - NEAR; at++)
        *at = PAINT;
    call();
    const volatile uint8_t *at = stack_begin;
    while (*at == PAINT)
        at++;
    return (uint32_t)(here - at);
}

static etc_capture *capture;

static void do_nothing(void) {
}

/* Records new names, a ring that makes room, delegates and tensors. */
static void record(void) {
    etc_config config = make_config();
    config.when_full = ETC_RING;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    capture = etc_init(memory, 2048, &config);
    for (unsigned run = 0; run < 30; run++) {
        etc_run(capture, run ? "Execute" : "Default");
        etc_span outer = etc_start_text(capture, "Method::execute");
        etc_span inner = etc_start_delegate(capture, 0, (int32_t)run);
        etc_end_delegate(capture, &inner, "metadata", 8);
        etc_allocation(capture, etc_allocator(capture, "arena"), run);
        int64_t sizes[] = {2, 3};
        etc_log_tensor(capture, ETC_OPERATOR, &(etc_tensor){ETC_BYTE, 2, sizes, NULL, "abcdef", 6},
                       0);
        etc_end(capture, &outer);
        etc_run_end(capture);
    }
}

static int ignore(void *context, const void *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return 0;
}

static void save(void) {
    etc_save(capture, NULL, (etc_sink){ignore, NULL});
}

static void drop(void *context, char character) {
    (void)context;
    (void)character;
}

static void print(void) {
    etc_print(capture, NULL, drop, NULL);
}

static void measure_stack(void) {
    uint32_t own = stack_of(do_nothing);
    print_value("stack_record", stack_of(record) - own);
    print_value("stack_save", stack_of(save) - own);
    print_value("stack_print", stack_of(print) - own);
}

/* ---- a capture in short lines ---------------------------------------------------------------- */

static void print_capture(void) {
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = etc_init(memory, 2048, &config);
    etc_set_debug_buffer(c, values, sizeof values);
    for (unsigned run = 0; run < 3; run++) {
        etc_run(c, "Execute");
        etc_set_instruction(c, 0, 1);
        etc_span span = etc_start_text(c, "native_call_add.out");
        etc_end(c, &span);
        int64_t size = 12;
        etc_log_tensor(c, ETC_OPERATOR, &(etc_tensor){ETC_BYTE, 1, &size, NULL, "equal values", 12},
                       0);
        etc_run_end(c);
    }
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.line_width = 76;
    etc_print(c, &options, board_put, NULL);
}

int main(void) {
    board_start_uart();
    etc_clock_systick_start(&timer);
    print_value("two", (instructions(known, NULL, 0) - instructions(unknown, NULL, 0)) / N_EVENTS);
    measure_events("by_id", by_id, ETC_STOP);
    measure_events("by_id_ring", by_id, ETC_RING);
    measure_events("by_text", by_text, ETC_STOP);
    measure_stack();
    print_capture();
    return 0;
}
