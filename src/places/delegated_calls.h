/*
 * delegated_calls.h - lists the delegate calls in the first run of an EventBlock, each with the
 * events that it logged, in order. The other runs logged the same events.
 */
#ifndef ETI_PLACES_DELEGATED_CALLS_H
#define ETI_PLACES_DELEGATED_CALLS_H

#include "account/account.h"
#include "model/model.h"
#include "pte/pte.h"

typedef struct eti_delegated_call {
    const eti_event *event; /* Event of the DELEGATE_CALL */
    uint64_t chain;
    int32_t instruction;
    /* Operators that the call logged. One Event stands for all calls in a loop, and is listed in each. */
    eti_event *const *events;
    const eti_text *names;
    size_t n;
} eti_delegated_call;

/* Initialize to all zeros. */
typedef struct eti_delegated_calls {
    eti_delegated_call *calls; /* calls that logged at least one event */
    size_t n;
    /* scratch */
    eti_call_order order;
    uint32_t *firsts,
        /* per call: its first event; per event: the next event, as indices into the calls of the order */
        *nexts;
    eti_event **events;
    eti_text *names;
    size_t capacity, first_capacity, next_capacity, event_capacity, name_capacity;
} eti_delegated_calls;

/* Lists the calls of a block, replacing the previous list. Fails with ETI_ERROR_MEMORY. */
eti_status eti__delegated_calls_list(eti_delegated_calls *calls, eti_event_block *block,
                                     eti_error *err) ETI_WARN_UNUSED;
void eti__delegated_calls_free(eti_delegated_calls *calls);

/* Returns the delegate that a call uses according to a plan, or NULL if the plan has no delegate for it. */
const eti_pte_delegate *eti__delegated_call_delegate(const eti_delegated_call *call,
                                                     const eti_pte_plan *plan);

#endif
