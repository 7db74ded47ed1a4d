#include "timeline/slice_clock.h"

#include "backends/backends.h"
#include "base/sort.h"

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

static const eti_event *event_of(const eti_run_calls *calls, size_t call) {
    return &calls->block->events[calls->order.calls[call].event];
}

/* Returns whether the ticks of the call are those of the source scale. */
static bool is_of_source(const eti_run_calls *calls, size_t call) {
    const eti_event *event = event_of(calls, call);
    return eti__has_source_ticks(calls->options, event) &&
           (!event->logged || event->logged->unit == ETI_UNIT_TICKS);
}

bool eti__is_on_host(const eti_run_calls *calls, size_t call) {
    const eti_delegate_event *logged = event_of(calls, call)->logged;
    return logged && logged->clock == ETI_CLOCK_HOST &&
           calls->order.calls[call].delegate_call != ETI_NO_CALL &&
           calls->timing[call] == ETI_TIMED_BY_STAMPS;
}

/* Returns whether the stamps of the call are comparable with those of the other events right inside the same call. */
static bool has_own_stamps(const eti_run_calls *calls, size_t call) {
    const eti_delegate_event *logged = event_of(calls, call)->logged;
    return eti__call_is_delegated(calls, call) && !eti__is_on_host(calls, call) &&
           !(logged && !eti__delegate_event_has_time(logged));
}

static bool lies_in(const eti_run_calls *calls, uint32_t call, uint64_t stamp) {
    const eti_nesting *nesting = &calls->nesting;
    uint32_t at = calls->nested[call];
    return nesting->start[at] <= stamp && stamp <= nesting->end[at];
}

bool eti__is_placed_inside(const eti_run_calls *calls, size_t call) {
    return calls->order.calls[call].delegate_call != ETI_NO_CALL &&
           calls->timing[call] != ETI_TIMED_BY_STAMPS && calls->timing[call] != ETI_TIMED_NOT;
}

/* Returns the group in which the least stamp of a call is searched. */
static size_t group_of(const eti_run_calls *calls, size_t call) {
    uint32_t outer = eti__is_placed_inside(calls, call) ? calls->above[call]
                                                        : calls->order.calls[call].delegate_call;
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
    const eti_delegate_event *logged = event_of(calls, call)->logged;
    uint64_t end = stamps.end_time;
    if (logged && logged->wraps_at_32)
        end = eti__ticks_sum(stamps.start_time, (uint32_t)(end - stamps.start_time));
    else if (end < stamps.start_time)
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
        .are_all_inside = !s->has_outside[group_of(calls, call)],
    };
    out.is_inside = out.is_of_source && outer != ETI_NO_CALL && lies_in(calls, outer, out.start) &&
                    lies_in(calls, outer, out.end);
    return out;
}

/* Returns whether an event is shorter in the account than recorded, because it lasts longer than the call around it, together with
 * those beside it. */
static bool is_shortened(const eti_run_calls *calls, size_t call) {
    uint32_t above = calls->above[call];
    return eti__is_placed_inside(calls, call) &&
           eti__wide_compare(calls->inside[above], eti__wide_of(calls->room[above])) > 0;
}

bool eti__delegated_stamps_read(eti_delegated_stamps *s, const eti_run_calls *calls) {
    size_t n = calls->order.n_calls;
    s->calls = calls;
    if (!ETI_GROW(s->first, s->capacity, n + 1) || !ETI_GROW(s->least, s->least_capacity, n + 1) ||
        !ETI_GROW(s->has_outside, s->outside_capacity, n + 1) ||
        !ETI_GROW(s->spans, s->span_capacity, n + 1))
        return false;
    for (size_t i = 0; i <= n; i++) {
        s->first[i] = s->least[i] = NONE;
        s->has_outside[i] = false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!eti__call_is_delegated(calls, i))
            continue;
        s->spans[i] = span_of(calls, i);
        if (!has_own_stamps(calls, i))
            continue;
        uint64_t *first = &s->first[group_of(calls, i)];
        uint64_t *least = &s->least[group_of(calls, i)];
        uint64_t start = s->spans[i].start;
        if (*first == NONE)
            *first = start;
        start += shift_of(s, i, start);
        if (start < *least)
            *least = start;
    }
    for (size_t i = 0; i < n; i++) {
        if (has_own_stamps(calls, i) &&
            (!eti__delegated_stamps_of(s, i).is_inside || is_shortened(calls, i)))
            s->has_outside[group_of(calls, i)] = true;
    }
    return true;
}

