#include "timeline/delegated_stamps.h"

#include "timeline/ticks.h"

#include <stdlib.h>

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
