/*
 * program.h - reads the JSON of an exported program into lists of its inputs and nodes, as they are in the file: nothing is
 * named, resolved or split.
 *
 * Weights and nested graphs are skipped, and so are lowered modules unless a function reads them. The properties of tensors
 * and the nodes' inputs are skipped unless they are requested; but inputs are always read from the first operator of a
 * quantizer on. Unions are read in both spellings: with only the chosen alternative, and with all alternatives, one of which
 * is not null (2023).
 */
#ifndef ETI_ETRECORD_PROGRAM_H
#define ETI_ETRECORD_PROGRAM_H

#include "base/arena.h"
#include "etrecord/exported_program.h"
#include "read/read.h"

/* How much of a program is read. */
typedef enum eti_program_extent {
    ETI_PROGRAM_NODES,
    ETI_PROGRAM_INPUTS, /* also the inputs of nodes */
    ETI_PROGRAM_VALUES, /* also the values between nodes */
} eti_program_extent;

/* Reads the text of a lowered module, the first input of a delegate call. */
typedef struct eti_program_lowering {
    void (*read)(void *context, eti_json *json); /* takes the string; NULL: it is skipped */
    void *context;
    uint32_t n_modules; /* number of modules read */
    size_t n_items; /* items counted before; those of the program are added, see ETI_MOST_ITEMS */
} eti_program_lowering;

/* Reads from `json`, which the caller opens and closes, and which keeps errors. A program without a list of nodes is an
 * error, and so are more than ETI_MOST_ITEMS nodes, kept arguments and distinct texts in total. Names, targets, stack
 * traces, module stacks and shapes go to `arena`, the rest to `scratch`. The caller frees `out` in any case. `lowering`
 * may be NULL. */
void eti__program_read(eti_program *out, eti_program_extent extent, eti_program_lowering *lowering,
                       eti_json *json, eti_arena *arena, eti_arena *scratch);

/* Frees the tables but not the texts. */
void eti__program_free(eti_program *program);

#endif
