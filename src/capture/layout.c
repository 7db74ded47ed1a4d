/*
 * layout.c - records become an ETDump, front to back, in one pass and without memory for it:
 *
 *     size, root, "ED00" | vtables | ETDump, run offsets | run … | names
 *     run: RunData | allocator offsets, allocators | event offsets | event …
 *     event: Event, then what it points to
 *
 * Every table and vector has a size that follows from its record, so that all offsets are known
 * before their targets are written. A first pass, which writes nothing, finds the vtables that occur
 * and where the names begin. Runs and events start at multiples of 8 bytes of the file.
 */
#include "capture/shapes.h"

/* Sizes fit into 32 bits: a record takes at most 19/8 of its size, and all of them 2^30 bytes. */
#define MOST_FILE ((uint32_t)INT32_MAX)

enum { HEADER_SIZE = 12 };

typedef struct saving {
    const etc_capture *c;
    etc_save_options options;
    uint32_t n_runs, n_skipped; /* that are saved, and before them */
    etc_shapes shapes;
    uint32_t names; /* where they begin */
    etc_writer w;
} saving;

/* ---- pieces ---------------------------------------------------------------------------------- */

static void put_table(saving *s, unsigned shape) {
    if (s->w.is_counting)
        etc__use_shape(&s->shapes, shape);
    etc__put_u32(&s->w, s->w.position - s->shapes.positions[shape]);
}

static unsigned bit(bool is_set, unsigned place) {
    return (unsigned)is_set << place;
}

/* Writes the offset to what lies `distance` bytes behind its end. */
static void put_offset(saving *s, uint32_t distance) {
    etc__put_u32(&s->w, (uint32_t)(distance + 4));
}

static void put_name(saving *s, etc_name name) {
    if (s->w.is_counting) {
        s->w.position += 4;
        return;
    }
    const etc_name_entry *entry = etc__name_entry(s->c, name);
    uint32_t target = s->names + s->c->file_names - (entry ? entry->file_end : 0);
    etc__put_u32(&s->w, entry ? (uint32_t)(target - s->w.position) : 0);
}

