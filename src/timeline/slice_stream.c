#include "timeline/timeline.h"

#include "backends/backends.h"
#include "base/sort.h"
#include "timeline/counters.h"
#include "timeline/slice_clock.h"
#include "timeline/slice_source.h"

#include <stdlib.h>

/* ==== lanes =================================================================================== */
/* Puts slices, which arrive in order, on lanes such that the slices of each lane nest. */

#define ETI_NO_LANE UINT32_MAX

/* A lane of a group of tracks that differ only in their lane. */
typedef struct eti_lane {
    uint32_t track; /* UINT32_MAX if the lane is still empty */
    uint32_t top;   /* innermost open slice; UINT32_MAX if there is none */
    uint64_t run;   /* number of the run that contains `top` */
    uint64_t busy;  /* latest end of all slices */
} eti_lane;

/* Initialize to all zeros. */
typedef struct eti_lanes {
    eti_lane *lanes;
    size_t n, capacity;
    uint64_t run;    /* run that was begun last */
    uint32_t next;   /* first lane after the searched ones that is free in this run */
    uint64_t latest; /* latest end of all slices on those lanes */
} eti_lanes;

#define NO_SLICE UINT32_MAX
/* Number of lanes that are searched for room; only crafted files have more overlaps at once. */
#define MOST_SEARCHED 64

/* Begins a run, which must have another number than the previous run; its slices start at `start` or later. */
static void begin_lanes(eti_lanes *lanes, uint64_t run, uint64_t start) {
    lanes->run = run;
    if (lanes->next < MOST_SEARCHED || start >= lanes->latest)
        lanes->next = MOST_SEARCHED;
}

static bool is_of_run(const eti_slice *slice) {
    return slice->event == ETI_NO_EVENT;
}

/* Returns whether neither `slice` nor any later slice can be inside `open`. As in account/calls.h, a slice of length zero
 * is inside the outermost slice that ends there, unless that is the run; a slice of length zero contains no other. */
static bool is_past(const eti_slice *slices, const uint32_t *outer, uint32_t open,
                    const eti_slice *slice) {
    const eti_slice *of = &slices[open];
    if (of->end != slice->start)
        return of->end < slice->start;
    if (of->start == of->end)
        return true;
    bool is_outermost = outer[open] == NO_SLICE || is_of_run(&slices[outer[open]]);
    return slice->end > slice->start || !(is_outermost || is_of_run(of));
}

/* Returns whether the slice fits on the lane; closes slices that ended before it. */
static bool fits(eti_lane *lane, uint64_t run, const eti_slice *slices, const uint32_t *outer,
                 uint32_t number) {
    const eti_slice *slice = &slices[number];
    if (lane->run != run)
        lane->top = NO_SLICE;
    lane->run = run;
    while (lane->top != NO_SLICE && is_past(slices, outer, lane->top, slice))
        lane->top = outer[lane->top];
    if (lane->top == NO_SLICE)
        return lane->busy <= slice->start;
    return slice->end <= slices[lane->top].end;
}

/* Makes all lanes up to this one. */
static bool make_lane(eti_lanes *lanes, uint32_t lane) {
    if (!ETI_GROW(lanes->lanes, lanes->capacity, (size_t)lane + 1))
        return false;
    for (; lanes->n <= lane; lanes->n++)
        lanes->lanes[lanes->n] =
            (eti_lane){.track = UINT32_MAX, .top = NO_SLICE, .run = lanes->run};
    return true;
}

static uint32_t find_lane(eti_lanes *lanes, const eti_slice *slices, const uint32_t *outer,
                          uint32_t number, uint32_t wanted) {
    if (wanted < lanes->n && fits(&lanes->lanes[wanted], lanes->run, slices, outer, number))
        return wanted;
    uint32_t i = 0;
    for (; i < lanes->n && i < MOST_SEARCHED; i++) {
        if (fits(&lanes->lanes[i], lanes->run, slices, outer, number))
            return i;
    }
    i = i < MOST_SEARCHED ? i : lanes->next++;
    if (!make_lane(lanes, i))
        return ETI_NO_LANE;
    lanes->lanes[i].top = NO_SLICE; /* a slice of an earlier run may still be open */
    lanes->lanes[i].run = lanes->run;
    return i;
}

