/*
 * lowered_module.h - reads the delegated program and the beginning of the delegate's payload from the text of a lowered
 * module, which a delegate call takes in an ETRecord made after lowering.
 *
 *     {"backend_id": "XnnpackBackend", "processed_bytes": "AAAAAFhIMDA…", "compile_specs": […],
 *      "original_module": {"graph_module": …}, "original_state_dict": "…", …}
 */
#ifndef ETI_ETRECORD_LOWERED_MODULE_H
#define ETI_ETRECORD_LOWERED_MODULE_H

#include "base/arena.h"
#include "etrecord/program.h"
#include "read/read.h"

/* Largest number of modules read for a graph. */
#define ETI_MOST_LOWERED_MODULES 4096
/* Largest number of payload bytes kept for all modules of a graph. */
#define ETI_MOST_PAYLOAD ((size_t)64 << 20)

typedef struct eti_lowered_program eti_lowered_program;
struct eti_lowered_program {
    eti_lowered_program *next;
    eti_text backend; /* such as "XnnpackBackend"; empty if unknown */
    eti_text payload; /* for XNNPACK: the part that its nodes need, in the arena; otherwise empty */
    eti_program program;
};

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

#endif
