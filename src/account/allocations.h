/*
 * allocations.h - turns the allocation events of ETDumps into the memory that each allocator handed
 * out, in total and in each run.
 *
 * ETDumps do not record deallocation, so the peak of a run is the sum of its allocations. The
 * runtime numbers allocators from 1; if an allocation in an ETDump names allocator 0, the numbers
 * in that ETDump start at 0.
 */
#ifndef ETI_ACCOUNT_ALLOCATIONS_H
#define ETI_ACCOUNT_ALLOCATIONS_H

#include "account/options.h"
#include "base/arena.h"
#include "base/intern.h"
#include "model/model.h"
#include "read/read.h"

/* Numbers of bytes saturate at UINT64_MAX. */
typedef struct eti_allocated {
    uint64_t n, bytes, largest;
} eti_allocated;

typedef struct eti_allocator {
    eti_text name;
    eti_allocated all;
    uint64_t peak; /* largest number of bytes in one run */
    uint64_t n_runs;
    /* 1 + index in `runs` of the entry of the run that was read last; 0: no entry yet */
    size_t last;
} eti_allocator;

/* The memory that one allocator handed out in one run. */
typedef struct eti_run_allocations {
    /* numbers of the dump in the inspector, of the run in the dump, and of the allocator */
    uint32_t dump, run, allocator;
    eti_allocated in_run;
} eti_run_allocations;

typedef struct eti_allocations {
    const eti_inspector *inspector;
    eti_arena texts; /* generated names of allocators without a name */
    ETI_INTERN_OF(eti_allocator) allocators;
    eti_pointer_table by_name;
    eti_run_allocations *runs; /* in the order of dumps and runs */
    size_t n_runs, run_capacity;
    uint64_t n_bytes; /* total size of the names of allocators and runs in `runs` */
} eti_allocations;

/* Reads the allocations of the runs selected by the options, except runs that skip_first leaves out. Fails with
 * ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__allocations_make(eti_allocations *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__allocations_free(eti_allocations *allocations);

/* Returns the id that an ETDump gives to the first allocator of a run. */
int32_t eti__first_allocator_id(const eti_etdump *dump);
/* Finds or adds the allocator with this id in a run, and sets `*out` to its number among all allocators. Returns
 * false if memory runs out. */
bool eti__allocations_find_allocator(eti_allocations *allocations, const eti_etdump *dump,
                                     const eti_etdump_run *run, int32_t id, int32_t first_id,
                                     uint32_t *out);

/* Returns the number of bytes allocated in a run by all allocators. */
uint64_t eti__run_allocated(const eti_block_run *run);

#endif
