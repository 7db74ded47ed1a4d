/*
 * lowered_module.h - turns the text of a lowered module, which a call of a delegate takes in an ETRecord that was made
 * after lowering, into the program that was delegated and the beginning of the delegate's payload.
 *
 *     {"backend_id": "XnnpackBackend", "processed_bytes": "AAAAAFhIMDA…", "compile_specs": […],
 *      "original_module": {"graph_module": …}, "original_state_dict": "…", …}
 */
#ifndef ETI_READ_RECORD_LOWERED_MODULE_H
#define ETI_READ_RECORD_LOWERED_MODULE_H

#include "read/record/program.h"

/* Modules that are read of one graph. */
#define ETI_MOST_LOWERED_MODULES 4096
/* Bytes of payload that are kept, of all modules of a graph. */
#define ETI_MOST_PAYLOAD ((size_t)64 << 20)

typedef struct eti_lowered_program eti_lowered_program;
struct eti_lowered_program {
    eti_lowered_program *next;
    eti_text backend; /* "XnnpackBackend"; empty: unknown */
    eti_text payload; /* of XNNPACK: as much as its nodes need, in the arena; else empty */
    eti_program program;
};

/* The modules of a graph, in its order. Starts as all zeros, except the arenas. */
typedef struct eti_lowered_programs {
    eti_arena *arena, *scratch;
    eti_program_extent extent; /* ETI_PROGRAM_VALUES: without payloads */
    eti_lowered_program *first, **end;
    size_t n, payload_bytes;
    size_t n_items;   /* of all programs, see ETI_MOST_ITEMS */
    size_t n_damaged; /* modules whose text cannot be read: they have no nodes */
} eti_lowered_programs;

/* Takes the string that comes next in `json`; what is wrong with its text is no error. Memory that is out is one of `json`. */
void eti__lowered_module_read(eti_lowered_programs *modules, eti_json *json);

/* Frees the tables of the programs. */
void eti__lowered_programs_free(eti_lowered_programs *modules);

#endif
