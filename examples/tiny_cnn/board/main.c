/*
 * main.c - runs the network on the board, and prints the profile of 20 runs on the serial line.
 *
 * The clock is the processor's SysTick. On a chip with a cycle counter use etc_clock_dwt() instead.
 */
#include "board.h"
#include "network.h"

#include <etcapture_clock.h>

enum { N_RUNS = 20 };

/* All memory that profiling takes, except the stack. */
static uint8_t memory[8192];

static void print_answer(unsigned digit, answer found) {
    board_print_number(digit);
    board_print(": ");
    board_print_number((unsigned)found.digit);
    board_print(" (");
    board_print_number((unsigned)found.certainty);
    board_print("/128)\n");
}

int main(void) {
    static etc_clock_timer timer;
    etc_config config = ETC_CONFIG_INIT;
    config.clock = etc_clock_systick;
    config.clock_context = &timer;
    etc_clock_set_hertz(&config, BOARD_HERTZ);

    board_start_uart();
    etc_clock_systick_start(&timer);
    etc_capture *capture = etc_init_with(memory, sizeof memory, &config, 0);

    if (!network_load(capture))
        board_print("the weights are damaged\n");
    for (unsigned run = 0; run < N_RUNS; run++) {
        int8_t image[IMAGE_PIXELS];
        draw_digit(run % N_DIGITS, run / N_DIGITS, image);
        print_answer(run % N_DIGITS, network_run(capture, image));
    }

    etc_status status = etc_print(capture, NULL, board_put, NULL);
    if (status) {
        board_print(etc_status_text(status));
        board_print("\n");
    }
    return 0;
}
