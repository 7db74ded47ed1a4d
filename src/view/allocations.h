/*
 * allocations.h - turns the allocation events of ETDumps into what each allocator gave out, in all and in each run.
 *
 * Dumps do not record that memory was given back, so the peak of a run is all that was allocated in it. The
 * runtime numbers allocators from 1 on; in a dump in which an allocation names allocator 0, they count from 0.
 */
#ifndef ETI_VIEW_ALLOCATIONS_H
#define ETI_VIEW_ALLOCATIONS_H

#include "model/inspector.h"
#include "table/report.h"

/* The view "alloc". */
eti_status eti_view_allocations(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* The bytes that a run allocated, from all allocators. */
uint64_t eti_run_allocated(const eti_block_run *run);

#endif
