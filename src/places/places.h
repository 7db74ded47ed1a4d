/*
 * places.h - finds the operators, the module and the line of source that an Event belongs to.
 *
 * An event may stand for several nodes of the graph, see event_nodes.h. Its module and its frame
 * are the innermost ones that all of the nodes share; nodes without modules, or without a stack
 * trace, do not count. Nodes that a quantizer inserted count only if there are no others. Such a
 * node has the module of the operator that it serves and, if it has no frame of its own, also that
 * operator's frame. The operator served is the first one that uses the node's result, or else the
 * one that produces its input. Frames of torch's own packages are left out of stack traces that
 * have other frames; those of its exporter always are. The ops of an event are the distinct operators of all nodes of its
 * instruction, in order of first appearance; op_type.h decides which of them is the operator of the
 * event itself.
 *
 * Each list of nodes, list of operators, stack of modules and stack trace is examined once, regardless
 * of the number of objects that share it.
 */
#ifndef ETI_PLACES_PLACES_H
#define ETI_PLACES_PLACES_H

#include "account/account.h"
#include "base/intern.h"
#include "base/names.h"
#include "base/text.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "places/event_nodes.h"

typedef struct eti_place {
    uint32_t ops;     /* index into places->ops */
    uint32_t module;  /* index into places->modules */
    uint32_t frame;   /* index into places->frames */
    bool has_modules; /* a node has modules */
    bool has_frames;
    uint32_t list;   /* 1 + index into places->lists; 0: no nodes */
    bool is_settled; /* the place was taken from the enclosing Events */
} eti_place;

/* A line of source, with the number of its file. Function and code are those of the first frame with this line. */
typedef struct eti_place_frame {
    uint32_t file; /* index into places->files */
    uint32_t line; /* frame.line */
    eti_stack_frame frame;
} eti_place_frame;

typedef struct eti_place_op {
    eti_text name;
    uint32_t mark; /* 1 + last list of operators that contains it */
} eti_place_op;

/* List of operators, which lists of nodes share: kernels of one instruction may have a node each. */
typedef struct eti_place_ops {
    const eti_text *names; /* the key, with `n` */
    size_t n;
    uint32_t ops; /* index into places->ops */
} eti_place_ops;

typedef struct eti_place_module {
    eti_text name;           /* its path or, if the path is empty (the model itself), its type */
    const eti_module *first; /* the first module with this name */
} eti_place_module;

/* Place of a list of nodes, which Events share. */
typedef struct eti_place_list {
    eti_event_nodes nodes;
    eti_place place;
} eti_place_list;

/* Initialize with eti__places_init(). The items of the trees are numbers in the tables beside them; the ETRecord owns
 * all texts. */
typedef struct eti_places {
    eti_prefix_tree ops;
    ETI_INTERN_OF(eti_place_op) op_names;
    ETI_INTERN_OF(eti_place_ops) op_lists;
    eti_prefix_tree modules;
    ETI_INTERN_OF(eti_place_module) module_names;
    eti_prefix_tree frames;
    ETI_INTERN_OF(eti_place_frame) lines;
    eti_text_table files;
    ETI_INTERN_OF(eti_place_list) lists;
    eti_pointer_table by_stack, by_trace, by_op;
} eti_places;

/* Initializes `places`. Returns false if memory runs out. The caller frees it in any case. */
bool eti__places_init(eti_places *places);
void eti__places_free(eti_places *places);

/* Finds the place of an Event; all zeros if the ETRecord does not know the Event. Returns false if memory runs out. */
bool eti__places_of_event(eti_places *places, const eti_event *event, eti_place *out);
/* Returns the places of all Events of the account's block, or NULL if memory runs out. An Event without nodes has the
 * place of the nearest enclosing Event that has nodes, but no ops. The caller frees the array. */
eti_place *eti__places_of_block(eti_places *places, const eti_account *account) ETI_WARN_UNUSED;
/* Finds the place that nodes share; its `ops` are 0. */
bool eti__places_of_nodes(eti_places *places, const eti_event_nodes *nodes, eti_place *out);
/* Finds the place of a single node. */
bool eti__places_of_node(eti_places *places, const eti_op_node *node, eti_place *out);

/* Returns the last module of a path, which must not be empty. */
const eti_module *eti__places_module(const eti_places *places, uint32_t module);
eti_text eti__places_module_name(const eti_places *places, uint32_t module);
/* Returns the path cut to at most `depth` levels below the model. */
uint32_t eti__places_cut_module(const eti_places *places, uint32_t module, uint32_t depth);
const eti_place_frame *eti__places_frame(const eti_places *places, uint32_t frame);

/* Appends the names of a path of operators, separated by " + ". */
void eti__places_add_ops(const eti_places *places, uint32_t ops, eti_buffer *out);
/* Returns an upper bound for the number of bytes that eti__places_add_ops() appends. */
uint64_t eti__places_ops_size(const eti_places *places, uint32_t ops);

#endif
