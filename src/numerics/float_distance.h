/*
 * float_distance.h - counts the floats of a type between two floats.
 */
#ifndef ETI_NUMERICS_FLOAT_DISTANCE_H
#define ETI_NUMERICS_FLOAT_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the largest distance of a pair: the number of floats from the first to the second, including the second;
 * both zeros count as one float. Each side has `n` consecutive floats of `width` bytes, whose first bit is the sign,
 * at any address. */
double eti__largest_float_distance(size_t width, const uint8_t *base, const uint8_t *newer,
                                   size_t n);

#endif
