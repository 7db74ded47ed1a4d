/*
 * program_reader.h - how far reading an exported program has come, and objects read by their members.
 */
#ifndef ETI_READ_RECORD_PROGRAM_READER_H
#define ETI_READ_RECORD_PROGRAM_READER_H

#include "read/json.h"
#include "read/record/exported_program.h"

/* The text that came last of its kind: most nodes have what the node before them has. */
typedef struct eti_last_text {
    eti_buffer spelling; /* in the file */
    uint32_t number;
} eti_last_text;

typedef struct eti_program_reader {
    eti_json *json;
    eti_arena *arena;
    eti_arena *scratch;
    eti_program *program;
    eti_program_node *node; /* the one that is being read */
    eti_buffer node_name;   /* of that node */
    eti_argument *argument; /* the one that is being read */
    eti_argument input;     /* place for one that is not kept */
    eti_last_text stack_trace, module_stack;
    bool keep_names; /* of arguments */
    eti_argument **graphs_end;
    eti_argument **inputs_end;
    bool reads_values, reads_inputs;
    eti_program_tensor *tensor; /* the one that is being read */
    eti_buffer shape;           /* of that tensor */
    size_t n_inputs;            /* of the node */
    size_t n_items;             /* of the program, up to ETI_MOST_ITEMS */
    bool has_nodes;
    struct eti_program_lowering *lowering; /* NULL: lowered modules are passed over */
} eti_program_reader;

/* A member of an object that is wanted, and the function that takes its value. */
typedef struct eti_program_member {
    eti_text key;
    void (*read)(eti_program_reader *in);
} eti_program_member;

#define ETI_KEY(text)                                                                              \
    { (text), sizeof(text) - 1 }

#define ETI_N_MEMBERS(array) (sizeof(array) / sizeof *(array))

/* Which keys an object has: bit i stands for member i, bit n for all that are not listed. */
typedef unsigned eti_program_keys;

/* An object: the members listed are read, null ones and others are passed over. */
eti_program_keys eti__program_read_members(eti_program_reader *in,
                                           const eti_program_member *members, size_t n);
/* The same for an object that must have a key, no matter which. */
void eti__program_read_some_member(eti_program_reader *in, const eti_program_member *members,
                                   size_t n);

/* False when there are too many. */
bool eti__program_count_item(eti_program_reader *in);

/* A name is kept with the "_" that the Inspector puts behind it, so that it need not be copied again. False: out of
 * memory. */
bool eti__program_copy_name(eti_program_reader *in, eti_text name, eti_text *out);

#endif
