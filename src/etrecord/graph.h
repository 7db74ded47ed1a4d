/*
 * graph.h - turns the JSON of an exported program (a member of an ETRecord) into its operator nodes.
 */
#ifndef ETI_ETRECORD_GRAPH_H
#define ETI_ETRECORD_GRAPH_H

#include "base/arena.h"
#include "etinspect.h"
#include "etrecord/etrecord.h"
#include "read/read.h"

/* ==== graph =================================================================================== */

/* Does the same, and includes lowered modules. A module that cannot be read has no nodes. */
eti_status eti__graph_read_lowered(eti_graph *out, eti_arena *arena, eti_json *json,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Does the same, and finds the values between all nodes, including those of lowered modules, which take the inputs of
 * their call and produce its outputs. Weights of modules are inputs of the graph. */
eti_status eti__graph_read_values(eti_graph *out, eti_graph_values *values, eti_arena *arena,
                                  eti_json *json, eti_error *err) ETI_WARN_UNUSED;

/* ==== node metadata =========================================================================== */
/* Parses the texts in a node's metadata into a debug handle and a module stack, as executorch's
 * deserializer does. */

/* Parses a handle such as "7". Accepts what Python's int() accepts (surrounding white space, a sign, "1_000"), except for
 * digits that are not ASCII. Absent and empty text mean that there is no handle. ETI_ERROR_MALFORMED: any other text, or
 * a number of more than 64 bits. */
eti_status eti__debug_handle_parse(eti_text text, bool *has_handle, int64_t *handle,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Parses "key,path,type;key,path,type", outermost module first. Commas inside () and [] do not split; white space around
 * the parts is dropped, as by str.strip(). Of equal keys, the last value counts, in the place of the first. The modules
 * are views of `text` in an array in `arena`. The number of entries is subtracted from `*left`, which the caller
 * initialises with ETI_MOST_MODULES for all stacks of a graph. ETI_ERROR_MALFORMED quotes the entry; ETI_ERROR_LIMIT:
 * `*left` is too small. */
eti_status eti__module_stack_parse(eti_text text, size_t *left, eti_arena *arena,
                                   const eti_module **modules, size_t *n_modules,
                                   eti_error *err) ETI_WARN_UNUSED;

#define ETI_MOST_MODULES ((size_t)1 << 20)

/* ==== op target =============================================================================== */
/* Finds the operator that a node calls from its target
 * ("executorch.exir.dialects.edge.ops.aten.add.Tensor"), and how torch treats such a node when it
 * loads a graph.
 *
 * No registry of operators is consulted: a well-formed operator is assumed to exist. */

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
