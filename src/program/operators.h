/*
 * operators.h - lists the operators that programs need: each once, with all its calls.
 */
#ifndef ETI_PROGRAM_OPERATORS_H
#define ETI_PROGRAM_OPERATORS_H

#include "base/arena.h"
#include "program/calls.h"
#include "pte/pte.h"

/* The place of a call. */
typedef struct eti_operator_call {
    uint32_t program, plan; /* indices */
    uint32_t instruction;   /* see calls.h */
} eti_operator_call;

typedef struct eti_needed_operator {
    eti_text name; /* such as "aten::add.out" */
    const eti_operator_call *
        calls; /* in order of programs, methods and instructions; empty if the operator is only listed */
    uint32_t n_calls;
    uint64_t dtypes; /* of its arguments: bit N stands for ScalarType N */
    /* Kernel names as in selective builds, such as "v1/6;0,1|6;0,1": types and dimension orders of the arguments. Each
     * occurs once, sorted; a call with more than 64 tensors has none. */
    const eti_text *kernel_keys;
    uint32_t n_kernel_keys;
    bool is_missing; /* missing from a build, see eti__operators_find_missing() */
} eti_needed_operator;

typedef struct eti_needed_operators {
    eti_needed_operator *items; /* in order of their names */
    uint32_t n;
} eti_needed_operators;

/* Returns the name of a ScalarType, such as "float32"; "unknown" if the number has none. */
const char *eti__needed_dtype_name(int8_t scalar_type);

/* Lists the operators of `n` programs. Everything lives in `arena`, except for texts borrowed from the programs.
 * ETI_ERROR_LIMIT if a method has too many instructions, ETI_ERROR_MEMORY. */
eti_status eti__operators_make(eti_needed_operators *out, eti_arena *arena, const eti_pte *programs,
                               size_t n, eti_error *err) ETI_WARN_UNUSED;

/* Marks the operators that a build lacks, and stores their number in `n_missing`. The list of the build's operators has a
 * name such as "aten::add.out" on each line, or is the YAML file of a selective build, in which the names are the keys
 * below "operators:". Lines that begin with # and names without a namespace are ignored. ETI_ERROR_READ, ETI_ERROR_LIMIT;
 * ETI_ERROR_MALFORMED if the file has no names; ETI_ERROR_MEMORY. */
eti_status eti__operators_find_missing(eti_needed_operators *operators, const eti_source *list,
                                       uint32_t *n_missing, eti_error *err) ETI_WARN_UNUSED;

#endif
