/*
 * inferring.h - infers which of the operators that the ETRecord lists for a delegate call the
 * delegate logged, if there is no payload to read.
 *
 * Operators, in graph order, are paired with events if their numbers are equal and every pair fits.
 * Operators that the delegate or its compiler may add or leave out, such as layout transpositions,
 * are ignored; clamps are paired only if there are as many as the model asks for. An operator that
 * may have run at another place than in graph order stays unknown, see run_order.h.
 */
#ifndef ETI_PLACES_INFERRING_H
#define ETI_PLACES_INFERRING_H

#include "etrecord/etrecord.h"
#include "places/delegated_calls.h"
#include "places/run_order.h"

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

#endif
