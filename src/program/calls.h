/*
 * calls.h - numbers the instructions of a method, and finds the callee and the arguments of each.
 *
 * Instructions are numbered from 0 through all chains of the method. The runtime numbers those of each chain from 0; both
 * numbers agree in the first chain, which is the only one in programs of current exporters.
 */
#ifndef ETI_PROGRAM_CALLS_H
#define ETI_PROGRAM_CALLS_H

#include "base/arena.h"
#include "base/text.h"
#include "pte/pte.h"

typedef struct eti_calls {
    const eti_pte_plan *plan;
    const eti_pte_instruction *const *items; /* by number */
    uint32_t n;
    const uint32_t *first_of_chain; /* per chain: number of its first instruction */
} eti_calls;

/* Lists the instructions of `plan`, in `arena`. ETI_ERROR_LIMIT for 2^32 - 1 or more instructions, ETI_ERROR_MEMORY. */
eti_status eti__calls_make(eti_calls *out, eti_arena *arena, const eti_pte_plan *plan,
                           eti_error *err) ETI_WARN_UNUSED;

/* Returns the name of a kind of value, such as "tensor", "int" or "list of tensors". */
const char *eti__value_kind_name(uint8_t kind);

/* Appends the name of an operator with its overload, such as "aten::add.out", as in lists for selective builds. */
void eti__operator_add_name(eti_buffer *out, const eti_pte_operator *op);

/* Returns the name of a kind of instruction: "kernel", "delegate", "move", "jump if false", "free" or "unknown". */
const char *eti__instruction_kind_name(uint8_t kind);

/* Appends the callee of an instruction: the name of its operator, the id of its delegate, or the name of its kind. */
void eti__instruction_add_name(eti_buffer *out, const eti_pte_plan *plan,
                               const eti_pte_instruction *instruction);

/* Returns the argument that a kernel writes, which is a tensor or a list of tensors: the last one, or the first one of
 * executorch_prim::et_copy_index. For some kernels it is a number. Returns NULL if there are no arguments or the
 * instruction is not a kernel call. */
const int32_t *eti__kernel_output(const eti_pte_plan *plan, const eti_pte_instruction *instruction);

/* Returns whether the instruction calls executorch_prim::et_view, which copies no bytes: its output, the last argument,
 * shows those of its first argument from then on, wherever the output is planned. */
bool eti__is_view_call(const eti_pte_plan *plan, const eti_pte_instruction *instruction);

/* Returns the items of a list of tensors, in which -1 stands for an absent one; for any other value, `*value` itself as
 * the only item. */
eti_pte_indices eti__value_items(const eti_pte_plan *plan, const int32_t *value);

#endif
