#include "model/parts.h"

#include "backends/backends.h"
#include "base/intern.h"

#include <inttypes.h>
#include <stdlib.h>

/* ==== outer calls ============================================================================= */

static const eti_intern_kind call_kind = {.item_size = sizeof(eti_outer_call),
                                          .key_size = offsetof(eti_outer_call, event)};

static bool is_call(const eti_event *event) {
    return eti__text_is(event->name, "DELEGATE_CALL");
}

static eti_outer_call call_key(const eti_event *event) {
    return (eti_outer_call){eti__event_chain(event), event->instruction_id, event};
}

bool eti__outer_calls_find(eti_outer_calls *out, const eti_event_block *block) {
    *out = (eti_outer_calls){.calls = {.count = 0}};
    bool done = true;
    for (size_t i = 0; i < block->n_events && done; i++) {
        const eti_outer_call call = call_key(&block->events[i]);
        uint32_t number;
        if (is_call(call.event))
            done = eti__intern_add(&out->calls.table, &call_kind, &call, &number);
    }
    return done;
}

uint32_t eti__outer_call_of(const eti_outer_calls *calls, const eti_event *event) {
    const eti_outer_call wanted = call_key(event);
    uint32_t number;
    return eti__intern_find(&calls->calls.table, &call_kind, &wanted, &number) ? number
                                                                               : UINT32_MAX;
}

void eti__outer_calls_free(eti_outer_calls *calls) {
    eti__intern_free(&calls->calls.table);
}

/* ==== delegate events ========================================================================= */

/* A label of events that are numbered in a call. */
typedef struct numbered_label {
    eti_text label;
    uint32_t call;
    uint64_t n;
} numbered_label;

typedef struct reading {
    eti_event_block *block;
    eti_arena *arena;
    eti_outer_calls calls;
    eti_backend *backends; /* per call */
    ETI_INTERN_OF(numbered_label) labels;
    uint32_t *call_of; /* per event: number of its call, or NO_CALL */
    /* The meaning of events of a backend without an adapter, per backend; NULL: not needed yet. */
    eti_delegate_event *plain[ETI_N_BACKENDS];
} reading;

#define NO_CALL UINT32_MAX

static uint64_t hash_label(const void *key, uint64_t seed) {
    const numbered_label *label = key;
    return eti__hash_mix(eti__intern_hash_text(&label->label, seed), label->call);
}

static bool is_label(const void *key, const void *other) {
    const numbered_label *a = key, *b = other;
    return a->call == b->call && eti__text_equal(a->label, b->label);
}

static const eti_intern_kind label_kind = {
    .item_size = sizeof(numbered_label), .hash = hash_label, .is_equal = is_label};

/* Returns whether the event may lie inside a delegate call of its instruction. */
static bool may_be_inside(const eti_event *event) {
    if (event->is_timed_as_delegated)
        return true;
    return event->is_timed && !is_call(event) && !event->is_operator_call &&
           eti__event_names_instruction(event) && !eti__kernel_operator(event->name).data &&
           !eti__is_framework_event(event->name);
}

/* Sets the backends of calls that the record or the program knows. */
static bool list_backends(reading *r) {
    size_t n = r->calls.calls.count;
    r->backends = malloc((n + 1) * sizeof *r->backends);
    for (size_t i = 0; r->backends && i < n; i++)
        r->backends[i] = eti__backend_of_id(r->calls.calls.items[i].event->known->backend_name);
    return r->backends != NULL;
}

static eti_logged_event logged_of(const eti_event *event) {
    bool has_id = event->is_timed_as_delegated;
    eti_text metadata = eti__event_metadata(event);
    eti_counted counted;
    if (eti__counted_begin(&counted, metadata)) /* is not the delegate's */
        metadata = (eti_text){NULL, 0};
    return (eti_logged_event){
        .name = event->name,
        .metadata = metadata,
        .has_id = has_id,
        .has_int_id = has_id && event->delegate_id_kind == ETI_DELEGATE_ID_INT,
    };
}

