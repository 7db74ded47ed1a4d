#include "board.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* UART 0, a CMSDK APB UART. */
#define UART_DATA REGISTER(0x40004000u)
#define UART_STATE REGISTER(0x40004004u)
#define UART_CONTROL REGISTER(0x40004008u)
#define UART_DIVIDER REGISTER(0x40004010u)

#define UART_IS_FULL 1u  /* of UART_STATE */
#define UART_TRANSMIT 1u /* of UART_CONTROL */

#define RESET_CONTROL REGISTER(0xe000ed0cu) /* AIRCR */

void board_start_uart(void) {
    UART_DIVIDER = BOARD_HERTZ / 115200;
    UART_CONTROL = UART_TRANSMIT;
}

void board_put(void *context, char character) {
    (void)context;
    while (UART_STATE & UART_IS_FULL) {
    }
    UART_DATA = (uint8_t)character;
}

void board_print(const char *text) {
    while (*text)
        board_put(0, *text++);
}

void board_print_number(unsigned long number) {
    if (number >= 10)
        board_print_number(number / 10);
    board_put(0, (char)('0' + number % 10));
}

_Noreturn void board_end(void) {
    RESET_CONTROL = 0x05fa0004; /* the key, and SYSRESETREQ */
    for (;;) {
    }
}

/* ---- start-up -------------------------------------------------------------------------------- */

/* See mps2.ld. */
extern uint32_t data_begin[], data_end[], bss_begin[], bss_end[];
extern const uint32_t data_source[];
extern uint32_t stack_end[];

int main(void);

void reset(void);
void reset(void) {
    const uint32_t *source = data_source;
    for (uint32_t *at = data_begin; at < data_end; at++)
        *at = *source++;
    for (uint32_t *at = bss_begin; at < bss_end; at++)
        *at = 0;
    main();
    board_end();
}

static void fault(void) {
    board_print("\nfault\n");
    board_end();
}

/* The first 16: the stack, and the processor's own exceptions. */
__attribute__((section(".vectors"), used)) static const struct vectors {
    uint32_t *stack;
    void (*handlers[15])(void);
} vectors = {stack_end, {reset, fault, fault, fault, fault, fault}};
