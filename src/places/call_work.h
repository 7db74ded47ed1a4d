/*
 * call_work.h - finds the operators that a delegate call is for, among those that the ETRecord lists
 * for its instruction.
 *
 * A debug handle stands for an operator and for those that quantize its result, so the list of a call
 * that takes a quantized value has the operator that produced it, although another instruction runs
 * it. The payload has the handles of what the call runs, except for operators that were fused into
 * others. Operators that only move or convert values count only if there are no others.
 */
#ifndef ETI_PLACES_CALL_WORK_H
#define ETI_PLACES_CALL_WORK_H

#include "backends/backends.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "places/shared_handles.h"

/* For the calls of one method. Initialize to all zeros, except for the record. */
typedef struct eti_call_work {
    const eti_etrecord *record; /* NULL: nothing is found */
    size_t method;              /* in the record */
    /* scratch */
    eti_shared_handles shared;
    struct eti_handle_use *uses; /* handles of the payload, sorted */
    uint8_t *values;             /* per node of the call */
    const eti_op_node **others;
    size_t use_capacity, value_capacity, other_capacity;
    size_t work; /* number of nodes examined for all calls, which is limited */
} eti_call_work;

/* Returns whether the nodes of a call and of its payload can still be examined within the limit for all calls. */
bool eti__call_work_has_room(const eti_call_work *work, const eti_xnnpack *payload, size_t n);

/* Moves the operators that the call is for before the other nodes of its instruction, and sets `*n_own` to their number:
 * at least one unless `n` is 0. Returns false if memory runs out. */
bool eti__call_work_find(eti_call_work *work, const eti_xnnpack *payload, const eti_op_node **nodes,
                         size_t n, size_t *n_own);

void eti__call_work_free(eti_call_work *work);

#endif
