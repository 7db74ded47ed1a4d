/*
 * loops.h - widens the lives of tensors to the loops that they cross.
 *
 * A backward jump from instruction j to d repeats [d, j]. A tensor that is live inside the loop, and also outside it, is
 * needed in each iteration: its life is widened to the loop, and then to the loops that it now crosses, until it crosses
 * none.
 */
#ifndef ETI_PROGRAM_LOOPS_H
#define ETI_PROGRAM_LOOPS_H

#include "base/arena.h"
#include "program/calls.h"

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
