/*
 * places.h - where an event is in the model: operator, module, line; also through delegates, and in the program.
 */
#ifndef ETI_PLACES_PLACES_H
#define ETI_PLACES_PLACES_H

#include "account/account.h"
#include "backends/backends.h"
#include "base/arena.h"
#include "base/intern.h"
#include "base/names.h"
#include "base/text.h"
#include "etinspect.h"
#include "inside/inside.h"
#include "model/model.h"
#include "program/program.h"

#include <stdbool.h>
#include <stddef.h>

/* ==== event nodes ============================================================================= */
/* Finds the nodes of the edge program that an Event computes.
 *
 * The Events of an instruction share its nodes, unless its kernels have nodes of their own.
 * An operator inside a delegate whose nodes are known ("seen through") is the first of its nodes,
 * or one of the first if these share a debug handle; the others were fused into it. Operator,
 * module, line of source and node of an Event all follow from this rule. */

/* Nodes of an Event. */
typedef struct eti_event_nodes {
    const eti_op_node *const *all; /* array of n nodes */
    size_t n;
} eti_event_nodes;

/* Returns the nodes that are known for an Event itself. */
eti_event_nodes eti__event_nodes(const eti_event *event);

/* Returns the only node, or NULL if there is none or more than one. */
const eti_graph_node *eti__event_nodes_single(const eti_event_nodes *nodes);

/* Returns the operator that all nodes of an Event have; absent if it has no nodes, if they differ, or if there are
 * too many for one operator. */
eti_text eti__event_op(const eti_event *event);

/* ==== places ================================================================================== */
/* Finds the operators, the module and the line of source that an Event belongs to.
 *
 * An event may stand for several nodes of the graph, see "event nodes". Its module and its frame
 * are the innermost ones that all of the nodes share; nodes without modules, or without a stack
 * trace, do not count. Nodes that a quantizer inserted count only if there are no others. Such a
 * node has the module of the operator that it serves and, if it has no frame of its own, also that
 * operator's frame. The operator served is the first one that uses the node's result, or else the
 * one that produces its input. Frames of torch's own packages are left out of stack traces that
 * have other frames; those of its exporter always are. The ops of an event are the distinct
 * operators of all nodes of its instruction, in order of first appearance; rollup/rollup.h decides which
 * of them is the operator of the event itself.
 *
 * Each list of nodes, list of operators, stack of modules and stack trace is examined once,
 * regardless of the number of objects that share it. */

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
 * place of the nearest enclosing Event that has nodes, but no ops. Transfers, overhead and profiling that a delegate
 * logged belong to the model: they are the work of no module. The caller frees the array. */
eti_place *eti__places_of_block(eti_places *places, const eti_account *account) ETI_WARN_UNUSED;
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

/* ==== call work =============================================================================== */
/* Finds the operators that a delegate call is for, among those that the ETRecord lists for its
 * instruction.
 *
 * A debug handle stands for an operator and for those that quantize its result, so the list of a
 * call that takes a quantized value has the operator that produced it, although another
 * instruction runs it. The payload has the handles of what the call runs, except for operators
 * that were fused into others. Operators that only move or convert values count only if there are
 * no others. */

/* For the calls of one method. Initialize to all zeros, except for the record. */
typedef struct eti_call_work {
    const eti_etrecord *record; /* NULL: nothing is found */
    size_t method;              /* in the record */
    /* scratch */
    eti_shared_handles shared;
    struct eti_handle_use *uses; /* handles of the payload, sorted */
    uint8_t *values;             /* per node of the call */
    const eti_op_node **others;
    size_t use_capacity, value_capacity, other_capacity;
    size_t work; /* number of nodes examined for all calls, which is limited */
} eti_call_work;

/* ==== payloads ================================================================================ */
/* Reads the payload of each called delegate once. */

/* A payload that was looked up. */
typedef struct eti_payload {
    const char *bytes; /* address of the payload, which is the key */
    size_t size;
    bool is_read;    /* false: it cannot be read */
    uint8_t backend; /* an eti_backend: whose graph it is */
    eti_xnnpack graph;
    const eti_vulkan *vulkan; /* the arena owns it, */
    const eti_coreml *coreml; /* this, */
    const eti_native *native; /* and this */
} eti_payload;