void eti__delegated_stamps_free(eti_delegated_stamps *s) {
    free(s->first);
    free(s->least);
    free(s->has_outside);
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

/* ==== inner places ============================================================================ */

eti_tick_length eti__delegated_tick(const eti_run_calls *calls, size_t call) {
    const eti_event *event = event_of(calls, call);
    bool is_countable;
    eti_time_scale scale = eti__event_scale(calls->options, event, &is_countable);
    double hz = is_countable ? eti__event_hz(event, calls->options) : 0;
    return eti__tick_length(scale, is_countable && !(hz > 0) ? calls->options->clock_hz : hz);
}

static bool has_no_stamps(const eti_run_calls *calls, size_t call) {
    const eti_delegate_event *logged = event_of(calls, call)->logged;
    return logged && logged->clock == ETI_CLOCK_NONE;
}

/* Compares events by level, by the event around them, by start, and in the order of recording. */
static int compare_inner(const void *a, const void *b, void *context) {
    const eti_delegated_stamps *stamps = context;
    const eti_run_calls *calls = stamps->calls;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const eti_delegate_event *of_x = event_of(calls, x)->logged, *of_y = event_of(calls, y)->logged;
    int levels = (of_x ? of_x->level : 0) - (of_y ? of_y->level : 0);
    if (levels != 0)
        return levels;
    if (calls->above[x] != calls->above[y])
        return calls->above[x] < calls->above[y] ? -1 : 1;
    uint64_t at_x = has_no_stamps(calls, x) ? 0 : eti__delegated_stamps_of(stamps, x).start;
    uint64_t at_y = has_no_stamps(calls, y) ? 0 : eti__delegated_stamps_of(stamps, y).start;
    if (at_x != at_y)
        return at_x < at_y ? -1 : 1;
    return (x > y) - (x < y);
}

/* Places events as recorded, from `around` on. Returns whether they end in time and are as long as in the account. */
static bool place_as_recorded(eti_inner_places *p, const eti_delegated_stamps *stamps,
                              const uint32_t *inside, size_t n, eti_inner_place around) {
    const eti_run_calls *calls = stamps->calls;
    bool fits = !is_shortened(calls, inside[0]);
    for (size_t i = 0; i < n && fits; i++) {
        eti_delegated_interval at = eti__delegated_stamps_of(stamps, inside[i]);
        eti_tick_length tick = eti__delegated_tick(calls, inside[i]);
        uint64_t start = eti__ticks_to_ns(tick, at.start - at.least);
        uint64_t end = eti__ticks_to_ns(tick, at.end - at.least);
        fits = calls->timing[inside[i]] == ETI_TIMED_BY_LENGTH &&
               !has_no_stamps(calls, inside[i]) && end <= around.end - around.start;
        p->of[inside[i]] = (eti_inner_place){around.start + start, around.start + end};
    }
    return fits;
}

/* Returns the ns between an event and those before it, which end at `*latest`; 0 if that is not known. */
static uint64_t gap_before(const eti_delegated_stamps *stamps, uint32_t call, uint64_t *latest) {
    if (stamps->calls->timing[call] != ETI_TIMED_BY_LENGTH || has_no_stamps(stamps->calls, call))
        return 0;
    eti_delegated_interval at = eti__delegated_stamps_of(stamps, call);
    eti_tick_length tick = eti__delegated_tick(stamps->calls, call);
    uint64_t start = eti__ticks_to_ns(tick, at.start - at.least);
    uint64_t end = eti__ticks_to_ns(tick, at.end - at.least);
    uint64_t gap = start > *latest ? start - *latest : 0;
    *latest = end > *latest ? end : *latest;
    return gap;
}

static uint64_t at_most(uint64_t value, uint64_t most) {
    return value < most ? value : most;
}

/* Places events side by side, with shortened gaps. */
static void place_side_by_side(eti_inner_places *p, const eti_delegated_stamps *stamps,
                               const uint32_t *inside, size_t n, eti_inner_place around,
                               eti_tick_length tick) {
    const eti_run_calls *calls = stamps->calls;
    uint64_t all = around.end - around.start, lengths = 0, gaps = 0, latest = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        lengths = eti__ticks_sum(lengths, eti__ticks_to_ns(tick, calls->room[inside[i]]));
        gaps = eti__ticks_sum(gaps, gap_before(stamps, inside[i], &latest));
    }
    uint64_t left = all - at_most(lengths, all);
    lengths = latest = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t length = eti__ticks_to_ns(tick, calls->room[inside[i]]);
        before = eti__ticks_sum(before, gap_before(stamps, inside[i], &latest));
        uint64_t gap =
            gaps > left ? eti__wide_quotient(eti__wide_product(before, left), gaps) : before;
        uint64_t start = at_most(eti__ticks_sum(lengths, gap), all);
        lengths = eti__ticks_sum(lengths, length);
        uint64_t end = at_most(eti__ticks_sum(start, length), all);
        p->of[inside[i]] = (eti_inner_place){around.start + start, around.start + end};
    }
}

