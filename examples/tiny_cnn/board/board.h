/*
 * board.h - Arm's MPS2 boards with the images AN385 and AN500, which QEMU simulates: prints, resets.
 */
#ifndef TINY_CNN_BOARD_H
#define TINY_CNN_BOARD_H

/* Cycles a second, of the processor and of its SysTick. */
#define BOARD_HERTZ 25000000

void board_start_uart(void);
/* Prints a character. Waits while the line is busy. `context` is not used. */
void board_put(void *context, char character);
void board_print(const char *text);
void board_print_number(unsigned long number);

/* Resets the board; QEMU with -no-reboot ends. */
_Noreturn void board_end(void);

#endif
