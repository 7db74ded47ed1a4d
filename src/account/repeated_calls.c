#include "account/repeated_calls.h"

#include <stdlib.h>
#include <string.h>

static bool make_numbers(eti_repeated_calls *repeated, const eti_event_block *block) {
    repeated->number_of = malloc((block->n_events + 1) * sizeof *repeated->number_of);
    for (size_t i = 0; repeated->number_of && i < block->n_events; i++)
        repeated->number_of[i] = ETI_NO_EVENT;
    return repeated->number_of != NULL;
}

static bool add_event(eti_repeated_calls *repeated, const eti_event_block *block, uint32_t event) {
    size_t used = repeated->n * block->n_runs;
    if (!ETI_GROW(repeated->sums, repeated->capacity, used + block->n_runs))
        return false;
    memset(repeated->sums + used, 0, block->n_runs * sizeof *repeated->sums);
    repeated->number_of[event] = (uint32_t)repeated->n++;
    return true;
}

/* Adds the Events of the calls whose Event is made from a later call of the run. */
static bool add_events(eti_repeated_calls *repeated, const eti_run_calls *calls) {
    const uint32_t *last = calls->run->layout->profile_events;
    if (!repeated->number_of && !make_numbers(repeated, calls->block))
        return false;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        const eti_call *call = &calls->order.calls[i];
        if (call->number != last[call->event] && repeated->number_of[call->event] == ETI_NO_EVENT &&
            !add_event(repeated, calls->block, call->event))
            return false;
    }
    return true;
}

bool eti__repeated_calls_add(eti_repeated_calls *repeated, const eti_run_calls *calls, size_t run) {
    if (calls->order.n_repeated == 0)
        return true;
    if (!add_events(repeated, calls))
        return false;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        uint32_t number = repeated->number_of[calls->order.calls[i].event];
        if (number == ETI_NO_EVENT)
            continue;
        eti_call_sum *sum = &repeated->sums[number * calls->block->n_runs + run];
        eti_etdump_stamps stamps = eti__run_calls_stamps(calls, i);
        if (sum->n++ == 0)
            sum->start = stamps.start_time;
        sum->ticks += eti__stamps_ticks(&stamps);
    }
    return true;
}

void eti__repeated_calls_free(eti_repeated_calls *repeated) {
    free(repeated->number_of);
    free(repeated->sums);
    *repeated = (eti_repeated_calls){0};
}

const eti_call_sum *eti__repeated_calls_of(const eti_repeated_calls *repeated,
                                           const eti_event_block *block, size_t event, size_t run) {
    if (!repeated->number_of || repeated->number_of[event] == ETI_NO_EVENT)
        return NULL;
    const eti_call_sum *sum = &repeated->sums[repeated->number_of[event] * block->n_runs + run];
    return sum->n > 1 ? sum : NULL;
}
