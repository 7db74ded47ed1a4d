/*
 * calls.h - numbers the instructions of a method, and says what each calls, reads and writes.
 *
 * Instructions are numbered from 0 through all chains of the method. The runtime numbers those of each chain from 0; in
 * the first one, which is the only one in programs of today's exporters, both agree.
 */
#ifndef ETI_PROGRAM_CALLS_H
#define ETI_PROGRAM_CALLS_H

#include "read/pte/pte.h"

/* Returns the number of instructions of all chains. */
uint32_t eti__plan_instruction_count(const eti_pte_plan *plan);

/* Returns the instruction with a number below that count. */
const eti_pte_instruction *eti__plan_instruction(const eti_pte_plan *plan, uint32_t number);

/* Appends the name of an operator with its overload, as lists for selective builds have it: "aten::add.out". */
void eti__operator_add_name(eti_buffer *out, const eti_pte_operator *op);

/* Appends what an instruction calls: the name of its operator, the id of its delegate, or "move", "jump if false",
 * "free", "unknown". */
void eti__instruction_add_name(eti_buffer *out, const eti_pte_plan *plan,
                               const eti_pte_instruction *instruction);

/* Returns the values that a kernel writes: its last argument (executorch_prim::et_copy_index: its first), or the items of
 * that if it is a list; none for an instruction of another kind. Not all of them need be tensors. */
eti_pte_indices eti__kernel_outputs(const eti_pte_plan *plan,
                                    const eti_pte_instruction *instruction);

/* Returns the items of a value that is a list of tensors, -1 among them where one is absent; itself, as one item in `own`,
 * for any other value. */
eti_pte_indices eti__value_items(const eti_pte_plan *plan, int32_t value, int32_t *own);

#endif
