/*
 * debug_instants.h - finds the debug events of a run, with their Events and approximate times, see
 * placing.h.
 */
#ifndef ETI_TIMELINE_DEBUG_INSTANTS_H
#define ETI_TIMELINE_DEBUG_INSTANTS_H

#include "account/account.h"
#include "model/model.h"
#include "timeline/slices.h"
#include "timeline/ticks.h"

/* Initialize to all zeros. */
typedef struct eti_debug_instants {
    const eti_run_layout *layout; /* layout that was read last */
    /* per event of the run: its Event; ETI_NO_EVENT if it is not a debug event of an Event */
    uint32_t *event_of;
    size_t event_capacity;
    bool *is_output; /* per event of the run: whether it is an output of the run */
    size_t output_capacity;
    eti_slice_instant *instants; /* instants of the run */
    size_t n, capacity;
} eti_debug_instants;

/* Makes the instants of a run, with track 0. Returns false if memory runs out. */
bool eti__debug_instants_read(eti_debug_instants *out, const eti_slice_run *run,
                              const eti_run_calls *calls, const eti_run_clock *clock);
void eti__debug_instants_free(eti_debug_instants *instants);

#endif