/* Initialize to all zeros, except for the arena. */
typedef struct eti_payloads {
    eti_arena *arena; /* owns all graphs that were read */
    ETI_INTERN_OF(eti_payload) known;
    size_t n_damaged; /* number of payloads of known backends that cannot be read */
    size_t n_foreign; /* number of payloads of other backends */
    eti_text backend; /* backend of a foreign payload */
    eti_error damage; /* error of the first payload that cannot be read, */
    eti_text damaged; /* and its backend */
} eti_payloads;

/* Finds the nodes of the payload of a delegate with this identifier. Sets `*out` to NULL if they cannot be read, and
 * counts the failure. Fails with ETI_ERROR_MEMORY. */
eti_status eti__payloads_find(eti_payloads *payloads, eti_text backend, eti_text payload,
                              const eti_xnnpack **out, eti_error *err) ETI_WARN_UNUSED;

/* Does the same for the graph of a Vulkan delegate. */
eti_status eti__payloads_find_vulkan(eti_payloads *payloads, eti_text backend, eti_text payload,
                                     const eti_vulkan **out, eti_error *err) ETI_WARN_UNUSED;

/* Does the same for the operations of a Core ML delegate. */
eti_status eti__payloads_find_coreml(eti_payloads *payloads, eti_text backend, eti_text payload,
                                     const eti_coreml **out, eti_error *err) ETI_WARN_UNUSED;

/* Does the same for the graph of the native backend. */
eti_status eti__payloads_find_native(eti_payloads *payloads, eti_text backend, eti_text payload,
                                     const eti_native **out, eti_error *err) ETI_WARN_UNUSED;

void eti__payloads_free(eti_payloads *payloads);

/* ==== planned methods ========================================================================= */
/* Finds the memory that each method of the program plans, together with data of its delegates from
 * an ETRecord. */

typedef struct eti_planned_method {
    const eti_pte_plan *plan;
    uint32_t number; /* number of the plan */
    /* number of the method in the ETRecord; ETI_NO_METHOD if it has no method with this name */
    size_t record_method;
    eti_liveness liveness;
    eti_planned_arenas arenas;
} eti_planned_method;

typedef struct eti_planned_methods {
    const eti_pte *pte;
    eti_planned_method *methods;
    uint32_t n;
} eti_planned_methods;

/* Returns the method of the ETRecord that corresponds to a plan, or ETI_NO_METHOD if there is none or the ETRecord is
 * of another export. If record and program have one method each, the names need not be equal. */
size_t eti__record_method_of_plan(const eti_inspector *inspector, const eti_pte *pte,
                                  const eti_pte_plan *plan);

/* Finds the memory of a method of one of the inspector's programs. `arena` owns the result. Fails with
 * ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__planned_method_make(eti_planned_method *out, eti_arena *arena,
                                    const eti_inspector *inspector, const eti_pte *pte,
                                    uint32_t number, eti_error *err) ETI_WARN_UNUSED;

/* Finds the memory of all methods of the inspector's first program, or only of the requested one. `arena` owns the
 * result. Fails with ETI_ERROR_USAGE if there is no program or no method with that name, or with ETI_ERROR_LIMIT or
 * ETI_ERROR_MEMORY. */
eti_status eti__planned_methods_make(eti_planned_methods *out, eti_arena *arena,
                                     const eti_inspector *inspector,
                                     eti_error *err) ETI_WARN_UNUSED;

/* ==== call places ============================================================================= */
/* Uses the ETRecord to find the node, the module and the line of source of an instruction of a
 * program. */

/* Limit on the payload bytes that are examined, as a multiple of the size of the program. */
#define ETI_PAYLOADS_EXAMINED 4u

