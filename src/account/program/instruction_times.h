/*
 * instruction_times.h - joins the instructions of a program with the times of their Events.
 *
 * The time of an instruction is that of Events with its number and chain: of the call, of the
 * kernel and of the events that a delegate logged. An instruction in a loop has several Events in a
 * run, which are added up; an instruction in a branch that was not taken has none. Time that
 * belongs to no instruction counts as the framework's, so that all rows add up to the whole. Equal
 * instructions with the same number in several chains share one Event, whose time is that of the
 * last of them.
 */
#ifndef ETI_ACCOUNT_PROGRAM_INSTRUCTION_TIMES_H
#define ETI_ACCOUNT_PROGRAM_INSTRUCTION_TIMES_H

#include "account/rollup.h"
#include "program/arenas.h"
#include "program/flow.h"

/* A method that some block ran. */
typedef struct eti_timed_method {
    const eti_pte_plan *plan;
    size_t first; /* row: one for each of its instructions, then one for its framework */
    eti_liveness liveness;
    eti_planned_arenas arenas;
    eti_value_bytes bytes;
    const uint64_t *in_use; /* bytes of all arenas, by instruction */
} eti_timed_method;

typedef struct eti_instruction_times {
    eti_timed_method *methods; /* in the order of the program */
    size_t n_methods;
    size_t n_rows; /* the last is the framework of runs without any instruction, if there are any */
    uint64_t *calls, *kernels; /* per row, in the runs that count; kernels run in calls */
    eti_rollup rollup;         /* its groups are the rows */
    eti_arena arena;
} eti_instruction_times;

/* Makes the times of all methods of the inspector's program that its blocks ran. ETI_ERROR_DATA: an Event is of no such
 * instruction: the ETDump is of another program; ETI_ERROR_USAGE: several methods fit a block; ETI_ERROR_LIMIT,
 * ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__instruction_times_make(eti_instruction_times *out, const eti_inspector *inspector,
                                       const eti_view_options *options,
                                       eti_error *err) ETI_WARN_UNUSED;
void eti__instruction_times_free(eti_instruction_times *times);

/* Returns the method of a row; NULL: of none. */
const eti_timed_method *eti__instruction_method(const eti_instruction_times *times, size_t row);

/* Returns how often the instruction of a row was called, in the runs that count. */
uint64_t eti__instruction_calls(const eti_instruction_times *times, size_t row);

#endif
