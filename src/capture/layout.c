/*
 * layout.c - turns records into an ETDump, front to back, in one pass and without memory for it:
 *
 *     size, root, "ED00" | vtables | ETDump, run offsets | run … | names
 *     run: RunData | allocator offsets, allocators | event offsets | event …
 *     event: Event, then what it points to
 *
 * Every table and vector has a size that follows from its record, so that all offsets are known
 * before their targets are written. A first pass, which writes nothing, finds the vtables that occur
 * and where the names begin. Runs and events start at multiples of 8 bytes of the file.
 *
 * A function that puts something also measures it, by counting. If speed matters more than size, runs of plain events have a
 * path of their own: layout_plain.c.
 */
#include "capture/layout.h"

/* Sizes fit into 32 bits: a record takes at most 11/4 of its size, and all records of a capture
 * take 2^30 bytes. Lanes add their own, so counting stops when the file becomes too large. */
#define MOST_FILE ((uint32_t)INT32_MAX)

/* ---- pieces ---------------------------------------------------------------------------------- */

uint32_t etc__table(saving *s, unsigned shape, uint32_t distance) {
    etc__use_shape(&s->shapes, shape);
    return s->w.position + distance - s->shapes.positions[shape];
}

uint32_t etc__name_offset(const saving *s, etc_name name, uint32_t distance) {
    uint32_t target = etc__name_position(s, name);
    return target ? target - s->w.position - distance : 0;
}

ETC_FAST uint64_t to_nanoseconds(const etc_capture *c, uint64_t ticks) {
    if (c->tick_denominator == 0)
        return ticks;
    uint64_t rest = (uint64_t)etc__divide(&ticks, c->tick_denominator) * c->tick_numerator;
    etc__divide(&rest, c->tick_denominator);
    /* Computes the product in two halves, which shows whether it has more than 64 bits. */
    uint64_t low = (uint64_t)(uint32_t)ticks * c->tick_numerator + rest;
    uint64_t high = (ticks >> 32) * c->tick_numerator + (low >> 32);
    return high >> 32 ? UINT64_MAX : high << 32 | (uint32_t)low;
}

/* ---- profile events, allocations ------------------------------------------------------------- */

static void put_counters(saving *s, const etc_counted_record *record) {
#if ETC_HOSTED
    etc__put_counters(s, record);
#else
    s->of->put_counters(s, record);
#endif
}

