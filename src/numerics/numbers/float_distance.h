/*
 * float_distance.h - how many floats of a type lie between two.
 */
#ifndef ETI_NUMERICS_NUMBERS_FLOAT_DISTANCE_H
#define ETI_NUMERICS_NUMBERS_FLOAT_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the most that the floats of a pair are apart, the second one included, both zeros being one float. There are `n`
 * floats of `width` bytes, whose first bit is the sign, one after the other at any address on each side. */
double eti__largest_float_distance(size_t width, const uint8_t *base, const uint8_t *newer,
                                   size_t n);

#endif
