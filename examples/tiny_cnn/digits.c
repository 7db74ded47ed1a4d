#include "digits.h"

/* Seven rows of five dots, the leftmost in bit 4. */
static const uint8_t glyphs[10][7] = {
    {14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},  {14, 17, 1, 2, 4, 8, 31},
    {31, 2, 4, 2, 1, 17, 14},     {2, 6, 10, 18, 31, 2, 2}, {31, 16, 30, 1, 1, 17, 14},
    {6, 8, 16, 30, 17, 17, 14},   {31, 1, 2, 4, 8, 8, 8},   {14, 17, 17, 14, 17, 17, 14},
    {14, 17, 17, 15, 1, 2, 12},
};

void draw_digit(unsigned digit, unsigned variant, int8_t image[IMAGE_PIXELS]) {
    uint32_t state = digit * 1000 + variant + 1;
    unsigned left = variant % 4, top = variant / 4 % 2;
    for (unsigned y = 0; y < IMAGE_SIDE; y++) {
        for (unsigned x = 0; x < IMAGE_SIDE; x++) {
            unsigned row = y - top, column = x - left;
            int is_set = row < 7 && column < 5 && (glyphs[digit][row] >> (4 - column) & 1);
            state = state * 1664525u + 1013904223u;
            *image++ = (int8_t)((is_set ? 96 : 0) + (int)(state >> 27));
        }
    }
}
