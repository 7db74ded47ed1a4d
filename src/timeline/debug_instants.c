#include "timeline/debug_instants.h"

#include "timeline/placing.h"

#include <stdlib.h>

/* Reads a layout. Events of one instruction share their debug events, so the first of them gets these. */
static bool read_layout(eti_debug_instants *d, const eti_event_block *block,
                        const eti_block_run *run) {
    const eti_run_layout *layout = run->layout;
    uint32_t n = run->events.count;
    if (d->layout == layout)
        return true;
    if (!ETI_GROW(d->event_of, d->event_capacity, (size_t)n + 1) ||
        !ETI_GROW(d->is_output, d->output_capacity, (size_t)n + 1))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        d->event_of[i] = ETI_NO_EVENT;
        d->is_output[i] = false;
    }
    const uint32_t *before = NULL;
    for (uint32_t e = 0; layout->debug_events && e < block->n_events; e++) {
        const eti_debug_events *of = &layout->debug_events[e];
        for (size_t i = 0; of->events != before && i < of->n; i++) {
            if (d->event_of[of->events[i]] == ETI_NO_EVENT)
                d->event_of[of->events[i]] = e;
        }
        before = of->events;
    }
    for (size_t i = 0; i < layout->n_outputs; i++)
        d->is_output[layout->outputs[i]] = true;
    d->layout = layout;
    return true;
}

bool eti__debug_instants_read(eti_debug_instants *d, const eti_slice_run *run,
                              const eti_run_calls *calls, const eti_run_clock *clock) {
    eti_placing placing = {.calls = calls, .latest = run->first};
    const eti_block_run *recorded = calls->run;
    d->n = 0;
    if (!recorded->layout->debug_events && recorded->layout->n_outputs == 0)
        return true;
    if (!read_layout(d, calls->block, recorded))
        return false;
    for (uint32_t i = 0; i < recorded->events.count; i++) {
        if (d->event_of[i] == ETI_NO_EVENT && !d->is_output[i])
            continue;
        if (!ETI_GROW(d->instants, d->capacity, d->n + 1))
            return false;
        d->instants[d->n++] = (eti_slice_instant){
            .time = eti__run_clock_ns(clock, eti__placing_next(&placing, i)),
            .event = d->is_output[i] ? ETI_NO_EVENT : d->event_of[i],
            .number = i,
        };
    }
    return true;
}

void eti__debug_instants_free(eti_debug_instants *d) {
    free(d->event_of);
    free(d->is_output);
    free(d->instants);
    *d = (eti_debug_instants){0};
}
