/*
 * record_fit.h - judges whether the operators that delegates logged are among those that the
 * ETRecord lists for their calls.
 *
 * Records of other exports use the same instruction numbers, so only the operators show that a
 * record belongs to another model. For each kind, the call must have enough operators for the
 * events, and enough events for the operators. Order does not matter. The following do not matter
 * either: operators that the delegate or its compiler may add, leave out or fuse; and operators
 * whose debug handle stands for others too. The handle of an unrolled loop stands for all of its
 * steps, even if a call has only one of them; an operator that quantizes the result of another has
 * the handle of that operator, even if another instruction runs that operator. Whether numbers are
 * quantized does matter.
 */
#ifndef ETI_PLACES_RECORD_FIT_H
#define ETI_PLACES_RECORD_FIT_H

#include "backends/backends.h"
#include "base/intern.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "places/delegated_calls.h"
#include "places/shared_handles.h"

/* Number of operators that become the same kinds, or of events that run as the same kinds. */
typedef struct eti_kinds_count {
    eti_xnnpack_kinds kinds;
    uint64_t n, n_needed; /* n_needed of the n must have a counterpart */
} eti_kinds_count;

typedef struct eti_kinds_counts {
    eti_kinds_count *items;
    size_t n, capacity;
    uint64_t n_unknown; /* number of operators of unknown kinds, which match anything */
} eti_kinds_counts;

/* The kinds that an operator becomes, keyed by the address of its name, because the nodes of a graph share names. */
typedef struct eti_operator_kinds {
    const char *op_type;
    eti_xnnpack_kinds kinds;
    bool is_needed; /* no other operator can absorb it */
} eti_operator_kinds;

/* A call that was judged; calls in a loop share its record. */
typedef struct eti_judged_call {
    const eti_event_record *record;
} eti_judged_call;

/* Initialize to all zeros. */
typedef struct eti_record_fit {
    uint64_t n_compared; /* number of operators and events that must have a counterpart */
    uint64_t n_unlike;   /* number of them without a counterpart */
    bool asks_quantized; /* an operator quantizes */
    bool runs_quantized; /* an event computes with quantized numbers */
    bool runs_bytes;     /* an event computes with 8-bit numbers, which may be quantized */
    /* scratch */
    ETI_INTERN_OF(eti_operator_kinds) operators;
    ETI_INTERN_OF(eti_judged_call) judged;
    eti_kinds_counts asked, run;
    int64_t *handles; /* handles of the needed operators of a call */
    size_t handle_capacity;
    const eti_etrecord *record;
    size_t method;
    eti_shared_handles shared; /* not listed until needed */
} eti_record_fit;

/* Starts to judge a block of a method of the record, which is borrowed; sets all counts to 0. */
void eti__record_fit_begin(eti_record_fit *fit, const eti_etrecord *record, size_t method);

/* Adds a call to the counts, unless a call with the same record was added before. Returns false if memory runs out. */
bool eti__record_fit_add(eti_record_fit *fit, const eti_delegated_call *call);

/* Returns whether either the record or the events use quantized numbers while the other uses none. */
bool eti__record_quantizes_otherwise(const eti_record_fit *fit);

/* Returns whether n_unlike is too large for a record of this model, or the record and the events differ in
 * quantization. Known records of the right model have an n_unlike of 0. */
bool eti__record_is_foreign(const eti_record_fit *fit);

void eti__record_fit_free(eti_record_fit *fit);

#endif
