/*
 * ticks.h - turns ticks of a clock into nanoseconds, with integers.
 */
#ifndef ETI_ACCOUNT_SLICES_TICKS_H
#define ETI_ACCOUNT_SLICES_TICKS_H

#include "base/wide.h"
#include "etinspect.h"

/* A tick is times / per ns. */
typedef struct eti_tick_length {
    uint64_t times, per;
} eti_tick_length;

/* The ticks of a scale; a cycle is 1 ns where `hz` is 0. */
eti_tick_length eti__tick_length(eti_time_scale scale, double hz);

/* Rounds down, to INT64_MAX at most. */
uint64_t eti__ticks_to_ns(eti_tick_length length, uint64_t ticks);

/* The sum, or UINT64_MAX. */
static inline uint64_t eti__ticks_sum(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
