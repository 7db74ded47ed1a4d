/*
 * program.h - turns the JSON of an exported program into lists of its inputs and nodes, still as
 * the file has them: nothing is named, resolved or split.
 *
 * Passed over are weights, delegates' blobs and nested graphs and, unless they are asked for, the nodes'
 * inputs and what is known of tensors. Unions are read in both
 * spellings: with the chosen alternative only, and with all alternatives of which one is not null
 * (2023).
 */
#ifndef ETI_READ_PROGRAM_H
#define ETI_READ_PROGRAM_H

#include "base/text_table.h"
#include "read/json.h"

typedef enum eti_argument_kind {
    ETI_ARGUMENT_NONE,
    ETI_ARGUMENT_TENSOR,
    ETI_ARGUMENT_TENSORS, /* `items` */
    ETI_ARGUMENT_SYMBOL,  /* a symbolic int or bool */
    ETI_ARGUMENT_OBJECT,
    ETI_ARGUMENT_GRAPH, /* a branch or a body; only its name is kept */
    ETI_ARGUMENT_OTHER, /* a constant */
} eti_argument_kind;

typedef struct eti_argument eti_argument;
struct eti_argument {
    eti_argument *next;
    eti_argument *items;
    eti_text name; /* "" where there is none; a "_" follows it, for the Inspector's names */
    eti_argument_kind kind;
};

#define ETI_NO_TEXT UINT32_MAX

/* Numbers are those of texts in the program's tables, or ETI_NO_TEXT. */
typedef struct eti_program_node eti_program_node;
struct eti_program_node {
    eti_program_node *next;
    eti_text name;        /* absent in old files; a "_" follows it */
    eti_argument *graphs; /* the inputs that are graphs */
    eti_argument *inputs; /* those with names; only with values */
    eti_argument *outputs;
    eti_text debug_handle; /* absent: none, or null */
    uint32_t target;
    uint32_t first_input_name;
    uint32_t stack_trace;
    uint32_t module_stack;
};

/* A tensor of the graph, by the name that arguments call it. */
typedef struct eti_program_tensor eti_program_tensor;
struct eti_program_tensor {
    eti_program_tensor *next;
    eti_text name;
    int64_t dtype; /* torch.export's number */
    uint32_t shape;
};

/* Each costs some hundred bytes, however little it takes in the file. The largest graphs of today have
 * some ten thousand nodes, with as many outputs and stack traces. */
#define ETI_MOST_ITEMS ((size_t)1 << 21)

typedef struct eti_program {
    eti_argument *inputs;
    eti_argument *input_specs; /* names by position, as the signature has them */
    eti_program_node *nodes;
    size_t n_nodes;
    eti_text_table targets;
    eti_text_table input_names;
    eti_text_table stack_traces;
    eti_text_table module_stacks;
    eti_program_tensor *tensors; /* only with values */
    eti_text_table shapes;       /* "[1, 3, s0]" */
} eti_program;

/* What is read of a program. */
typedef enum eti_program_extent {
    ETI_PROGRAM_NODES,
    ETI_PROGRAM_VALUES, /* what flows between them, too */
} eti_program_extent;

/* Reads from `json`, which the caller opens and closes: errors are kept in there; a program without
 * a list of nodes is one, and so are more than ETI_MOST_ITEMS nodes, arguments that are kept and different
 * texts together. Names, targets, stack traces, module stacks and shapes go to `arena`, the rest to `scratch`. To
 * be freed in any case. */
void eti_program_read(eti_program *out, eti_program_extent extent, eti_json *json, eti_arena *arena,
                      eti_arena *scratch);

/* Frees the tables, not the texts. */
void eti_program_free(eti_program *program);

#endif
