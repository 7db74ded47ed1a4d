/*
 * record.c - the hot path: records events in the open run.
 */
#include "capture/capture.h"
#include "capture/ring.h"

#define MOST_METADATA ((size_t)1 << 24)

/* ---- runs and context ------------------------------------------------------------------------ */

bool etc__is_outside(const etc_capture *c, etc_name name) {
    if (name != c->window_name || (c->skip_runs == 0 && c->max_runs == 0))
        return false;
    uint32_t n = c->n_window_runs;
    etc__count(&n);
    return n <= c->skip_runs || (c->max_runs && n - c->skip_runs > c->max_runs);
}

bool etc__is_on_guarded(etc_capture *c) {
    if (c->lane)
        c->lane->calls->follow(c);
    return c->run_state != ETC_RUN_OUTSIDE;
}

/* Publishes the number of the run that follows for lanes. The open run ends next: no lane enters it any more. */
static void publish(etc_capture *c, uint32_t number) {
    if (c->next_lane)
        etc__lanes(c)->publish(c, number);
    else
        etc__store_in_order(&c->open_number, number);
}

static uint32_t next_number(etc_capture *c) {
    c->last_number++;
    if (c->last_number < ETC_NUMBER_FIRST)
        c->last_number = ETC_NUMBER_FIRST;
    return c->last_number;
}

void etc_run(etc_capture *c, const char *text) {
    if (!c || etc__refuses(c))
        return;
    etc_name name = etc__intern(c, text);
    if (!name)
        name = ETC_EMPTY_NAME;
    bool is_outside = etc__is_outside(c, name);
    if (name == c->window_name)
        etc__count(&c->n_window_runs);
    if (is_outside) {
        publish(c, ETC_NUMBER_OUTSIDE);
        etc__end_run(c);
        c->run_state = ETC_RUN_OUTSIDE;
        c->is_guarded = true;
        etc__count(&c->n_runs_outside);
        return;
    }
    uint32_t number = next_number(c);
    const etc_ring_calls *ring = etc__ring(c);
    bool is_loading = ring && ring->is_loading(c, name); /* which is used only in a ring */
    if (!is_loading && c->first_other == ETC_NUMBER_NONE)
        etc__store(&c->first_other, number);
    publish(c, number);
    etc__end_run(c);
    c->auto_handle = c->n_allocators = 0;
    etc__open_run(c, name, number, is_loading);
    if (c->run == ETC_NOWHERE)
        etc__store_in_order(&c->open_number, ETC_NUMBER_LOST);
}

void etc_run_end(etc_capture *c) {
    if (!c || etc__refuses(c))
        return;
    publish(c, ETC_NUMBER_NONE);
    etc__end_run(c);
}

void etc_set_instruction(etc_capture *c, int32_t chain, uint32_t handle) {
    if (!c)
        return;
    c->chain = c->lane ? etc__chain_of_lane(c->lane->number, chain) : chain;
    c->handle = handle;
    c->has_instruction = true;
}

void etc_unset_instruction(etc_capture *c) {
    etc_set_instruction(c, -1, 0);
    if (c)
        c->has_instruction = false;
}

void etc_set_bundled_input(etc_capture *c, int32_t index) {
    if (c && !etc__refuses(c))
        c->bundled_input = index;
}

static ETC_HOT void instruction(const etc_capture *c, int32_t *chain, uint32_t *handle) {
    *chain = c->chain;
    *handle = c->handle;
    if (c->auto_handles && !c->has_instruction) {
        *chain = c->auto_chain;
        *handle = c->auto_handle - (c->auto_handle > 0);
        if (c->lane)
            *handle += c->lane->number * ETC_LANE_HANDLES;
    }
}

void etc__instruction(const etc_capture *c, int32_t *chain, uint32_t *handle) {
    instruction(c, chain, handle);
}

/* ---- filter ---------------------------------------------------------------------------------- */

/* Asks the filter only once for each name and kind. */
static bool keeps(etc_capture *c, etc_event_kind kind, etc_name name, int32_t id, uint32_t handle) {
    etc_name_entry *entry = etc__name_entry(c, name);
    uint32_t asked = (uint32_t)1 << (ETC_NAME_FILTERED + 2 * (unsigned)kind), kept = 2 * asked;
    uint32_t mark = entry ? etc__load(&entry->mark) : 0;
    if (mark & asked)
        return (mark & kept) != 0;
    etc_filter_event event = {kind, entry ? etc__entry_text(entry) : NULL, id, handle};
    bool is_kept = c->filter(c->filter_context, &event);
    if (entry)
        etc__store(&entry->mark, etc__load(&entry->mark) | asked | (is_kept ? kept : 0));
    return is_kept;
}

const etc_filter_calls etc__filter_calls = {keeps};

/* ---- events ---------------------------------------------------------------------------------- */

void etc__lose_wrong(etc_capture *c) {
    etc__count(&c->n_lost_wrong);
    etc__mark_partial(c);
}

/* Loses a delegate's event that does not have either a name or an id. It has neither if there was no memory for its name. */
ETC_APART void lose_unnamed(etc_capture *c, bool has_neither) {
    const etc_capture *main = c->lane ? c->lane->main : c;
    if (!has_neither || !(c->n_names_lost | etc__load(&main->n_names_lost))) {
        etc__lose_wrong(c);
        return;
    }
    c->n_lost_full++;
    etc__mark_partial(c);
}

