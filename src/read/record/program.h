/*
 * program.h - turns the JSON of an exported program into lists of its inputs and nodes, still as
 * the file has them: nothing is named, resolved or split.
 *
 * Passed over are weights, nested graphs and, unless a function takes them, lowered modules and, unless they are asked for, what is known of tensors
 * and the nodes' inputs; those from the first operator of a quantizer on are read in any case. Unions are read in both
 * spellings: with the chosen alternative only, and with all alternatives of which one is not null
 * (2023).
 */
#ifndef ETI_READ_RECORD_PROGRAM_H
#define ETI_READ_RECORD_PROGRAM_H

#include "read/json.h"
#include "read/record/exported_program.h"

/* What is read of a program. */
typedef enum eti_program_extent {
    ETI_PROGRAM_NODES,
    ETI_PROGRAM_INPUTS, /* what nodes take, too */
    ETI_PROGRAM_VALUES, /* what flows between them, too */
} eti_program_extent;

/* What is done with the text of a lowered module, the first input of a call of a delegate. */
typedef struct eti_program_lowering {
    void (*read)(void *context, eti_json *json); /* takes the string; NULL: it is passed over */
    void *context;
    uint32_t n_modules; /* that were read */
    size_t n_items;     /* counted before, and then with those of the program, see ETI_MOST_ITEMS */
} eti_program_lowering;

/* Reads from `json`, which the caller opens and closes: errors are kept in there; a program without
 * a list of nodes is one, and so are more than ETI_MOST_ITEMS nodes, arguments that are kept and different
 * texts together. Names, targets, stack traces, module stacks and shapes go to `arena`, the rest to `scratch`. To
 * be freed in any case. `lowering` may be NULL. */
void eti__program_read(eti_program *out, eti_program_extent extent, eti_program_lowering *lowering,
                       eti_json *json, eti_arena *arena, eti_arena *scratch);

/* Frees the tables, not the texts. */
void eti__program_free(eti_program *program);

#endif
