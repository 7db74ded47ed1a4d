/*
 * allocations.h - turns the allocation events of ETDumps into the memory that each allocator handed out, in all
 * and in each run.
 *
 * ETDumps do not record deallocation, so the peak of a run is the sum of its allocations. The runtime numbers
 * allocators from 1 on; in an ETDump in which an allocation names allocator 0, numbers start at 0.
 */
#ifndef ETI_ACCOUNT_ALLOCATIONS_H
#define ETI_ACCOUNT_ALLOCATIONS_H

#include "account/options.h"
#include "base/shared_texts.h"
#include "model/inspector.h"

/* Numbers of bytes saturate at UINT64_MAX. */
typedef struct eti_allocated {
    uint64_t n, bytes, largest;
} eti_allocated;

typedef struct eti_allocator {
    eti_text name;
    eti_allocated all;
    uint64_t peak; /* most bytes in one run */
    uint64_t n_runs;
    size_t last; /* 1 + index in `runs` of the entry for the run read last; 0: none */
} eti_allocator;

/* The memory that one allocator handed out in one run. */
typedef struct eti_run_allocations {
    uint32_t dump, run, allocator; /* of the inspector; of the dump; of allocators */
    eti_allocated in_run;
} eti_run_allocations;

typedef struct eti_allocations {
    const eti_inspector *inspector;
    eti_arena texts; /* generated names of allocators without a name */
    ETI_INTERN_OF(eti_allocator) allocators;
    eti_pointer_table by_name;
    eti_run_allocations *runs; /* in the order of dumps and runs */
    size_t n_runs, run_capacity;
    uint64_t n_bytes; /* size of the names of allocators and runs, for all of `runs` */
} eti_allocations;

/* Reads the allocations of the runs selected by the options, without the runs that skip_first leaves out.
 * ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__allocations_make(eti_allocations *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__allocations_free(eti_allocations *allocations);

/* Returns the number that an ETDump gives to the first allocator of a run. */
int32_t eti__first_allocator_id(const eti_etdump *dump);
/* Finds the allocator of this id in a run, or adds it: `*out` is its number among all. False: out of memory. */
bool eti__allocations_find_allocator(eti_allocations *allocations, const eti_etdump *dump,
                                     const eti_etdump_run *run, int32_t id, int32_t first_id,
                                     uint32_t *out);

/* Returns the number of bytes allocated in a run by all allocators. */
uint64_t eti__run_allocated(const eti_block_run *run);

#endif
