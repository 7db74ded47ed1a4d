/*
 * parts.h - reading a program: what container.c, plan.c and value.c share.
 */
#ifndef ETI_READ_PTE_PARTS_H
#define ETI_READ_PTE_PARTS_H

#include "flatbuf/flatbuf.h"
#include "read/pte/program_schema.inc"
#include "read/pte/pte.h"

#define ETI_PTE_NO_PLAN UINT32_MAX
#define ETI_PTE_NO_NUMBER UINT32_MAX

/* Path of the part being read, for messages: execution_plan[1].chains[0].instructions[17]. */
typedef struct eti_pte_place {
    uint32_t plan;    /* ETI_PTE_NO_PLAN: the program as a whole */
    const char *list; /* of the plan or the program; NULL: itself */
    uint32_t
        number; /* in the list, ETI_PTE_NO_NUMBER: it is no list; of an instruction: in its chain */
    uint32_t chain;
    bool is_instruction; /* the list is then that of the chain */
} eti_pte_place;

typedef struct eti_pte_reader {
    eti_pte *pte;
    eti_flatbuf buffer;
    eti_position root;
    eti_arena *arena;
    eti_pte_place place;
    eti_error *err;
} eti_pte_reader;

/* The description that verification walks, for tests that damage programs by it. */
extern const eti_table_schema *const eti__program_schema;

/* Fails because of what is at `at` in the buffer: in the field `field` (a path) of the place that is being read. */
eti_status eti__pte_fail(const eti_pte_reader *in, eti_position at, const char *field,
                         const char *wrong) ETI_WARN_UNUSED;

/* Fails because `index` is not below `n`: "there is no value 9, only 7". */
eti_status eti__pte_fail_index(const eti_pte_reader *in, eti_position at, const char *field,
                               const char *what, int64_t index, uint64_t n) ETI_WARN_UNUSED;

/* Reads the indices of values that `vector` is, of i32 or of i64; each is checked. `may_be_absent`: negative ones are read
 * as -1. */
eti_status eti__pte_read_indices(const eti_pte_reader *in, eti_vector vector, bool are_64_bits,
                                 bool may_be_absent, uint32_t n_values, const char *field,
                                 eti_pte_indices *out) ETI_WARN_UNUSED;

/* Reads the values of a method, whose arenas are read already. */
eti_status eti__pte_read_values(eti_pte_reader *in, eti_position table,
                                eti_pte_plan *out) ETI_WARN_UNUSED;

/* Reads a method, with all its indices checked. `out` is all zeros. */
eti_status eti__pte_read_plan(eti_pte_reader *in, eti_position table,
                              eti_pte_plan *out) ETI_WARN_UNUSED;

#endif
