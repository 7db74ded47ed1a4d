#include "timeline/slice_clock.h"

#include <stdlib.h>

/* ==== ticks =================================================================================== */

#define NS_PER_SECOND UINT64_C(1000000000)
/* Frequencies below this are stored in thousandths of a Hz. */
#define EXACT_HZ 1e15

bool eti__ticks_are_cycles(eti_time_scale scale, double hz) {
    return scale == ETI_SCALE_CYCLES && !(hz > 0);
}

eti_tick_length eti__tick_length(eti_time_scale scale, double hz) {
    if (scale != ETI_SCALE_CYCLES)
        return (eti_tick_length){NS_PER_SECOND / eti__scale_ticks(scale), 1};
    if (eti__ticks_are_cycles(scale, hz))
        return (eti_tick_length){1, 1};
    if (hz >= EXACT_HZ)
        return (eti_tick_length){NS_PER_SECOND, hz < 1e18 ? (uint64_t)hz : (uint64_t)1e18};
    uint64_t thousandths = (uint64_t)(hz * 1000 + 0.5);
    return (eti_tick_length){NS_PER_SECOND * 1000, thousandths > 0 ? thousandths : 1};
}

uint64_t eti__ticks_to_ns(eti_tick_length length, uint64_t ticks) {
    uint64_t ns = ticks;
    if (length.times != length.per)
        ns = eti__wide_quotient(eti__wide_product(ticks, length.times), length.per);
    return ns < INT64_MAX ? ns : INT64_MAX;
}

/* ==== delegated stamps ======================================================================== */

#define NONE UINT64_MAX /* no stamp was found */

bool eti__call_is_delegated(const eti_run_calls *calls, size_t call) {
    return calls->block->events[calls->order.calls[call].event].is_timed_as_delegated;
}

/* Returns whether the ticks of the call are those of the source scale. */
static bool is_of_source(const eti_run_calls *calls, size_t call) {
    const eti_event *event = &calls->block->events[calls->order.calls[call].event];
    bool is_countable;
    eti_time_scale scale = eti__event_scale(calls->options, event, &is_countable);
    return is_countable && scale == calls->options->source_time_scale;
}

static bool lies_in(const eti_run_calls *calls, uint32_t call, uint64_t stamp) {
    const eti_nesting *nesting = &calls->nesting;
    uint32_t at = calls->nested[call];
    return nesting->start[at] <= stamp && stamp <= nesting->end[at];
}

/* Returns the group in which the least stamp of a call is searched. */
static size_t group_of(const eti_run_calls *calls, size_t call) {
    uint32_t outer = calls->order.calls[call].delegate_call;
    return outer == ETI_NO_CALL ? calls->order.n_calls : outer;
}

/* Returns the offset to add to stamps. */
static uint64_t shift_of(const eti_delegated_stamps *s, size_t call, uint64_t start) {
    const eti_run_calls *calls = s->calls;
    uint32_t outer = calls->order.calls[call].delegate_call;
    if (start > ETI_CLOCK_32_MAX)
        return 0;
    if (outer != ETI_NO_CALL && is_of_source(calls, call)) {
        bool is_wrapped =
            !lies_in(calls, outer, start) && lies_in(calls, outer, start + ETI_CLOCK_32_MAX);
        return is_wrapped ? ETI_CLOCK_32_MAX : 0;
    }
    uint64_t first = s->first[group_of(calls, call)];
    bool is_after = first != NONE && first <= ETI_CLOCK_32_MAX && start < first &&
                    first - start > ETI_CLOCK_32_MAX / 2;
    return is_after ? ETI_CLOCK_32_MAX : 0;
}

static eti_delegated_span span_of(const eti_run_calls *calls, size_t call) {
    eti_etdump_stamps stamps = eti__run_calls_stamps(calls, call);
    uint64_t end = stamps.end_time;
    if (end < stamps.start_time)
        end = stamps.start_time <= ETI_CLOCK_32_MAX ? end + ETI_CLOCK_32_MAX : stamps.start_time;
    return (eti_delegated_span){stamps.start_time, end};
}

