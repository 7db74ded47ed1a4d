#include "account/call_order.h"

#include "base/array.h"
#include "base/index.h"
#include "base/text.h"
#include "model/run_events.h"

#include <stdlib.h>

/* What is needed only while calls are read. */
typedef struct reading {
    eti_call_order *order;
    const eti_event_block *block;
    const eti_block_run *run;
    uint32_t *event_of; /* per event of the run: the Event made from it, or ETI_NO_EVENT */
    eti_index index;    /* of the block's events by identity, and then of delegate calls by key */
    bool has_index;     /* of identities: most runs need none */
    uint64_t seed;
    uint32_t *open_call; /* per call: the delegate call that is next to it, by key */
} reading;

/* ---- events ---------------------------------------------------------------------------------- */

static uint64_t hash_identity(const reading *r, const eti_event_identity *identity) {
    uint64_t ids =
        (uint64_t)(uint32_t)identity->instruction_id << 32 | (uint32_t)identity->delegate_id_int;
    uint64_t hash = eti_text_hash(identity->name, eti_hash_mix(r->seed, ids));
    return eti_text_hash(identity->delegate_id_str, hash);
}

static eti_event_identity identity_of(const reading *r, uint32_t number) {
    return eti_event_identity_read(r->run->dump, eti_block_run_position(r->run, number));
}

/* The first Event of this identity, or ETI_NO_EVENT. */
static uint32_t find_identity(const reading *r, const eti_event_identity *identity, uint64_t hash) {
    eti_index_cursor cursor = eti_index_start(&r->index, hash);
    for (uint32_t i; (i = eti_index_next(&r->index, &cursor)) != ETI_INDEX_END;) {
        eti_event_identity known = identity_of(r, r->run->layout->profile_events[i]);
        if (eti_event_identities_equal(&known, identity))
            return i;
    }
    return ETI_NO_EVENT;
}

static bool index_identities(reading *r) {
    if (!eti_index_reset(&r->index, r->block->n_events))
        return false;
    for (size_t i = 0; i < r->block->n_events; i++) {
        uint32_t number = r->run->layout->profile_events[i];
        if (number == ETI_NO_EVENT)
            continue;
        eti_event_identity identity = identity_of(r, number);
        uint64_t hash = hash_identity(r, &identity);
        if (find_identity(r, &identity, hash) == ETI_NO_EVENT &&
            !eti_index_add(&r->index, hash, (uint32_t)i))
            return false;
    }
    r->has_index = true;
    return true;
}

/* The Event of a profile event that is not the last of its kind. False when memory is out. */
static bool find_repeated(reading *r, uint32_t number, uint32_t *event) {
    if (!r->has_index && !index_identities(r))
        return false;
    eti_event_identity identity = identity_of(r, number);
    *event = find_identity(r, &identity, hash_identity(r, &identity));
    return true;
}

static bool add_call(reading *r, uint32_t number) {
    eti_call_order *order = r->order;
    uint32_t event = r->event_of[number];
    if (event == ETI_NO_EVENT) {
        eti_etdump_event read;
        eti_etdump_read_event(&read, r->run->dump, eti_block_run_position(r->run, number));
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
    eti_etdump_read_event(&read, r->run->dump,
                          eti_block_run_position(r->run, r->order->calls[call].number));
    return read;
}

static bool is_delegated(const reading *r, size_t call) {
    return r->block->events[r->order->calls[call].event].is_timed_as_delegated;
}

static uint64_t hash_place(const reading *r, const eti_etdump_key *key) {
    return eti_hash_mix(eti_hash_mix(r->seed, (uint32_t)key->instruction_id), key->chain_index);
}

/* The entry of the index that stands for all delegate calls with the instruction and chain of `key`, or
 * ETI_INDEX_END. */
static uint32_t find_place(reading *r, const eti_etdump_key *key) {
    eti_index_cursor cursor = eti_index_start(&r->index, hash_place(r, key));
    for (uint32_t i; (i = eti_index_next(&r->index, &cursor)) != ETI_INDEX_END;) {
        eti_etdump_key known = read_call(r, i).key;
        if (known.instruction_id == key->instruction_id && known.chain_index == key->chain_index &&
            known.chain_is_negative == key->chain_is_negative)
            return i;
    }
    return ETI_INDEX_END;
}

/* One step through the calls, either way: a delegate call is remembered, a delegated event that has none yet
 * gets the one remembered. */
static bool match_call(reading *r, size_t call) {
    bool is_inner = is_delegated(r, call);
    if (is_inner && r->order->calls[call].delegate_call != ETI_NO_CALL)
        return true;
    eti_etdump_event event = read_call(r, call);
    if (!is_inner && !eti_text_is(event.name, "DELEGATE_CALL"))
        return true;
    uint32_t place = find_place(r, &event.key);
    if (is_inner) {
        if (place != ETI_INDEX_END)
            r->order->calls[call].delegate_call = r->open_call[place];
        return true;
    }
    if (place == ETI_INDEX_END) {
        place = (uint32_t)call;
        if (!eti_index_add(&r->index, hash_place(r, &event.key), place))
            return false;
    }
    r->open_call[place] = (uint32_t)call;
    return true;
}

/* An event is recorded when it ends, so the call that delegated events belong to is the next. */
static bool match_delegate_calls(reading *r) {
    size_t n = r->order->n_calls;
    if (!eti_index_reset(&r->index, 0))
        return false;
    for (size_t i = n; i-- > 0;) {
        if (!match_call(r, i))
            return false;
    }
    if (!eti_index_reset(&r->index, 0))
        return false;
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
    if (!r->event_of || !add_calls(r))
        return false;
    if (!has_delegated(r))
        return true;
    r->open_call = malloc((r->order->n_calls + 1) * sizeof *r->open_call);
    return r->open_call && match_delegate_calls(r);
}

eti_status eti_call_order_read(eti_call_order *order, const eti_event_block *block,
                               const eti_block_run *run, eti_error *err) {
    if (order->layout == run->layout)
        return ETI_OK;
    reading r = {.order = order, .block = block, .run = run, .seed = eti_hash_seed()};
    bool is_read = read_calls(&r);
    free(r.event_of);
    free(r.open_call);
    eti_index_free(&r.index);
    order->layout = is_read ? run->layout : NULL;
    return is_read ? ETI_OK : eti_fail_memory(err);
}

void eti_call_order_free(eti_call_order *order) {
    free(order->calls);
    *order = (eti_call_order){0};
}
