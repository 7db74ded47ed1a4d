/*
 * random.h - bytes that nobody can foresee, from the system. Numbers that come again from a seed: stats/random.h.
 */
#ifndef ETI_BASE_RANDOM_H
#define ETI_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* Fills `out` with at most 256 bytes, without waiting for the system to gather any. False: the system has none. */
bool eti__random_bytes(void *out, size_t size);

#endif
