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

/* When stamps of a run are shown. */
typedef struct eti_run_clock {
    eti_tick_length tick;
    uint64_t first, shown_at; /* the stamp shown at `shown_at` ticks after 0 */
} eti_run_clock;

/* The ticks of a scale; a cycle is 1 ns where `hz` is 0. */
eti_tick_length eti__tick_length(eti_time_scale scale, double hz);

/* Whether ticks are cycles of an unknown clock, which are shown as 1 ns each. */
bool eti__ticks_are_cycles(eti_time_scale scale, double hz);

/* Rounds down, to INT64_MAX at most. */
uint64_t eti__ticks_to_ns(eti_tick_length length, uint64_t ticks);

/* The sum, or UINT64_MAX. */
static inline uint64_t eti__ticks_sum(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Returns the ns at which a stamp is shown; an earlier one than the first is shown there. */
static inline uint64_t eti__run_clock_ns(const eti_run_clock *clock, uint64_t stamp) {
    uint64_t since = stamp > clock->first ? stamp - clock->first : 0;
    return eti__ticks_to_ns(clock->tick, eti__ticks_sum(clock->shown_at, since));
}

#endif
