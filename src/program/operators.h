/*
 * operators.h - turns programs into the operators that they need: each once, with all calls of it.
 */
#ifndef ETI_PROGRAM_OPERATORS_H
#define ETI_PROGRAM_OPERATORS_H

#include "program/calls.h"

/* Where an operator is called. */
typedef struct eti_operator_call {
    uint32_t program, plan; /* indices */
    uint32_t instruction;   /* see calls.h */
} eti_operator_call;

typedef struct eti_needed_operator {
    eti_text name; /* "aten::add.out" */
    const eti_operator_call
        *calls; /* in order of programs, methods and instructions; none: it is only listed */
    uint32_t n_calls;
    uint64_t dtypes; /* of its arguments: bit N stands for the ScalarType N */
    /* As selective builds name kernels, "v1/6;0,1|6;0,1": types and orders of dimensions of its arguments. Each once,
     * sorted; none for a call with more than 64 tensors. */
    const eti_text *kernel_keys;
    uint32_t n_kernel_keys;
    bool is_missing; /* in a build, see eti__operators_find_missing() */
} eti_needed_operator;

typedef struct eti_needed_operators {
    eti_needed_operator *items; /* in order of their names */
    uint32_t n;
} eti_needed_operators;

/* Returns the name of a bit: "float32"; "unknown" of a number without a type. */
const char *eti__needed_dtype_name(int8_t scalar_type);

/* Lists the operators of `n` programs. All lives in `arena`, but texts of the programs are borrowed. ETI_ERROR_LIMIT for
 * methods of too many instructions, ETI_ERROR_MEMORY. */
eti_status eti__operators_make(eti_needed_operators *out, eti_arena *arena, const eti_pte *programs,
                               size_t n, eti_error *err) ETI_WARN_UNUSED;

/* Marks the operators that a build lacks, and counts them in `n_missing`. The list of what it has is either a name in each
 * line, such as "aten::add.out", or the YAML of a selective build, whose keys below "operators:" are the names. Lines that
 * begin with # and names without a namespace are passed over. ETI_ERROR_READ, ETI_ERROR_LIMIT; ETI_ERROR_MALFORMED for a file
 * without any name;
 * ETI_ERROR_MEMORY. */
eti_status eti__operators_find_missing(eti_needed_operators *operators, const eti_source *list,
                                       uint32_t *n_missing, eti_error *err) ETI_WARN_UNUSED;

#endif
