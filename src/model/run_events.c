#include "model/parts.h"

#include <stdlib.h>

/* Digests of this size and the index are freed before the events are made, which take as much memory. */
#define LARGE_SCRATCH_BYTES ((size_t)4 << 20)

static eti_position position_of(const eti_run_events *events, uint32_t number) {
    return eti__etdump_event_position(events->dump, events->events, number);
}

static eti_etdump_event read_event(const eti_run_events *events, size_t number) {
    eti_etdump_event event;
    eti__etdump_read_event(&event, events->dump, position_of(events, (uint32_t)number));
    return event;
}

/* ---- digests --------------------------------------------------------------------------------- */

static uint64_t hash_key(const eti_etdump_key *key, uint64_t seed) {
    uint64_t ids = (uint64_t)(uint32_t)key->instruction_id << 32 | (uint32_t)key->delegate_id_int;
    uint64_t hash = eti__hash_mix(eti__hash_mix(seed, ids), key->chain_index);
    return eti__text_hash(key->delegate_id_str, hash);
}

eti_event_identity eti__event_identity_of(const eti_etdump *dump, const eti_etdump_event *event) {
    eti_text empty = {"", 0};
    return (eti_event_identity){
        .ignores_ids = dump->merges_ids,
        .instruction_id = event->key.instruction_id,
        .delegate_id_int = event->key.delegate_id_int,
        .name = event->name.size ? event->name : empty,
        .delegate_id_str = event->key.delegate_id_str.size ? event->key.delegate_id_str : empty,
    };
}

eti_event_identity eti__event_identity_read(const eti_etdump *dump, eti_position position) {
    eti_etdump_event event;
    eti__etdump_read_event(&event, dump, position);
    return eti__event_identity_of(dump, &event);
}

static bool has_key(const eti_etdump_event *event) {
    return event->kind == ETI_ETDUMP_PROFILE || event->kind == ETI_ETDUMP_DEBUG;
}

/* Makes the digest of an event. `before` is the previous event that has a key; if it has none, there is no such event. */
static eti_event_digest digest(const eti_etdump *dump, const eti_etdump_event *event,
                               const eti_etdump_event *before, uint64_t seed) {
    const eti_etdump_key *key = &event->key, *other = &before->key;
    eti_event_identity identity = eti__event_identity_of(dump, event);
    eti_event_digest out = {
        .instruction = (uint32_t)key->instruction_id,
        .kind = (uint8_t)event->kind,
        .is_run_output = event->is_run_output,
        .lacks_value = event->has_debug_event && !event->debug_value,
        .repeats_key = has_key(before) && eti__etdump_keys_equal(key, other),
        .differs_in_more =
            (has_key(before) && (key->chain_index != other->chain_index ||
                                 key->chain_is_negative != other->chain_is_negative)) ||
            (key->delegate_id_str.data && key->delegate_id_str.size == 0),
    };
    if (!has_key(event))
        return out;
    if (!out.repeats_key)
        out.key_hash = hash_key(key, seed);
    out.identity_hash = eti__event_identity_hash(&identity, seed);
    return out;
}

static eti_etdump_event last_with_key(const eti_run_events *events, size_t end) {
    eti_etdump_event event = {.kind = ETI_ETDUMP_NOTHING};
    while (end > 0 && !has_key(&event))
        event = read_event(events, --end);
    return event;
}

static void digest_part(void *context, size_t i) {
    eti_run_events *events = context;
    size_t first, end;
    eti__parallel_part(events->events.count, events->n_parts, i, &first, &end);
    eti_etdump_event before = last_with_key(events, first);
    for (size_t k = first; k < end; k++) {
        eti_etdump_event event = read_event(events, k);
        events->digests[k] = digest(events->dump, &event, &before, events->seed);
        if (has_key(&event))
            before = event;
    }
}