/* Returns the lane of slice `number`: `wanted` if the slice fits there, otherwise the first lane with room;
 * ETI_NO_LANE if memory runs out. Slices of a run must arrive by start, then by end, the later first. Sets the depth
 * of the slice, and sets outer[number] to the slice around it. */
static uint32_t put_on_lane(eti_lanes *lanes, eti_slice *slices, uint32_t *outer, uint32_t number,
                            uint32_t wanted) {
    uint32_t at = find_lane(lanes, slices, outer, number, wanted);
    if (at == ETI_NO_LANE)
        return at;
    eti_lane *lane = &lanes->lanes[at];
    eti_slice *slice = &slices[number];
    outer[number] = lane->top;
    slice->depth = lane->top == NO_SLICE ? 0 : slices[lane->top].depth + 1;
    lane->top = number;
    lane->busy = slice->end > lane->busy ? slice->end : lane->busy;
    if (at >= MOST_SEARCHED && slice->end > lanes->latest)
        lanes->latest = slice->end;
    return at;
}

/* ==== debug instants ========================================================================== */
/* Finds the debug events of a run, with their Events and approximate times, see slice_clock.h. */

/* Initialize to all zeros. */
typedef struct eti_debug_instants {
    const eti_run_layout *layout; /* layout that was read last */
    /* per event of the run: its Event; ETI_NO_EVENT if it is not a debug event of an Event */
    uint32_t *event_of;
    size_t event_capacity;
    bool *is_output; /* per event of the run: whether it is an output of the run */
    size_t output_capacity;
    eti_slice_instant *instants; /* instants of the run */
    size_t n, capacity;
} eti_debug_instants;

/* Reads a layout. Events of one instruction share their debug events, so the first of them gets these. */
static bool read_layout(eti_debug_instants *d, const eti_event_block *block,
                        const eti_block_run *run) {
    const eti_run_layout *layout = run->layout;
    uint32_t n = run->events.count;
    if (d->layout == layout)
        return true;
    if (!ETI_GROW(d->event_of, d->event_capacity, (size_t)n + 1) ||
        !ETI_GROW(d->is_output, d->output_capacity, (size_t)n + 1))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        d->event_of[i] = ETI_NO_EVENT;
        d->is_output[i] = false;
    }
    const uint32_t *before = NULL;
    for (uint32_t e = 0; layout->debug_events && e < block->n_events; e++) {
        const eti_debug_events *of = &layout->debug_events[e];
        for (size_t i = 0; of->events != before && i < of->n; i++) {
            if (d->event_of[of->events[i]] == ETI_NO_EVENT)
                d->event_of[of->events[i]] = e;
        }
        before = of->events;
    }
    for (size_t i = 0; i < layout->n_outputs; i++)
        d->is_output[layout->outputs[i]] = true;
    d->layout = layout;
    return true;
}

/* Makes the instants of a run, with track 0. Returns false if memory runs out. */
static bool read_debug_instants(eti_debug_instants *d, const eti_slice_run *run,
                                const eti_run_calls *calls, const eti_run_clock *clock) {
    eti_placing placing = {.calls = calls, .latest = run->first};
    const eti_block_run *recorded = calls->run;
    d->n = 0;
    if (!recorded->layout->debug_events && recorded->layout->n_outputs == 0)
        return true;
    if (!read_layout(d, calls->block, recorded))
        return false;
    for (uint32_t i = 0; i < recorded->events.count; i++) {
        if (d->event_of[i] == ETI_NO_EVENT && !d->is_output[i])
            continue;
        if (!ETI_GROW(d->instants, d->capacity, d->n + 1))
            return false;
        d->instants[d->n++] = (eti_slice_instant){
            .time = eti__run_clock_ns(clock, eti__placing_next(&placing, i)),
            .event = d->is_output[i] ? ETI_NO_EVENT : d->event_of[i],
            .number = i,
        };
    }
    return true;
}

