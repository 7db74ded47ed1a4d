/*
 * run_order.h - finds the operators of a delegate call that have a known place in the order of
 * execution.
 *
 * A delegate may run independent operators in any order. An operator has a known place if each of
 * the other operators that the same events may stand for either needs it or is needed by it.
 */
#ifndef ETI_PLACES_RUN_ORDER_H
#define ETI_PLACES_RUN_ORDER_H

#include "backends/backends.h"
#include "etrecord/etrecord.h"
#include "model/model.h"

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

/* Compares pointers to nodes of one graph, for qsort() and bsearch(). The nodes lie in one array, so this is graph
 * order. */
int eti__compare_operators(const void *a, const void *b);

/* Finds which of the `n` operators asked for, in graph order, have a known place among the `n` events. `operators`
 * are all operators of the call, sorted. Returns false if memory runs out. */
bool eti__run_order_find(eti_run_order *order, const eti_graph_node *const *operators,
                         size_t n_operators, const eti_run_part *asked, const eti_run_part *run,
                         size_t n);

void eti__run_order_free(eti_run_order *order);

#endif
