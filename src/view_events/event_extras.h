/*
 * event_extras.h - computes further data for rows of events when the first row needs them: the time
 * of Method::execute, self times, and the places of events in the user's model. Several threads may
 * call these functions.
 */
#ifndef ETI_VIEW_EVENTS_EVENT_EXTRAS_H
#define ETI_VIEW_EVENTS_EVENT_EXTRAS_H

#include "account/account.h"
#include "model/model.h"
#include "places/places.h"

#include <pthread.h>
#include <stdatomic.h>

/* Data of a block's events. Times are sums over the runs that count, see account/account.h. */
typedef struct eti_block_extras {
    atomic_bool has_account;
    eti_account account;
    atomic_bool has_executed;
    double executed; /* time of Method::execute; NaN: unknown */
    atomic_bool has_own_times;
    uint64_t whole;       /* sum of account.whole */
    uint64_t *cumulative; /* per event: self time of the event and of all events with more */
    eti_place *places;    /* per event; NULL: not found yet */
} eti_block_extras;

typedef struct eti_event_extras {
    const eti_inspector *inspector;
    pthread_mutex_t finding_out;
    eti_block_extras *blocks; /* per block of the inspector */
    eti_places places;        /* of all events */
    atomic_bool has_places;
} eti_event_extras;

/* Starts without data; NULL: out of memory. */
eti_event_extras *eti__event_extras_new(const eti_inspector *inspector);
/* Frees the extras; NULL is allowed. */
void eti__event_extras_free(eti_event_extras *extras);

/* Finds the time of an event, including events inside it, as a share of Method::execute of its
 * block; NaN without one. False: out of memory. */
bool eti__event_extras_share(eti_event_extras *extras, const eti_event *event, double *out);

/* Own times of an event over the runs that count. */
typedef struct eti_own_time {
    double time; /* of the event, in the target scale */
    double share,
        cumulative; /* share of the whole, and sum of the shares of the event and all with more; NaN if the whole is 0 */
} eti_own_time;
/* Finds the self time of an event. False: out of memory. */
bool eti__event_extras_own_time(eti_event_extras *extras, const eti_event *event,
                                eti_own_time *out);

/* Finds the place that the self time of an event belongs to. False: out of memory. */
bool eti__event_extras_place(eti_event_extras *extras, const eti_event *event, eti_place *out);

/* Finds the backend that ran an event, see eti__account_backend(). False: out of memory. */
bool eti__event_extras_backend(eti_event_extras *extras, const eti_event *event, eti_text *out);

/* Finds the operator of a timed event (rollup/rollup.h); absent for other events. False: out of
 * memory. */
bool eti__event_extras_op(eti_event_extras *extras, const eti_event *event, eti_text *out);

#endif
