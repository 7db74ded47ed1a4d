/*
 * counters.h - streams the samples of the counters beside slices, see eti_slice_counter_kind, run
 * by run.
 *
 * An allocator's counter goes back to 0 at the start of the next run, the planned bytes at the end of each; a sample is left out
 * where nothing changes.
 */
#ifndef ETI_ACCOUNT_SLICES_COUNTERS_H
#define ETI_ACCOUNT_SLICES_COUNTERS_H

#include "account/allocations.h"
#include "account/run_calls.h"
#include "account/slices.h"
#include "account/slices/ticks.h"

/* Call of an instruction. */
typedef struct eti_instruction_call {
    uint64_t start; /* ticks of the source scale */
    uint32_t instruction, call;
} eti_instruction_call;

/* Starts as all zeros except for `source` and allocations.inspector. */
typedef struct eti_counters {
    const eti_slice_source *source;
    eti_slice_counter *counters; /* of all ETDumps */
    uint64_t *values;            /* per counter: of the last sample */
    size_t n, capacity, value_capacity;
    size_t first; /* counters from here on are of the ETDump or, if runs are aligned, of the run */
    eti_allocations allocations; /* only for the allocators' numbers and names */
    size_t *of_allocator;        /* per allocator: 1 + its counter; up to `first`: none yet */
    size_t n_allocators, allocator_capacity;
    size_t *of_arena; /* per arena, likewise; made when first needed */
    size_t of_run_time;
    uint32_t dump;
    int32_t first_allocator; /* smallest number that the ETDump gives to allocators */
    bool has_dump, knows_first_allocator;
    size_t *raised; /* allocators' counters that are not at 0 */
    size_t n_raised, raised_capacity;
    eti_instruction_call *calls; /* of the run */
    size_t call_capacity;
    eti_slice_sample *samples; /* of the run */
    size_t n_samples, sample_capacity;
} eti_counters;

/* Makes the samples of a run. False: out of memory. */
bool eti__counters_read(eti_counters *counters, const eti_slice_run *run,
                        const eti_run_calls *calls, const eti_run_clock *clock);
void eti__counters_free(eti_counters *counters);

#endif
