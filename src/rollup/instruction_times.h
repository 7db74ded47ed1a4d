/*
 * instruction_times.h - joins the instructions of a program with the times of their Events.
 *
 * The time of an instruction is that of the Events with its number and chain: the call, the kernel
 * and the events that a delegate logged. An instruction in a loop has several Events in a run,
 * which are added up; an instruction in a branch that was not taken has none. Time that belongs to
 * no instruction counts as the framework's, so that all rows add up to the whole. Equal
 * instructions with the same number in several chains share one Event, with the time of the last of
 * them.
 */
#ifndef ETI_ROLLUP_INSTRUCTION_TIMES_H
#define ETI_ROLLUP_INSTRUCTION_TIMES_H

#include "account/account.h"
#include "base/arena.h"
#include "model/model.h"
#include "program/program.h"
#include "pte/pte.h"
#include "rollup/rollup.h"

/* A method that at least one block ran. */
typedef struct eti_timed_method {
    const eti_pte_plan *plan;
    size_t first; /* first row: one row for each of its instructions, then one for its framework */
    eti_liveness liveness;
    eti_planned_arenas arenas;
    eti_value_bytes bytes;
    const uint64_t *in_use; /* bytes in use of all arenas, by instruction */
} eti_timed_method;

typedef struct eti_instruction_times {
    eti_timed_method *methods; /* in the order of the program */
    size_t n_methods;
    /* the last row is the framework of runs without any instruction, if there are such runs */
    size_t n_rows;
    uint64_t *calls, *kernels; /* per row, in the runs that count; kernels run inside calls */
    eti_rollup rollup;         /* its groups are the rows */
    eti_arena arena;
} eti_instruction_times;

/* Makes the times of all methods of the inspector's program that its blocks ran. Fails with ETI_ERROR_DATA if an
 * Event belongs to no instruction, because the ETDump is of another program; with ETI_ERROR_USAGE if several methods
 * fit a block; with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__instruction_times_make(eti_instruction_times *out, const eti_inspector *inspector,
                                       const eti_view_options *options,
                                       eti_error *err) ETI_WARN_UNUSED;
void eti__instruction_times_free(eti_instruction_times *times);

/* Returns the method of a row, or NULL if it belongs to no method. */
const eti_timed_method *eti__instruction_method(const eti_instruction_times *times, size_t row);

/* Returns the number of calls of a row's instruction in the runs that count. */
uint64_t eti__instruction_calls(const eti_instruction_times *times, size_t row);

#endif
