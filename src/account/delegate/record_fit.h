/*
 * record_fit.h - judges whether the operators that delegates logged are among those that the
 * ETRecord lists for their calls.
 *
 * Records of other exports number instructions alike, so only the operators show that a record is of another model. Of each
 * kind, the operators of a call must be enough for the events, and the events for the operators. Order does not matter, and
 * neither does what the delegate or its compiler may add, leave out or fuse, nor an operator whose debug handle stands for
 * others, too: an unrolled loop's handle stands for all of its steps, also where a call has one, and what quantizes the result of
 * an operator has the operator's handle, also where another instruction runs that one. Whether
 * numbers are quantized matters.
 */
#ifndef ETI_ACCOUNT_DELEGATE_RECORD_FIT_H
#define ETI_ACCOUNT_DELEGATE_RECORD_FIT_H

#include "account/delegate/delegated_calls.h"
#include "account/delegate/xnnpack_kinds.h"
#include "base/intern.h"
#include "model/inspector.h"

/* Operators or events that become the same kinds, or run as them. */
typedef struct eti_kinds_count {
    eti_xnnpack_kinds kinds;
    uint64_t n, n_needed; /* n_needed of them must have a counterpart */
} eti_kinds_count;

typedef struct eti_kinds_counts {
    eti_kinds_count *items;
    size_t n, capacity;
    uint64_t n_unknown; /* operators of unknown kinds: counterparts of anything */
} eti_kinds_counts;

/* The kinds that an operator becomes, found by the address of its name: the nodes of a graph share names. */
typedef struct eti_operator_kinds {
    const char *op_type;
    eti_xnnpack_kinds kinds;
    bool is_needed; /* nothing takes it in */
} eti_operator_kinds;

/* A call that was judged; calls in a loop share its record. */
typedef struct eti_judged_call {
    const eti_event_record *record;
} eti_judged_call;

/* Starts as all zeros. */
typedef struct eti_record_fit {
    uint64_t n_compared; /* operators and events that must have a counterpart */
    uint64_t n_unlike;   /* of these, those without one */
    bool asks_quantized; /* some operator quantizes */
    bool runs_quantized; /* some event is of quantized numbers */
    bool runs_bytes;     /* or, as others may be, of numbers of 8 bits */
    /* scratch */
    ETI_INTERN_OF(eti_operator_kinds) operators;
    ETI_INTERN_OF(eti_judged_call) judged;
    eti_kinds_counts asked, run;
    int64_t *handles; /* of the operators of a call that would be needed */
    size_t handle_capacity;
    const eti_etrecord *record;
    size_t method;
    int64_t *shared; /* handles that several instructions list, sorted; NULL: not asked for yet */
    size_t n_shared;
} eti_record_fit;

/* Starts to judge a block of a method of the record, which is borrowed: counts are 0. */
void eti__record_fit_begin(eti_record_fit *fit, const eti_etrecord *record, size_t method);

/* Adds a call to the counts, unless one of the same operators was. False: out of memory. */
bool eti__record_fit_add(eti_record_fit *fit, const eti_delegated_call *call);

/* Whether one of record and events is of quantized numbers, and the other of none. */
bool eti__record_quantizes_otherwise(const eti_record_fit *fit);

/* Whether n_unlike is too large for a record of this model, or it quantizes otherwise: known records of the right model have 0. */
bool eti__record_is_foreign(const eti_record_fit *fit);

void eti__record_fit_free(eti_record_fit *fit);

#endif
