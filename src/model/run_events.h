/*
 * run_events.h - turns the events of one run into sources of Events.
 */
#ifndef ETI_MODEL_RUN_EVENTS_H
#define ETI_MODEL_RUN_EVENTS_H

#include "base/array.h"
#include "etinspect.h"
#include "model/model.h"
#include "read/read.h"

/* The events of one run that share a key; empty if all of them are outputs of the run. */
typedef struct eti_event_group {
    uint32_t example;      /* an event that has the key */
    uint32_t last_profile; /* last profile event of the group, or ETI_NO_EVENT */
    uint32_t last_debug;   /* last of its debug events */
} eti_event_group;

/* The events of one run that form an Event. */
typedef struct eti_event_source {
    uint32_t profile; /* ETI_NO_EVENT: the group has only debug events */
    uint32_t group;
} eti_event_source;

/* Fields that determine which group an event belongs to. */
typedef struct eti_event_digest {
    uint64_t key_hash; /* set if the key differs from that of the previous event */
    uint64_t identity_hash;
    uint32_t instruction;
    uint8_t kind; /* an eti_etdump_event_kind */
    bool is_run_output;
    bool lacks_value;     /* has a debug event without a value */
    bool repeats_key;     /* has the key of the previous event */
    bool differs_in_more; /* see keys_differ_in_more */
} eti_event_digest;

typedef struct eti_run_events {
    const eti_etdump *dump;
    eti_vector events;
    uint64_t seed;
    size_t n_threads;

    eti_event_digest *digests; /* per event */
    size_t n_parts;            /* number of threads that make them */
    size_t digest_capacity;

    eti_event_group *groups; /* in order of first appearance */
    size_t n_groups, group_capacity;
    uint32_t
        *next; /* per event: the next one of its kind in its group; for the last one, the first */
    size_t next_capacity;
    uint32_t *outputs; /* debug events that are outputs of the run */
    size_t n_outputs, output_capacity;
    uint32_t n_allocations;
    uint32_t latest_group; /* group of the previous event, which mostly belongs to the same call */
    /* Unlike identities, keys contain the chain, and distinguish absent delegate ids from empty ones. Where keys differ
     * only in these, events of different groups can have the same identity. */
    bool keys_differ_in_more;

    eti_event_source *sources; /* in the order of Events */
    size_t n_sources, source_capacity;
    uint64_t hash; /* hash of the identities of all sources, in order */

    eti_near_index index; /* finds groups, and later sources, by instruction */
} eti_run_events;

/* Reads the events of `run`. ETI_ERROR_MALFORMED names an event that lacks a part that the Inspector requires;
 * ETI_ERROR_MEMORY. */
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

eti_event_identity eti__event_identity_of(const eti_etdump *dump, const eti_etdump_event *event);

#endif
