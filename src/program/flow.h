/*
 * flow.h - distinguishes the arguments that an instruction reads from those that it writes, and counts their bytes.
 */
#ifndef ETI_PROGRAM_FLOW_H
#define ETI_PROGRAM_FLOW_H

#include "base/arena.h"
#include "base/text.h"
#include "program/liveness.h"
#include "pte/pte.h"

/* Values; a list stands for its items. */
typedef struct eti_call_flow {
    eti_pte_indices reads, writes;
} eti_call_flow;

/* Returns the values that an instruction reads and writes. A value that a kernel modifies in place is in both lists. */
eti_call_flow eti__call_flow(const eti_liveness *liveness, uint32_t instruction);

/* Appends the sizes of a tensor, such as "[2, 3]", for at most 16 dimensions; the runtime loads no tensor with more. */
void eti__tensor_add_shape(eti_buffer *out, const eti_pte_tensor *tensor);
/* Appends the sizes that a method allows, such as "[1, 3, 10]"; a size of a tensor whose shape can change is an upper
 * bound, as in "[<=8, <=3]", or unknown, as in "[?, ?]". */
void eti__tensor_add_bounds(eti_buffer *out, const eti_pte_tensor *tensor);

/* Sizes of values that are tensors or lists of tensors. */
typedef struct eti_value_sum {
    uint64_t bytes; /* ETI_PTE_UNKNOWN_SIZE if the size of a tensor is unknown */
    bool is_bound;  /* an upper bound, because the shape of a tensor depends on the input */
} eti_value_sum;

typedef struct eti_value_bytes {
    const eti_value_sum *by_value;
} eti_value_bytes;

/* Computes the sizes, in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__value_bytes_make(eti_value_bytes *out, eti_arena *arena, const eti_pte_plan *plan,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Returns the total bytes of `values`, each counted as often as it occurs. */
eti_value_sum eti__values_bytes(const eti_value_bytes *bytes, eti_pte_indices values);

eti_value_sum eti__value_sums_add(eti_value_sum a, eti_value_sum b);

#endif
