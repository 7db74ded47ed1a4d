/*
 * delegation.h - adds up the time of delegates, of the operators outside of them and of copies, and finds an upper bound of
 * the time that delegating those operators could save.
 *
 * The bound for an operator, or for a split, supposes that a delegate takes no time at all for it,
 * that the runtime takes none around it, and that the copies beside it, and the overhead of a call
 * where two calls become one, disappear. That overhead is at most the least unlogged time of a call
 * of the backend. The effect on a run follows from Amdahl's law and is not a forecast.
 */
#ifndef ETI_ACCOUNT_DELEGATION_H
#define ETI_ACCOUNT_DELEGATION_H

#include "account/places/steps.h"

/* Time of some groups. */
typedef struct eti_cost {
    eti_ticks total;
    double p50; /* median of the sums per run; NaN: there are no times */
} eti_cost;

/* A backend, or the operators that no backend took, or the framework. */
typedef struct eti_backend_cost {
    uint32_t number; /* of its name */
    eti_text name;
    bool is_backend;
    bool has_calls;       /* it is not the framework */
    uint64_t n_calls;     /* instructions */
    uint64_t n_operators; /* see eti_step; 0: not known */
    bool has_bytes;
    uint64_t n_bytes; /* of the payloads in the program, each once */
    eti_cost cost;
} eti_backend_cost;

/* An operator that runs outside of delegates. */
typedef struct eti_outside_op {
    uint32_t number; /* of its name */
    eti_text name;
    bool is_copy;
    uint64_t n_calls;
    uint64_t n_splits; /* calls that stand between two delegate calls */
    eti_cost cost;     /* of its kernels */
    eti_cost copies;   /* that would disappear: those beside it, if nothing else splits the graph */
    eti_ticks bound;   /* most time that delegating all of its calls could save */
} eti_outside_op;

/* Steps between two delegate calls. */
typedef struct eti_split {
    size_t first, end; /* in steps->order; the calls stand at first - 1 and end */
    eti_cost cost;     /* of its kernels, without copies */
    eti_cost copies;   /* in it, and beside it in the delegates' calls */
    eti_ticks bound;
} eti_split;

/* Starts as all zeros. */
typedef struct eti_delegation {
    eti_steps steps;
    eti_backend_cost
        *backends; /* the most expensive first, then the operators that no backend took */
    size_t n_backends;
    eti_outside_op *outside; /* by bound, largest first; without times by splits, then calls */
    size_t n_outside;
    eti_split *splits; /* likewise, then in order */
    size_t n_splits;
    uint64_t n_named_bytes; /* in the program, beside the payloads */
    eti_arena arena;
} eti_delegation;

/* ETI_ERROR_LIMIT of a program, ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__delegation_make(eti_delegation *out, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__delegation_free(eti_delegation *delegation);

#endif
