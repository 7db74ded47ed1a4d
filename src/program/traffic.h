/*
 * traffic.h - counts the bytes of tensors that an instruction reads and writes.
 *
 * Moves, views and instructions that compute with sizes use no byte of a tensor. A look-up or a slice reads as many elements
 * as it writes, besides its indices, however large the tensor is from which it takes them. Where the number depends on the
 * input of the run, because of the shape of a tensor or of what the operator does, the bytes are an upper bound.
 */
#ifndef ETI_PROGRAM_TRAFFIC_H
#define ETI_PROGRAM_TRAFFIC_H

#include "program/flow.h"

typedef struct eti_traffic {
    uint64_t read, written; /* ETI_PTE_UNKNOWN_SIZE if the size of a tensor is unknown */
    bool is_bound;          /* both are upper bounds */
} eti_traffic;

/* Returns the bytes that one execution of an instruction reads and writes; `bytes` is of the same method. */
eti_traffic eti__call_traffic(const eti_liveness *liveness, const eti_value_bytes *bytes,
                              uint32_t instruction);

#endif
