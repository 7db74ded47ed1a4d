/*
 * run_inputs.h - numbers the inputs of runs.
 *
 * Input 0 of a method is that of its first listed run, input 1 that of the next one, in the order
 * of the ETDumps and of the runs in them. Input i of a side is input i of each of its methods: if
 * each method ran once, there is one input.
 */
#ifndef ETI_NUMERICS_RUN_INPUTS_H
#define ETI_NUMERICS_RUN_INPUTS_H

#include "base/arena.h"
#include "base/intern.h"
#include "numerics/recorded.h"

/* Range of tensors that were recorded with an input: [first, end). */
typedef struct eti_run_input {
    size_t first, end;
} eti_run_input;

typedef struct eti_run_inputs {
    eti_run_input *inputs;
    size_t n;
    /* Names of the runs, as in names of saved tensors ("Execute.0"), ordered by input, and the input of each. */
    eti_text_table names;
    size_t *input_of;
    eti_arena arena;
} eti_run_inputs;

/* Finds the inputs and sorts the tensors by them; those of a run keep their order. Fails with ETI_ERROR_MEMORY. Free
 * `out` in any case. */
eti_status eti__run_inputs_arrange(eti_run_inputs *out, eti_recorded *recorded,
                                   eti_error *err) ETI_WARN_UNUSED;
void eti__run_inputs_free(eti_run_inputs *inputs);

#endif
