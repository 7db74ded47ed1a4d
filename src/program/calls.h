/*
 * calls.h - numbers the instructions of a method, and says what each calls, reads and writes.
 *
 * Instructions are numbered from 0 through all chains of the method. The runtime numbers those of each chain from 0; in
 * the first one, which is the only one in programs of today's exporters, both agree.
 */
#ifndef ETI_PROGRAM_CALLS_H
#define ETI_PROGRAM_CALLS_H

#include "read/pte/pte.h"

typedef struct eti_calls {
    const eti_pte_plan *plan;
    const eti_pte_instruction *const *items; /* by number */
    uint32_t n;
} eti_calls;

/* Lists the instructions of `plan`, in `arena`. ETI_ERROR_LIMIT for 2^32 - 1 of them or more, ETI_ERROR_MEMORY. */
eti_status eti__calls_make(eti_calls *out, eti_arena *arena, const eti_pte_plan *plan,
                           eti_error *err) ETI_WARN_UNUSED;

/* Returns the name of a kind of value: "tensor", "int", "list of tensors", ... */
const char *eti__value_kind_name(uint8_t kind);

/* Appends the name of an operator with its overload, as lists for selective builds have it: "aten::add.out". */
void eti__operator_add_name(eti_buffer *out, const eti_pte_operator *op);

/* Returns the name of a kind of instruction: "kernel", "delegate", "move", "jump if false", "free", "unknown". */
const char *eti__instruction_kind_name(uint8_t kind);

/* Appends what an instruction calls: the name of its operator, the id of its delegate, or the name of its kind. */
void eti__instruction_add_name(eti_buffer *out, const eti_pte_plan *plan,
                               const eti_pte_instruction *instruction);

/* Returns the argument into which a kernel writes, a tensor or a list of such: its last one, or the first of
 * executorch_prim::et_copy_index; some kernels have a number there. NULL: it has no arguments, or is no call of a kernel. */
const int32_t *eti__kernel_output(const eti_pte_plan *plan, const eti_pte_instruction *instruction);

/* Returns the items of a value that is a list of tensors, -1 among them where one is absent; `*value` itself, as the only
 * item, for any other value. */
eti_pte_indices eti__value_items(const eti_pte_plan *plan, const int32_t *value);

#endif