/* Places of the calls of one method. Initialize to all zeros. */
typedef struct eti_call_places {
    const eti_etrecord *record; /* NULL if nothing is known */
    const eti_planned_method *method;
    eti_graph graph;
    eti_handle_index by_handle;
    const eti_op_node **found; /* nodes of the current instruction; allocated with malloc() */
    size_t n_found, found_capacity;
    const eti_event_record *const
        *free_nodes; /* per instruction, once has_free_nodes; may be NULL */
    bool has_free_nodes;
    size_t n_listed; /* number of nodes listed for all instructions, which is limited */
    eti_call_work work;
    eti_arena arena; /* owns the payloads */
    eti_payloads payloads;
    uint64_t n_left; /* number of bytes of payloads that may still be examined */
    eti_places places;
} eti_call_places;

typedef struct eti_call_place {
    eti_text node;   /* name of the only node; absent: no node, or several */
    eti_text module; /* absent if unknown */
    eti_text file;   /* absent if unknown */
    uint32_t line;
} eti_call_place;

/* Reads the graph of the method unless the inspector has read it. Nothing is found if the inspector has no record, or
 * the record lacks the method. Fails with ETI_ERROR_MEMORY, or with any status of reading the graph. Free it in any
 * case. */
eti_status eti__call_places_init(eti_call_places *out, const eti_inspector *inspector,
                                 const eti_planned_method *method, eti_error *err) ETI_WARN_UNUSED;
void eti__call_places_free(eti_call_places *places);

/* Finds the place of an instruction; all zeros if it is unknown. The record owns the texts, which remain after `places` is
 * freed. Returns false if memory runs out. */
bool eti__call_places_find(eti_call_places *places, uint32_t instruction, eti_call_place *out);

/* ==== data faults ============================================================================= */
/* Adds notes about data files that the program does not need, and about weights that are missing. */

/* Adds a note about each data file of the inspector: a warning if the program needs none of its names. Also adds a
 * warning if the program needs names that are in no data file, or an information if there is no data file at all.
 * Fails with ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__data_faults_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* ==== handle notes ============================================================================ */
/* Adds notes about calls in branches and loops, for which the ETRecord has no debug handles. */

/* Adds a note for each method with control flow whose calls of kernels and delegates are not all in the debug_handle_map
 * of the ETRecord; without a program, one for the calls that ran. Adds none if the ETRecord is of another export.
 * ETI_ERROR_MEMORY. */
eti_status eti__handles_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* ==== lowered graph =========================================================================== */
/* Determines for each node of a graph of the ETRecord whether it was delegated, run as a kernel,
 * or executed at all.
 *
 * If the graph holds lowered modules, exactly their nodes are delegated.
 *
 * The record of the inspector keeps the graph and the values passed between nodes. If the inspector
 * was opened without values (eti_options.reads_values), the first call reads the graph again. */

typedef struct eti_lowered_node {
    /* without the Inspector's "_" at the end; preceded by the name of its call if nodes would otherwise share a name */
    eti_text name;
    bool is_delegated; /* it belongs to an instruction that calls a delegate */
    bool is_kernel;    /* it belongs to another instruction */
    bool is_executed;  /* it belongs to an Event */
    eti_text backend;  /* absent: none */
    /* node of the delegate call whose lowered module contains it; ETI_NO_NODE if there is none */
    uint32_t call;
    bool is_call; /* nodes of a lowered module stand for it */
} eti_lowered_node;

typedef struct eti_lowered_graph {
    eti_arena arena;
    const eti_etrecord *record; /* of the inspector; NULL if the graph is empty */
    size_t method;              /* method of the graph; ETI_NO_METHOD if unknown */
    eti_graph graph;            /* includes the nodes of its lowered modules */
    eti_graph_values values;
    /* the inspector's nodes, n_matched in the same order; NULL for another graph */
    const eti_graph_node *matched;
    size_t n_matched;
    eti_lowered_node *nodes; /* one per node of the graph */
    eti_pointer_table seen;  /* lists of nodes already marked as executed */
} eti_lowered_graph;

/* Reads the graph `name`, or the graph of the selected blocks' method if `name` is NULL; empty without an ETRecord,
 * or if that is of another export. Fails with ETI_ERROR_USAGE, or with any status of reading the ETRecord. Free `out`
 * in any case. */
eti_status eti__lowered_graph_read(eti_lowered_graph *out, const eti_inspector *inspector,
                                   const eti_view_options *options, const char *name,
                                   eti_error *err) ETI_WARN_UNUSED;
