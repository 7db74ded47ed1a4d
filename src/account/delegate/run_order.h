/*
 * run_order.h - finds the operators of a delegate call whose place in the order of execution is
 * known.
 *
 * A delegate may run independent operators in any order. An operator has a known place among the
 * operators that the same events may stand for, if each of the others either needs it or is needed
 * by it.
 */
#ifndef ETI_ACCOUNT_DELEGATE_RUN_ORDER_H
#define ETI_ACCOUNT_DELEGATE_RUN_ORDER_H

#include "account/delegate/xnnpack_kinds.h"
#include "model/event.h"

/* An operator or an event. */
typedef struct eti_run_part {
    eti_xnnpack_kinds kinds; /* that it becomes, or that run as it */
    uint32_t number;         /* of the operator or event in its list */
} eti_run_part;

/* Starts as all zeros. */
typedef struct eti_run_order {
    bool *is_known; /* per operator that was asked for */
    /* scratch */
    uint64_t *needs; /* per operator a row of bits: the operators whose values it needs */
    size_t known_capacity, needs_capacity;
} eti_run_order;

/* Orders pointers to nodes of one graph, for qsort() and bsearch(): graph order, as the nodes lie in one array. */
int eti__compare_operators(const void *a, const void *b);

/* Finds which of the `n` operators asked for, in graph order, have a known place among the `n`
 * events. `operators` are all operators of the call, sorted. False: out of memory. */
bool eti__run_order_find(eti_run_order *order, const eti_graph_node *const *operators,
                         size_t n_operators, const eti_run_part *asked, const eti_run_part *run,
                         size_t n);

void eti__run_order_free(eti_run_order *order);

#endif