static void free_debug_instants(eti_debug_instants *d) {
    free(d->event_of);
    free(d->is_output);
    free(d->instants);
    *d = (eti_debug_instants){0};
}

/* ==== slice stream ============================================================================ */

/* The lanes of a track kind of a backend, in the ETDump or, if runs are aligned, in the run being read. */
typedef struct track_group {
    eti_lanes lanes;
    bool is_used;
} track_group;

struct eti_slices {
    const eti_slice_source *source;
    const bool *is_left_out;
    size_t next_run;
    uint32_t dump; /* the ETDump of `groups` */
    uint64_t n_flows;
    eti_tick_length source_tick;
    eti_block_calls calls;
    eti_delegated_stamps stamps;
    eti_inner_places places;
    eti_counters counters;
    eti_debug_instants debug;
    ETI_INTERN_OF(uint32_t)
    threads;             /* numbers of threads and queues; the first is the main thread */
    track_group *groups; /* by thread, then by backend, one per kind */
    size_t n_groups, group_capacity;
    eti_slice_track *tracks;
    size_t n_tracks, track_capacity;
    uint32_t debug_track; /* track of the ETDump or run; UINT32_MAX if there is none yet */

    /* State of the run: */
    const eti_slice_run *run;
    eti_run_clock clock;
    const eti_run_calls *of;
    eti_slice *slices;
    size_t n_slices, slice_capacity;
    uint32_t *outer; /* per slice */
    size_t outer_capacity;
    uint32_t *thread_of; /* per call: index into `threads` */
    size_t thread_capacity;
    uint32_t *lane_of; /* per call: the lane of its slice; later its index in `slices` */
    size_t lane_capacity;
};

/* ---- tracks ---------------------------------------------------------------------------------- */

size_t eti__slices_track_count(const eti_slices *slices) {
    return slices->n_tracks;
}

const eti_slice_track *eti__slices_track(const eti_slices *slices, size_t i) {
    return &slices->tracks[i];
}

static void free_groups(eti_slices *s) {
    for (size_t i = 0; i < s->n_groups; i++)
        free(s->groups[i].lanes.lanes);
    free(s->groups);
    s->groups = NULL;
    s->n_groups = s->group_capacity = 0;
}

static size_t groups_of_thread(const eti_slices *s) {
    return s->source->n_backends * ETI_N_TRACK_KINDS;
}

/* Makes the groups of all threads that are known. */
static bool make_groups(eti_slices *s) {
    size_t n = s->threads.count * groups_of_thread(s);
    if (!ETI_GROW(s->groups, s->group_capacity, n + 1))
        return false;
    for (; s->n_groups < n; s->n_groups++)
        s->groups[s->n_groups] = (track_group){0};
    return true;
}

/* Largest number of threads and queues that have tracks of their own; further ones share the last track. Only crafted files
 * have more. */
#define MOST_THREADS 1024

/* Adds the threads of the run. */
static bool find_threads(eti_slices *s) {
    static const eti_intern_kind kind = {.item_size = sizeof(uint32_t),
                                         .key_size = sizeof(uint32_t)};
    const eti_call_order *order = &s->of->order;
    uint32_t main_thread = 0, at;
    bool done = eti__intern_add(&s->threads.table, &kind, &main_thread, &at);
    if (!done || !ETI_GROW(s->thread_of, s->thread_capacity, order->n_calls + 1))
        return false;
    for (size_t i = 0; i < order->n_calls; i++) {
        const uint32_t *thread = &order->calls[i].lane;
        at = 0;
        bool is_known = *thread == 0 || eti__intern_find(&s->threads.table, &kind, thread, &at);
        if (!is_known && s->threads.count == MOST_THREADS)
            at = MOST_THREADS - 1;
        else if (!is_known && !eti__intern_add(&s->threads.table, &kind, thread, &at))
            return false;
        s->thread_of[i] = at;
    }
    return make_groups(s);
}

size_t eti__slices_counter_count(const eti_slices *slices) {
    return slices->counters.n;
}

