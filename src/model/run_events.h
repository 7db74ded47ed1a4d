/*
 * run_events.h - turns the events of one run into parts of Events: grouped by instruction (id, chain
 * and delegate id), so that a profile event and the debug events of the same call come together; each
 * profile event of a group is one, recognised again in other runs by its identity.
 *
 * Events are known by their numbers in the run. All members are scratch memory, reused for the next
 * run.
 */
#ifndef ETI_MODEL_RUN_EVENTS_H
#define ETI_MODEL_RUN_EVENTS_H

#include "base/near_index.h"
#include "read/etdump.h"

#define ETI_NO_EVENT UINT32_MAX

/* The events of one run that share a key: none when all of them are outputs of the run. */
typedef struct eti_event_group {
    uint32_t example;      /* an event that has the key */
    uint32_t last_profile; /* of the group's profile events, or ETI_NO_EVENT */
    uint32_t last_debug;   /* of its debug events */
} eti_event_group;

/* Events of one run that form an Event. */
typedef struct eti_event_source {
    uint32_t profile; /* ETI_NO_EVENT: the group has debug events only */
    uint32_t group;
} eti_event_source;

/* Fields that decide where an event belongs. */
typedef struct eti_event_digest {
    uint64_t key_hash; /* where the key is not that of the event before */
    uint64_t identity_hash;
    uint32_t instruction;
    uint8_t kind; /* an eti_etdump_event_kind */
    bool is_run_output;
    bool lacks_value;     /* has a debug event without one */
    bool repeats_key;     /* that of the event before */
    bool differs_in_more; /* see keys_differ_in_more */
} eti_event_digest;

typedef struct eti_run_events {
    const eti_etdump *dump;
    eti_vector events;
    uint64_t seed;
    size_t n_threads;

    eti_event_digest *digests; /* per event */
    size_t n_parts;            /* that threads make them in */
    size_t digest_capacity;

    eti_event_group *groups; /* in order of first appearance */
    size_t n_groups, group_capacity;
    uint32_t *next; /* per event: the next of its kind in its group; of the last one: the first */
    size_t next_capacity;
    uint32_t *outputs; /* debug events that are outputs of the run */
    size_t n_outputs, output_capacity;
    uint32_t n_allocations;
    uint32_t latest_group; /* of the previous event, which is mostly of the same call */
    /* Keys also hold the chain, and whether a delegate id is absent or empty, which identities do
     * not. Where only these differ, events of different groups can have the same identity. */
    bool keys_differ_in_more;

    eti_event_source *sources; /* in the order of Events */
    size_t n_sources, source_capacity;
    uint64_t hash; /* of the identities of all sources, in order */

    eti_near_index index; /* of groups, and then of sources, by instruction */
} eti_run_events;

/* Reads the events of `run`. ETI_ERROR_MALFORMED names the event in which something is missing that the
 * Inspector cannot do without; ETI_ERROR_MEMORY. */
eti_status eti__run_events_read(eti_run_events *out, const eti_etdump *dump,
                                const eti_etdump_run *run, eti_error *err) ETI_WARN_UNUSED;

void eti__run_events_free(eti_run_events *events);

/* Return the first and the next event of the list that ends with `last`, or ETI_NO_EVENT. */
static inline uint32_t eti__run_events_first(const eti_run_events *events, uint32_t last) {
    return last == ETI_NO_EVENT ? ETI_NO_EVENT : events->next[last];
}

static inline uint32_t eti__run_events_next(const eti_run_events *events, uint32_t last,
                                            uint32_t number) {
    return number == last ? ETI_NO_EVENT : events->next[number];
}

/* Identity of an event: its name and ids. "" and -1 stand for absent ones. */
typedef struct eti_event_identity {
    int32_t instruction_id, delegate_id_int;
    eti_text name, delegate_id_str;
} eti_event_identity;

eti_event_identity eti__event_identity_read(const eti_etdump *dump, eti_position event);
bool eti__event_identities_equal(const eti_event_identity *a, const eti_event_identity *b);

#endif
