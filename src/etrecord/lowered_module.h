/*
 * lowered_module.h - reads the delegated program and the beginning of the delegate's payload from the text of a lowered
 * module, which a delegate call takes in an ETRecord made after lowering.
 */
#ifndef ETI_ETRECORD_LOWERED_MODULE_H
#define ETI_ETRECORD_LOWERED_MODULE_H

#include "base/arena.h"
#include "etrecord/etrecord.h"
#include "etrecord/exported_program.h"
#include "read/read.h"

/* ==== lowered module ========================================================================== */

/* The modules of a graph, in its order. Starts as all zeros, except for the arenas. */
typedef struct eti_lowered_programs {
    eti_arena *arena, *scratch;
    eti_program_extent extent; /* ETI_PROGRAM_VALUES: without payloads */
    eti_lowered_program *first, **end;
    size_t n, payload_bytes;
    size_t n_items;   /* in all programs, see ETI_MOST_ITEMS */
    size_t n_damaged; /* modules with unreadable text, which have no nodes */
} eti_lowered_programs;

/* Takes the next string from `json`; faults in its text are not errors. Running out of memory is an error of `json`. */
void eti__lowered_module_read(eti_lowered_programs *modules, eti_json *json);

/* Frees the tables of the programs. */
void eti__lowered_programs_free(eti_lowered_programs *modules);

/* ==== graph values ============================================================================ */
/* Finds the values between the nodes of an exported program, and through the calls of its lowered
 * modules. */

/* Finds the values of a program that was read with them, and whose nodes are numbered below n_nodes. False: out of
 * memory. */
bool eti__graph_values_make(eti_graph_values *out, const eti_program *program, size_t n_nodes,
                            eti_arena *arena);

/* Finds the values of the program's lowered modules as well; `graph` is the one made from all of them. A node of a module
 * takes the call's input in place of the module's, and is the producer of the call's output, if call and module have
 * equally many. */
bool eti__graph_values_make_lowered(eti_graph_values *out, const eti_program *program,
                                    const eti_lowered_programs *lowered, const eti_graph *graph,
                                    eti_arena *arena);

#endif
