/*
 * delegation.h - adds up the time of delegates, of the operators outside of them and of copies, and
 * computes an upper bound for the time that delegating those operators could save.
 *
 * The bound for an operator or a split assumes that a delegate needs no time for it, that the
 * runtime needs no time around it, and that the copies beside it disappear. If two calls become
 * one, it also assumes that the overhead of one call disappears; that overhead is at most the
 * smallest unlogged time of a call of the backend. The effect on a run follows from Amdahl's law
 * and is not a forecast.
 */
#ifndef ETI_ROLLUP_DELEGATION_H
#define ETI_ROLLUP_DELEGATION_H

#include "account/account.h"
#include "base/arena.h"
#include "model/model.h"
#include "rollup/steps.h"

/* Time of a set of groups. */
typedef struct eti_cost {
    eti_ticks total;
    double p50; /* median of the sums per run; NaN if there are no times */
} eti_cost;

/* Cost of a backend, of the operators that no backend took, or of the framework. */
typedef struct eti_backend_cost {
    uint32_t number; /* number of its name */
    eti_text name;
    bool is_backend;
    bool has_calls;       /* true for all but the framework */
    uint64_t n_calls;     /* number of instructions */
    uint64_t n_operators; /* see eti_step; 0 if unknown */
    bool has_bytes;
    uint64_t n_bytes; /* size of its payloads in the program, each counted once */
    eti_cost cost;
} eti_backend_cost;

/* An operator that runs outside of delegates. */
typedef struct eti_outside_op {
    uint32_t number; /* number of its name */
    eti_text name;
    bool is_copy;
    uint64_t n_calls;
    uint64_t n_splits; /* number of calls that stand between two delegate calls */
    eti_cost cost;     /* cost of its kernels */
    /* cost of the copies that would disappear: those beside it, if nothing else splits the graph */
    eti_cost copies;
    eti_ticks bound; /* largest time that delegating all of its calls could save */
} eti_outside_op;

/* Steps between two delegate calls. */
typedef struct eti_split {
    /* jumps or moves are between the calls too, so that these stay apart even if all steps are delegated */
    bool has_control_flow;
    size_t position;   /* of its first step in order of execution */
    size_t first, end; /* range in steps->order; the delegate calls stand at first - 1 and end */
    size_t
        longest; /* in this range: the operator that takes the most time; a copy only if all are copies */
    eti_cost cost;   /* cost of its kernels, without copies */
    eti_cost copies; /* cost of the copies in it, and of those beside it in the delegate calls */
    eti_ticks bound;
} eti_split;

/* Initialize to all zeros. */
typedef struct eti_delegation {
    eti_steps steps;
    /* most expensive first; then the operators that no backend took, then the framework */
    eti_backend_cost *backends;
    size_t n_backends;
    /* by bound, largest first; without times, by the number of splits, then of calls */
    eti_outside_op *outside;
    size_t n_outside;
    eti_split *splits; /* in the same order; then in order of execution */
    size_t n_splits;
    bool has_bytes;         /* a method of the program is among those whose payloads are added up */
    uint64_t n_named_bytes; /* size of the named data in that program, outside the payloads */
    eti_arena arena;
} eti_delegation;

/* Makes `out`. Fails with ETI_ERROR_LIMIT because of a program, or ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__delegation_make(eti_delegation *out, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__delegation_free(eti_delegation *delegation);

#endif
