/*
 * call_order.h - turns the profile events of a run into calls: which Event each is of, and which delegate call a
 * delegated one belongs to. Neither depends on times, so runs of one layout share it.
 */
#ifndef ETI_ACCOUNT_CALL_ORDER_H
#define ETI_ACCOUNT_CALL_ORDER_H

#include "model/event.h"

#define ETI_NO_CALL UINT32_MAX

typedef struct eti_call {
    uint32_t number; /* of the profile event in its run */
    uint32_t event;  /* of the block */
    /* Of a delegated event: the call, as a number among these, that it belongs to, or ETI_NO_CALL. */
    uint32_t delegate_call;
} eti_call;

/* Starts as all zeros. */
typedef struct eti_call_order {
    const eti_run_layout *layout; /* what it is of */
    eti_call *calls;              /* in the order of recording */
    size_t n_calls, capacity;
    uint64_t
        n_repeated; /* calls that have no Event of their own, but share that of the last alike */
} eti_call_order;

/* Reads the calls of a run, unless the run has the layout that was read last. ETI_ERROR_MEMORY. */
eti_status eti__call_order_read(eti_call_order *order, const eti_event_block *block,
                                const eti_block_run *run, eti_error *err) ETI_WARN_UNUSED;

void eti__call_order_free(eti_call_order *order);

#endif
