/*
 * liveness.h - computes the life of each planned tensor from the instructions of a method: its role, and the instructions
 * between which its bytes are in use.
 *
 * Only the program is needed. A program does not record which arguments of a delegate call are outputs; if the caller knows
 * their number, from an ETRecord, that is used. Time is proportional to the number of instructions, arguments and tensors,
 * times its logarithm, for any file.
 */
#ifndef ETI_PROGRAM_LIVENESS_H
#define ETI_PROGRAM_LIVENESS_H

#include "base/arena.h"
#include "program/calls.h"
#include "program/planned.h"
#include "pte/pte.h"

typedef struct eti_liveness {
    eti_calls calls;
    const eti_planned *tensors; /* in order of their values */
    uint32_t n_tensors;
    bool has_jumps_or_moves; /* if so, the lives are an estimate */
} eti_liveness;

/* Computes the life of each planned tensor of `plan`. `n_outputs` holds the number of outputs of each delegate call, or
 * UINT32_MAX if unknown; NULL: none is known. Everything lives in `arena`. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__liveness_make(eti_liveness *out, eti_arena *arena, const eti_pte_plan *plan,
                              const uint32_t *n_outputs, eti_error *err) ETI_WARN_UNUSED;

#endif
