/*
 * program_reader.h - the state of reading an exported program, and functions that read objects by their members.
 */
#ifndef ETI_ETRECORD_PROGRAM_READER_H
#define ETI_ETRECORD_PROGRAM_READER_H

#include "base/arena.h"
#include "base/text.h"
#include "etrecord/exported_program.h"
#include "read/read.h"

/* The last text of its kind: most nodes have the same text as the node before. */
typedef struct eti_last_text {
    eti_buffer spelling; /* as spelled in the file */
    uint32_t number;
} eti_last_text;

typedef struct eti_program_reader {
    eti_json *json;
    eti_arena *arena;
    eti_arena *scratch;
    eti_program *program;
    eti_program_node *node; /* the current one */
    eti_buffer node_name;   /* of that node */
    eti_argument *argument; /* the current one */
    eti_argument input;     /* room for an argument that is not kept */
    eti_last_text stack_trace, module_stack;
    bool keep_names; /* names of arguments are kept */
    eti_argument **graphs_end;
    eti_argument **inputs_end;
    bool reads_values, reads_inputs;
    eti_program_tensor *tensor; /* the current one */
    eti_buffer shape;           /* of that tensor */
    size_t n_inputs;            /* of the node so far */
    size_t n_items;             /* of the program so far, up to ETI_MOST_ITEMS */
    bool has_nodes;
    struct eti_program_lowering *lowering; /* NULL: lowered modules are skipped */
} eti_program_reader;

/* A requested member of an object, and the function that reads its value. */
typedef struct eti_program_member {
    eti_text key;
    void (*read)(eti_program_reader *in);
} eti_program_member;

#define ETI_KEY(text)                                                                              \
    { (text), sizeof(text) - 1 }

#define ETI_N_MEMBERS(array) (sizeof(array) / sizeof *(array))

/* The keys that an object has: bit i stands for member i, bit n for all unlisted keys. */
typedef unsigned eti_program_keys;

/* Reads an object: listed members are read, unless they are null; others are skipped. */
eti_program_keys eti__program_read_members(eti_program_reader *in,
                                           const eti_program_member *members, size_t n);
/* Does the same for an object that must have at least one key. */
void eti__program_read_some_member(eti_program_reader *in, const eti_program_member *members,
                                   size_t n);

/* Counts an item; returns false if there are too many. */
bool eti__program_count_item(eti_program_reader *in);

/* Copies a name with the "_" that the Inspector appends, so that it need not be copied again. False: out of memory. */
bool eti__program_copy_name(eti_program_reader *in, eti_text name, eti_text *out);

#endif