static void put_profile(saving *s, const etc_profile_record *record) {
    const etc_delegate_record *delegate = (const etc_delegate_record *)(const void *)record;
    const etc_counted_record *counted = (const etc_counted_record *)(const void *)record;
    etc_record_kind kind = etc__record_kind(&record->header);
    bool is_counted = kind == ETC_RECORD_COUNTED, has_metadata = kind != ETC_RECORD_PROFILE;
    bool is_delegate = is_counted ? counted->n & ETC_COUNTED_DELEGATE : has_metadata;
    uint64_t start = to_nanoseconds(s->c, record->start), end = to_nanoseconds(s->c, record->end);
    unsigned shape = is_delegate    ? ETC_SHAPE_DELEGATE
                     : has_metadata ? ETC_SHAPE_COUNTED
                                    : ETC_SHAPE_PROFILE;
    shape += etc__profile_shape(record, start, end);
    uint32_t id = record->name || !is_delegate ? etc__name_offset(s, record->name, 12)
                                               : (uint32_t)delegate->id;
    uint32_t words[] = {
        etc__table(s, ETC_SHAPE_EVENT, 0),
        4,
        etc__table(s, shape, 8),
        id,
        (uint32_t)record->chain,
        record->handle,
        (uint32_t)start,
        (uint32_t)(start >> 32),
        (uint32_t)end,
        (uint32_t)(end >> 32),
        8, /* metadata, which follow the table */
        0,
    };
    etc__put_words(&s->w, words, has_metadata ? 12 : 10);
    if (is_counted) {
        put_counters(s, counted);
    } else if (has_metadata) {
        etc__put_u32(&s->w, delegate->metadata_size);
        etc__put_bytes(&s->w, delegate + 1, delegate->metadata_size);
        etc__pad(&s->w);
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void put_event(saving *s, const uint32_t *record) {
    const void *at = record;
    switch (etc__record_kind(record)) {
    case ETC_RECORD_ALLOCATION:
        etc__allocations(s->of)->put_allocation(s, at);
        break;
    case ETC_RECORD_VALUE:
        if (s->values) /* records of values are only there if this part is, too */
            s->values->put(s, at);
        break;
    default:
        put_profile(s, at);
        break;
    }
}

/* Returns the same size as counting does, but faster. */
static inline uint32_t profile_size(const uint32_t *record) {
    if (etc__record_kind(record) == ETC_RECORD_PROFILE)
        return ETC_EVENT_SIZE;
    uint32_t metadata = ((const etc_delegate_record *)(const void *)record)->metadata_size;
    return ETC_POINTER_SIZE + ETC_DELEGATE_SIZE + etc__round_up(4 + metadata, 8);
}

/* Returns the size of an event in the file. */
static uint32_t event_size(saving *s, const uint32_t *record) {
    if (ETC_IS_FAST && etc__record_kind(record) <= ETC_RECORD_DELEGATE)
        return profile_size(record);
    uint32_t position = s->w.position;
    uint64_t debug_end = s->debug_end;
    bool is_counting = s->w.is_counting;
    s->w.position = 0;
    s->w.is_counting = true;
    put_event(s, record);
    uint32_t size = s->w.position;
    s->w.position = position;
    s->w.is_counting = is_counting;
    s->debug_end = debug_end;
    return size;
}

/* Parts of a run. */
typedef struct run_parts {
    uint32_t n_allocators, n_events;
    uint32_t events; /* bytes */
} run_parts;

typedef enum run_step { MEASURE, PUT_OFFSETS, PUT_EVENTS } run_step;

/* Walks the records of a run, and puts its events or offsets to them. PUT_OFFSETS: the events will begin at `target`. */
static run_parts walk(saving *s, const etc_cursor *records, run_step step, uint32_t target) {
    run_parts parts = {0};
    etc_cursor cursor = *records;
    for (const uint32_t *record;
         parts.events <= MOST_FILE && (record = etc__next_record(&cursor)) != NULL;) {
        etc_record_kind kind = etc__record_kind(record);
        s->of = cursor.c;
        if (s->options.no_allocations &&
            (kind == ETC_RECORD_ALLOCATOR || kind == ETC_RECORD_ALLOCATION))
            continue;
        if (kind == ETC_RECORD_ALLOCATOR) {
            parts.n_allocators++;
            continue;
        }
        parts.n_events++;
        if (step == PUT_OFFSETS)
            etc__put_u32(&s->w, target + parts.events - s->w.position);
        if (step == PUT_EVENTS)
            put_event(s, record);
        else
            parts.events += event_size(s, record);
    }
    s->of = s->c;
    return parts;
}

static run_parts measure_run(saving *s, const etc_cursor *records) {
    run_parts parts = {0};
    if (etc__is_plain(s, records)) {
        parts.n_events = etc__n_plain(records);
        parts.events = parts.n_events * ETC_EVENT_SIZE;
    } else {
        parts = walk(s, records, MEASURE, 0);
    }
    if (s->is_first_run)
        parts.n_allocators += s->n_lane_names;
    return parts;
}

static uint32_t run_size(saving *s, const etc_cursor *records) {
    run_parts parts = measure_run(s, records);
    uint32_t slots = parts.n_events ? 4 + 4 * parts.n_events : 0;
    return etc__round_up(ETC_RUN_SIZE + etc__allocators_size(parts.n_allocators) + slots, 8) +
           parts.events;
}

static void put_events(saving *s, const etc_cursor *records, uint32_t n) {
    if (etc__is_plain(s, records)) {
        etc__put_plain_events(s, records);
        return;
    }
    etc__put_u32(&s->w, n);
    if (s->w.is_counting) /* the offsets are not needed */
        s->w.position += 4 * n;
    else
        walk(s, records, PUT_OFFSETS, etc__round_up(s->w.position + 4 * n, 8));
    etc__pad(&s->w);
    walk(s, records, PUT_EVENTS, 0);
}

static void put_run(saving *s, const etc_run_record *run, const etc_cursor *records) {
    run_parts parts = measure_run(s, records);
    s->is_too_large |= s->w.position > MOST_FILE || parts.events > MOST_FILE - s->w.position;
    if (s->is_too_large)
        return;
    unsigned fields = etc__bit(run->bundled_input != -1, 0) | etc__bit(parts.n_allocators != 0, 1) |
                      etc__bit(parts.n_events != 0, 2);
    uint32_t words[] = {
        etc__table(s, ETC_SHAPE_RUN + fields, 0),
        etc__name_offset(s, run->name, 4),
        (uint32_t)run->bundled_input,
        8,                                            /* allocators */
        4 + etc__allocators_size(parts.n_allocators), /* events */
    };
    etc__put_words(&s->w, words, 5);
    if (parts.n_allocators)
        s->allocations->put_allocators(s, records, parts.n_allocators);
    if (parts.n_events)
        put_events(s, records, parts.n_events);
    etc__pad(&s->w);
}

/* ---- the file -------------------------------------------------------------------------------- */

static void start_runs(const saving *s, etc_run_cursor *cursor) {
    etc__start_runs(s->c, cursor, &s->options);
    for (uint32_t i = 0; i < s->n_skipped; i++)
        etc__next_run(s->c, cursor);
}

/* Counts the runs that the options choose, and the runs before these. */
static void choose_runs(saving *s) {
    etc_run_cursor cursor;
    if (s->c->lane)
        return; /* its main capture saves it */
    start_runs(s, &cursor);
    while (etc__next_run(s->c, &cursor))
        s->n_runs++;
    uint32_t most = s->options.last_runs ? s->options.last_runs : UINT32_MAX;
    if (s->n_runs > most) {
        s->n_skipped = s->n_runs - most;
        s->n_runs = most;
    }
}

static void put_run_offsets(saving *s) {
    uint32_t target = etc__round_up(s->w.position + 4 + 4 * s->n_runs, 8);
    etc_run_cursor cursor;
    start_runs(s, &cursor);
    etc__put_u32(&s->w, s->n_runs);
    s->is_first_run = true;
    while (etc__next_run(s->c, &cursor)) {
        etc__put_u32(&s->w, target - s->w.position);
        if (!s->w.is_counting)
            target += run_size(s, &cursor.records);
        s->is_first_run = false;
    }
    etc__pad(&s->w);
}

/* Writes the names; the last one added comes first. */
static void put_names(saving *s, const etc_capture *c) {
    const uint8_t *at = c->names_end - c->names_used;
    while (at < c->names_end) {
        const etc_name_entry *entry = (const etc_name_entry *)(const void *)at;
        uint32_t length = etc__entry_length(entry);
        etc__put_u32(&s->w, length);
        etc__put_bytes(&s->w, entry + 1, etc__string_size(length) - 4); /* with zeros */
        at += etc__entry_size(length);
    }
}

/* Writes everything before the tables. */
static void put_head(saving *s) {
    uint32_t words[] = {s->size - 4, s->body - 4, 0x30304445}; /* "ED00" */
    etc__put_words(&s->w, words, 3);
    etc__put_shapes(&s->w, &s->shapes);
    etc__pad(&s->w);
}

static void put_body(saving *s) {
    etc_run_cursor cursor;
    uint32_t words[] = {etc__table(s, ETC_SHAPE_DUMP, 0), 4};
    etc__put_words(&s->w, words, 2);
    put_run_offsets(s);
    s->debug_end = 0;
    start_runs(s, &cursor);
    s->is_first_run = true;
    for (const etc_run_record *run;
         !s->is_too_large && (run = etc__next_run(s->c, &cursor)) != NULL;) {
        put_run(s, run, &cursor.records);
        s->is_first_run = false;
    }
}

/* Finds the positions of the names of lanes, which follow those of the main capture. Returns the size of all names. */
static uint64_t place_names(const etc_capture *c) {
    uint64_t size = c->file_names;
    for (etc_capture *lane = c->next_lane; lane; lane = lane->next_lane) {
        lane->lane->names_before = (uint32_t)size;
        size += lane->file_names;
    }
    return size;
}

etc_status etc__why_empty(const etc_capture *c) {
#if ETC_HOSTED
    if (c->has_journal && c->journal < 0) /* in a child of fork(), which records nothing */
        return ETC_STATE;
#endif
    for (const etc_capture *part = c; part && !c->lane; part = part->next_lane) {
        if (!part->n_runs && (part->n_lost_full || part->n_runs_unrecorded))
            return ETC_FULL;
    }
    return ETC_STATE;
}

/* Finds the runs to save, and their sizes. */
static etc_status plan(saving *s) {
    choose_runs(s);
    if (s->n_runs == 0)
        return etc__why_empty(s->c);
    s->w.is_counting = true;
    if (s->allocations)
        s->n_lane_names = s->allocations->count_lane_names(s);
    put_body(s);
    uint32_t body_size = s->w.position;
    s->w.position = 0;
    put_head(s);
    s->body = s->w.position;
    s->names = s->body + body_size;
    uint64_t size = s->names + place_names(s->c);
    if (s->is_too_large || size > MOST_FILE)
        return ETC_TOO_LARGE;
    s->size = (uint32_t)size;
    return ETC_OK;
}

static void write_file(saving *s) {
    s->w.is_counting = false;
    s->w.position = 0;
    put_head(s);
    put_body(s);
    for (const etc_capture *c = s->c; c; c = c->next_lane)
        put_names(s, c);
}

bool etc__read_options(etc_save_options *out, const etc_save_options *options) {
    memset(out, 0, sizeof *out);
    if (!options)
        return true;
    size_t size = options->struct_size;
    memcpy(out, options, size < sizeof *out ? size : sizeof *out);
    return size >= sizeof size;
}

const etc_value_calls *etc__find_values(const etc_capture *c) {
    while (!c->values && c->next_lane)
        c = c->next_lane;
    return c->values;
}

/* Starts saving, without clearing the buffer. Returns false if the options are wrong. */
static bool start(saving *s, const etc_capture *c, const etc_save_options *options) {
    memset(s, 0, offsetof(saving, buffer));
    s->w.buffer = s->buffer;
    s->c = s->of = c;
    s->values = c ? etc__find_values(c) : NULL;
    for (; c && !s->allocations; c = c->next_lane)
        s->allocations = etc__allocations(c);
    return etc__read_options(&s->options, options);
}

etc_status etc_save_size(const etc_capture *c, const etc_save_options *options, uint64_t *out) {
    saving s;
    etc_status status = ETC_OK;
    s.size = 0;
    if (c)
        status = start(&s, c, options) ? plan(&s) : ETC_INVALID;
    if (out)
        *out = s.size;
    return status;
}

etc_status etc_count_saved(const etc_capture *c, const etc_save_options *options, uint64_t *runs,
                           uint64_t *events) {
    saving s;
    uint64_t n_events = 0;
    bool is_known = start(&s, c, options);
    if (c && is_known)
        choose_runs(&s);
    if (s.n_runs) {
        etc_run_cursor cursor;
        start_runs(&s, &cursor);
        while (etc__next_run(c, &cursor))
            n_events += measure_run(&s, &cursor.records).n_events;
    }
    if (runs)
        *runs = s.n_runs;
    if (events)
        *events = n_events;
    if (!c || s.n_runs)
        return ETC_OK;
    return is_known ? etc__why_empty(c) : ETC_INVALID;
}

etc_status etc_save(const etc_capture *c, const etc_save_options *options, etc_sink sink) {
    if (!c)
        return ETC_OK;
    if (!sink.write)
        return ETC_INVALID;
    saving s;
    if (!start(&s, c, options))
        return ETC_INVALID;
    s.w.sink = sink;
    etc_status status = plan(&s);
    if (status)
        return status;
    write_file(&s);
    return etc__flush(&s.w);
}