/* Finds the call of each event, and the backends of calls that neither record nor program knows. */
static void find_calls(reading *r) {
    for (size_t i = 0; i < r->block->n_events; i++) {
        const eti_event *event = &r->block->events[i];
        r->call_of[i] = NO_CALL;
        if (!may_be_inside(event))
            continue;
        uint32_t number = eti__outer_call_of(&r->calls, event);
        if (number == NO_CALL)
            continue;
        r->call_of[i] = number;
        if (r->backends[number] == ETI_BACKEND_OTHER && event->known->backend_name.size == 0) {
            eti_logged_event logged = logged_of(event);
            r->backends[number] = eti__backend_of_event(&logged);
        }
    }
}

static bool number_label(reading *r, uint32_t call, eti_delegate_event *event) {
    eti_buffer text = {0};
    uint32_t number;
    numbered_label label = {.label = event->label, .call = call};
    if (!eti__intern_add(&r->labels.table, &label_kind, &label, &number))
        return false;
    eti__buffer_add_text(&text, event->label);
    eti__buffer_printf(&text, " #%" PRIu64, ++r->labels.items[number].n);
    bool is_made = !text.failed &&
                   eti__arena_copy_text(r->arena, (eti_text){text.data, text.size}, &event->label);
    eti__buffer_free(&text);
    return is_made;
}

/* Returns the backend of an event. While loading there are no calls, so that only the name shows it. */
static eti_backend backend_of(const reading *r, const eti_event *event,
                              const eti_logged_event *logged, uint32_t call) {
    if (call != NO_CALL)
        return r->backends[call];
    eti_text name = event->known->backend_name;
    return name.size == 0 && r->block->is_loading ? eti__backend_of_event(logged)
                                                  : eti__backend_of_id(name);
}

/* Returns the meaning of an event; NULL if memory runs out. */
static eti_delegate_event *read_meaning(reading *r, eti_backend backend,
                                        const eti_logged_event *logged, uint32_t call) {
    eti_delegate_event *read = eti__arena_alloc(r->arena, 1, sizeof *read);
    bool is_read = read && eti__delegate_event_read(read, backend, logged, r->arena) &&
                   (!read->is_numbered || number_label(r, call, read));
    return is_read ? read : NULL;
}

static bool read_event(reading *r, eti_event *event, uint32_t call) {
    eti_logged_event logged = logged_of(event);
    eti_backend backend = backend_of(r, event, &logged, call);
    if (eti__backend_has_adapter(backend)) {
        event->logged = read_meaning(r, backend, &logged, call);
        return event->logged != NULL;
    }
    if (!r->plain[backend]) {
        r->plain[backend] = read_meaning(r, backend, &logged, call);
        if (r->plain[backend])
            r->plain[backend]->label = (eti_text){NULL, 0};
    }
    event->logged = r->plain[backend];
    return event->logged != NULL;
}

static bool read_events(reading *r) {
    r->call_of = malloc((r->block->n_events + 1) * sizeof *r->call_of);
    if (!r->call_of || !eti__outer_calls_find(&r->calls, r->block) || !list_backends(r))
        return false;
    find_calls(r);
    for (size_t i = 0; i < r->block->n_events; i++) {
        eti_event *event = &r->block->events[i];
        bool is_inside = r->call_of[i] != NO_CALL || event->is_timed_as_delegated;
        event->logged = NULL;
        if (is_inside && !read_event(r, event, r->call_of[i]))
            return false;
    }
    return true;
}

static bool has_calls(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (block->events[i].is_timed_as_delegated || is_call(&block->events[i]))
            return true;
    }
    return false;
}

eti_status eti__delegate_events_read(eti_event_block *block, eti_arena *arena, eti_error *err) {
    if (block->n_runs == 0 || !has_calls(block))
        return ETI_OK;
    reading r = {.block = block, .arena = arena};
    bool is_read = read_events(&r);
    free(r.call_of);
    free(r.backends);
    eti__outer_calls_free(&r.calls);
    eti__intern_free(&r.labels.table);
    return is_read ? ETI_OK : eti_fail_memory(err);
}

eti_text eti__event_label(const eti_event *event) {
    return event->logged && event->logged->label.data ? event->logged->label : event->name;
}
