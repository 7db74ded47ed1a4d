/*
 * capture.c - makes a capture in memory of the caller, and returns its statistics.
 */
#include "capture/capture.h"

#define MOST_MEMORY ((size_t)1 << 30)

enum { MOST_KEPT = 1024 };

const char *etc_status_text(etc_status status) {
    switch (status) {
#define STATUS_TEXT(name, sentence)                                                                \
    case ETC_##name:                                                                               \
        return sentence;
        ETC_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Copies a configuration of any size; members that the caller does not have are 0. */
static bool read_config(etc_config *out, const etc_config *config) {
    *out = (etc_config){0};
    if (!config || config->struct_size < offsetof(etc_config, clock_context))
        return false;
    memcpy(out, config, config->struct_size < sizeof *out ? config->struct_size : sizeof *out);
    if (!out->clock)
        out->clock = ETC_DEFAULT_CLOCK;
    return out->clock && (out->tick_numerator == 0) == (out->tick_denominator == 0) &&
           (unsigned)out->when_full <= ETC_RING &&
           (unsigned)out->profiling_level <= ETC_PROFILE_METHOD_ONLY &&
           (unsigned)out->debug_level <= ETC_DEBUG_INTERMEDIATE_OUTPUTS;
}

/* Returns the number of buckets: 16 for the smallest memory, otherwise about one per eight
 * events. */
static uint32_t count_buckets(size_t size) {
    uint32_t n = 16;
    while (n < 65536 && (size_t)n * 2 * 256 <= size)
        n *= 2;
    return n;
}

static void apply(etc_capture *c, const etc_config *config) {
    c->clock = config->clock;
    c->clock_context = config->clock_context;
    c->filter = config->filter;
    c->filter_context = config->filter_context;
    c->tick_numerator = config->tick_numerator;
    c->tick_denominator = config->tick_denominator;
    c->keep_runs = config->keep_runs;
    c->skip_runs = config->skip_runs;
    c->max_runs = config->max_runs;
    c->keep_partial_runs = config->keep_partial_runs;
    c->auto_handles = config->auto_handles;
    c->profiling_level = (uint8_t)config->profiling_level;
    c->debug_level = (uint8_t)config->debug_level;
}

/* Divides the memory: see capture.h. */
static void divide(etc_capture *c, uint8_t *memory, uint32_t size, uint32_t name_bytes) {
    uint32_t n_buckets = count_buckets(size);
    uint32_t begin = (uint32_t)offsetof(etc_capture, buckets);
    c->bucket_mask = n_buckets - 1;
    memset(c->buckets, 0, n_buckets * sizeof *c->buckets);
    begin += n_buckets * (uint32_t)sizeof *c->buckets;
    begin = etc__round_up(begin, ETC_RECORD_UNIT);
    c->records = memory + begin;
    c->names_end = memory + size;
    c->limit = size - begin;
    if (etc__ring(c))
        etc__ring(c)->divide(c, size, name_bytes);
}

etc_capture *etc__place(void *memory, size_t size, const etc_ring_calls *ring,
                        uint32_t name_bytes) {
    size_t skipped = (size_t)(-(uintptr_t)memory & (ETC_RECORD_UNIT - 1));
    uint8_t *aligned = (uint8_t *)memory + skipped;
    size = (size - skipped) & ~(size_t)(ETC_RECORD_UNIT - 1);
    etc_capture *c = (etc_capture *)(void *)aligned;
    *c = (etc_capture){.when_full = ring ? ETC_RING : ETC_STOP,
                       .chain = -1,
                       .bundled_input = -1,
                       .run = ETC_NOWHERE};
#if !ETC_HOSTED
    c->ring = ring;
#endif
    divide(c, aligned, size < MOST_MEMORY ? (uint32_t)size : (uint32_t)MOST_MEMORY, name_bytes);
    return c;
}

#if ETC_IS_FAST
/* Makes room for the table of keep_runs in a ring: a place for a name for each KiB of records. */
static void divide_kept(etc_capture *c) {
    uint32_t n = 4;
    if (c->when_full != ETC_RING || !c->keep_runs)
        return;
    uint8_t bits = 2;
    for (; n < MOST_KEPT && n * 2 * 1024 <= c->limit; bits++)
        n *= 2;
    c->kept_bits |= bits;
    uint32_t bytes = etc__round_up(n * (uint32_t)sizeof(etc_kept), ETC_RECORD_UNIT);
    c->records += bytes;
    c->limit -= bytes;
    etc__forget_kept(c);
}
#endif

etc_capture *etc__init_parts(void *memory, size_t size, const etc_config *config,
                             const etc_ring_calls *ring, const etc_filter_calls *filters,
                             const etc_value_calls *values) {
    etc_config known;
    if (!memory || size < ETC_MIN_BYTES || !read_config(&known, config))
        return NULL;
    bool lacks_part = (known.when_full == ETC_RING && !ring) | (known.filter && !filters) |
                      (known.debug_level != ETC_DEBUG_NONE && !values);
    if (lacks_part)
        return NULL;
    etc_capture *c =
        etc__place(memory, size, known.when_full == ETC_RING ? ring : NULL, known.name_bytes);
    apply(c, &known);
    c->values = values;
#if !ETC_HOSTED
    c->filters = filters;
#endif
#if ETC_IS_FAST
    divide_kept(c);
#endif
    etc__intern(c, "");
    c->window_name = etc__intern(c, known.window_name ? known.window_name : "Execute");
    return c->window_name ? c : NULL;
}

void etc__forget(etc_capture *c) {
    c->run_state = ETC_NO_RUN;
    c->used = 0;
    etc__order_stores();
    c->is_guarded = c->lane != NULL;
    c->open_number = c->first_other = ETC_NUMBER_NONE;
    c->run = ETC_NOWHERE;
    c->base = c->tail = c->head = 0;
    etc__order_stores();
    c->is_full = c->has_tensors = false;
    c->pinned = 0;
    c->n_window_runs = 0;
#if ETC_IS_FAST
    if (etc__n_kept(c))
        etc__forget_kept(c);
#endif
    c->contents_run = ETC_NUMBER_NONE;
    if (c->debug_buffer)
        c->debug_used = 0;
}

void etc_reset(etc_capture *c) {
    if (!c || etc__refuses(c))
        return;
    etc__forget(c);
    if (c->next_lane)
        etc__lanes(c)->forget(c);
}

/* ---- statistics ------------------------------------------------------------------------------ */

static void fill_stats(const etc_capture *c, etc_stats *out) {
    out->runs_opened =
        c->n_runs + c->n_runs_partial + c->n_runs_unrecorded + (c->run != ETC_NOWHERE);
    out->runs = c->n_runs;
    out->events = c->n_events;
    out->runs_dropped = c->n_runs_dropped;
    out->runs_partial = c->n_runs_partial;
    out->runs_outside = c->n_runs_outside;
    out->events_lost_full = c->n_lost_full;
    out->events_lost_state = c->n_lost_state;
    out->events_lost_wrong = c->n_lost_wrong;
    out->names_lost = c->n_names_lost;
    out->names_repaired = c->n_names_repaired;
    out->debug_values_without_contents = c->n_without_contents;
    out->debug_values_not_finite = c->n_not_finite;
    out->record_bytes = c->base + c->used;
    out->record_bytes_most = c->used_most;
    out->name_bytes = c->names_used;
    out->debug_bytes = c->debug_used;
    out->memory_bytes = (uint64_t)(c->names_end - c->records);
    out->debug_values_below_level = c->n_below_level;
    out->packets_lost = c->when_full == ETC_RING ? 0 : c->n_packets_lost;
}

void etc_get_stats(const etc_capture *c, etc_stats *out) {
    if (!out || out->struct_size < sizeof out->struct_size)
        return;
    etc_stats stats = {0};
    if (c)
        fill_stats(c, &stats);
    if (c && !c->lane && c->next_lane)
        etc__lanes(c)->add_stats(c, &stats);
    stats.struct_size = out->struct_size;
    memcpy(out, &stats, stats.struct_size < sizeof stats ? stats.struct_size : sizeof stats);
}