static uint64_t to_nanoseconds(const etc_capture *c, uint64_t ticks) {
    if (c->tick_denominator == 0)
        return ticks;
    uint64_t whole = ticks / c->tick_denominator;
    uint64_t rest = ticks % c->tick_denominator * c->tick_numerator / c->tick_denominator;
    if (whole > (UINT64_MAX - rest) / c->tick_numerator)
        return UINT64_MAX;
    return whole * c->tick_numerator + rest;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Events of a run that are saved, or allocators, come from records of these kinds. */
static bool is_event(const saving *s, const uint32_t *record) {
    switch (etc__record_kind(record)) {
    case ETC_RECORD_PROFILE:
    case ETC_RECORD_DELEGATE:
    case ETC_RECORD_VALUE:
        return true;
    case ETC_RECORD_ALLOCATION:
        return !s->options.no_allocations;
    default:
        return false;
    }
}

static bool is_allocator(const saving *s, const uint32_t *record) {
    return etc__record_kind(record) == ETC_RECORD_ALLOCATOR && !s->options.no_allocations;
}

/* A vector of 8-byte elements whose first is at a multiple of 8, from 4 bytes before one. */
static uint32_t longs_size(uint32_t rank) {
    return 8 + (uint32_t)8 * rank;
}

static uint32_t tensor_size(const etc_tensor_record *tensor) {
    return ETC_TENSOR_SIZE + 2 * longs_size(tensor->rank);
}

/* Offsets of a list's tensors, with the count. */
static uint32_t slots_size(uint32_t n) {
    return etc__round_up(4 + 4 * n, 8);
}

static uint32_t member_size(const etc_value_record *value) {
    const etc_tensor_record *tensor = (const etc_tensor_record *)(const void *)(value + 1);
    uint32_t size = 0;
    switch ((etc_value_type)value->type) {
    case ETC_VALUE_INT:
    case ETC_VALUE_DOUBLE:
        return ETC_NUMBER_SIZE;
    case ETC_VALUE_BOOL:
        return ETC_POINTER_SIZE;
    case ETC_VALUE_TENSOR:
        return tensor_size(tensor);
    case ETC_VALUE_TENSORS:
        size = ETC_POINTER_SIZE + slots_size((uint32_t)value->bits);
        for (uint32_t i = 0; i < value->bits; i++, tensor = etc__next_tensor(tensor))
            size += tensor_size(tensor);
        return size;
    }
    return 0;
}

static uint32_t event_size(const uint32_t *record) {
    const void *at = record;
    const etc_delegate_record *delegate = at;
    const etc_value_record *value = at;
    switch (etc__record_kind(record)) {
    case ETC_RECORD_PROFILE:
        return ETC_POINTER_SIZE + ETC_PROFILE_SIZE;
    case ETC_RECORD_DELEGATE:
        return ETC_POINTER_SIZE + ETC_DELEGATE_SIZE +
               etc__round_up(4 + (uint32_t)delegate->metadata_size, 8);
    case ETC_RECORD_ALLOCATION:
        return ETC_POINTER_SIZE + ETC_ALLOCATION_SIZE;
    default:
        return ETC_POINTER_SIZE + ETC_DEBUG_SIZE + ETC_VALUE_SIZE +
               (value->is_output ? (uint32_t)ETC_POINTER_SIZE : 0) + member_size(value);
    }
}

/* What a run has, and the sizes of its parts. */
typedef struct run_parts {
    uint32_t n_allocators, n_events;
    uint32_t allocators, slots, events;
} run_parts;

static run_parts measure_run(const saving *s, etc_cursor records) {
    run_parts parts = {0};
    for (const uint32_t *record; (record = etc__next_record(s->c, &records)) != NULL;) {
        parts.n_allocators += is_allocator(s, record);
        if (is_event(s, record)) {
            parts.n_events++;
            parts.events += event_size(record);
        }
    }
    parts.allocators = parts.n_allocators ? 4 + (uint32_t)12 * parts.n_allocators : 0;
    parts.slots = parts.n_events ? 4 + (uint32_t)4 * parts.n_events : 0;
    return parts;
}

static uint32_t run_size(const saving *s, etc_cursor records) {
    run_parts parts = measure_run(s, records);
    return etc__round_up(ETC_RUN_SIZE + parts.allocators + parts.slots, 8) + parts.events;
}

/* ---- profile events, allocations ------------------------------------------------------------- */

static void put_profile(saving *s, const etc_profile_record *record, etc_id id, uint32_t number) {
    uint64_t start = to_nanoseconds(s->c, record->start), end = to_nanoseconds(s->c, record->end);
    unsigned fields = (unsigned)id | bit(record->chain != 0, 2) |
                      bit(record->handle != UINT32_MAX, 3) | bit(start != 0, 4) | bit(end != 0, 5);
    put_table(s, ETC_SHAPE_PROFILE + fields);
    if (id == ETC_ID_INT)
        etc__put_u32(&s->w, number);
    else
        put_name(s, record->name);
    etc__put_u32(&s->w, (uint32_t)record->chain);
    etc__put_u32(&s->w, record->handle);
    etc__put_u64(&s->w, start);
    etc__put_u64(&s->w, end);
}

static void put_delegate(saving *s, const etc_delegate_record *record) {
    put_profile(s, &record->profile, record->profile.name ? ETC_ID_STRING : ETC_ID_INT,
                (uint32_t)record->id);
    put_offset(s, 4);
    etc__put_u32(&s->w, 0);
    etc__put_u32(&s->w, record->metadata_size);
    etc__put_bytes(&s->w, record + 1, record->metadata_size);
    etc__pad(&s->w, 8);
}

static void put_allocation(saving *s, const etc_allocation_record *record) {
    unsigned fields = bit(record->id != 0, 0) | bit(record->bytes != 0, 1);
    put_table(s, ETC_SHAPE_ALLOCATION + fields);
    etc__put_u32(&s->w, record->id);
    etc__put_u64(&s->w, record->bytes);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void put_longs(saving *s, const int64_t *numbers, uint32_t n) {
    etc__put_u32(&s->w, 0);
    etc__put_u32(&s->w, n);
    for (uint32_t i = 0; i < n; i++)
        etc__put_u64(&s->w, (uint64_t)numbers[i]);
}

static void put_tensor(saving *s, const etc_tensor_record *tensor) {
    unsigned fields = bit(tensor->scalar_type != 0, 0) | bit(tensor->offset != 0, 1);
    const int64_t *sizes = etc__tensor_sizes(tensor);
    put_table(s, ETC_SHAPE_TENSOR + fields);
    put_offset(s, ETC_TENSOR_SIZE - 8 + 4);
    put_offset(s, ETC_TENSOR_SIZE - 12 + 4 + longs_size(tensor->rank));
    etc__put_u32(&s->w, (uint32_t)tensor->scalar_type);
    etc__put_u64(&s->w, (uint64_t)tensor->offset);
    put_longs(s, sizes, tensor->rank);
    put_longs(s, sizes + tensor->rank, tensor->rank);
}

static void put_tensors(saving *s, const etc_value_record *value) {
    const etc_tensor_record *first = (const etc_tensor_record *)(const void *)(value + 1);
    const etc_tensor_record *tensor = first;
    put_table(s, ETC_SHAPE_LIST);
    put_offset(s, 0);
    uint32_t position = s->w.position, target = position + slots_size((uint32_t)value->bits);
    etc__put_u32(&s->w, (uint32_t)value->bits);
    for (uint32_t i = 0; i < value->bits; i++, tensor = etc__next_tensor(tensor)) {
        etc__put_u32(&s->w, (uint32_t)(target - s->w.position));
        target += tensor_size(tensor);
    }
    etc__pad(&s->w, 8);
    tensor = first;
    for (uint32_t i = 0; i < value->bits; i++, tensor = etc__next_tensor(tensor))
        put_tensor(s, tensor);
}

static void put_bool(saving *s, bool value) {
    put_table(s, ETC_SHAPE_BOOL + value);
    etc__put_u32(&s->w, value);
}

static void put_number(saving *s, uint64_t bits) {
    put_table(s, ETC_SHAPE_NUMBER + (bits != 0));
    etc__put_u32(&s->w, 0);
    etc__put_u64(&s->w, bits);
}

static etc_member member_of(const etc_value_record *value) {
    switch ((etc_value_type)value->type) {
    case ETC_VALUE_BOOL:
        return ETC_MEMBER_BOOL;
    case ETC_VALUE_DOUBLE:
        return ETC_MEMBER_DOUBLE;
    case ETC_VALUE_TENSOR:
        return ETC_MEMBER_TENSOR;
    case ETC_VALUE_TENSORS:
        return ETC_MEMBER_LIST;
    default:
        return ETC_MEMBER_INT;
    }
}

static void put_member(saving *s, const etc_value_record *value, etc_member member) {
    switch (member) {
    case ETC_MEMBER_BOOL:
        put_bool(s, value->bits != 0);
        break;
    case ETC_MEMBER_TENSOR:
        put_tensor(s, (const etc_tensor_record *)(const void *)(value + 1));
        break;
    case ETC_MEMBER_LIST:
        put_tensors(s, value);
        break;
    default:
        put_number(s, value->bits);
        break;
    }
}

static void put_value(saving *s, const etc_value_record *value) {
    etc_id id = value->name ? ETC_ID_STRING : value->id != -1 ? ETC_ID_INT : ETC_ID_NONE;
    etc_member member = member_of(value);
    unsigned fields =
        (unsigned)id | bit(value->chain != 0, 2) | bit(value->handle != UINT32_MAX, 3);
    put_table(s, ETC_SHAPE_DEBUG + fields);
    etc__put_u32(&s->w, value->handle);
    etc__put_u64(&s->w, (uint64_t)(int64_t)value->chain);
    put_offset(s, 4);
    if (id == ETC_ID_STRING)
        put_name(s, value->name);
    else
        etc__put_u32(&s->w, id == ETC_ID_INT ? (uint32_t)value->id : 0);

    put_table(s, ETC_SHAPE_VALUE + 2 * (unsigned)member + value->is_output);
    etc__put_u32(&s->w, value->type);
    put_offset(s, value->is_output ? 4 + ETC_POINTER_SIZE : 4);
    etc__put_u32(&s->w, value->is_output ? 4 : 0);
    if (value->is_output)
        put_bool(s, true);
    put_member(s, value, member);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void put_event(saving *s, const uint32_t *record) {
    const void *at = record;
    const etc_profile_record *profile = at;
    etc_record_kind kind = etc__record_kind(record);
    unsigned member = kind == ETC_RECORD_ALLOCATION ? 1 : kind == ETC_RECORD_VALUE ? 2 : 0;
    put_table(s, ETC_SHAPE_EVENT + member);
    put_offset(s, 0);
    switch (kind) {
    case ETC_RECORD_PROFILE:
        put_profile(s, profile, profile->name ? ETC_ID_NAME : ETC_ID_NONE, 0);
        break;
    case ETC_RECORD_DELEGATE:
        put_delegate(s, at);
        break;
    case ETC_RECORD_ALLOCATION:
        put_allocation(s, at);
        break;
    default:
        put_value(s, at);
        break;
    }
}

static void put_allocators(saving *s, etc_cursor records, uint32_t n) {
    etc__put_u32(&s->w, n);
    for (uint32_t i = 0; i < n; i++)
        put_offset(s, 4 * (n - 1 - i) + ETC_POINTER_SIZE * (uint32_t)i);
    for (const uint32_t *record; (record = etc__next_record(s->c, &records)) != NULL;) {
        if (!is_allocator(s, record))
            continue;
        put_table(s, ETC_SHAPE_ALLOCATOR + 1);
        put_name(s, ((const etc_allocator_record *)(const void *)record)->name);
    }
}

static void put_events(saving *s, etc_cursor records, uint32_t n) {
    uint32_t target = etc__round_up(s->w.position + 4 + 4 * (uint32_t)n, 8);
    etc_cursor again = records;
    etc__put_u32(&s->w, n);
    if (s->w.is_counting) { /* the offsets are not needed */
        s->w.position += 4 * (uint32_t)n;
        again.left = 0;
    }
    for (const uint32_t *record; (record = etc__next_record(s->c, &again)) != NULL;) {
        if (!is_event(s, record))
            continue;
        etc__put_u32(&s->w, (uint32_t)(target - s->w.position));
        target += event_size(record);
    }
    etc__pad(&s->w, 8);
    while ((n--) > 0) {
        const uint32_t *record = etc__next_record(s->c, &records);
        while (!is_event(s, record))
            record = etc__next_record(s->c, &records);
        put_event(s, record);
    }
}

static void put_run(saving *s, const etc_run_record *run, etc_cursor records) {
    run_parts parts = measure_run(s, records);
    unsigned fields = bit(run->bundled_input != -1, 0) | bit(parts.n_allocators != 0, 1) |
                      bit(parts.n_events != 0, 2);
    put_table(s, ETC_SHAPE_RUN + fields);
    put_name(s, run->name);
    etc__put_u32(&s->w, (uint32_t)run->bundled_input);
    put_offset(s, 4);
    put_offset(s, parts.allocators);
    if (parts.n_allocators)
        put_allocators(s, records, parts.n_allocators);
    if (parts.n_events)
        put_events(s, records, parts.n_events);
    etc__pad(&s->w, 8);
}

/* ---- the file -------------------------------------------------------------------------------- */

static void start_runs(const saving *s, etc_run_cursor *cursor) {
    etc__start_runs(s->c, cursor, s->options.run_name);
    for (uint32_t i = 0; i < s->n_skipped; i++)
        etc__next_run(s->c, cursor);
}

/* How many runs the options choose, and how many are before these. */
static void choose_runs(saving *s) {
    etc_run_cursor cursor;
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
    uint32_t target = etc__round_up(s->w.position + 4 + 4 * (uint32_t)s->n_runs, 8);
    etc_run_cursor cursor;
    start_runs(s, &cursor);
    etc__put_u32(&s->w, s->n_runs);
    while (etc__next_run(s->c, &cursor)) {
        etc__put_u32(&s->w, (uint32_t)(target - s->w.position));
        if (!s->w.is_counting)
            target += run_size(s, cursor.records);
    }
    etc__pad(&s->w, 8);
}

/* The name that was added last lies first. */
static void put_names(saving *s) {
    const uint8_t *at = s->c->names_end - s->c->names_used;
    while (at < s->c->names_end) {
        const etc_name_entry *entry = (const etc_name_entry *)(const void *)at;
        uint32_t length = etc__entry_length(entry);
        etc__put_u32(&s->w, length);
        etc__put_bytes(&s->w, entry + 1, etc__string_size(length) - 4); /* with zeros */
        at += etc__entry_size(length);
    }
}

/* Everything behind the vtables, from a multiple of 8 on. */
static void put_body(saving *s) {
    etc_run_cursor cursor;
    put_table(s, ETC_SHAPE_DUMP);
    put_offset(s, 0);
    put_run_offsets(s);
    start_runs(s, &cursor);
    for (const etc_run_record *run; (run = etc__next_run(s->c, &cursor)) != NULL;)
        put_run(s, run, cursor.records);
}

/* Finds what is saved, and how large it is. */
static etc_status plan(saving *s, uint32_t *size) {
    choose_runs(s);
    if (s->n_runs == 0)
        return ETC_STATE;
    s->w.is_counting = true;
    put_body(s);
    uint32_t body = etc__round_up(etc__place_shapes(&s->shapes, HEADER_SIZE), 8);
    s->names = body + s->w.position;
    *size = s->names + s->c->file_names;
    return *size > MOST_FILE ? ETC_TOO_LARGE : ETC_OK;
}

static void write_file(saving *s, uint32_t size) {
    s->w.is_counting = false;
    s->w.position = 0;
    etc__put_u32(&s->w, (uint32_t)size - 4);
    uint32_t body = etc__round_up(etc__place_shapes(&s->shapes, HEADER_SIZE), 8);
    etc__put_u32(&s->w, body - 4);
    etc__put_bytes(&s->w, "ED00", 4);
    etc__write_shapes(&s->w, &s->shapes);
    etc__pad(&s->w, 8);
    put_body(s);
    put_names(s);
}

etc_save_options etc__save_options(const etc_save_options *options) {
    etc_save_options known = {0};
    if (options)
        memcpy(&known, options,
               options->struct_size < sizeof known ? options->struct_size : sizeof known);
    return known;
}

etc_status etc_save_size(const etc_capture *c, const etc_save_options *options, uint64_t *out) {
    uint32_t size = 0;
    etc_status status = ETC_OK;
    if (c) {
        saving s = {.c = c, .options = etc__save_options(options)};
        status = plan(&s, &size);
    }
    if (out)
        *out = status == ETC_STATE ? 0 : size;
    return status;
}

etc_status etc_count_saved(const etc_capture *c, const etc_save_options *options, uint64_t *runs,
                           uint64_t *events) {
    saving s = {.c = c, .options = etc__save_options(options)};
    uint64_t n_events = 0;
    if (c) {
        etc_run_cursor cursor;
        choose_runs(&s);
        start_runs(&s, &cursor);
        while (etc__next_run(c, &cursor))
            n_events += measure_run(&s, cursor.records).n_events;
    }
    if (runs)
        *runs = s.n_runs;
    if (events)
        *events = n_events;
    return c && s.n_runs == 0 ? ETC_STATE : ETC_OK;
}

etc_status etc_save(const etc_capture *c, const etc_save_options *options, etc_sink sink) {
    if (!c)
        return ETC_OK;
    if (!sink.write)
        return ETC_INVALID;
    uint32_t size;
    saving s = {.c = c, .options = etc__save_options(options), .w = {.sink = sink}};
    etc_status status = plan(&s, &size);
    if (status)
        return status;
    write_file(&s, size);
    return etc__flush(&s.w);
}
