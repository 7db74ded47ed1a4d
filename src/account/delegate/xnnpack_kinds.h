/*
 * xnnpack_kinds.h - says what a node of XNNPACK's is called when it runs, and which operators of the edge program become one.
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

/* Whether an event may give numbers of this number of bits, by its name: "Convolution (NHWC, F16) IGEMM #1" gives those of
 * 16, maybe of a node that was to give 32. */
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

/* Whether the kernel may be that of a node's own limits. */
bool eti__xnnpack_may_clamp(eti_text kernel);

/* Whether nodes of this kind may be left out, their work being part of a neighbour's. */
bool eti__xnnpack_kind_is_fusible(uint8_t kind);

/* Whether the kernels of this kind clamp what they compute. */
bool eti__xnnpack_kind_clamps_inside(uint8_t kind);

/* Returns the kinds that eti__xnnpack_kind_is_fusible(). */
eti_xnnpack_kinds eti__xnnpack_fusible_kinds(void);

/* Returns the kinds that an operator of the edge program may become. */
eti_xnnpack_kinds eti__xnnpack_kinds_of(eti_text op_type);

/* Returns the kinds that an operator may become which becomes none where the one before it takes it in: a normalization of
 * batches runs as a convolution where none is before it. */
eti_xnnpack_kinds eti__xnnpack_kinds_of_folded(eti_text op_type);

/* Whether an operator of the edge program, "aten.convolution.default", becomes a node of this kind. */
bool eti__xnnpack_kind_is_of(uint8_t kind, eti_text op_type);

/* Whether it is one of those that quantizers insert, around the operators that they serve. */
bool eti__is_quantizing(eti_text op_type);

#endif
