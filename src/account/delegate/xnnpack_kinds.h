/*
 * xnnpack_kinds.h - finds the kernel name of an XNNPACK node, and the operators of the edge program
 * that become such a node.
 */
#ifndef ETI_ACCOUNT_DELEGATE_XNNPACK_KINDS_H
#define ETI_ACCOUNT_DELEGATE_XNNPACK_KINDS_H

#include "read/pte/xnnpack.h"

/* Returns "Conv2d"; absent for a kind that is not known. */
eti_text eti__xnnpack_kind_name(uint8_t kind);

/* Returns the kernel of an event, "Fully Connected" of "Fully Connected (NC, F32) GEMM #1". */
eti_text eti__xnnpack_kernel(eti_text event_name);

/* Whether a node of this kind may run as this kernel. */
bool eti__xnnpack_kind_runs_as(uint8_t kind, eti_text kernel);

/* A set of kinds: a bit for each. */
typedef uint64_t eti_xnnpack_kinds;

/* Returns the kinds that may run as this kernel. */
eti_xnnpack_kinds eti__xnnpack_kinds_that_run_as(eti_text kernel);

static inline bool eti__xnnpack_kinds_have(eti_xnnpack_kinds kinds, uint8_t kind) {
    return kind < 64 && (kinds >> kind & 1) != 0;
}

/* Whether an event may give numbers of this number of bits, by its name: "Convolution (NHWC, F16)
 * IGEMM #1" gives numbers of 16 bits, maybe for a node that asked for 32. */
bool eti__xnnpack_event_gives(eti_text event_name, uint8_t bits);

/* Numbers in the name of an event. */
typedef enum eti_xnnpack_numbers {
    ETI_XNNPACK_WIDE,      /* of 16 bits or more, or nothing is said */
    ETI_XNNPACK_BYTES,     /* of 8 bits, maybe quantized */
    ETI_XNNPACK_QUANTIZED, /* all or some are quantized */
} eti_xnnpack_numbers;

eti_xnnpack_numbers eti__xnnpack_event_numbers(eti_text event_name);

/* Whether the kernel looks up what a chain of nodes would compute of each value of 8 bits. */
bool eti__xnnpack_is_lookup(eti_text kernel);

/* Whether the kernel may apply a node's own limits. */
bool eti__xnnpack_may_clamp(eti_text kernel);

/* Whether nodes of this kind may be missing because a neighbour does their work. */
bool eti__xnnpack_kind_is_fusible(uint8_t kind);

/* Whether the kernels of this kind clamp what they compute. */
bool eti__xnnpack_kind_clamps_inside(uint8_t kind);

/* Returns the kinds that eti__xnnpack_kind_is_fusible(). */
eti_xnnpack_kinds eti__xnnpack_fusible_kinds(void);

/* Returns the kinds that an operator of the edge program may become. */
eti_xnnpack_kinds eti__xnnpack_kinds_of(eti_text op_type);

/* Returns the kinds that an operator may become if it is not fused into the operator before it: a
 * batch normalization runs as a convolution unless one precedes it. */
eti_xnnpack_kinds eti__xnnpack_kinds_of_folded(eti_text op_type);

/* Whether an operator of the edge program, "aten.convolution.default", becomes a node of this kind. */
bool eti__xnnpack_kind_is_of(uint8_t kind, eti_text op_type);

/* Whether it is one of those that quantizers insert, around the operators that they serve. */
bool eti__is_quantizing(eti_text op_type);

#endif