/* Returns whether the ETRecord has the graph of its method, so that views without an ETDump show it. */
bool eti__shows_recorded_graph(const eti_inspector *inspector);
/* Reads the graph of a method; empty if the ETRecord has none, or is of another export. Fails with the same statuses;
 * free `out` in any case. */
eti_status eti__lowered_graph_read_method(eti_lowered_graph *out, const eti_inspector *inspector,
                                          size_t method, eti_error *err) ETI_WARN_UNUSED;
void eti__lowered_graph_free(eti_lowered_graph *graph);

/* Marks the nodes of the block's timed Events as executed, and those that are a kernel's alone as run by it. Returns
 * false if memory runs out. */
bool eti__lowered_graph_mark(eti_lowered_graph *graph, const eti_event_block *block);

/* Returns the number of an Event's node, or ETI_NO_NODE if it belongs to another graph. */
uint32_t eti__lowered_graph_number(const eti_lowered_graph *graph, const eti_op_node *node);

/* ==== plan faults ============================================================================= */
/* Names tensors that a program plans onto other tensors in use, and tensors that end beyond their
 * arena. */

/* Adds a warning for each method of a program with such tensors. If a method has jumps or moves, lifetimes are
 * estimates; tensors that may overlap others then get an information instead. A program without such tensors gets an
 * information that says so. Fails with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__plan_faults_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* ==== program notes =========================================================================== */
/* Adds notes about the methods of programs and the EventBlocks in which they ran. */

/* Adds an information about each method of all programs of the inspector, and about each EventBlock whose events
 * belong to the instructions of a method. (If they do not, eti_inspector_open() has added a warning.) Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__programs_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* ==== seen through ============================================================================ */
/* Finds the nodes of the model that a delegate's logged operators compute, using the delegates'
 * payloads in the program or the ETRecord. */

/* Opens an inspector and finds the nodes of its delegated Events, unless the options disable that. Fails like
 * eti__inspector_open(). */
eti_status eti__open_seen_through(eti_inspector **out, const eti_inputs *inputs,
                                  const eti_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== test case faults ======================================================================== */
/* Names values in the test cases of bundled programs that cannot be used, or that the method does
 * not accept. */

/* Adds a note for each bundled program: a warning with the number of such values and a description of the first, or
 * else an information with the number of test cases. Fails with ETI_ERROR_MEMORY. */
eti_status eti__test_case_faults_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* ==== weight places =========================================================================== */
/* Finds the module of weights that payloads of XNNPACK and Vulkan store under a name: that of the
 * nodes in the payload that use them, instead of the module of the whole delegate call. */

typedef struct eti_weight_place {
    uint32_t delegate;
    eti_text key, module;
} eti_weight_place;

/* Modules of the weights of one method. Initialize to all zeros. */
typedef struct eti_weight_places {
    ETI_INTERN_OF(eti_weight_place) found;
    eti_arena arena; /* of the classes of nodes */
    eti_handle_nodes nodes;
    bool *is_read;   /* per delegate; allocated with malloc() */
    uint64_t n_left; /* number of payload bytes that may still be examined */
    size_t work;     /* of searches in Vulkan graphs, which is limited */
    /* Nodes of native payloads, once they are needed; their names are found without values. */
    eti_native_nodes native;
    eti_graph_values no_values;
} eti_weight_places;

/* Prepares for the delegates of the method of `places`. `most` is the number of payload bytes that may be examined.
 * Returns false if memory runs out. Free it in any case. */
bool eti__weight_places_init(eti_weight_places *out, const eti_call_places *places, uint64_t most);
void eti__weight_places_free(eti_weight_places *weights);

/* Adds the weights of the delegate that an instruction calls, unless they were added before. None is known if the payload
 * cannot be read, or if the ETRecord does not fit it because it is of another export. Fails with ETI_ERROR_MEMORY. */
eti_status eti__weight_places_add(eti_weight_places *weights, eti_call_places *places,
                                  eti_payloads *payloads, uint32_t instruction,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Returns the innermost module of the nodes that use a weight; absent if it is unknown. The record owns the text. */
eti_text eti__weight_places_find(const eti_weight_places *weights, uint32_t delegate, eti_text key);

#endif
