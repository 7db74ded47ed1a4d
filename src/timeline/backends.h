/*
 * backends.h - decides the kind of track that shows the events logged by delegates.
 */
#ifndef ETI_TIMELINE_BACKENDS_H
#define ETI_TIMELINE_BACKENDS_H

#include "etinspect.h"
#include "timeline/delegated_stamps.h"
#include "timeline/slices.h"

/* Properties of a backend in an ETDump. */
struct eti_slice_backend {
    eti_text name;
    bool is_synthetic;
    bool is_in_cycles;   /* cycles that have no relation to the source scale */
    bool is_outside;     /* at least one stamp is not inside its call */
    bool begins_outside; /* the first stamp of at least one call is not inside the call */
};

/* Adds the events logged in a run, read into `stamps`, to the backends of its ETDump. */
void eti__slice_backends_survey(const eti_slice_source *source, const eti_slice_run *run,
                                const eti_delegated_stamps *stamps);

/* Returns the data about the backend of an Event in the ETDump of the run. */
static inline eti_slice_backend *eti__slice_backend_of(const eti_slice_source *source,
                                                       const eti_slice_run *run, uint32_t event) {
    return &source->backends[run->dump * source->n_backends +
                             eti__slice_event_of(source, run, event)->backend_kind];
}

/* Returns the kind of track for a call that a delegate logged. */
eti_slice_track_kind eti__slice_track_kind_of(const eti_slice_backend *backend, bool has_call);

#endif
