/*
 * progress.h - reports the progress of a long call to its caller, who may cancel it.
 */
#ifndef ETI_BASE_PROGRESS_H
#define ETI_BASE_PROGRESS_H

#include "base/status.h"

typedef struct eti_progress {
    eti_progress_function tell; /* NULL: progress is not reported */
    void *context;
} eti_progress;

/* Reports progress. ETI_ERROR_CANCELLED: the caller cancelled the call. */
static inline ETI_WARN_UNUSED eti_status eti__tell(const eti_progress *progress, const char *step,
                                                   uint64_t done, uint64_t total, eti_error *err) {
    if (!progress->tell || progress->tell(progress->context, step, done, total))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_CANCELLED, "cancelled by the caller while %s", step);
}

#endif
