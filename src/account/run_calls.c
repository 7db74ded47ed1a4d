#include "account/run_calls.h"

#include <stdlib.h>

void eti__run_calls_init(eti_run_calls *out, const eti_event_block *block,
                         const eti_options *options) {
    *out = (eti_run_calls){.block = block, .options = options};
}

/* ---- delegates' ticks ------------------------------------------------------------------------ */

uint64_t eti__scale_ticks(eti_time_scale scale) {
    static const uint64_t per_second[] = {
        [ETI_SCALE_NS] = 1000000000, [ETI_SCALE_US] = 1000000, [ETI_SCALE_MS] = 1000,
        [ETI_SCALE_S] = 1,           [ETI_SCALE_CYCLES] = 0,
    };
    return per_second[scale];
}

eti_time_scale eti__event_scale(const eti_options *options, const eti_event *event,
                                bool *is_countable) {
    eti_time_scale source = options->source_time_scale;
    const eti_delegate_time_scale *own = eti__event_own_time_scale(event, options);
    *is_countable = true;
    if (!own)
        return source;
    bool has_cycles = own->scale == ETI_SCALE_CYCLES || source == ETI_SCALE_CYCLES;
    /* a given frequency does not apply to the delegate's clock */
    *is_countable = !has_cycles || (own->scale == source && options->clock_hz == 0);
    return own->scale;
}

/* Converts ticks of the event's scale to the source scale; returns 0 if the event counts something else. */
static uint64_t in_source_scale(const eti_options *options, const eti_event *event,
                                uint64_t ticks) {
    bool is_countable;
    eti_time_scale scale = eti__event_scale(options, event, &is_countable);
    if (!is_countable)
        return 0;
    if (scale == options->source_time_scale)
        return ticks;
    eti_wide scaled = eti__wide_product(ticks, eti__scale_ticks(options->source_time_scale));
    return eti__wide_quotient(scaled, eti__scale_ticks(scale));
}

uint64_t eti__stamps_ticks(const eti_etdump_stamps *stamps) {
    if (stamps->start_time <= stamps->end_time)
        return stamps->end_time - stamps->start_time;
    return stamps->start_time <= ETI_CLOCK_32_MAX
               ? ETI_CLOCK_32_MAX - stamps->start_time + stamps->end_time
               : 0;
}

/* ---- one run --------------------------------------------------------------------------------- */

static const eti_event *event_of(const eti_run_calls *calls, size_t call) {
    return &calls->block->events[calls->order.calls[call].event];
}

eti_etdump_stamps eti__run_calls_stamps(const eti_run_calls *calls, size_t call) {
    uint32_t number = calls->order.calls[call].number;
    return eti__etdump_read_stamps(calls->run->dump, eti__block_run_position(calls->run, number));
}

static void free_arrays(eti_run_calls *calls) {
    free(calls->nested);
    free(calls->call_at);
    free(calls->elapsed);
    free(calls->own);
    free(calls->inside);
    free(calls->given);
    calls->nested = calls->call_at = NULL;
    calls->elapsed = calls->own = NULL;
    calls->inside = calls->given = NULL;
    eti__nesting_free(&calls->nesting);
}

/* Prepares the arrays for a run with another layout than the previous run. */
static eti_status make_arrays(eti_run_calls *calls, eti_error *err) {
    size_t n = calls->order.n_calls, n_nested = 0;
    free_arrays(calls);
    calls->nested = calloc(n + 1, sizeof *calls->nested);
    calls->call_at = calloc(n + 1, sizeof *calls->call_at);
    calls->elapsed = calloc(n + 1, sizeof *calls->elapsed);
    calls->own = calloc(n + 1, sizeof *calls->own);
    calls->inside = calloc(n + 1, sizeof *calls->inside);
    calls->given = calloc(n + 1, sizeof *calls->given);
    if (!calls->nested || !calls->call_at || !calls->elapsed || !calls->own || !calls->inside ||
        !calls->given)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (calls->order.calls[i].delegate_call != ETI_NO_CALL)
            continue;
        calls->call_at[n_nested] = (uint32_t)i;
        calls->nested[i] = (uint32_t)n_nested++;
    }
    return eti__nesting_init(&calls->nesting, n_nested, err);
}

/* Puts the stamps on one time line: stamps taken after a 32-bit clock wrapped around are later. */
static void unwrap(eti_nesting *nesting, uint64_t first_wrapped) {
    for (size_t i = 0; i < nesting->n; i++) {
        if (nesting->end[i] < nesting->start[i]) {
            nesting->end[i] += ETI_CLOCK_32_MAX;
        } else if (nesting->start[i] < first_wrapped && nesting->end[i] <= ETI_CLOCK_32_MAX) {
            nesting->start[i] += ETI_CLOCK_32_MAX;
            nesting->end[i] += ETI_CLOCK_32_MAX;
        }
    }
}

/* The run being read, and the receiver of its faults. */
typedef struct reading {
    eti_run_calls *calls;
    uint32_t run;
    eti_time_faults *faults; /* may be NULL */
} reading;

