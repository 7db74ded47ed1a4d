/*
 * parallel.h - does the parts of a large job at the same time.
 */
#ifndef ETI_BASE_PARALLEL_H
#define ETI_BASE_PARALLEL_H

#include "base/status.h"

#define ETI_MAX_THREADS 64

/* Smaller work is done before a second thread has started. Fuzzing makes it small. */
#ifndef ETI_PARALLEL_BYTES
#define ETI_PARALLEL_BYTES ((size_t)4 << 20)
#endif

/* Calls task(context, i) for all i < n_tasks, on n_tasks threads (ETI_MAX_THREADS at most) of which the
 * caller's is one, and returns when all are done. Where a thread cannot be started its task is done by the
 * caller: the results are the same. */
void eti__parallel(size_t n_tasks, void (*task)(void *context, size_t i), void *context);

/* How many threads to use where `wanted` is 0: as many as this process may run at once. */
size_t eti__thread_count(size_t wanted);

/* The part [*first, *end) of n things that task i of n_tasks has. */
void eti__parallel_part(size_t n, size_t n_tasks, size_t i, size_t *first, size_t *end);

#endif