/* Returns whether name and id fit the kind: a delegate's event has either a name or an id. */
static bool is_key(etc_name name, int32_t id, uint32_t kind) {
    return kind == ETC_SPAN_PROFILE || (name != 0) != (id != -1);
}

/* Returns whether the capture has the name of a span, which fits its kind. */
static ETC_HOT bool is_named(const etc_capture *c, const etc_span *span) {
    return (!span->name || etc__is_name(c, span->name)) &&
           is_key(span->name, span->delegate_id, span->kind);
}

bool etc__is_span(const etc_capture *c, const etc_span *span) {
    return (span->kind == ETC_SPAN_PROFILE || span->kind == ETC_SPAN_DELEGATE) && is_named(c, span);
}

/* Returns an event without its times; its `kind` is 0 if nothing will be recorded. */
static ETC_HOT etc_span begin(etc_capture *c, uint32_t kind, etc_name name, int32_t id) {
    if (!is_key(name, id, kind)) {
        lose_unnamed(c, !name && id == -1);
        return (etc_span){0};
    }
    if (c->auto_handles && !c->has_instruction)
        c->auto_handle++;
    int32_t chain;
    uint32_t handle;
    instruction(c, &chain, &handle);
    /* Sets all members, so that the compiler does not call memset for the rest. */
    etc_span span = {0, name, chain, handle, id, kind};
    etc_event_kind event = kind == ETC_SPAN_DELEGATE ? ETC_EVENT_DELEGATE : ETC_EVENT_PROFILE;
    if (!etc__keeps(c, event, name, id, span.handle))
        span.kind = 0;
    return span;
}

static ETC_HOT etc_span begin_now(etc_capture *c, uint32_t kind, etc_name name, int32_t id) {
    etc_span span = begin(c, kind, name, id);
    span.start = c->clock(c->clock_context);
    return span;
}

static ETC_HOT etc_span start(etc_capture *c, uint32_t kind, etc_name name, int32_t id) {
    return etc__is_on(c) ? begin_now(c, kind, name, id) : (etc_span){0};
}

/* Records an event whose kind is not 0. */
static ETC_HOT void record_event(etc_capture *c, const etc_span *span, uint64_t end,
                                 const void *metadata, size_t size) {
    bool is_delegate = span->kind == ETC_SPAN_DELEGATE;
    uint32_t record_size = sizeof(etc_profile_record);
    if (!is_named(c, span) || size > MOST_METADATA || (size && !metadata)) {
        etc__lose_wrong(c);
        return;
    }
    if (is_delegate)
        record_size =
            etc__round_up((uint32_t)(sizeof(etc_delegate_record) + size), ETC_RECORD_UNIT);
    etc_delegate_record *record = etc__reserve_fast(c, record_size);
    if (!record)
        return;
    record->profile = (etc_profile_record){
        .header =
            etc__record_header(is_delegate ? ETC_RECORD_DELEGATE : ETC_RECORD_PROFILE, record_size),
        .name = span->name,
        .chain = span->chain,
        .handle = span->handle,
        .start = span->start,
        .end = end,
    };
    if (is_delegate) {
        record->id = span->delegate_id;
        record->metadata_size = (uint32_t)size;
        if (size)
            memcpy(record + 1, metadata, size);
        etc__mark_mixed(c);
    }
    etc__commit_fast(c, record_size);
    c->n_events++;
}

/* Ends an event of this kind; counts a span of the other kind as a wrong argument. */
static ETC_HOT void finish(etc_capture *c, const etc_span *span, uint32_t kind,
                           const void *metadata, size_t size) {
    if (!etc__is_on(c))
        return;
    uint64_t end = c->clock(c->clock_context);
    if (span && span->kind == kind)
        record_event(c, span, end, metadata, size);
    else if (!span || span->kind)
        etc__lose_wrong(c);
}

etc_span etc_start(etc_capture *c, etc_name name) {
    return start(c, ETC_SPAN_PROFILE, name, -1);
}

etc_span etc_start_op(etc_capture *c, etc_name name) {
    return etc_start(c && c->profiling_level == ETC_PROFILE_METHOD_ONLY ? NULL : c, name);
}

etc_span etc_start_text(etc_capture *c, const char *name) {
    if (!etc__is_on(c))
        return (etc_span){0};
    etc_name interned = etc__intern(c, name);
    return ETC_IS_FAST ? begin_now(c, ETC_SPAN_PROFILE, interned, -1) : etc_start(c, interned);
}

void etc_end(etc_capture *c, const etc_span *span) {
    finish(c, span, ETC_SPAN_PROFILE, NULL, 0);
}

void etc_log(etc_capture *c, etc_name name, uint64_t start, uint64_t end) {
    if (!etc__is_on(c))
        return;
    etc_span span = begin(c, ETC_SPAN_PROFILE, name, -1);
    span.start = start;
    if (span.kind)
        record_event(c, &span, end, NULL, 0);
}

etc_span etc_start_delegate(etc_capture *c, etc_name name, int32_t id) {
    return start(c, ETC_SPAN_DELEGATE, name, id);
}

void etc_end_delegate(etc_capture *c, const etc_span *span, const void *metadata, size_t size) {
    finish(c, span, ETC_SPAN_DELEGATE, metadata, size);
}

void etc_log_delegate(etc_capture *c, etc_name name, int32_t id, uint64_t start, uint64_t end,
                      const void *metadata, size_t size) {
    if (!etc__is_on(c))
        return;
    etc_span span = begin(c, ETC_SPAN_DELEGATE, name, id);
    span.start = start;
    if (span.kind)
        record_event(c, &span, end, metadata, size);
}
