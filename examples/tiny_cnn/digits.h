/*
 * digits.h - draws digits, which the network recognises.
 */
#ifndef TINY_CNN_DIGITS_H
#define TINY_CNN_DIGITS_H

#include <stdint.h>

enum { IMAGE_SIDE = 8, IMAGE_PIXELS = IMAGE_SIDE * IMAGE_SIDE };

/* Draws a digit from 0 to 9, row by row, with pixels from 0 to 127. The variant, from 0 on, moves the
 * digit and chooses the noise. */
void draw_digit(unsigned digit, unsigned variant, int8_t image[IMAGE_PIXELS]);

#endif