/* Returns the interval of a call with events right inside. */
static eti_inner_place place_of(const eti_inner_places *p, const eti_run_calls *calls,
                                uint32_t call, const eti_run_clock *clock) {
    if (eti__is_placed_inside(calls, call))
        return p->of[call];
    if (calls->timing[call] == ETI_TIMED_NOT)
        call = calls->order.calls[call].delegate_call;
    uint32_t at = calls->nested[call];
    return (eti_inner_place){eti__run_clock_ns(clock, calls->nesting.start[at]),
                             eti__run_clock_ns(clock, calls->nesting.end[at])};
}

bool eti__inner_places_read(eti_inner_places *p, const eti_delegated_stamps *stamps,
                            const eti_run_clock *clock) {
    const eti_run_calls *calls = stamps->calls;
    size_t n = 0, end;
    bool is_sorted = true;
    if (!ETI_GROW(p->of, p->capacity, calls->order.n_calls + 1) ||
        !ETI_GROW(p->order, p->order_capacity, calls->order.n_calls + 1))
        return false;
    for (uint32_t i = 0; i < calls->order.n_calls; i++) {
        if (!eti__is_placed_inside(calls, i))
            continue;
        p->order[n++] = i;
        is_sorted = is_sorted && (n < 2 || compare_inner(&p->order[n - 2], &p->order[n - 1],
                                                         (void *)stamps) < 0);
    }
    if (!is_sorted)
        eti__sort(p->order, n, sizeof *p->order, compare_inner, (void *)stamps);
    for (size_t first = 0; first < n; first = end) {
        const uint32_t *inside = &p->order[first];
        uint32_t above = calls->above[*inside];
        for (end = first + 1; end < n && calls->above[p->order[end]] == above;)
            end++;
        eti_inner_place around = place_of(p, calls, above, clock);
        if (!place_as_recorded(p, stamps, inside, end - first, around))
            place_side_by_side(p, stamps, inside, end - first, around, clock->tick);
    }
    return true;
}

void eti__inner_places_free(eti_inner_places *places) {
    free(places->of);
    free(places->order);
    *places = (eti_inner_places){0};
}

/* ==== block calls ============================================================================= */

eti_status eti__block_calls_read(eti_block_calls *calls, const eti_inspector *inspector,
                                 uint32_t block, uint32_t run, bool only_stamps,
                                 const eti_run_calls **out, eti_error *err) {
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
    return only_stamps ? eti__run_calls_read_stamps(of, run, err)
                       : eti__run_calls_read(of, run, ETI_NO_EVENT, NULL, err);
}

void eti__block_calls_free(eti_block_calls *calls) {
    for (size_t i = 0; i < calls->n; i++)
        eti__run_calls_free(&calls->of[i]);
    free(calls->of);
    *calls = (eti_block_calls){0};
}
