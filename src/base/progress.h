/*
 * progress.h - tells who asked for it how far a long call has come, and whether it shall go on.
 */
#ifndef ETI_BASE_PROGRESS_H
#define ETI_BASE_PROGRESS_H

#include "base/status.h"

typedef struct eti_progress {
    eti_progress_function tell; /* NULL: nobody */
    void *context;
} eti_progress;

/* ETI_ERROR_CANCELLED: the caller does not want the call to go on. */
static inline ETI_WARN_UNUSED eti_status eti__tell(const eti_progress *progress, const char *step,
                                                   uint64_t done, uint64_t total, eti_error *err) {
    if (!progress->tell || progress->tell(progress->context, step, done, total))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_CANCELLED, "cancelled by the caller while %s", step);
}

#endif
