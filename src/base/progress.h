/*
 * progress.h - tells who asked for it how far a long call has come.
 */
#ifndef ETI_BASE_PROGRESS_H
#define ETI_BASE_PROGRESS_H

#include "etinspect.h"

static inline void eti_tell(const eti_progress *progress, const char *step, uint64_t done,
                            uint64_t total) {
    if (progress->tell)
        progress->tell(progress->context, step, done, total);
}

#endif
