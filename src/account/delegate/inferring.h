/*
 * inferring.h - finds the operators that a delegate logged among those that the ETRecord lists for its call, where there is no
 * payload to look at.
 *
 * Operators, in graph order, are paired with events if there are as many of both and every pair
 * fits. What the delegate or its compiler may add or leave out, such as transpositions of layouts,
 * is ignored; clamps are paired if there are as many as the model asks for. An operator that may
 * have run in another order than that of the graph is not known, see run_order.h.
 */
#ifndef ETI_ACCOUNT_DELEGATE_INFERRING_H
#define ETI_ACCOUNT_DELEGATE_INFERRING_H

#include "account/delegate/delegated_calls.h"
#include "account/delegate/run_order.h"

/* Starts as all zeros. */
typedef struct eti_inferring {
    const eti_graph_node **found; /* per event of the call: what it is, or NULL */
    /* scratch */
    const eti_graph_node **operators; /* of the call, in graph order */
    eti_run_part *asked, *run;        /* operators and events that take part */
    eti_run_order order;
    size_t n_operators, n_asked, n_run;
    size_t found_capacity, operator_capacity, asked_capacity, run_capacity;
} eti_inferring;

/* Finds the operators of the events of a call. `*is_inferred` is false if it finds none. False: out
 * of memory. */
bool eti__infer(eti_inferring *inferring, const eti_delegated_call *call, bool *is_inferred);

void eti__inferring_free(eti_inferring *inferring);

#endif