const eti_slice_counter *eti__slices_counter(const eti_slices *slices, size_t i) {
    return &slices->counters.counters[i];
}

/* Adds a track of the ETDump or, if runs are aligned, of the run. */
static bool add_track(eti_slices *s, eti_slice_track track) {
    if (!ETI_GROW(s->tracks, s->track_capacity, s->n_tracks + 1))
        return false;
    track.dump = s->run->dump;
    track.run = s->source->is_aligned ? (uint32_t)(s->run - s->source->runs) : ETI_EVERY_RUN;
    s->tracks[s->n_tracks++] = track;
    return true;
}

/* Sets the track of a lane; an empty lane gets a new track. */
static bool set_track(eti_slices *s, size_t group, uint32_t lane, eti_slice *slice) {
    eti_lane *of = &s->groups[group].lanes.lanes[lane];
    if (of->track == UINT32_MAX) {
        const eti_slice_source *source = s->source;
        size_t number = group % groups_of_thread(s) / ETI_N_TRACK_KINDS;
        const eti_slice_backend *backend =
            &source->backends[s->run->dump * source->n_backends + number];
        of->track = (uint32_t)s->n_tracks;
        const eti_slice_track track = {
            .thread = s->threads.items[group / groups_of_thread(s)],
            .lane = lane,
            .kind = (uint8_t)(group % ETI_N_TRACK_KINDS),
            .is_in_cycles =
                source->is_in_cycles ||
                (group % ETI_N_TRACK_KINDS == ETI_TRACK_NO_CALL && backend->is_in_cycles),
            .backend = backend->name,
            .unit = backend->unit,
        };
        if (!add_track(s, track))
            return false;
    }
    slice->track = of->track;
    return true;
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* Returns the time at which a stamp of the source scale is shown. */
static uint64_t ns_of(const eti_slices *s, uint64_t ticks) {
    return eti__run_clock_ns(&s->clock, ticks);
}

static uint64_t sum_of_ns(uint64_t a, uint64_t b) {
    uint64_t sum = a + b; /* both are at most INT64_MAX */
    return sum < INT64_MAX ? sum : INT64_MAX;
}

/* Sets the times of an event that a delegate logged: as recorded, or relative to `from`, where the first event of its
 * call is placed. */
static void set_delegated(const eti_slices *s, size_t call, bool is_as_recorded, uint64_t from,
                          eti_slice *out) {
    eti_delegated_interval at = eti__delegated_stamps_of(&s->stamps, call);
    if (is_as_recorded && at.is_of_source) {
        out->start = ns_of(s, at.start);
        out->end = ns_of(s, at.end);
        return;
    }
    eti_tick_length tick = eti__delegated_tick(s->of, call);
    out->start = sum_of_ns(from, eti__ticks_to_ns(tick, at.start - at.least));
    out->end = sum_of_ns(from, eti__ticks_to_ns(tick, at.end - at.least));
}

/* Returns whether the stamps of an event without a DELEGATE_CALL, and of all such events, lie inside the run. */
static bool is_in_run(const eti_slices *s, size_t call) {
    eti_delegated_interval at = eti__delegated_stamps_of(&s->stamps, call);
    return at.is_of_source && s->run->has_times && s->run->first <= at.least &&
           at.least <= s->run->last;
}

/* Sets the times and the group of a call that a delegate logged. */
static void place_delegated(const eti_slices *s, size_t call, eti_slice *out) {
    const eti_call *of = &s->of->order.calls[call];
    const eti_nesting *nesting = &s->of->nesting;
    const eti_slice_backend *backend = eti__slice_backend_of(s->source, s->run, of->event);
    bool has_call = of->delegate_call != ETI_NO_CALL;
    eti_delegated_interval at = eti__delegated_stamps_of(&s->stamps, call);
    bool is_inside_run = !has_call && is_in_run(s, call) && at.end <= s->run->last;
    eti_slice_track_kind kind = eti__slice_track_kind_of(backend, s->of, call, is_inside_run);
    if (kind != ETI_TRACK_METHOD) {
        uint32_t number = eti__slice_event_of(s->source, s->run, of->event)->backend_kind;
        out->track = number * ETI_N_TRACK_KINDS + (uint32_t)kind;
    }
    bool keeps_stamps =
        kind == ETI_TRACK_METHOD || (kind == ETI_TRACK_SYNTHETIC && !backend->begins_outside);
    bool is_as_recorded = !has_call                      ? is_in_run(s, call)
                          : eti__is_on_host(s->of, call) ? true
                                                         : keeps_stamps && at.are_all_inside;
    if (!is_as_recorded && eti__is_placed_inside(s->of, call)) {
        out->start = s->places.of[call].start;
        out->end = s->places.of[call].end;
        return;
    }
    uint64_t from =
        ns_of(s, has_call ? nesting->start[s->of->nested[of->delegate_call]] : s->run->first);
    set_delegated(s, call, is_as_recorded, from, out);
}

/* Returns whether the program marked a time with a call. */
static bool is_mark(const eti_slices *s, size_t call) {
    eti_counted counted;
    return s->of->block->events[s->of->order.calls[call].event].has_metadata &&
           eti__counted_begin(&counted, eti__run_calls_stamps(s->of, call).metadata) &&
           counted.is_mark;
}

/* Adds the slice of a call. `track` holds the group of the main thread. */
static void add_call(eti_slices *s, size_t call) {
    const eti_call *of = &s->of->order.calls[call];
    const eti_nesting *nesting = &s->of->nesting;
    if (!eti__call_has_slice(s->of, call))
        return;
    eti_slice *out = &s->slices[s->n_slices++];
    *out = (eti_slice){
        .event = of->event,
        .number = of->number,
        .self = eti__ticks_to_ns(s->source_tick, s->of->own[call]),
        .track = ETI_TRACK_METHOD,
    };
    if (s->source->args == ETI_ARGS_FULL)
        out->value = eti__run_calls_value(s->of, call);
    if (eti__call_is_delegated(s->of, call)) {
        place_delegated(s, call, out);
        return;
    }
    out->start = ns_of(s, nesting->start[s->of->nested[call]]);
    out->end = ns_of(s, nesting->end[s->of->nested[call]]);
    if (out->start == out->end && is_mark(s, call))
        out->flags = ETI_SLICE_MARK;
}

/* Adds the slice of the run around those of its events. */
static void add_run(eti_slices *s) {
    if (!eti__run_has_slice(s->run, s->of->block))
        return;
    s->slices[s->n_slices++] = (eti_slice){
        .start = ns_of(s, s->run->first),
        .end = ns_of(s, s->run->last),
        .event = ETI_NO_EVENT,
        .number = UINT32_MAX,
        .track = ETI_TRACK_METHOD,
    };
}

/* Compares slices by track, then by start, the longer first, the one recorded later first; slices of length zero are
 * in the order of recording. */
static int compare_slices(const void *a, const void *b, void *unused) {
    const eti_slice *x = a, *y = b;
    (void)unused;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    int order = (x->number < y->number) - (x->number > y->number);
    bool is_by_recording = x->start == x->end && x->number != UINT32_MAX && y->number != UINT32_MAX;
    return is_by_recording ? -order : order;
}

static void sort_slices(eti_slices *s) {
    for (size_t i = 1; i < s->n_slices; i++) {
        if (compare_slices(&s->slices[i - 1], &s->slices[i], NULL) <= 0)
            continue;
        eti__sort(s->slices, s->n_slices, sizeof *s->slices, compare_slices, NULL);
        return;
    }
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool make_room(eti_slices *s) {
    size_t n = s->of->order.n_calls + 1;
    return ETI_GROW(s->slices, s->slice_capacity, n) && ETI_GROW(s->outer, s->outer_capacity, n) &&
           ETI_GROW(s->lane_of, s->lane_capacity, n + s->of->run->events.count);
}

/* Returns the lane of a slice's parent if both are in one group. */
static uint32_t lane_of_parent(const eti_slices *s, const eti_slice *slice) {
    uint32_t call = s->lane_of[s->of->order.n_calls + 1 + slice->number];
    uint32_t parent = eti__run_calls_parent(s->of, call);
    return parent == ETI_NO_CALL ? 0 : s->lane_of[parent];
}

/* Puts all slices of the run, which must be in order, on tracks. */
static bool put_on_tracks(eti_slices *s, bool *has_lanes) {
    uint32_t *call_at = s->lane_of + s->of->order.n_calls + 1; /* per profile event */
    for (size_t i = 0; i < s->of->order.n_calls; i++) {
        s->lane_of[i] = 0;
        call_at[s->of->order.calls[i].number] = (uint32_t)i;
    }
    for (uint32_t i = 0; i < s->n_slices; i++) {
        eti_slice *slice = &s->slices[i];
        size_t group = slice->track;
        eti_lanes *lanes = &s->groups[group].lanes;
        if (lanes->run != s->next_run)
            begin_lanes(lanes, s->next_run, slice->start);
        bool is_event = slice->event != ETI_NO_EVENT;
        uint32_t wanted = is_event && lanes->n > 1 ? lane_of_parent(s, slice) : 0;
        uint32_t lane = put_on_lane(lanes, s->slices, s->outer, i, wanted);
        if (lane == ETI_NO_LANE || !set_track(s, group, lane, slice))
            return false;
        if (is_event)
            s->lane_of[call_at[slice->number]] = lane;
        *has_lanes |= lane > 0;
    }
    return true;
}

/* Adds a flow from each delegate call to the first slice that it logged on another track. */
static void add_flows(eti_slices *s) {
    uint32_t *call_at = s->lane_of + s->of->order.n_calls + 1, *slice_at = s->lane_of;
    uint32_t *first_of =
        s->outer; /* per slice of a delegate call: the first slice, or its own number */
    for (size_t i = 0; i < s->of->order.n_calls; i++)
        slice_at[i] = UINT32_MAX;
    for (uint32_t i = 0; i < s->n_slices; i++) {
        first_of[i] = i;
        if (s->slices[i].event != ETI_NO_EVENT)
            slice_at[call_at[s->slices[i].number]] = i;
    }
    for (uint32_t i = 0; i < s->n_slices; i++) {
        const eti_slice *slice = &s->slices[i];
        if (slice->event == ETI_NO_EVENT || s->tracks[slice->track].kind == ETI_TRACK_METHOD)
            continue;
        uint32_t call = s->of->order.calls[call_at[slice->number]].delegate_call;
        if (call == ETI_NO_CALL || slice_at[call] == UINT32_MAX)
            continue;
        uint32_t *first = &first_of[slice_at[call]];
        if (*first == slice_at[call] || slice->start < s->slices[*first].start)
            *first = i;
    }
    for (uint32_t i = 0; i < s->n_slices; i++) {
        eti_slice *from = &s->slices[i], *to = &s->slices[first_of[i]];
        if (from == to || from->flags & ETI_SLICE_MARK)
            continue;
        from->flow = to->flow = ++s->n_flows;
        from->flags |= ETI_SLICE_FLOW_BEGINS;
    }
}

static bool is_shown(const eti_slices *s, uint32_t event) {
    return !s->is_left_out || !s->is_left_out[s->source->first_event[s->run->block] + event];
}

/* Reads the debug events of shown Events, and the outputs of the run. */
static bool read_instants(eti_slices *s) {
    eti_debug_instants *debug = &s->debug;
    size_t n = 0;
    if (!read_debug_instants(debug, s->run, s->of, &s->clock))
        return false;
    for (size_t i = 0; i < debug->n; i++) {
        eti_slice_instant instant = debug->instants[i];
        if (instant.event == ETI_NO_EVENT || is_shown(s, instant.event))
            debug->instants[n++] = instant;
    }
    debug->n = n;
    if (n == 0)
        return true;
    if (s->debug_track == UINT32_MAX) {
        s->debug_track = (uint32_t)s->n_tracks;
        if (!add_track(s, (eti_slice_track){.kind = ETI_TRACK_DEBUG,
                                            .is_in_cycles = s->source->is_in_cycles}))
            return false;
    }
    for (size_t i = 0; i < n; i++)
        debug->instants[i].track = s->debug_track;
    return true;
}

/* Begins the tracks of another ETDump or, if runs are aligned, of another run. */
static void begin_run(eti_slices *s) {
    const eti_slice_run *run = s->run;
    s->clock = (eti_run_clock){s->source_tick, run->first, run->shown_at};
    if (s->source->is_aligned)
        s->clock.shown_at = 0;
    if (!s->source->is_aligned && s->dump == run->dump)
        return;
    s->dump = run->dump;
    s->debug_track = UINT32_MAX;
    free_groups(s);
}

static bool read_slices(eti_slices *s) {
    bool has_lanes = false;
    s->n_slices = 0;
    begin_run(s);
    if (!find_threads(s) || !make_room(s) || !eti__delegated_stamps_read(&s->stamps, s->of) ||
        !eti__inner_places_read(&s->places, &s->stamps, &s->clock))
        return false;
    add_run(s);
    for (size_t i = 0; i < s->of->order.n_calls; i++) {
        size_t n = s->n_slices;
        if (is_shown(s, s->of->order.calls[i].event))
            add_call(s, i);
        if (s->n_slices > n) /* holds the group until a track is assigned */
            s->slices[n].track += s->thread_of[i] * (uint32_t)groups_of_thread(s);
    }
    sort_slices(s);
    if (!put_on_tracks(s, &has_lanes))
        return false;
    if (has_lanes)
        sort_slices(s);
    if (s->source->has_flows)
        add_flows(s);
    if (s->source->has_counters && !eti__counters_read(&s->counters, s->run, s->of, &s->clock))
        return false;
    return !s->source->has_debug_events || read_instants(s);
}

/* ---- the stream ------------------------------------------------------------------------------ */

eti_status eti__slices_open(eti_slices **out, const eti_slice_source *source,
                            const bool *is_left_out, eti_error *err) {
    const eti_options *options = &source->inspector->options;
    eti_slices *slices = calloc(1, sizeof *slices);
    *out = slices;
    if (!slices)
        return eti_fail_memory(err);
    slices->source = source;
    slices->is_left_out = is_left_out;
    slices->dump = UINT32_MAX;
    slices->counters = (eti_counters){
        .source = source, .is_left_out = is_left_out, .allocations.inspector = source->inspector};
    slices->source_tick = eti__tick_length(options->source_time_scale, options->clock_hz);
    return ETI_OK;
}

eti_status eti__slices_next(eti_slices *s, eti_sliced_run *out, eti_error *err) {
    const eti_slice_source *source = s->source;
    *out = (eti_sliced_run){0};
    if (s->next_run == source->n_runs)
        return ETI_OK;
    const eti_slice_run *run = &source->runs[s->next_run++];
    s->run = run;
    ETI_TRY(eti__block_calls_read(&s->calls, source->inspector, run->block, run->number, false,
                                  &s->of, err));
    if (!read_slices(s))
        return eti_fail_memory(err);
    *out = (eti_sliced_run){
        .run = run,
        .block = s->of->block,
        .recorded = s->of->run,
        .slices = s->slices,
        .n_slices = s->n_slices,
        .samples = s->counters.samples,
        .n_samples = s->counters.n_samples,
        .instants = s->debug.instants,
        .n_instants = s->debug.n,
    };
    return ETI_OK;
}

void eti__slices_close(eti_slices *slices) {
    if (!slices)
        return;
    free_groups(slices);
    eti__block_calls_free(&slices->calls);
    eti__delegated_stamps_free(&slices->stamps);
    eti__inner_places_free(&slices->places);
    eti__counters_free(&slices->counters);
    free_debug_instants(&slices->debug);
    free(slices->tracks);
    free(slices->slices);
    free(slices->outer);
    free(slices->lane_of);
    free(slices->thread_of);
    eti__intern_free(&slices->threads.table);
    free(slices);
}