/* Reads the scattered fields on several threads first; the other steps go from event to event. */
static bool digest_all(eti_run_events *events) {
    uint32_t n = events->events.count;
    if (!ETI_GROW(events->digests, events->digest_capacity, n))
        return false;
    events->n_parts = n * sizeof *events->digests >= ETI_PARALLEL_BYTES / 4 ? events->n_threads : 1;
    eti__parallel(events->n_parts, digest_part, events);
    return true;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool have_same_key(const eti_run_events *events, uint32_t a, uint32_t b) {
    eti_etdump_event x = read_event(events, a), y = read_event(events, b);
    return eti__etdump_keys_equal(&x.key, &y.key);
}

typedef struct wanted_group {
    const eti_run_events *events;
    uint32_t example;
} wanted_group;

static bool is_wanted_group(const void *wanted, uint32_t number) {
    const wanted_group *w = wanted;
    return have_same_key(w->events, w->events->groups[number].example, w->example);
}

/* Returns the number of the group of event `number`, which is made if it is new; ETI_INDEX_END if memory runs out. */
static uint32_t find_group(eti_run_events *events, uint32_t number) {
    const eti_event_digest *digest = &events->digests[number];
    wanted_group wanted = {events, number};
    uint32_t known = eti__near_index_find(&events->index, digest->instruction, digest->key_hash,
                                          is_wanted_group, &wanted);
    if (known != ETI_INDEX_END)
        return known;
    if (!ETI_GROW(events->groups, events->group_capacity, events->n_groups + 1) ||
        !eti__near_index_add(&events->index, digest->instruction, digest->key_hash))
        return ETI_INDEX_END;
    events->groups[events->n_groups] = (eti_event_group){number, ETI_NO_EVENT, ETI_NO_EVENT};
    return (uint32_t)events->n_groups++;
}

static void append(eti_run_events *events, uint32_t number, uint32_t *last) {
    uint32_t first = *last == ETI_NO_EVENT ? number : events->next[*last];
    if (*last != ETI_NO_EVENT)
        events->next[*last] = number;
    events->next[number] = first;
    *last = number;
}

static bool add_to_group(eti_run_events *events, uint32_t number) {
    const eti_event_digest *digest = &events->digests[number];
    if (!digest->repeats_key)
        events->latest_group = find_group(events, number);
    if (events->latest_group == ETI_INDEX_END)
        return false;
    events->keys_differ_in_more = events->keys_differ_in_more || digest->differs_in_more;
    eti_event_group *group = &events->groups[events->latest_group];
    if (digest->kind == ETI_ETDUMP_PROFILE) {
        append(events, number, &group->last_profile);
    } else if (!digest->is_run_output) {
        append(events, number, &group->last_debug);
    }
    return true;
}

static bool add_output(eti_run_events *events, uint32_t number) {
    if (!ETI_GROW(events->outputs, events->output_capacity, events->n_outputs + 1))
        return false;
    events->outputs[events->n_outputs++] = number;
    return true;
}

static eti_status add_event(eti_run_events *events, uint32_t number, eti_error *err) {
    const eti_event_digest *digest = &events->digests[number];
    if (digest->lacks_value)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "event %u: DebugEvent.debug_entry is missing (was the ETDump cut short?)",
                        number);
    if (digest->kind == ETI_ETDUMP_NOTHING)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "event %u: expected a profile, debug or allocation event, found none",
                        number);
    if (digest->is_run_output && !add_output(events, number))
        return eti_fail_memory(err);
    if (digest->kind == ETI_ETDUMP_ALLOCATION)
        events->n_allocations++;
    else if (!add_to_group(events, number))
        return eti_fail_memory(err);
    return ETI_OK;
}

/* ---- sources --------------------------------------------------------------------------------- */

uint64_t eti__event_identity_hash(const eti_event_identity *identity, uint64_t seed) {
    uint64_t ids =
        (uint64_t)(uint32_t)identity->instruction_id << 32 | (uint32_t)identity->delegate_id_int;
    uint64_t hash = eti__text_hash(identity->name, eti__hash_mix(seed, ids)), number;
    eti_text id = identity->delegate_id_str;
    if (identity->ignores_ids && eti__lasting_identifier(&id, &number))
        hash = eti__hash_mix(hash, number);
    return eti__text_hash(id, hash);
}

/* Returns whether both identifiers are equal, apart from ids of a process. */
static bool ids_are_alike(eti_text a, eti_text b) {
    uint64_t x = 0, y = 0;
    return eti__lasting_identifier(&a, &x) && eti__lasting_identifier(&b, &y) && x == y &&
           eti__text_equal(a, b);
}

bool eti__event_identities_equal(const eti_event_identity *a, const eti_event_identity *b) {
    return a->instruction_id == b->instruction_id && a->delegate_id_int == b->delegate_id_int &&
           eti__text_equal(a->name, b->name) &&
           (eti__text_equal(a->delegate_id_str, b->delegate_id_str) ||
            (a->ignores_ids && ids_are_alike(a->delegate_id_str, b->delegate_id_str)));
}

/* Returns the first debug event of the source's group. */
static uint32_t debug_event_of(const eti_run_events *events, eti_event_source source) {
    return eti__run_events_first(events, events->groups[source.group].last_debug);
}

