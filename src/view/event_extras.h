/*
 * event_extras.h - finds out what rows of events need besides the events themselves, when the first row
 * does: how long all of Method::execute took, own times, and where in the user's model an event belongs.
 * Several threads may ask.
 */
#ifndef ETI_VIEW_EVENT_EXTRAS_H
#define ETI_VIEW_EVENT_EXTRAS_H

#include "account/account.h"
#include "account/places.h"

#include <pthread.h>
#include <stdatomic.h>

/* Own times of a block's events. */
typedef struct eti_block_extras {
    atomic_bool has_executed;
    double executed; /* the total of Method::execute, over all runs; NaN: unknown */
    atomic_bool has_own_times;
    bool has_account; /* to be freed */
    eti_account account;
    uint64_t whole;       /* account.whole, over all runs */
    uint64_t *cumulative; /* per event: own time of it and of all with more, over all runs */
} eti_block_extras;

typedef struct eti_event_extras {
    const eti_inspector *inspector;
    pthread_mutex_t finding_out;
    eti_block_extras *blocks; /* per block of the inspector */
    eti_places places;        /* of all events */
    atomic_bool has_places;
} eti_event_extras;

/* NULL when memory is out. */
eti_event_extras *eti__event_extras_new(const eti_inspector *inspector);
/* NULL is allowed. */
void eti__event_extras_free(eti_event_extras *extras);

/* What the block of the event took in all; NaN without Method::execute. False when memory is out. */
bool eti__event_extras_executed(eti_event_extras *extras, const eti_event *event, double *out);

/* Own times, over all runs. */
typedef struct eti_own_time {
    double time; /* of the event, in the target scale */
    double share,
        cumulative; /* of the whole, and with all that have more; NaN where the whole is 0 */
} eti_own_time;
/* False when memory is out. */
bool eti__event_extras_own_time(eti_event_extras *extras, const eti_event *event,
                                eti_own_time *out);

/* False when memory is out. */
bool eti__event_extras_place(eti_event_extras *extras, const eti_event *event, eti_place *out);

#endif
