/*
 * inferring.h - infers which of the operators that the ETRecord lists for a delegate call the
 * delegate logged, if there is no payload to read.
 *
 * Operators, in graph order, are paired with events if their numbers are equal and every pair fits.
 * Operators that the delegate or its compiler may add or leave out, such as layout transpositions,
 * are ignored; clamps are paired only if there are as many as the model asks for. An operator that
 * may have run at another place than in graph order stays unknown, see "run order" in inferring.c.
 */
#ifndef ETI_PLACES_INFERRING_H
#define ETI_PLACES_INFERRING_H

#include "account/account.h"
#include "backends/backends.h"
#include "base/intern.h"
#include "etinspect.h"
#include "model/model.h"
#include "places/places.h"

/* ==== delegated calls ========================================================================= */
/* Lists the delegate calls in the first run of an EventBlock, each with the events that it logged,
 * in order. The other runs logged the same events. */

typedef struct eti_delegated_call {
    const eti_event *event; /* Event of the DELEGATE_CALL */
    uint64_t chain;
    int32_t instruction;
    /* Operators that the call logged. One Event stands for all calls in a loop, and is listed in each. */
    eti_event *const *events;
    const eti_text *names;
    size_t n;
} eti_delegated_call;

/* Initialize to all zeros. */
typedef struct eti_delegated_calls {
    eti_delegated_call *calls; /* calls that logged at least one event */
    size_t n;
    /* scratch */
    eti_call_order order;
    uint32_t *firsts,
        /* per call: its first event; per event: the next event, as indices into the calls of the order */
        *nexts;
    eti_event **events;
    eti_text *names;
    size_t capacity, first_capacity, next_capacity, event_capacity, name_capacity;
} eti_delegated_calls;

/* Lists the calls of a block, replacing the previous list. Fails with ETI_ERROR_MEMORY. */
eti_status eti__delegated_calls_list(eti_delegated_calls *calls, eti_event_block *block,
                                     eti_error *err) ETI_WARN_UNUSED;
void eti__delegated_calls_free(eti_delegated_calls *calls);

/* Returns the delegate that a call uses according to a plan, or NULL if the plan has no delegate for it. */
const eti_pte_delegate *eti__delegated_call_delegate(const eti_delegated_call *call,
                                                     const eti_pte_plan *plan);

/* ==== run order =============================================================================== */
/* Finds the operators of a delegate call that have a known place in the order of execution.
 *
 * A delegate may run independent operators in any order. An operator has a known place if each of
 * the other operators that the same events may stand for either needs it or is needed by it. */

/* An operator or an event. */
typedef struct eti_run_part {
    eti_xnnpack_kinds kinds; /* kinds that an operator becomes, or that run as an event */
    uint32_t number;         /* index of the operator or event in its list */
} eti_run_part;

/* Initialize to all zeros. */
typedef struct eti_run_order {
    bool *is_known; /* per operator asked for: whether its place is known */
    /* scratch */
    /* per operator: a row of bits that marks the operators whose values it needs */
    uint64_t *needs;
    size_t known_capacity, needs_capacity;
} eti_run_order;

/* Finds which of the `n` operators asked for, in graph order, have a known place among the `n` events. `operators`
 * are all operators of the call, sorted. Returns false if memory runs out. */
bool eti__run_order_find(eti_run_order *order, const eti_graph_node *const *operators,
                         size_t n_operators, const eti_run_part *asked, const eti_run_part *run,
                         size_t n);

void eti__run_order_free(eti_run_order *order);

/* ==== inferring =============================================================================== */

/* Initialize to all zeros. */
typedef struct eti_inferring {
    const eti_graph_node **found; /* per event of the call: its operator, or NULL */
    /* scratch */
    const eti_graph_node **operators; /* operators of the call, in graph order */
    eti_run_part *asked, *run;        /* operators and events that are paired */
    eti_run_order order;
    size_t n_operators, n_asked, n_run;
    size_t found_capacity, operator_capacity, asked_capacity, run_capacity;
} eti_inferring;

/* Finds the operators of the events of a call. Sets `*is_inferred` to false if it finds none. Returns false if memory
 * runs out. */
bool eti__infer(eti_inferring *inferring, const eti_delegated_call *call, bool *is_inferred);

void eti__inferring_free(eti_inferring *inferring);

/* ==== record fit ============================================================================== */
/* Judges whether the operators that delegates logged are among those that the ETRecord lists for
 * their calls.
 *
 * Records of other exports use the same instruction numbers, so only the operators show that a
 * record belongs to another model. For each kind, the call must have enough operators for the
 * events, and enough events for the operators. Order does not matter. The following do not matter
 * either: operators that the delegate or its compiler may add, leave out or fuse; and operators
 * whose debug handle stands for others too. The handle of an unrolled loop stands for all of its
 * steps, even if a call has only one of them; an operator that quantizes the result of another has
 * the handle of that operator, even if another instruction runs that operator. Whether numbers are
 * quantized does matter. */

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
