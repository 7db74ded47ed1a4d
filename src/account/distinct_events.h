/*
 * distinct_events.h - distinguishes the events of several blocks: blocks of one method share those that have the same
 * instruction, name and id, such as the events outside of the branches that the blocks took.
 */
#ifndef ETI_ACCOUNT_DISTINCT_EVENTS_H
#define ETI_ACCOUNT_DISTINCT_EVENTS_H

#include "base/intern.h"
#include "model/model.h"

/* Initialize to all zeros, except `inspector`. */
typedef struct eti_distinct_events {
    const eti_inspector *inspector;
    eti_intern seen;
} eti_distinct_events;

/* Stores whether no event added before is the same one. An event is not added again with its block. Returns false if memory
 * runs out. */
bool eti__distinct_events_add(eti_distinct_events *distinct, const eti_event *event,
                              bool *is_new) ETI_WARN_UNUSED;
void eti__distinct_events_free(eti_distinct_events *distinct);

#endif
