/*
 * calls.h - numbers the instructions of a method, and finds the callee and the arguments of each.
 */
#ifndef ETI_PROGRAM_CALLS_H
#define ETI_PROGRAM_CALLS_H

#include "pte/pte.h"

/* Returns the argument that a kernel writes, which is a tensor or a list of tensors: the last one, or the first one of
 * executorch_prim::et_copy_index. For some kernels it is a number. Returns NULL if there are no arguments or the
 * instruction is not a kernel call. */
const int32_t *eti__kernel_output(const eti_pte_plan *plan, const eti_pte_instruction *instruction);

/* Returns whether the instruction calls executorch_prim::et_view, which copies no bytes: its output, the last argument,
 * shows those of its first argument from then on, wherever the output is planned. */
bool eti__is_view_call(const eti_pte_plan *plan, const eti_pte_instruction *instruction);

#endif
