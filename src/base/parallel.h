/*
 * parallel.h - runs the parts of a large job on several threads; data that threads share.
 */
#ifndef ETI_BASE_PARALLEL_H
#define ETI_BASE_PARALLEL_H

#include "base/status.h"
#include "etinspect.h"

#include <pthread.h>
#include <stdatomic.h>

/* ==== parallel ================================================================================ */

#define ETI_MAX_THREADS 64

/* Smaller jobs are finished before a second thread has started. Fuzzing sets a small value. */
#ifndef ETI_PARALLEL_BYTES
#define ETI_PARALLEL_BYTES ((size_t)4 << 20)
#endif

/* Calls task(context, i) for all i < n_tasks, on n_tasks threads (at most ETI_MAX_THREADS, including the caller's), and
 * returns when all calls are done. If a thread cannot be started, the caller runs its task, with the same result. */
void eti__parallel(size_t n_tasks, void (*task)(void *context, size_t i), void *context);

/* Returns the number of threads to use: `wanted`, or if that is 0, the number that this process may run at once. */
size_t eti__thread_count(size_t wanted);

/* Computes the part [*first, *end) of n items that task i of n_tasks processes. */
void eti__parallel_part(size_t n, size_t n_tasks, size_t i, size_t *first, size_t *end);

/* ==== shared data ============================================================================= */
/* Keeps data that the first thread that needs it makes, for all threads. */

typedef struct eti_shared {
    void *_Atomic data; /* NULL: not made yet */
    void (*on_free)(void *data);
    pthread_mutex_t making;
} eti_shared;

/* A fixed number of them. Initialize to all zeros. */
typedef struct eti_shared_list {
    eti_shared *items;
    size_t n;
} eti_shared_list;

/* Makes room for n. Returns false if memory runs out. */
bool eti__shared_list_init(eti_shared_list *out, size_t n);
/* Frees all data that were made. */
void eti__shared_list_free(eti_shared_list *list);

/* Makes the data. If it fails, it leaves nothing to free. */
typedef eti_status eti_make_function(void **out, const void *context, eti_error *err);

/* Returns the data. The first call makes them, and `on_free` will free them; other threads that need them meanwhile wait. If
 * making fails, the next call tries again. Only the first call needs `context`. */
eti_status eti__shared_get(const void **out, eti_shared *shared, eti_make_function *make,
                           void (*on_free)(void *data), const void *context,
                           eti_error *err) ETI_WARN_UNUSED;

/* ==== progress ================================================================================ */
/* Reports the progress of a long call to its caller, who may cancel it. */

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
