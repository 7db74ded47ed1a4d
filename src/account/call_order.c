#include "account/call_order.h"

#include <stdlib.h>

/* First Event with an identity. */
typedef struct known_event {
    eti_event_identity identity;
    uint32_t event;
} known_event;

/* Delegate call of an instruction and a chain that is nearest to the current position of the walk through the calls. */
typedef struct open_call {
    uint64_t chain_index;
    int32_t instruction_id;
    uint32_t chain_is_negative;
    uint32_t call;
} open_call;

/* Holds state that is needed only while calls are read. */
typedef struct reading {
    eti_call_order *order;
    const eti_event_block *block;
    const eti_block_run *run;
    uint32_t *event_of; /* per event of the run: the Event made from it, or ETI_NO_EVENT */
    ETI_INTERN_OF(known_event) events; /* empty until the first lookup; most runs need no lookup */
    ETI_INTERN_OF(open_call) open_calls;
} reading;

/* ---- events ---------------------------------------------------------------------------------- */

static uint64_t hash_identity(const void *key, uint64_t seed) {
    return eti__event_identity_hash(key, seed);
}

static bool has_identity(const void *key, const void *other) {
    return eti__event_identities_equal(key, other);
}

static const eti_intern_kind event_kind = {
    .item_size = sizeof(known_event), .hash = hash_identity, .is_equal = has_identity};

static eti_event_identity identity_of(const reading *r, uint32_t number) {
    return eti__event_identity_read(r->run->dump, eti__block_run_position(r->run, number));
}

static bool index_events(reading *r) {
    uint32_t known;
    for (uint32_t i = 0; i < r->block->n_events; i++) {
        uint32_t number = r->run->layout->profile_events[i];
        if (number != ETI_NO_EVENT &&
            !eti__intern_add(&r->events.table, &event_kind,
                             &(known_event){identity_of(r, number), i}, &known))
            return false;
    }
    return true;
}

/* Finds the Event of a profile event that is not the last of its kind. Returns false if memory runs out. */
static bool find_repeated(reading *r, uint32_t number, uint32_t *event) {
    if (r->events.count == 0 && !index_events(r))
        return false;
    uint32_t known;
    eti_event_identity identity = identity_of(r, number);
    bool is_known = eti__intern_find(&r->events.table, &event_kind, &identity, &known);
    *event = is_known ? r->events.items[known].event : ETI_NO_EVENT;
    return true;
}

static bool add_call(reading *r, uint32_t number) {
    eti_call_order *order = r->order;
    uint32_t event = r->event_of[number];
    if (event == ETI_NO_EVENT) {
        eti_etdump_event read;
        eti__etdump_read_event(&read, r->run->dump, eti__block_run_position(r->run, number));
        if (read.kind != ETI_ETDUMP_PROFILE)
            return true;
        if (!find_repeated(r, number, &event))
            return false;
        if (event == ETI_NO_EVENT)
            return true;
        order->n_repeated++;
    }
    if (!ETI_GROW(order->calls, order->capacity, order->n_calls + 1))
        return false;
    order->calls[order->n_calls++] = (eti_call){number, event, ETI_NO_CALL};
    return true;
}

static bool add_calls(reading *r) {
    uint32_t n = r->run->events.count;
    r->order->n_calls = 0;
    r->order->n_repeated = 0;
    for (uint32_t i = 0; i < n; i++)
        r->event_of[i] = ETI_NO_EVENT;
    for (size_t i = 0; i < r->block->n_events; i++) {
        uint32_t number = r->run->layout->profile_events[i];
        if (number != ETI_NO_EVENT)
            r->event_of[number] = (uint32_t)i;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!add_call(r, i))
            return false;
    }
    return true;
}

/* ---- delegate calls -------------------------------------------------------------------------- */

static eti_etdump_event read_call(const reading *r, size_t call) {
    eti_etdump_event read;
    eti__etdump_read_event(&read, r->run->dump,
                           eti__block_run_position(r->run, r->order->calls[call].number));
    return read;
}

static bool is_delegated(const reading *r, size_t call) {
    return r->block->events[r->order->calls[call].event].is_timed_as_delegated;
}

/* Makes one step through the calls, in either direction: remembers a delegate call, or assigns the remembered call to
 * a delegated event that has none yet. */
static bool match_call(reading *r, size_t call) {
    static const eti_intern_kind kind = {.item_size = sizeof(open_call),
                                         .key_size = offsetof(open_call, call)};
    bool is_inner = is_delegated(r, call);
    if (is_inner && r->order->calls[call].delegate_call != ETI_NO_CALL)
        return true;
    eti_etdump_event event = read_call(r, call);
    if (!is_inner && !eti__text_is(event.name, "DELEGATE_CALL"))
        return true;
    uint32_t number;
    open_call open = {event.key.chain_index, event.key.instruction_id, event.key.chain_is_negative,
                      (uint32_t)call};
    if (is_inner) {
        if (eti__intern_find(&r->open_calls.table, &kind, &open, &number))
            r->order->calls[call].delegate_call = r->open_calls.items[number].call;
        return true;
    }
    if (!eti__intern_add(&r->open_calls.table, &kind, &open, &number))
        return false;
    r->open_calls.items[number].call = open.call;
    return true;
}

/* Assigns delegate calls to delegated events. Events are recorded when they end, so delegated events belong to the
 * next call. */
static bool match_delegate_calls(reading *r) {
    size_t n = r->order->n_calls;
    for (size_t i = n; i-- > 0;) {
        if (!match_call(r, i))
            return false;
    }
    eti__intern_free(&r->open_calls.table);
    for (size_t i = 0; i < n; i++) {
        if (!match_call(r, i))
            return false;
    }
    return true;
}

static bool has_delegated(const reading *r) {
    for (size_t i = 0; i < r->order->n_calls; i++) {
        if (is_delegated(r, i))
            return true;
    }
    return false;
}

static bool read_calls(reading *r) {
    r->event_of = malloc(((size_t)r->run->events.count + 1) * sizeof *r->event_of);
    return r->event_of && add_calls(r) && (!has_delegated(r) || match_delegate_calls(r));
}

eti_status eti__call_order_read(eti_call_order *order, const eti_event_block *block,
                                const eti_block_run *run, eti_error *err) {
    if (order->layout == run->layout)
        return ETI_OK;
    reading r = {.order = order, .block = block, .run = run};
    bool is_read = read_calls(&r);
    free(r.event_of);
    eti__intern_free(&r.events.table);
    eti__intern_free(&r.open_calls.table);
    order->layout = is_read ? run->layout : NULL;
    return is_read ? ETI_OK : eti_fail_memory(err);
}

void eti__call_order_free(eti_call_order *order) {
    free(order->calls);
    *order = (eti_call_order){0};
}
