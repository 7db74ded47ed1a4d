/*
 * ticks.h - converts ticks of a clock to nanoseconds, with integers.
 */
#ifndef ETI_TIMELINE_TICKS_H
#define ETI_TIMELINE_TICKS_H

#include "etinspect.h"

/* A tick takes times / per ns. */
typedef struct eti_tick_length {
    uint64_t times, per;
} eti_tick_length;

/* Maps the stamps of a run to the times at which they are shown. */
typedef struct eti_run_clock {
    eti_tick_length tick;
    uint64_t first, shown_at; /* the stamp that is shown at `shown_at` ticks after 0 */
} eti_run_clock;

/* Returns the length of a tick of a scale; a cycle is 1 ns if `hz` is 0. */
eti_tick_length eti__tick_length(eti_time_scale scale, double hz);

/* Returns whether ticks are cycles of a clock with an unknown frequency, which are shown as 1 ns each. */
bool eti__ticks_are_cycles(eti_time_scale scale, double hz);

/* Converts ticks to ns, rounding down; returns at most INT64_MAX. */
uint64_t eti__ticks_to_ns(eti_tick_length length, uint64_t ticks);

/* Returns the sum, or UINT64_MAX on overflow. */
static inline uint64_t eti__ticks_sum(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Returns the time in ns at which a stamp is shown; a stamp before the first is shown at the time of the first. */
static inline uint64_t eti__run_clock_ns(const eti_run_clock *clock, uint64_t stamp) {
    uint64_t since = stamp > clock->first ? stamp - clock->first : 0;
    return eti__ticks_to_ns(clock->tick, eti__ticks_sum(clock->shown_at, since));
}

#endif