/* Returns the hash of a source, and stores its instruction, which all events of the group share, in `*instruction`. */
static uint64_t hash_source(const eti_run_events *events, eti_event_source source,
                            uint32_t *instruction) {
    const uint32_t numbers[] = {source.profile, debug_event_of(events, source)};
    uint64_t hash = events->seed;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i] == ETI_NO_EVENT) {
            hash = eti__hash_mix(hash, 1);
            continue;
        }
        *instruction = events->digests[numbers[i]].instruction;
        hash = eti__hash_mix(hash, events->digests[numbers[i]].identity_hash);
    }
    return hash;
}

static bool is_same_event(const eti_run_events *events, uint32_t a, uint32_t b) {
    if (a == b || a == ETI_NO_EVENT || b == ETI_NO_EVENT)
        return a == b;
    eti_event_identity x = eti__event_identity_read(events->dump, position_of(events, a));
    eti_event_identity y = eti__event_identity_read(events->dump, position_of(events, b));
    return eti__event_identities_equal(&x, &y);
}

static bool is_same_source(const eti_run_events *events, eti_event_source a, eti_event_source b) {
    return is_same_event(events, a.profile, b.profile) &&
           is_same_event(events, debug_event_of(events, a), debug_event_of(events, b));
}

typedef struct wanted_source {
    const eti_run_events *events;
    eti_event_source source;
} wanted_source;

static bool is_wanted_source(const void *wanted, uint32_t number) {
    const wanted_source *w = wanted;
    return is_same_source(w->events, w->events->sources[number], w->source);
}

/* Returns whether no other source of the run can be equal. */
static bool is_unique(const eti_run_events *events, const eti_event_group *group) {
    uint32_t last = group->last_profile;
    return !events->keys_differ_in_more && eti__run_events_first(events, last) == last;
}

/* Adds a source. Of equal sources in one run, the first determines the place and the last the contents. */
static eti_status add_source(eti_run_events *events, eti_event_source source, eti_error *err) {
    uint32_t instruction = 0;
    uint64_t hash = hash_source(events, source, &instruction);
    bool may_repeat = !is_unique(events, &events->groups[source.group]);
    wanted_source wanted = {events, source};
    uint32_t known = may_repeat ? eti__near_index_find(&events->index, instruction, hash,
                                                       is_wanted_source, &wanted)
                                : ETI_INDEX_END;
    if (known != ETI_INDEX_END) {
        events->sources[known] = source;
        return ETI_OK;
    }
    if (!ETI_GROW(events->sources, events->source_capacity, events->n_sources + 1) ||
        !eti__near_index_add(&events->index, instruction, hash))
        return eti_fail_memory(err);
    events->sources[events->n_sources++] = source;
    events->hash = eti__hash_mix(events->hash, hash);
    return ETI_OK;
}

static eti_status add_sources(eti_run_events *events, eti_error *err) {
    if (!eti__near_index_reset(&events->index, events->n_groups))
        return eti_fail_memory(err);
    for (uint32_t g = 0; g < events->n_groups; g++) {
        const eti_event_group *group = &events->groups[g];
        uint32_t last = group->last_profile;
        for (uint32_t i = eti__run_events_first(events, last); i != ETI_NO_EVENT;
             i = eti__run_events_next(events, last, i))
            ETI_TRY(add_source(events, (eti_event_source){i, g}, err));
        if (last == ETI_NO_EVENT && group->last_debug != ETI_NO_EVENT)
            ETI_TRY(add_source(events, (eti_event_source){ETI_NO_EVENT, g}, err));
    }
    return ETI_OK;
}

static void free_scratch(eti_run_events *events) {
    free(events->digests);
    events->digests = NULL;
    events->digest_capacity = 0;
    eti__near_index_free(&events->index);
}

eti_status eti__run_events_read(eti_run_events *out, const eti_etdump *dump,
                                const eti_etdump_run *run, eti_error *err) {
    out->dump = dump;
    out->events = run->events;
    out->n_groups = out->n_outputs = out->n_sources = 0;
    out->n_allocations = 0;
    out->hash = out->seed;
    out->keys_differ_in_more = false;
    if (!eti__near_index_reset(&out->index, run->events.count) ||
        !ETI_GROW(out->next, out->next_capacity, run->events.count) || !digest_all(out))
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < run->events.count; i++)
        ETI_TRY(add_event(out, i, err));
    ETI_TRY(add_sources(out, err));
    if (run->events.count * sizeof *out->digests >= LARGE_SCRATCH_BYTES)
        free_scratch(out);
    return ETI_OK;
}

void eti__run_events_free(eti_run_events *events) {
    free(events->groups);
    free(events->next);
    free(events->outputs);
    free(events->sources);
    free_scratch(events);
    *events = (eti_run_events){0};
}