/* Counts an event that ends before it starts. */
static void add_wrapped(const reading *r, size_t call, const eti_etdump_stamps *stamps) {
    if (!r->faults || stamps->start_time <= stamps->end_time ||
        stamps->start_time > ETI_CLOCK_32_MAX)
        return;
    const eti_faulty_event event = {r->calls->block, r->run, r->calls->order.calls[call].event};
    bool is_backwards = eti__stamps_ticks(stamps) > ETI_CLOCK_32_MAX / 2;
    eti__time_faults_add(r->faults, is_backwards ? ETI_TIME_BACKWARDS : ETI_TIME_WRAPPED, event);
}

static void read_intervals(const reading *r) {
    eti_run_calls *calls = r->calls;
    eti_nesting *nesting = &calls->nesting;
    uint64_t first_wrapped = UINT64_MAX;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        if (calls->order.calls[i].delegate_call != ETI_NO_CALL)
            continue;
        const eti_event *event = event_of(calls, i);
        eti_etdump_stamps stamps = eti__run_calls_stamps(calls, i);
        add_wrapped(r, i, &stamps);
        uint64_t start = in_source_scale(calls->options, event, stamps.start_time);
        uint64_t end = in_source_scale(calls->options, event, stamps.end_time);
        if (end < start && start > ETI_CLOCK_32_MAX)
            end = start;
        if (end < start && start < first_wrapped)
            first_wrapped = start;
        nesting->start[calls->nested[i]] = start;
        nesting->end[calls->nested[i]] = end;
    }
    if (first_wrapped != UINT64_MAX)
        unwrap(nesting, first_wrapped);
}

/* Adds up the elapsed times of the events of each delegate call. */
static void sum_delegated(const reading *r) {
    eti_run_calls *calls = r->calls;
    for (size_t i = 0; i < calls->order.n_calls; i++)
        calls->inside[i] = calls->given[i] = (eti_wide){0};
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        uint32_t call = calls->order.calls[i].delegate_call;
        if (call == ETI_NO_CALL)
            continue;
        eti_etdump_stamps stamps = eti__run_calls_stamps(calls, i);
        add_wrapped(r, i, &stamps);
        calls->elapsed[i] =
            in_source_scale(calls->options, event_of(calls, i), eti__stamps_ticks(&stamps));
        eti__wide_add(&calls->inside[call], eti__wide_of(calls->elapsed[i]));
    }
}

/* Returns the part of `room` that belongs to `ticks` if `all` ticks fill it. */
static uint64_t part_of(uint64_t room, eti_wide ticks, eti_wide all) {
    for (; all.high > 0; all = eti__wide_half(all))
        ticks = eti__wide_half(ticks);
    return eti__wide_quotient(eti__wide_product(ticks.low, room), all.low);
}

/* Returns the time of a delegate's event, or its part of the call if the call is shorter than all of its events. */
static uint64_t own_of_delegated(eti_run_calls *calls, size_t call) {
    uint32_t outer = calls->order.calls[call].delegate_call;
    uint64_t room = calls->nesting.self[calls->nested[outer]], ticks = calls->elapsed[call];
    eti_wide all = calls->inside[outer];
    if (eti__wide_compare(all, eti__wide_of(room)) <= 0)
        return ticks;
    eti_wide before = calls->given[outer];
    eti__wide_add(&calls->given[outer], eti__wide_of(ticks));
    return part_of(room, calls->given[outer], all) - part_of(room, before, all);
}

static uint64_t own_of_nested(eti_run_calls *calls, size_t call) {
    uint64_t own = calls->nesting.self[calls->nested[call]];
    bool is_full = eti__wide_compare(calls->inside[call], eti__wide_of(own)) > 0;
    calls->n_full += is_full;
    return is_full ? 0 : own - calls->inside[call].low;
}

static void find_own_times(eti_run_calls *calls) {
    calls->n_full = 0;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        bool is_nested = calls->order.calls[i].delegate_call == ETI_NO_CALL;
        calls->own[i] = is_nested ? own_of_nested(calls, i) : own_of_delegated(calls, i);
    }
}

eti_status eti__run_calls_read(eti_run_calls *calls, size_t run, uint32_t execute,
                               eti_time_faults *faults, eti_error *err) {
    const reading r = {calls, (uint32_t)run, faults};
    const eti_run_layout *before = calls->order.layout;
    calls->run = &calls->block->runs[run];
    ETI_TRY(eti__call_order_read(&calls->order, calls->block, calls->run, err));
    if (calls->order.layout != before)
        ETI_TRY(make_arrays(calls, err));
    read_intervals(&r);
    eti__nesting_find(&calls->nesting);
    sum_delegated(&r);
    find_own_times(calls);
    if (!faults)
        return ETI_OK;
    const eti_run_intervals intervals = {.block = calls->block,
                                         .run = (uint32_t)run,
                                         .execute = execute,
                                         .order = &calls->order,
                                         .nesting = &calls->nesting,
                                         .call_at = calls->call_at};
    eti__time_faults_find(faults, &intervals);
    return ETI_OK;
}

uint32_t eti__run_calls_parent(const eti_run_calls *calls, size_t call) {
    uint32_t outer = calls->order.calls[call].delegate_call;
    if (outer != ETI_NO_CALL)
        return outer;
    uint32_t parent = calls->nesting.parent[calls->nested[call]];
    return parent == ETI_NO_PARENT ? ETI_NO_CALL : calls->call_at[parent];
}

void eti__run_calls_free(eti_run_calls *calls) {
    free_arrays(calls);
    eti__call_order_free(&calls->order);
}
