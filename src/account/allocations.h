/*
 * allocations.h - turns the allocation events of ETDumps into what each allocator gave out, in all and in each run.
 *
 * Dumps do not record that memory was given back, so the peak of a run is all that was allocated in it. The
 * runtime numbers allocators from 1 on; in a dump in which an allocation names allocator 0, they count from 0.
 */
#ifndef ETI_ACCOUNT_ALLOCATIONS_H
#define ETI_ACCOUNT_ALLOCATIONS_H

#include "account/options.h"
#include "base/shared_texts.h"
#include "model/inspector.h"

/* Bytes stay at UINT64_MAX where they are more. */
typedef struct eti_allocated {
    uint64_t n, bytes, largest;
} eti_allocated;

typedef struct eti_allocator {
    eti_text name;
    eti_allocated all;
    uint64_t peak; /* most bytes in one run */
    uint64_t n_runs;
    size_t last; /* run_allocations of the run that was read last, plus 1; 0: none */
} eti_allocator;

/* What one allocator gave out in one run. */
typedef struct eti_run_allocations {
    uint32_t dump, run, allocator; /* of the inspector; of the dump; of allocators */
    eti_allocated in_run;
} eti_run_allocations;

typedef struct eti_allocations {
    const eti_inspector *inspector;
    eti_arena texts; /* names of allocators that have none */
    ETI_INTERN_OF(eti_allocator) allocators;
    eti_pointer_table by_name;
    eti_run_allocations *runs; /* in the order of dumps and runs */
    size_t n_runs, run_capacity;
    uint64_t n_bytes; /* of the names of allocators and runs, for all of `runs` */
} eti_allocations;

/* Reads the runs that the options let in, without those that skip_first leaves out. ETI_ERROR_MEMORY; to be freed in
 * any case. */
eti_status eti__allocations_make(eti_allocations *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__allocations_free(eti_allocations *allocations);

/* Returns the bytes that a run allocated, from all allocators. */
uint64_t eti__run_allocated(const eti_block_run *run);

#endif
