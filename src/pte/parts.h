/*
 * parts.h - definitions shared by container.c, plan.c and value.c, which read a program.
 */
#ifndef ETI_PTE_PARTS_H
#define ETI_PTE_PARTS_H

#include "base/arena.h"
#include "flatbuf/flatbuf.h"
#include "pte/program_schema.inc"
#include "pte/pte.h"

#define ETI_PTE_NO_PLAN UINT32_MAX
#define ETI_PTE_NO_NUMBER UINT32_MAX

/* Path of the part being read, for messages, such as execution_plan[1].chains[0].instructions[17]. */
typedef struct eti_pte_place {
    uint32_t plan;    /* ETI_PTE_NO_PLAN: the program as a whole */
    const char *list; /* a list of the plan or the program; NULL: the plan or program itself */
    uint32_t
        number; /* index in the list; ETI_PTE_NO_NUMBER: it is not a list; for an instruction, its index in the chain */
    uint32_t chain;
    bool is_instruction; /* then the list is that of the chain */
} eti_pte_place;

typedef struct eti_pte_reader {
    eti_pte *pte;
    eti_flatbuf buffer;
    eti_position root;
    eti_arena *arena;
    eti_pte_place place;
    eti_error *err;
} eti_pte_reader;

/* Schema that verification follows, for tests that damage programs with it. */
extern const eti_table_schema *const eti__program_schema;

/* Fails because of the data at `at` in the buffer: in field `field` (a path) of the place being read. */
eti_status eti__pte_fail(const eti_pte_reader *in, eti_position at, const char *field,
                         const char *wrong) ETI_WARN_UNUSED;

/* Fails because `index` is not below `n`, with a message such as "there is no value 9, only 7". */
eti_status eti__pte_fail_index(const eti_pte_reader *in, eti_position at, const char *field,
                               const char *what, int64_t index, uint64_t n) ETI_WARN_UNUSED;

/* Reads `vector`, of i32 or i64, which contains indices of values, and checks each. `may_be_absent`: negative ones are
 * allowed and read as -1. */
eti_status eti__pte_read_indices(const eti_pte_reader *in, eti_vector vector, bool are_64_bits,
                                 bool may_be_absent, uint32_t n_values, const char *field,
                                 eti_pte_indices *out) ETI_WARN_UNUSED;

/* Reads the values of a method whose arenas have been read. */
eti_status eti__pte_read_values(eti_pte_reader *in, eti_position table,
                                eti_pte_plan *out) ETI_WARN_UNUSED;

/* Reads a method and checks all its indices. `out` must be all zeros. */
eti_status eti__pte_read_plan(eti_pte_reader *in, eti_position table,
                              eti_pte_plan *out) ETI_WARN_UNUSED;

#endif
