/*
 * places.h - finds out where an event belongs: to which operators, to which module, to which line of the
 * user's source.
 *
 * An event may stand for several nodes of the graph. Its op is their distinct operators in order of first
 * appearance; its module is the innermost one that all of them share, its frame likewise, where nodes that
 * have no modules or no stack trace do not count. Frames of torch's own packages are left out of stack traces
 * in which there are others.
 *
 * Each list of nodes, stack of modules and stack trace is looked at once, whatever it is shared by.
 */
#ifndef ETI_ACCOUNT_PLACES_H
#define ETI_ACCOUNT_PLACES_H

#include "account/account.h"
#include "base/prefix_tree.h"
#include "base/shared_texts.h"
#include "base/stack_frame.h"
#include "model/inspector.h"

typedef struct eti_place {
    uint32_t ops;     /* in places->ops */
    uint32_t module;  /* in places->modules */
    uint32_t frame;   /* in places->frames */
    bool has_modules; /* some node has */
    bool has_frames;
    bool is_settled; /* what it is inside of was asked */
} eti_place;

/* A line of source, with its file as a number. The function and the code are those that were met first. */
typedef struct eti_place_frame {
    uint32_t file; /* of places->files */
    uint32_t line; /* that of the frame */
    eti_stack_frame frame;
} eti_place_frame;

typedef struct eti_place_op {
    eti_text name;
    uint32_t mark; /* the last list of nodes that has it */
} eti_place_op;

typedef struct eti_place_module {
    eti_text name;           /* path, or where that is empty (the model itself) the type */
    const eti_module *first; /* of the name */
} eti_place_module;

/* The place of a list of nodes, which events of an instruction share. */
typedef struct eti_place_list {
    const eti_op_node *const *nodes;
    eti_place place;
} eti_place_list;

/* Starts with eti__places_init(). Items of the trees are numbers of the tables beside them; all texts are the
 * record's. */
typedef struct eti_places {
    eti_prefix_tree ops;
    ETI_INTERN_OF(eti_place_op) op_names;
    eti_prefix_tree modules;
    ETI_INTERN_OF(eti_place_module) module_names;
    eti_prefix_tree frames;
    ETI_INTERN_OF(eti_place_frame) lines;
    eti_text_table files;
    ETI_INTERN_OF(eti_place_list) lists;
    eti_pointer_table by_stack, by_trace, by_op;
} eti_places;

/* False when memory is out; to be freed in any case. */
bool eti__places_init(eti_places *places);
void eti__places_free(eti_places *places);

/* The place of an event; all zeros where the record knows none. False when memory is out. */
bool eti__places_of_event(eti_places *places, const eti_event *event, eti_place *out);
/* Returns the places of all events of the account's block: one that the record does not know takes the place, though not
 * the ops, of the event around it. To be freed; NULL: out of memory. */
eti_place *eti__places_of_block(eti_places *places, const eti_account *account) ETI_WARN_UNUSED;
/* That of a node; its `ops` are zero. */
bool eti__places_of_node(eti_places *places, const eti_op_node *node, eti_place *out);

/* The last of a path other than the empty one. */
const eti_module *eti__places_module(const eti_places *places, uint32_t module);
eti_text eti__places_module_name(const eti_places *places, uint32_t module);
/* The module at most `depth` levels below the model. */
uint32_t eti__places_cut_module(const eti_places *places, uint32_t module, uint32_t depth);
const eti_place_frame *eti__places_frame(const eti_places *places, uint32_t frame);

/* Adds the names of a path of operators with " + " between them. */
void eti__places_add_ops(const eti_places *places, uint32_t ops, eti_buffer *out);
/* At most so many bytes. */
uint64_t eti__places_ops_size(const eti_places *places, uint32_t ops);

#endif
