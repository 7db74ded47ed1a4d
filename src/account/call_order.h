/*
 * call_order.h - turns the profile events of a run into calls: finds the Event of each call and, if
 * the call is delegated, the delegate call that contains it. Neither depends on times, so all runs
 * with the same layout share the result.
 */
#ifndef ETI_ACCOUNT_CALL_ORDER_H
#define ETI_ACCOUNT_CALL_ORDER_H

#include "model/model.h"

#define ETI_NO_CALL UINT32_MAX

typedef struct eti_call {
    uint32_t number; /* number of the profile event in its run */
    uint32_t event;  /* number of the Event in its block */
    /* for a delegated Event: index of the delegate call that contains it; otherwise, or if unknown, ETI_NO_CALL */
    uint32_t delegate_call;
} eti_call;

/* Initialize to all zeros. */
typedef struct eti_call_order {
    const eti_run_layout *layout; /* layout that was read last */
    eti_call *calls;              /* in the order of recording */
    size_t n_calls, capacity;
    /* number of calls without an Event of their own, which share the Event of the last similar call */
    uint64_t n_repeated;
} eti_call_order;

/* Reads the calls of a run, unless it has the layout that was read last. Fails with ETI_ERROR_MEMORY. */
eti_status eti__call_order_read(eti_call_order *order, const eti_event_block *block,
                                const eti_block_run *run, eti_error *err) ETI_WARN_UNUSED;

void eti__call_order_free(eti_call_order *order);

#endif
