/*
 * random.h - unpredictable bytes from the system. For reproducible numbers from a seed see stats/random.h.
 */
#ifndef ETI_BASE_RANDOM_H
#define ETI_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* Fills `out` with `size` <= 256 bytes, without blocking. False: the system cannot supply them. */
bool eti__random_bytes(void *out, size_t size);

#endif
