/*
 * flow.h - tells the arguments that an instruction reads from those that it writes, and how many bytes these are.
 */
#ifndef ETI_PROGRAM_FLOW_H
#define ETI_PROGRAM_FLOW_H

#include "program/liveness.h"

/* Values; a list stands for its items. */
typedef struct eti_call_flow {
    eti_pte_indices reads, writes;
} eti_call_flow;

/* Returns the values that an instruction reads and writes. A value that a kernel changes in place
 * is in both lists. */
eti_call_flow eti__call_flow(const eti_liveness *liveness, uint32_t instruction);

/* Appends the sizes of a tensor: "[2, 3]"; those of the first 16 dimensions, more than the runtime loads. */
void eti__tensor_add_shape(eti_buffer *out, const eti_pte_tensor *tensor);
/* Appends the sizes that a method allows: "[1, 3, 10]"; a size of a tensor whose shape changes is an upper bound: "[<=8, <=3]", or
 * unknown: "[?, ?]". */
void eti__tensor_add_bounds(eti_buffer *out, const eti_pte_tensor *tensor);

/* Sizes of the tensors that values are, or are lists of. */
typedef struct eti_value_bytes {
    const uint64_t *by_value; /* ETI_PTE_UNKNOWN_SIZE: a tensor's is not known */
} eti_value_bytes;

/* Finds them; in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__value_bytes_make(eti_value_bytes *out, eti_arena *arena, const eti_pte_plan *plan,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Returns the bytes of all `values`, as often as they are there; ETI_PTE_UNKNOWN_SIZE if one is not known. */
uint64_t eti__values_bytes(const eti_value_bytes *bytes, eti_pte_indices values);

#endif
