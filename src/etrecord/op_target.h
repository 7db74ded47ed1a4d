/*
 * op_target.h - finds the operator that a node calls from its target ("executorch.exir.dialects.edge.ops.aten.add.Tensor"),
 * and how torch treats such a node when it loads a graph.
 *
 * No registry of operators is consulted: a well-formed operator is assumed to exist.
 */
#ifndef ETI_ETRECORD_OP_TARGET_H
#define ETI_ETRECORD_OP_TARGET_H

#include "etinspect.h"

/* Target of delegate calls. */
#define ETI_DELEGATE_TARGET "torch.ops.higher_order.executorch_call_delegate"

typedef enum eti_op_kind {
    ETI_OP_EDGE,  /* in the edge dialect or a backend dialect */
    ETI_OP_TORCH, /* of torch itself: an ATen operator, a higher-order operator, or one on symbols */
    ETI_OP_DELEGATE, /* executorch_call_delegate */
    ETI_OP_ALLOC,    /* memory.alloc, which is not an operator */
    ETI_OP_UNKNOWN,  /* a name without a known meaning: its metadata are dropped */
} eti_op_kind;

typedef struct eti_op_target {
    eti_op_kind kind;
    eti_text op_type; /* part of the target, such as "aten.add.Tensor" */
} eti_op_target;

eti_op_target eti__op_target_of(eti_text target);

#endif
