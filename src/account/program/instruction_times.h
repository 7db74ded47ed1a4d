/*
 * instruction_times.h - joins the instructions of a program with the times that Events log of them.
 *
 * Time is that of Events with the instruction's number and chain: of the call, of the kernel and of what a delegate logged.
 * An instruction of a loop has several Events in a run, which are added up; one of a branch that was not taken has none.
 */
#ifndef ETI_ACCOUNT_PROGRAM_INSTRUCTION_TIMES_H
#define ETI_ACCOUNT_PROGRAM_INSTRUCTION_TIMES_H

#include "account/rollup.h"
#include "program/arenas.h"
#include "program/flow.h"

/* A method that some block ran. */
typedef struct eti_timed_method {
    const eti_pte_plan *plan;
    size_t
        first; /* of its instructions, among those of all methods here, which are groups of the rollup */
    eti_liveness liveness;
    eti_planned_arenas arenas;
    eti_value_bytes bytes;
    const uint64_t *in_use; /* bytes of all arenas, by instruction */
} eti_timed_method;

typedef struct eti_instruction_times {
    eti_timed_method *methods; /* in the order of the program */
    size_t n_methods, n_instructions;
    uint64_t *
        calls; /* per instruction, in the runs that count: events that a delegate logged do not count */
    eti_rollup rollup;
    eti_arena arena;
} eti_instruction_times;

/* Makes the times of all methods of the inspector's program that its blocks ran. ETI_ERROR_DATA: an Event is of no such
 * instruction: the ETDump is of another program; ETI_ERROR_USAGE: several methods fit a block; ETI_ERROR_LIMIT,
 * ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__instruction_times_make(eti_instruction_times *out, const eti_inspector *inspector,
                                       const eti_view_options *options,
                                       eti_error *err) ETI_WARN_UNUSED;
void eti__instruction_times_free(eti_instruction_times *times);

/* Returns the method of a row. */
const eti_timed_method *eti__instruction_method(const eti_instruction_times *times, size_t row);

#endif
