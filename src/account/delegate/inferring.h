/*
 * inferring.h - finds the operators that a delegate logged among those that the ETRecord lists for its call, where there is no
 * payload to look at.
 *
 * Operators in graph order and events are those of each other where there are as many and every pair fits. What the
 * delegate or its compiler may add or leave out, such as transpositions of layouts, takes no part; clamps do where there are as
 * many as the model asks for. What may have run in another order than the graph's is not known, see run_order.h.
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

/* Finds what the events of a call are. `*is_inferred` is false where nothing is. False: out of memory. */
bool eti__infer(eti_inferring *inferring, const eti_delegated_call *call, bool *is_inferred);

void eti__inferring_free(eti_inferring *inferring);

#endif
