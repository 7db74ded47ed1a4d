/*
 * counters.h - streams the samples of the counters that accompany slices, see
 * eti_slice_counter_kind, run by run.
 *
 * An allocator's counter returns to 0 at the start of the next run, the planned bytes at the end of
 * each; samples that would repeat a value are left out.
 */
#ifndef ETI_TIMELINE_COUNTERS_H
#define ETI_TIMELINE_COUNTERS_H

#include "account/account.h"
#include "etinspect.h"
#include "places/places.h"
#include "timeline/slice_clock.h"
#include "timeline/timeline.h"

/* ==== counters ================================================================================ */

/* Call of an instruction. */
typedef struct eti_instruction_call {
    uint64_t start; /* in ticks of the source scale */
    uint32_t instruction, call;
} eti_instruction_call;

/* A counter of delegates, by the number of its name and the unit. */
typedef struct eti_logged_counter {
    uint32_t name, unit;
    size_t slot; /* 1 + index of its counter, as in of_allocator */
} eti_logged_counter;

/* Initialize to all zeros except for `source`, `is_left_out` and allocations.inspector. */
typedef struct eti_counters {
    const eti_slice_source *source;
    const bool *
        is_left_out; /* as eti__slices_open() takes it: counters of these events are left out, too */
    eti_slice_counter *counters; /* counters of all ETDumps */
    int64_t *values;             /* per counter: value of the last sample */
    size_t n, capacity, value_capacity;
    /* index of the first counter of this ETDump or, if runs are aligned, of this run */
    size_t first;
    eti_allocations allocations; /* used only for the numbers and names of allocators */
    /* per allocator: 1 + index of its counter; values up to `first` mean no counter yet */
    size_t *of_allocator;
    size_t n_allocators, allocator_capacity;
    size_t *of_arena; /* the same per arena; made when first needed */
    eti_shared_texts logged_names;
    ETI_INTERN_OF(eti_logged_counter) logged;
    eti_text_table counted; /* labels of counters of events */
    size_t *of_counted;     /* the same per label */
    size_t counted_capacity;
    eti_arena arena; /* owns their names and units */
    size_t of_run_time;
    uint32_t dump;
    int32_t first_allocator; /* smallest number of an allocator in the ETDump */
    bool has_dump, knows_first_allocator;
    size_t *raised; /* counters of allocators that are not 0 */
    size_t n_raised, raised_capacity;
    eti_instruction_call *calls; /* calls of the run */
    size_t call_capacity;
    eti_slice_sample *samples; /* samples of the run */
    size_t n_samples, sample_capacity;
} eti_counters;

/* Makes the samples of a run. Returns false if memory runs out. */
bool eti__counters_read(eti_counters *counters, const eti_slice_run *run,
                        const eti_run_calls *calls, const eti_run_clock *clock);
void eti__counters_free(eti_counters *counters);

/* ==== planned use ============================================================================= */
/* Finds the bytes in use of planned arenas during the calls of a run. */

/* A method that at least one block ran. */
typedef struct eti_used_plan {
    const eti_pte_plan *plan;
    eti_planned_method method;
    uint32_t first, n; /* range of its shown arenas among those of all methods */
} eti_used_plan;

typedef struct eti_planned_use {
    eti_used_plan *plans;
    size_t n_plans;
    uint32_t n_arenas; /* number of shown arenas of all methods */
} eti_planned_use;

/* Finds the methods of the inspector's program that the selected blocks ran; sets `*out` to NULL if there are none.
 * source->arena owns the result. Fails with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__planned_use_make(const eti_planned_use **out, eti_slice_source *source,
                                 eti_error *err) ETI_WARN_UNUSED;

#endif
