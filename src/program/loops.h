/*
 * loops.h - widens the lives of tensors to the loops that they cross.
 *
 * A jump back from instruction j to d repeats [d, j]. A tensor that lives in the loop, but not only there, is needed in
 * each turn: its life covers the loop, and then those that it crosses now, until it crosses none.
 */
#ifndef ETI_PROGRAM_LOOPS_H
#define ETI_PROGRAM_LOOPS_H

#include "program/calls.h"

/* Instructions, both included. */
typedef struct eti_span {
    uint32_t first, last;
} eti_span;

typedef struct eti_loop {
    eti_span span;
    eti_span hull;   /* of it and all loops that cross it, or cross one that does, ... */
    uint32_t number; /* in `by_first` */
} eti_loop;

typedef struct eti_loops {
    eti_loop *by_first, *by_last; /* in order of the first, or last, instruction */
    uint32_t n;
    /* Trees that find the loop which ends last, or begins first, among neighbours of these orders. */
    uint32_t *ends_last, *begins_first;
} eti_loops;

/* Finds the loops of a method, in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__loops_make(eti_loops *out, eti_arena *arena, const eti_calls *calls,
                           eti_error *err) ETI_WARN_UNUSED;

/* Returns the span together with all loops that it crosses. */
eti_span eti__loops_widen(const eti_loops *loops, eti_span span);

#endif
