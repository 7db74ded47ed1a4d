/*
 * exported_program.h - an exported program as lists of inputs and nodes, still as its JSON has them.
 */
#ifndef ETI_READ_RECORD_EXPORTED_PROGRAM_H
#define ETI_READ_RECORD_EXPORTED_PROGRAM_H

#include "base/text_table.h"

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
    bool is_weight; /* of a spec: a parameter, a buffer or a constant of the model */
};

#define ETI_NO_TEXT UINT32_MAX

/* Numbers are those of texts in the program's tables, or ETI_NO_TEXT. */
typedef struct eti_program_node eti_program_node;
struct eti_program_node {
    eti_program_node *next;
    eti_text name;        /* absent in old files; a "_" follows it */
    eti_argument *graphs; /* the inputs that are graphs */
    eti_argument *inputs; /* those with names; where they are read, see program.h */
    eti_argument *outputs;
    eti_text debug_handle; /* absent: none, or null */
    uint32_t target;
    uint32_t first_input_name;
    uint32_t stack_trace;
    uint32_t module_stack;
    uint32_t origin;  /* only with values */
    uint32_t lowered; /* 1 + number of the lowered module that it calls; 0: none */
    uint32_t number;  /* in the graph that is made of the program */
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
    eti_argument *outputs;     /* only with values */
    eti_program_node *nodes;
    size_t n_nodes;
    bool is_quantized; /* a target is an operator that a quantizer inserts */
    eti_text_table targets;
    eti_text_table input_names;
    eti_text_table stack_traces;
    eti_text_table module_stacks;
    eti_text_table origins;      /* names of nodes of the exported program */
    eti_program_tensor *tensors; /* only with values */
    eti_text_table shapes;       /* "[1, 3, s0]" */
} eti_program;

#endif
