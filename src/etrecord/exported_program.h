/*
 * exported_program.h - an exported program as lists of inputs and nodes, as in its JSON.
 */
#ifndef ETI_ETRECORD_EXPORTED_PROGRAM_H
#define ETI_ETRECORD_EXPORTED_PROGRAM_H

#include "base/intern.h"

typedef enum eti_argument_kind {
    ETI_ARGUMENT_NONE,
    ETI_ARGUMENT_TENSOR,
    ETI_ARGUMENT_TENSORS, /* uses `items` */
    ETI_ARGUMENT_SYMBOL,  /* a symbolic int or bool */
    ETI_ARGUMENT_OBJECT,
    ETI_ARGUMENT_GRAPH, /* a branch or a body, of which only the name is kept */
    ETI_ARGUMENT_OTHER, /* a constant */
} eti_argument_kind;

typedef struct eti_argument eti_argument;
struct eti_argument {
    eti_argument *next;
    eti_argument *items;
    eti_text name; /* "" if there is none; followed by a "_", for the Inspector's names */
    eti_argument_kind kind;
    bool is_weight; /* in a spec: a parameter, buffer or constant of the model */
};

#define ETI_NO_TEXT UINT32_MAX

/* Numbers are those of texts in the program's tables, or ETI_NO_TEXT. */
typedef struct eti_program_node eti_program_node;
struct eti_program_node {
    eti_program_node *next;
    eti_text name;        /* absent in old files; followed by a "_" */
    eti_argument *graphs; /* inputs that are graphs */
    eti_argument *inputs; /* inputs with names, if they are read, see program.h */
    eti_argument *outputs;
    eti_text debug_handle; /* absent if missing or null */
    uint32_t target;
    uint32_t first_input_name;
    uint32_t stack_trace;
    uint32_t module_stack;
    uint32_t origin;  /* only if values are read */
    uint32_t lowered; /* 1 + number of the lowered module that it calls; 0 if none */
    uint32_t number;  /* number in the graph made from the program */
};

/* A tensor of the graph, under the name used by arguments. */
typedef struct eti_program_tensor eti_program_tensor;
struct eti_program_tensor {
    eti_program_tensor *next;
    eti_text name;
    int64_t dtype; /* torch.export's number */
    uint32_t shape;
};

/* Each item takes about a hundred bytes, however little it takes in the file. The largest current graphs have about ten
 * thousand nodes, and as many outputs and stack traces. */
#define ETI_MOST_ITEMS ((size_t)1 << 21)

typedef struct eti_program {
    eti_argument *inputs;
    eti_argument *input_specs; /* names by position, as in the signature */
    eti_argument *outputs;     /* only if values are read */
    eti_program_node *nodes;
    size_t n_nodes;
    bool is_quantized; /* a target is an operator inserted by quantizers */
    eti_text_table targets;
    eti_text_table input_names;
    eti_text_table stack_traces;
    eti_text_table module_stacks;
    eti_text_table origins;      /* names of nodes of the exported program */
    eti_program_tensor *tensors; /* only if values are read */
    eti_text_table shapes;       /* such as "[1, 3, s0]" */
} eti_program;

#endif
