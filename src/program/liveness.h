/*
 * liveness.h - parts of liveness: tensors that share memory, and loops.
 */
#ifndef ETI_PROGRAM_LIVENESS_H
#define ETI_PROGRAM_LIVENESS_H

#include "base/arena.h"
#include "etinspect.h"
#include "program/program.h"

/* ==== alias sources =========================================================================== */
/* Finds the tensor whose bytes a view shows.
 *
 * Views are laid out at export and execute nothing: their only trace is that their bytes are
 * inside those of a tensor of the same type that was written before. Tensors are written here in
 * order of time, and searched for in between. */

/* Tensors of one arena and type that have the same bytes. */
typedef struct eti_alias_range {
    uint32_t memory_id;
    int8_t scalar_type;
    uint64_t offset, end;
    uint32_t group,
        n_group;     /* index of the first range with this arena and type, and number of these */
    uint32_t latest; /* tensor written last, or ETI_NO_PLANNED */
    uint32_t time;   /* time of that write */
} eti_alias_range;

/* For each group, a binary indexed tree over its ranges, by offset. A node has a stack of those of its ranges that may be
 * an answer: their ends fall as their times rise. */
typedef struct eti_alias_sources {
    const eti_planned *tensors;
    uint32_t *range_of; /* range of each tensor; arbitrary for those without bytes */
    eti_alias_range *ranges;
    uint32_t n_ranges;
    size_t *stacks;  /* where the stack of each node begins in `stacked` */
    uint32_t *depth; /* number of ranges in each stack */
    uint32_t *stacked;
} eti_alias_sources;

/* Prepares the search among `tensors`, which are borrowed. Everything lives in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__alias_sources_make(eti_alias_sources *out, eti_arena *arena,
                                   const eti_planned *tensors, uint32_t n,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Records that a tensor is written. Times never decrease; tensors with the same time are given in order. */
void eti__alias_sources_write(eti_alias_sources *sources, uint32_t tensor, uint32_t time);

/* Returns the tensor that a view shows: the last one written with exactly its bytes, or else the last one written that
 * contains all of them; of equal times, the larger number. Returns ETI_NO_PLANNED if there is none. */
uint32_t eti__alias_sources_find(const eti_alias_sources *sources, uint32_t tensor);

/* ==== loops =================================================================================== */
/* Widens the lives of tensors to the loops that they cross.
 *
 * A backward jump from instruction j to d repeats [d, j]. A tensor that is live inside the loop,
 * and also outside it, is needed in each iteration: its life is widened to the loop, and then to
 * the loops that it now crosses, until it crosses none. */

/* A range of instructions, both ends included. */
typedef struct eti_span {
    uint32_t first, last;
} eti_span;

typedef struct eti_loop {
    eti_span span;
    eti_span hull;   /* hull of this loop and all loops connected with it by crossings */
    uint32_t number; /* index in `by_first` */
} eti_loop;

typedef struct eti_loops {
    eti_loop *by_first, *by_last; /* in order of first or last instruction */
    uint32_t n;
    /* Trees that find the loop that ends last, or begins first, in a range of these orders. */
    uint32_t *ends_last, *begins_first;
} eti_loops;

/* Finds the loops of a method, in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__loops_make(eti_loops *out, eti_arena *arena, const eti_calls *calls,
                           eti_error *err) ETI_WARN_UNUSED;

/* Returns the span widened to all loops that it crosses. */
eti_span eti__loops_widen(const eti_loops *loops, eti_span span);

#endif
