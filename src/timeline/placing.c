#include "timeline/placing.h"

#include "timeline/delegated_stamps.h"

/* Returns whether a call has stamps of the runtime's clock. */
static bool has_stamps(const eti_run_calls *calls, size_t call) {
    return !eti__call_is_delegated(calls, call) && calls->nesting.end[calls->nested[call]] != 0;
}

static void raise_to(eti_placing *placing, uint64_t stamp) {
    if (stamp > placing->latest)
        placing->latest = stamp;
}

uint64_t eti__placing_next(eti_placing *placing, uint32_t number) {
    const eti_run_calls *calls = placing->calls;
    const eti_call_order *order = &calls->order;
    uint64_t end = 0;
    for (; placing->before < order->n_calls && order->calls[placing->before].number < number;
         placing->before++) {
        if (has_stamps(calls, placing->before))
            end = calls->nesting.end[calls->nested[placing->before]];
    }
    raise_to(placing, end);
    if (placing->after < placing->before)
        placing->after = placing->before;
    while (placing->after < order->n_calls && !has_stamps(calls, placing->after))
        placing->after++;
    if (placing->after < order->n_calls)
        raise_to(placing, calls->nesting.start[calls->nested[placing->after]]);
    return placing->latest;
}
