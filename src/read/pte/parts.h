/*
 * parts.h - reading a program: what container.c and plan.c share.
 */
#ifndef ETI_READ_PTE_PARTS_H
#define ETI_READ_PTE_PARTS_H

#include "flatbuf/flatbuf.h"
#include "read/pte/program_schema.inc"
#include "read/pte/pte.h"

typedef struct eti_pte_reader {
    eti_pte *pte;
    eti_flatbuf buffer;
    eti_position root;
    eti_arena *arena;
    uint32_t plan; /* that is being read, for messages */
    eti_error *err;
} eti_pte_reader;

/* Returns the byte of the file at which a table is, for messages. */
static inline size_t eti__pte_byte(const eti_pte_reader *in, eti_position table) {
    return in->buffer.file_offset + table;
}

/* Reads a method, with all its indices checked. `out` is all zeros. */
eti_status eti__pte_read_plan(eti_pte_reader *in, eti_position table,
                              eti_pte_plan *out) ETI_WARN_UNUSED;

#endif
