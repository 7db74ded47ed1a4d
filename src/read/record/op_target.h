/*
 * op_target.h - tells from the target of a node
 * ("executorch.exir.dialects.edge.ops.aten.add.Tensor") which operator it calls and how torch
 * treats such a node when it loads a graph.
 *
 * No registry of operators is consulted: one that is well-formed is taken to exist.
 */
#ifndef ETI_READ_RECORD_OP_TARGET_H
#define ETI_READ_RECORD_OP_TARGET_H

#include "base/text.h"

/* The target of calls of delegates. */
#define ETI_DELEGATE_TARGET "torch.ops.higher_order.executorch_call_delegate"

typedef enum eti_op_kind {
    ETI_OP_EDGE,     /* of the edge or a backend dialect */
    ETI_OP_TORCH,    /* of torch itself: an ATen operator, a higher-order one, one on symbols */
    ETI_OP_DELEGATE, /* executorch_call_delegate */
    ETI_OP_ALLOC,    /* memory.alloc, which is no operator */
    ETI_OP_UNKNOWN,  /* a name without a meaning: its metadata are dropped */
} eti_op_kind;

typedef struct eti_op_target {
    eti_op_kind kind;
    eti_text op_type; /* a part of the target: "aten.add.Tensor" */
} eti_op_target;

eti_op_target eti__op_target_of(eti_text target);

#endif
