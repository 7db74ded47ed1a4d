/*
 * xnnpack_kinds.h - finds the kernel name of an XNNPACK node, and the operators of the edge program
 * that become such a node.
 */
#ifndef ETI_BACKENDS_XNNPACK_KINDS_H
#define ETI_BACKENDS_XNNPACK_KINDS_H

#include "backends/xnnpack.h"
#include "etinspect.h"

/* Returns the name of a kind, such as "Conv2d"; absent if the kind is unknown. */
eti_text eti__xnnpack_kind_name(uint8_t kind);

/* Returns the kernel of an event, such as "Fully Connected" for "Fully Connected (NC, F32) GEMM #1". */
eti_text eti__xnnpack_kernel(eti_text event_name);

/* Returns whether a node of this kind may run as this kernel. */
bool eti__xnnpack_kind_runs_as(uint8_t kind, eti_text kernel);

/* Set of kinds, with one bit per kind. */
typedef uint64_t eti_xnnpack_kinds;

/* Returns the kinds that may run as this kernel. */
eti_xnnpack_kinds eti__xnnpack_kinds_that_run_as(eti_text kernel);

static inline bool eti__xnnpack_kinds_have(eti_xnnpack_kinds kinds, uint8_t kind) {
    return kind < 64 && (kinds >> kind & 1) != 0;
}

/* Returns whether an event, judged by its name, may produce numbers of this many bits. "Convolution (NHWC, F16) IGEMM
 * #1" produces 16-bit numbers, possibly for a node that asked for 32 bits. */
bool eti__xnnpack_event_gives(eti_text event_name, uint8_t bits);

/* Number types in the name of an event. */
typedef enum eti_xnnpack_numbers {
    ETI_XNNPACK_WIDE,      /* 16 bits or more, or not stated */
    ETI_XNNPACK_BYTES,     /* 8 bits, possibly quantized */
    ETI_XNNPACK_QUANTIZED, /* at least one type is quantized */
} eti_xnnpack_numbers;

eti_xnnpack_numbers eti__xnnpack_event_numbers(eti_text event_name);

/* Returns whether the kernel looks up the result of a chain of nodes for each 8-bit value. */
bool eti__xnnpack_is_lookup(eti_text kernel);

/* Returns whether the kernel may apply a node's own limits. */
bool eti__xnnpack_may_clamp(eti_text kernel);

/* Returns whether a node of this kind may be missing because a neighbour does its work. */
bool eti__xnnpack_kind_is_fusible(uint8_t kind);

/* Returns whether kernels of this kind clamp their results. */
bool eti__xnnpack_kind_clamps_inside(uint8_t kind);

/* Returns the kinds for which eti__xnnpack_kind_is_fusible() is true. */
eti_xnnpack_kinds eti__xnnpack_fusible_kinds(void);

/* Returns the kinds that an operator of the edge program may become. */
eti_xnnpack_kinds eti__xnnpack_kinds_of(eti_text op_type);

/* Returns the kinds that an operator may become if it is not fused into the preceding operator: a batch normalization
 * runs as a convolution unless a convolution precedes it. */
eti_xnnpack_kinds eti__xnnpack_kinds_of_folded(eti_text op_type);

/* Returns whether an operator of the edge program, such as "aten.convolution.default", becomes a node of this kind. */
bool eti__xnnpack_kind_is_of(uint8_t kind, eti_text op_type);

/* Returns whether an operator may produce numbers of this many bits: those that quantize produce 8 bits, those that
 * dequantize more. */
bool eti__xnnpack_op_gives(eti_text op_type, uint8_t bits);

/* Returns whether the operator is one that quantizers insert around the operators that they serve. */
bool eti__is_quantizing(eti_text op_type);

#endif