eti_delegated_interval eti__delegated_stamps_of(const eti_delegated_stamps *s, size_t call) {
    const eti_run_calls *calls = s->calls;
    uint32_t outer = calls->order.calls[call].delegate_call;
    const eti_delegated_span *span = &s->spans[call];
    uint64_t shift = shift_of(s, call, span->start);
    eti_delegated_interval out = {
        .start = span->start + shift,
        .end = eti__ticks_sum(span->end, shift),
        .least = s->least[group_of(calls, call)],
        .is_of_source = is_of_source(calls, call),
    };
    out.is_inside = out.is_of_source && outer != ETI_NO_CALL && lies_in(calls, outer, out.start) &&
                    lies_in(calls, outer, out.end);
    return out;
}

bool eti__delegated_stamps_read(eti_delegated_stamps *s, const eti_run_calls *calls) {
    size_t n = calls->order.n_calls;
    s->calls = calls;
    if (!ETI_GROW(s->first, s->capacity, n + 1) || !ETI_GROW(s->least, s->least_capacity, n + 1) ||
        !ETI_GROW(s->spans, s->span_capacity, n + 1))
        return false;
    for (size_t i = 0; i <= n; i++)
        s->first[i] = s->least[i] = NONE;
    for (size_t i = 0; i < n; i++) {
        if (!eti__call_is_delegated(calls, i))
            continue;
        uint64_t *first = &s->first[group_of(calls, i)];
        uint64_t *least = &s->least[group_of(calls, i)];
        s->spans[i] = span_of(calls, i);
        uint64_t start = s->spans[i].start;
        if (*first == NONE)
            *first = start;
        start += shift_of(s, i, start);
        if (start < *least)
            *least = start;
    }
    return true;
}

void eti__delegated_stamps_free(eti_delegated_stamps *s) {
    free(s->first);
    free(s->least);
    free(s->spans);
    *s = (eti_delegated_stamps){0};
}

/* ==== placing ================================================================================= */

/* Returns whether a call has stamps of the runtime's clock. */
static bool has_stamps(const eti_run_calls *calls, size_t call) {
    return !eti__call_is_delegated(calls, call) && calls->nesting.end[calls->nested[call]] != 0;
}

static void raise_to(eti_placing *placing, uint64_t stamp) {
    if (stamp > placing->latest)
        placing->latest = stamp;
}

uint64_t eti__placing_next(eti_placing *placing, uint32_t number) {
    const eti_run_calls *calls = placing->calls;
    const eti_call_order *order = &calls->order;
    uint64_t end = 0;
    for (; placing->before < order->n_calls && order->calls[placing->before].number < number;
         placing->before++) {
        if (has_stamps(calls, placing->before))
            end = calls->nesting.end[calls->nested[placing->before]];
    }
    raise_to(placing, end);
    if (placing->after < placing->before)
        placing->after = placing->before;
    while (placing->after < order->n_calls && !has_stamps(calls, placing->after))
        placing->after++;
    if (placing->after < order->n_calls)
        raise_to(placing, calls->nesting.start[calls->nested[placing->after]]);
    return placing->latest;
}

/* ==== block calls ============================================================================= */

eti_status eti__block_calls_read(eti_block_calls *calls, const eti_inspector *inspector,
                                 uint32_t block, uint32_t run, const eti_run_calls **out,
                                 eti_error *err) {
    if (!calls->of) {
        calls->of = calloc(inspector->blocks.n_blocks + 1, sizeof *calls->of);
        if (!calls->of)
            return eti_fail_memory(err);
        calls->n = inspector->blocks.n_blocks;
    }
    eti_run_calls *of = &calls->of[block];
    if (!of->block)
        eti__run_calls_init(of, &inspector->blocks.blocks[block], &inspector->options);
    *out = of;
    return eti__run_calls_read(of, run, ETI_NO_EVENT, NULL, err);
}

void eti__block_calls_free(eti_block_calls *calls) {
    for (size_t i = 0; i < calls->n; i++)
        eti__run_calls_free(&calls->of[i]);
    free(calls->of);
    *calls = (eti_block_calls){0};
}
