/*
 * exported_program.h - an exported program as lists of inputs and nodes, as in its JSON.
 */
#ifndef ETI_ETRECORD_EXPORTED_PROGRAM_H
#define ETI_ETRECORD_EXPORTED_PROGRAM_H

#include "base/arena.h"
#include "etinspect.h"
#include "etrecord/etrecord.h"
#include "read/read.h"

/* ==== exported program ======================================================================== */

typedef enum eti_argument_kind {
    ETI_ARGUMENT_NONE,
    ETI_ARGUMENT_TENSOR,
    ETI_ARGUMENT_TENSORS, /* uses `items` */
    ETI_ARGUMENT_SYMBOL,  /* a symbolic int or bool */
    ETI_ARGUMENT_OBJECT,
    ETI_ARGUMENT_GRAPH, /* a branch or a body, of which only the name is kept */
    ETI_ARGUMENT_OTHER, /* a constant */
} eti_argument_kind;
struct eti_argument {
    eti_argument *next;
    eti_argument *items;
    eti_text name; /* "" if there is none; followed by a "_", for the Inspector's names */
    eti_argument_kind kind;
    bool is_weight; /* in a spec: a parameter, buffer or constant of the model */
};

#define ETI_NO_TEXT UINT32_MAX
struct eti_program_node {
    eti_program_node *next;
    eti_text name;        /* absent in old files; followed by a "_" */
    eti_argument *graphs; /* inputs that are graphs */
    eti_argument *inputs; /* inputs with names, if they are read, see "program" below */
    eti_argument *outputs;
    eti_text debug_handle; /* absent if missing or null */
    uint32_t target;
    uint32_t functional; /* target of the operator that auto_functionalized calls */
    uint32_t first_input_name;
    uint32_t stack_trace;
    uint32_t module_stack;
    uint32_t origin;  /* only if values are read */
    uint32_t lowered; /* 1 + number of the lowered module that it calls; 0 if none */
    uint32_t number;  /* number in the graph made from the program */
};
struct eti_program_tensor {
    eti_program_tensor *next;
    eti_text name;
    int64_t dtype; /* torch.export's number */
    uint32_t shape;
};

/* Each item takes about a hundred bytes, however little it takes in the file. The largest current graphs have about ten
 * thousand nodes, and as many outputs and stack traces. */
#define ETI_MOST_ITEMS ((size_t)1 << 21)

/* ==== program ================================================================================= */
/* Reads the JSON of an exported program into lists of its inputs and nodes, as they are in the
 * file: nothing is named, resolved or split.
 *
 * Weights and nested graphs are skipped, and so are lowered modules unless a function reads them.
 * The properties of tensors and the nodes' inputs are skipped unless they are requested; but
 * inputs are always read from the first operator of a quantizer on. Unions are read in both
 * spellings: with only the chosen alternative, and with all alternatives, one of which is not null
 * (2023). */

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
