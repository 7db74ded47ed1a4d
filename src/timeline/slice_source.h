/*
 * slice_source.h - sources of slices: runs that are chosen, events, backends.
 */
#ifndef ETI_TIMELINE_SLICE_SOURCE_H
#define ETI_TIMELINE_SLICE_SOURCE_H

#include "etinspect.h"
#include "timeline/timeline.h"

/* ==== backends ================================================================================ */
/* Decides the kind of track that shows the events logged by delegates. */

/* Properties of a backend, or of what it logs about one part of the hardware, in an ETDump. */
struct eti_slice_backend {
    eti_text name;
    eti_text
        unit; /* such as "GPU"; absent: the events with a clock of the runtime, or of unknown hardware */
    bool is_synthetic;
    bool is_in_cycles;   /* cycles that have no relation to the source scale */
    bool is_outside;     /* at least one stamp is not inside its call */
    bool begins_outside; /* the first stamp of at least one call is not inside the call */
};

/* Returns the data about the backend of an Event in the ETDump of the run. */
static inline eti_slice_backend *eti__slice_backend_of(const eti_slice_source *source,
                                                       const eti_slice_run *run, uint32_t event) {
    return &source->backends[run->dump * source->n_backends +
                             eti__slice_event_of(source, run, event)->backend_kind];
}

/* Returns the kind of track for a call that a delegate logged. `is_in_run`: its stamps lie inside the run. */
eti_slice_track_kind eti__slice_track_kind_of(const eti_slice_backend *backend,
                                              const eti_run_calls *calls, size_t call,
                                              bool is_in_run);

/* ==== number of slices ======================================================================== */

/* Returns whether a call has a slice. A call that a delegate logged has none if the delegate counted something else than time. */
bool eti__call_has_slice(const eti_run_calls *calls, size_t call);

/* Returns whether the run has a slice around the slices of its events. */
static inline bool eti__run_has_slice(const eti_slice_run *run, const eti_event_block *block) {
    return block->name.size > 0 && run->has_times;
}

/* ==== run choice ============================================================================== */
/* Reads lists of runs, such as "0,5-7". */

/* Checks a list; NULL is valid. Fails with ETI_ERROR_USAGE and a message that shows the position of the error. */
eti_status eti__run_choice_check(const char *list, eti_error *err) ETI_WARN_UNUSED;

/* Returns whether a checked list contains the number; NULL contains all numbers. */
bool eti__run_choice_holds(const char *list, uint32_t number);

/* ==== slice events ============================================================================ */
/* Finds the texts that accompany the slices of an Event. */

/* Counts `n` more bytes of texts. Fails with ETI_ERROR_LIMIT if there are more than `most`; 0: no limit. */
eti_status eti__slice_texts_count(eti_slice_source *source, uint64_t n, uint64_t most,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
