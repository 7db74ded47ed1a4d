/*
 * slice_clock.h - clocks of slices: ticks, stamps of delegates, calls of a block.
 */
#ifndef ETI_TIMELINE_SLICE_CLOCK_H
#define ETI_TIMELINE_SLICE_CLOCK_H

#include "account/account.h"
#include "etinspect.h"

/* ==== block calls ============================================================================= */
/* Keeps a reader of calls for each EventBlock, because runs of several blocks alternate. */

/* Initialize to all zeros. */
typedef struct eti_block_calls {
    eti_run_calls *of; /* per block of the inspector */
    size_t n;
} eti_block_calls;

/* Reads a run; `*out` is valid until the next run of the block is read. With `only_stamps`, calls eti__run_calls_read_stamps().
 * Fails with ETI_ERROR_MEMORY. */
eti_status eti__block_calls_read(eti_block_calls *calls, const eti_inspector *inspector,
                                 uint32_t block, uint32_t run, bool only_stamps,
                                 const eti_run_calls **out, eti_error *err) ETI_WARN_UNUSED;
void eti__block_calls_free(eti_block_calls *calls);

/* ==== delegated stamps ======================================================================== */
/* Reads the stamps of the events that delegates logged in a run, to place them on a time line.
 *
 * Stamps of the source's clock are moved by the range of a 32-bit clock if only this puts them
 * inside their call. Stamps of another clock are compared only with the others of their call: a
 * stamp far below the first recorded one was taken after the clock wrapped around. */

/* Stamps before they are moved. If the recorded ones run backwards, the end was taken after a 32-bit clock wrapped
 * around. */
typedef struct eti_delegated_span {
    uint64_t start, end;
} eti_delegated_span;

/* Initialize to all zeros. */
typedef struct eti_delegated_stamps {
    const eti_run_calls *calls;
    /* Per call, and one for all events without a call: first and least stamp of the events right inside. Those that are on the
     * clock of the runtime, or have no time, do not count. */
    uint64_t *first, *least;
    bool *
        has_outside; /* whether the stamps of one of these events are not inside those of the delegate call */
    eti_delegated_span *spans; /* per call that a delegate logged */
    size_t capacity, least_capacity, outside_capacity, span_capacity;
} eti_delegated_stamps;

/* Stamps of a call, in ticks of its own scale. */
typedef struct eti_delegated_interval {
    uint64_t start, end; /* start <= end */
    /* earliest start of all events right inside the same call, or of all events without a call */
    uint64_t least;
    bool is_of_source; /* whether these are ticks of the source scale */
    bool is_inside;    /* whether the stamps are inside those of its call */
    /* whether those of all events right inside the same call are, and the events are as long as in the account */
    bool are_all_inside;
} eti_delegated_interval;

/* Returns whether a delegate logged the call. */
bool eti__call_is_delegated(const eti_run_calls *calls, size_t call);
/* Returns whether the stamps of an event in a delegate call are on the clock of the runtime, and so inside the call. */
bool eti__is_on_host(const eti_run_calls *calls, size_t call);

/* Reads all stamps of a run. Returns false if memory runs out. */
bool eti__delegated_stamps_read(eti_delegated_stamps *stamps, const eti_run_calls *calls);
/* Returns the stamps of a call that a delegate logged. */
eti_delegated_interval eti__delegated_stamps_of(const eti_delegated_stamps *stamps, size_t call);
void eti__delegated_stamps_free(eti_delegated_stamps *stamps);

/* ==== placing ================================================================================= */
/* Estimates when an event without a stamp was recorded.
 *
 * The estimate is the end of the event recorded before it or the start of the event recorded after
 * it, whichever is later; events of delegates do not count, because they may use another clock. Of
 * two such events, the one recorded later never gets an earlier time. */

/* Initialize to all zeros except for `calls` and `latest`, the first stamp of the run. */
typedef struct eti_placing {
    const eti_run_calls *calls; /* calls of the run */
    size_t before, after;       /* the first call with a stamp from `before` on */
    uint64_t latest;
} eti_placing;

/* Returns the time at which the event with this number in the run was recorded, in ticks of the source scale. Numbers
 * must ascend. */
uint64_t eti__placing_next(eti_placing *placing, uint32_t number);

/* ==== ticks =================================================================================== */
/* Converts ticks of a clock to nanoseconds, with integers. */

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

/* Returns the length of a tick of the stamps of a call that a delegate logged, in its own scale; cycles of an unknown clock are
 * 1 ns each. */
eti_tick_length eti__delegated_tick(const eti_run_calls *calls, size_t call);

/* ==== inner places ============================================================================ */
/* Places the events of delegate calls that are not on the clock of the runtime.
 *
 * The first of the events right inside another event, or inside the call, begins with it. The
 * distances are as recorded if all of them end in time, and each is as long as in the account.
 * Otherwise, and if the events have no stamps, they lie side by side, as long as in the account,
 * and the recorded gaps are shortened to what is left of the time. */

/* Times in ns; start <= end. */
typedef struct eti_inner_place {
    uint64_t start, end;
} eti_inner_place;

/* Initialize to all zeros. */
typedef struct eti_inner_places {
    eti_inner_place *of; /* per call; set for those that eti__is_placed_inside() names */
    uint32_t *order; /* these: outer ones first, and those right inside the same event together */
    size_t capacity, order_capacity;
} eti_inner_places;

/* Returns whether a call is inside a delegate call and has a time, but not by its stamps. */
bool eti__is_placed_inside(const eti_run_calls *calls, size_t call);

/* Places the events of a run. Returns false if memory runs out. */
bool eti__inner_places_read(eti_inner_places *places, const eti_delegated_stamps *stamps,
                            const eti_run_clock *clock);
void eti__inner_places_free(eti_inner_places *places);

#endif
