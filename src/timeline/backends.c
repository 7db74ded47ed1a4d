#include "timeline/backends.h"

void eti__slice_backends_survey(const eti_slice_source *source, const eti_slice_run *run,
                                const eti_delegated_stamps *stamps) {
    const eti_run_calls *calls = stamps->calls;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        const eti_call *call = &calls->order.calls[i];
        if (call->delegate_call == ETI_NO_CALL || !eti__call_is_delegated(calls, i))
            continue;
        eti_slice_backend *backend = eti__slice_backend_of(source, run, call->event);
        eti_delegated_interval at = eti__delegated_stamps_of(stamps, i);
        backend->is_outside |= !at.is_inside;
        if (at.start != at.least)
            continue;
        uint32_t outer = calls->nested[call->delegate_call];
        backend->begins_outside |= !at.is_of_source || at.start < calls->nesting.start[outer] ||
                                   at.start > calls->nesting.end[outer];
    }
}

eti_slice_track_kind eti__slice_track_kind_of(const eti_slice_backend *backend, bool has_call) {
    if (!has_call)
        return ETI_TRACK_NO_CALL;
    if (backend->is_synthetic)
        return ETI_TRACK_SYNTHETIC;
    return backend->is_outside ? ETI_TRACK_OWN_CLOCK : ETI_TRACK_METHOD;
}
