/*
 * steps.h - turns Events, or a program if there is no ETDump, into the steps of methods: the
 * instructions that call a kernel or a delegate, in order, and the parts of the time of each.
 *
 * Blocks that ran the same method share its steps. Copies that a delegate makes because its
 * neighbours keep tensors in another layout or type are distinguished from its operators by the
 * names that it logs.
 */
#ifndef ETI_ROLLUP_STEPS_H
#define ETI_ROLLUP_STEPS_H

#include "account/account.h"
#include "base/arena.h"
#include "base/intern.h"
#include "model/model.h"
#include "places/places.h"
#include "rollup/op_type.h"
#include "rollup/rollup.h"

typedef enum eti_step_kind {
    ETI_STEP_KERNEL,
    ETI_STEP_DELEGATE,
    ETI_STEP_BARRIER, /* an instruction that no delegate can take, such as a jump or a move */
} eti_step_kind;

/* Part of the time of a step. */
typedef enum eti_step_part {
    ETI_STEP_WORK,       /* operators */
    ETI_STEP_AROUND,     /* the runtime, around a kernel */
    ETI_STEP_COPY_IN,    /* copies that a delegate logs before its other operators */
    ETI_STEP_COPY_OUT,   /* copies that it logs after its other operators */
    ETI_STEP_NOT_LOGGED, /* time of a delegate call that is not logged */
    ETI_N_STEP_PARTS,
} eti_step_part;

/* Group of the rollup for time that belongs to no step; eti__step_group() returns the other
 * groups. */
#define ETI_STEP_NO_GROUP 0

typedef struct eti_step_key {
    /* number of the method's name; numbers from UINT32_MAX down for blocks with an unknown method */
    uint32_t method;
    int32_t instruction; /* -1 if unknown */
    uint32_t kind;       /* an eti_step_kind */
    /* index into steps->names: the operator of a kernel, see op_type.h, or a backend */
    uint32_t name;
} eti_step_key;

typedef struct eti_step {
    eti_step_key key;
    bool is_copy; /* the kernel changes only layout or type */
    eti_place place;
    /* number of operators that a delegate logged in any block, or has in its payload, or of nodes that the ETRecord lists
     * for its call; 0 if unknown */
    uint64_t n_operators;
} eti_step;

/* Mark a barrier in the order of steps, and the beginning of a method or block. */
#define ETI_NO_STEP UINT32_MAX
#define ETI_FIRST_STEP (UINT32_MAX - 1)

/* Initialize to all zeros. */
typedef struct eti_steps {
    ETI_INTERN_OF(eti_step) all;
    uint32_t *order; /* numbers of steps, ETI_NO_STEP or ETI_FIRST_STEP */
    size_t n_order, order_capacity;
    eti_shared_texts names;   /* names of operators and backends */
    eti_shared_texts methods; /* names of methods */
    eti_places places;
    eti_rollup rollup; /* without an ETDump: empty */
    bool has_times;
    eti_distinct_events distinct; /* operators that delegates logged */
    eti_arena arena;              /* owns the names of programs' operators */
} eti_steps;

/* Returns the group of a part of a step. */
static inline uint32_t eti__step_group(uint32_t step, eti_step_part part) {
    return 1 + step * ETI_N_STEP_PARTS + (uint32_t)part;
}

/* Makes the steps of the blocks selected by the options or, without an ETDump, of the first program. Fails with
 * ETI_ERROR_LIMIT because of a program, or ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__steps_make(eti_steps *out, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__steps_free(eti_steps *steps);

#endif
