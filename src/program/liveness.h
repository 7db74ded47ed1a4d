/*
 * liveness.h - turns the instructions of a method into the life of each planned tensor: its role, and the instructions
 * between which its bytes are in use.
 *
 * Nothing but the program is needed. A program does not say which arguments of a delegate's call are outputs; where the
 * caller knows their number, from an ETRecord, it is taken. Time grows with instructions, arguments and tensors, and the
 * logarithm of their number, whatever the file says.
 */
#ifndef ETI_PROGRAM_LIVENESS_H
#define ETI_PROGRAM_LIVENESS_H

#include "program/calls.h"
#include "program/planned.h"

typedef struct eti_liveness {
    eti_calls calls;
    const eti_planned *tensors; /* in order of their values */
    uint32_t n_tensors;
    bool has_jumps_or_moves; /* intervals are then an estimate */
} eti_liveness;

/* Finds the life of each planned tensor of `plan`. `n_outputs` holds the number of outputs of each instruction that calls a
 * delegate, UINT32_MAX where it is not known; NULL: none is. Everything lives in `arena`. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__liveness_make(eti_liveness *out, eti_arena *arena, const eti_pte_plan *plan,
                              const uint32_t *n_outputs, eti_error *err) ETI_WARN_UNUSED;

#endif
