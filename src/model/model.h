/*
 * model.h - the inspector with its blocks and events, association, methods, recorded tensors and notes.
 */
#ifndef ETI_MODEL_MODEL_H
#define ETI_MODEL_MODEL_H

#include "backends/backends.h"
#include "base/arena.h"
#include "base/files.h"
#include "base/intern.h"
#include "base/parallel.h"
#include "base/text.h"
#include "etinspect.h"
#include "etrecord/etrecord.h"
#include "pte/pte.h"
#include "read/read.h"
#include "tensors/tensors.h"

#include <pthread.h>

/* ==== associate =============================================================================== */
/* Gives events the debug handles, backends, operators, stack traces and modules that an ETRecord
 * has for their instructions. */

/* Returns whether the event belongs to an instruction of a method, not to the framework. */
bool eti__event_has_instruction(const eti_event *event);
/* Returns whether its instruction_id is the number of that instruction: outside of instructions, where no chain is set, the
 * runtime and libetcapture log the number 0. */
bool eti__event_names_instruction(const eti_event *event);

/* ==== block =================================================================================== */
/* Turns the runs of one or more ETDumps into EventBlocks: runs that recorded the same events in
 * the same order share a block.
 *
 * A run's events are first grouped by instruction (id, chain and delegate id), so that a profile
 * event and the debug events of the same call are in one group; each profile event of a group then
 * becomes one Event, which is recognised in other runs by its signature. */

typedef struct eti_blocks {
    eti_event_block *blocks; /* in order of first appearance */
    size_t n_blocks;
    bool has_broken_names; /* some names are not UTF-8 */
    /* counts of ignored data, for notes */
    uint64_t n_allocation_events;
    uint64_t n_runs;
    uint64_t n_runs_without_events; /* neither a timed nor a logged event */
} eti_blocks;

/* ==== block label ============================================================================= */
/* Gives EventBlocks readable names, all of them different.
 *
 * An ETDump calls every block of inferences "Execute", whichever method or bundled input it ran;
 * methods.h finds the method. */

typedef struct eti_named_block {
    eti_text name, label;
    eti_text
        method; /* the method that ran; absent if unknown, or not distinguishable from others */
    int32_t bundled_input_index; /* -1 if none */
} eti_named_block;

/* Sets the label of every block: its method, or its name if that is absent. If several blocks would get the same label,
 * it is "Execute [input 1]", or "Execute [1]" for the second of them if inputs do not distinguish them. False: out of
 * memory. */
bool eti__named_blocks_label(eti_named_block *blocks, size_t n, eti_arena *arena) ETI_WARN_UNUSED;

/* ==== debug data ============================================================================== */
/* Turns the values recorded by debug events into eti_values, and checks that all runs of a block
 * recorded the same ones.
 *
 * A tensor's bytes are in the debug buffer, which is a separate file; without it, shapes and types
 * are known, but no contents. A float or double is kept exactly (the Inspector rounds them to 6 or
 * 12 decimals, because it passes them through JSON). */

/* Place of a tensor's contents. */
typedef enum eti_contents {
    ETI_CONTENTS_NONE, /* the tensor is empty, or its elements have an unknown width */
    ETI_CONTENTS_IN_BUFFER,
    ETI_CONTENTS_NOT_RECORDED,
    ETI_N_CONTENTS,
} eti_contents;

/* Counts over all blocks of an inspector; starts as zeros, except for n_more_bytes. */
typedef struct eti_debug_totals {
    uint64_t n_tensors[ETI_N_CONTENTS]; /* tensors that became values */
    uint64_t n_compared;                /* bytes of compared tensors */
    uint64_t n_more_bytes;              /* bytes of further debug buffers */
} eti_debug_totals;

/* ==== event =================================================================================== */
/* The structs behind the public eti_event and eti_event_block.
 *
 * They are made in four steps, each in its own file: block.c finds the runs and events that belong
 * together and names the events, associate.c adds data from the ETRecord, event.c the times,
 * debug_data.c the values. Everything lives in the inspector's arena or is borrowed from the
 * inputs. */

/* How the nodes computed by an event were found, most reliable first. */
typedef enum eti_attribution {
    ETI_ATTRIBUTION_NONE,     /* not an event of a delegate, or nothing is known */
    ETI_ATTRIBUTION_RECORDED, /* the delegate logged an identifier that is in the ETRecord */
    ETI_ATTRIBUTION_EXACT, /* the delegate's payload has as many nodes as were logged, and each one fits */
    ETI_ATTRIBUTION_ALIGNED, /* the payload's nodes were aligned with the events: some were fused or added */
    /* the operators of the ETRecord were aligned, without a payload; or several of its nodes fit the payload's node, or
     * another of them may be the reason why lowering inserted that */
    ETI_ATTRIBUTION_INFERRED,
    ETI_ATTRIBUTION_CALL, /* only the whole call is known */
    ETI_N_ATTRIBUTIONS,
} eti_attribution;

/* Returns a name such as "exact"; absent if nothing is known. */
eti_text eti__attribution_name(uint8_t attribution);
/* Appends the words for it that people read. */
void eti__attribution_add_words(eti_buffer *out, uint8_t attribution);

/* Attributes of an event apart from its times; events share it. */
typedef struct eti_event_record {
    eti_text backend_name; /* absent if unknown */
    eti_debug_handles handles;
    int64_t num_outputs;
    const eti_text *op_types;
    size_t n_op_types;
    const eti_op_node *const *op_nodes;
    size_t n_op_nodes;
    uint8_t attribution; /* an eti_attribution */
    /* The event is one of its first n_own_nodes nodes; the others were fused into it. 0: all are its own. */
    size_t n_own_nodes;
    eti_text own_op; /* operator of all its own nodes, if known without looking at them */
} eti_event_record;

/* The attributes of an event that nothing is known about. */
extern const eti_event_record eti__no_record;

/* Values that were recorded for debugging; events of a group share them. */
typedef struct eti_values {
    const eti_value *values;
    size_t n;
} eti_values;

/* A profile may have millions of these, so derived data is not stored in them. */
struct eti_event {
    eti_text name;
    eti_event_block *block;
    const eti_event_record *record; /* attributes as the Inspector has them; never NULL */
    /* The same attributes for the block's method, with nodes found inside delegates; used for all columns except those of
     * the Inspector. Never NULL. */
    const eti_event_record *known;
    /* Its meaning inside a delegate call; NULL for other events. Several events may share one, which has no label. */
    const eti_delegate_event *logged;
    int32_t instruction_id; /* as recorded; see eti__event_names_instruction() */
    int32_t delegate_id_int;
    uint8_t delegate_id_kind; /* an eti_delegate_id_kind; a string id is the name */
    bool is_delegated_op;
    bool
        is_timed_as_delegated; /* is_delegated_op according to the profile events alone; selects the time scale */
    bool is_timed;
    bool has_chain; /* false: recorded outside of instructions, with chain -1, or less on a lane */
    bool has_metadata;     /* in at least one run */
    bool is_operator_call; /* according to its name: the framework's own event around an operator */
};

/* Numbers of events, to judge how well dump and record fit together. */
typedef struct eti_association {
    uint64_t n_instructions;   /* events that belong to an instruction, not to the framework */
    uint64_t n_with_handles;   /* of these, events in the record's debug_handle_map */
    uint64_t n_with_operators; /* of these, events with nodes in the graph */
    uint64_t n_delegated;
    uint64_t
        n_without_delegate_map; /* delegated events whose instruction is not in the delegate_map */
    int32_t example_without_delegate_map;
} eti_association;

/* Debug events of one instruction, as indices into their run; all events of the instruction have the same array. */
typedef struct eti_debug_events {
    const uint32_t *events;
    size_t n;
} eti_debug_events;

/* Positions of a block's events among the events of a run, as indices into the run. Runs that recorded the same events in
 * the same order share it. */
typedef struct eti_run_layout {
    const uint32_t *profile_events;       /* per event of the block; ETI_NO_EVENT if not timed */
    const eti_debug_events *debug_events; /* per event; NULL if no values were logged */
    const uint32_t *outputs;              /* debug events that are outputs of the run */
    size_t n_outputs;
    uint32_t n_allocations;
} eti_run_layout;

typedef struct eti_block_run {
    const eti_etdump *dump;
    uint32_t index; /* index of the run in its file, for messages */
    eti_vector events;
    const eti_run_layout *layout;
} eti_block_run;

#define ETI_NO_METHOD SIZE_MAX

struct eti_event_block {
    eti_text name;
    eti_text label; /* readable name, see parts.h */
    size_t number;  /* index among the inspector's blocks */
    /* Method that ran: its number in the ETRecord, or ETI_NO_METHOD, and its name, absent if unknown. */
    size_t method;
    eti_text method_name;
    const eti_pte_plan *
        plan; /* plan of that method in the program; NULL if there is no program, or none of its methods fits */
    bool
        has_other_payloads; /* delegates logged operators other than those of their payloads in the plan */
    /* Methods that fit, if there are several, so that the method is unknown; or, with no_attribution, if the requested
     * method is not among them. Bit i stands for the i-th method of the inspector. */
    uint64_t methods_that_fit;
    bool
        has_candidates; /* the method is unknown: the Events have what all methods that fit agree on */
    bool is_tried;      /* has the attributes of one of them at present, see eti__methods_try() */
    bool is_labelled; /* has the runs of one label of run_methods, split off from another block */
    eti_association association; /* sums over its events */
    int32_t bundled_input_index;
    bool is_loading; /* loads what other blocks run, see mark_loading() in block.c */
    eti_event *events;
    size_t n_events;
    eti_block_run *runs;
    size_t n_runs;
    size_t n_skipped; /* runs before `runs` that were dropped */
    double *raw; /* n_events x n_runs, by event, in the target scale; NULL if there are no times */
    uint64_t *start_time;   /* of the same size, as stamped */
    eti_summary *summaries; /* per event, if there are many runs; NULL: computed on request */
    const eti_values *const
        *debug_data; /* per event, NULL if it has none; NULL if no event has any */
    const eti_value *run_outputs;
    size_t n_run_outputs;
    const eti_value *reference_outputs; /* set once they are read */
    size_t n_reference_outputs;
};

/* Returns the position of an event of the run in its file. */
static inline eti_position eti__block_run_position(const eti_block_run *run, uint32_t number) {
    return eti__etdump_event_position(run->dump, run->events, number);
}

/* ==== warm up ================================================================================= */
/* Finds the warm-up runs of an EventBlock; views, diff and gate use the same rule.
 *
 * Each ETDump comes from a process of its own, which has to warm up. The warm-up of a file
 * consists of its first runs in the block; eti__warm_up_runs() of stats/stats.h computes their
 * number from the times of the whole. */

/* Returns the end of the runs that belong to the same ETDump as run `first` and follow it without a gap. */
size_t eti__warm_up_end(const eti_event_block *block, size_t first);

/* ==== handle index ============================================================================ */
/* Finds the nodes of a graph by their debug handles. */

/* A node and its handle. */
typedef struct eti_handle_node {
    int64_t handle;
    uint32_t node;
} eti_handle_node;

/* Starts as all zeros. */
typedef struct eti_handle_index {
    eti_handle_node *nodes; /* sorted, so that the nodes of a handle are adjacent, in graph order */
    size_t n;
} eti_handle_index;

/* Lists the nodes by handle. False: out of memory. The caller frees the index in any case. */
bool eti__handle_index_init(eti_handle_index *index, const eti_graph *graph);
void eti__handle_index_free(eti_handle_index *index);

/* Returns the first position whose handle is not below the given one, or index->n. */
size_t eti__handle_index_first(const eti_handle_index *index, int64_t handle);

/* ==== method ================================================================================== */
/* A method of the inputs: from the program, the ETRecord, or both. */

/* Largest number of methods compared with a block; no program has nearly as many. */
#define ETI_METHODS_COMPARED 64

/* A method of the inputs. */
typedef struct eti_method {
    eti_text name;
    size_t number;            /* number in the ETRecord, or ETI_NO_METHOD */
    const eti_pte_plan *plan; /* plan in the program, or NULL */
    bool has_graph;           /* `graph` was read */
    eti_graph graph;          /* includes its lowered modules */
    /* ids of the instructions that call the lowered modules, ascending, n_modules of them; NULL if unknown */
    const int32_t *calls;
} eti_method;

/* ==== options ================================================================================= */
/* Options for opening an inspector. */

/* The unit in which a delegate counts time. */
typedef struct eti_delegate_time_scale {
    const char *backend; /* NULL: all delegates without an entry of their own */
    /* ETI_SCALE_CYCLES: shown unconverted, whatever the target scale, unless `hz` is known */
    eti_time_scale scale;
    double hz; /* cycles per second; 0: unknown, or another scale */
} eti_delegate_time_scale;

typedef struct eti_options {
    eti_time_scale source_time_scale; /* of the stamps in the ETDump */
    eti_time_scale target_time_scale; /* of the statistics */
    const eti_delegate_time_scale *delegate_time_scales;
    size_t n_delegate_time_scales;
    bool exact_time;    /* subtract delegates' stamps before scaling them, not after */
    const char *method; /* method of the ETRecord; NULL: "forward", or else the first */
    /* Methods of the runs of blocks for which several methods fit: "prefill,decode*"; NULL: unknown. */
    const char *run_methods;
    /* graph of the ETRecord from which events get the Inspector's operators; NULL: the edge program of the method */
    const char *reference_graph;
    size_t n_threads; /* for large inputs; 0: one per processor. Results do not depend on it */
    /* cycles per second, to convert cycles to time; 0 if unknown */
    double clock_hz;
    /* Number of leading runs (the warm-up) to drop from each EventBlock with Method::execute. */
    size_t skip_first;
    /* Include warm-up runs in sums, shares and averages, because the user has chosen the runs. */
    bool keeps_warm_up;
    /* Skip recorded tensors and values, because runs may have had different inputs. */
    bool no_debug_data;
    /* Do not look inside delegates; for users who only want the Inspector's data. */
    bool no_attribution;
    /* Runs whose events differ only in ids that a delegate counts in its process are runs of one block. */
    bool merges_ids;
    /* Read the ETRecord's graphs with their values, because a report will need the values. */
    bool reads_values;
    /* Reject files that do not belong to the ETDump, instead of warning of them. */
    bool strict;
    eti_progress progress; /* of opening */
} eti_options;

/* Defaults of the Python Inspector: ns to ms. */
#define ETI_OPTIONS_DEFAULT                                                                        \
    { .target_time_scale = ETI_SCALE_MS }

/* Inputs of an inspector: at least one of an ETDump, an ETRecord and a program. */
typedef struct eti_inputs {
    const eti_source *etdumps; /* several count as one file with all their runs, in this order */
    size_t n_etdumps;
    const eti_source *etrecord;     /* NULL if there is none */
    struct eti_record *record;      /* used in its place if already open; NULL otherwise */
    const eti_source *debug_buffer; /* for all ETDumps, or for the first; NULL if there is none */
    const eti_source *more_debug_buffers; /* for the other ETDumps, in their order */
    size_t n_more_debug_buffers;          /* 0: one buffer is for all ETDumps */
    const eti_source *programs;           /* .pte or .bpte; the first is the program that ran */
    size_t n_programs;
    const eti_source *data; /* .ptd: weights outside the programs */
    size_t n_data;
    const eti_source
        *run_methods; /* file with the labels of options.run_methods, one a line; NULL: none */
} eti_inputs;

/* ==== inspector =============================================================================== */
/* Turns a user's files into the object that answers all questions about them. */

/* Notes for the user. */
typedef struct eti_note {
    eti_note_kind kind;
    eti_text text;    /* on one line */
    size_t n_claimed; /* number of bytes at its end that are true only if the ETRecord is used */
} eti_note;

struct eti_inspector {
    eti_references references;
    void (*on_free)(void *context); /* see eti_inspector_on_free() */
    void *on_free_context;
    eti_arena arena;     /* holds everything below */
    eti_options options; /* arrays and strings are copied */

    struct eti_file *dump_files; /* n_dumps of them, allocated by malloc() like all files */
    size_t dump_capacity;
    eti_etdump *dumps;
    size_t n_dumps;
    eti_record *opened_record;   /* may be shared with other inspectors; NULL without a record */
    struct eti_file record_file; /* file of the opened record; all zeros without one */
    const eti_etrecord *record;  /* maps of the record; NULL without a record */
    struct eti_file *program_files, *data_files; /* n_programs, n_data_files */
    char program_sha256[65];                     /* of the only program; "": not computed yet */
    eti_pte *programs; /* in the arena; the first is the program that ran */
    size_t n_programs, n_data_files;
    struct eti_file debug_buffer_file;
    bool has_debug_buffer;
    struct eti_file *
        more_debug_buffers; /* for the second ETDump and later ones; if empty, the first buffer is for all */
    size_t n_more_debug_buffers;
    size_t n_printed_debug_buffers; /* found in logs of devices */
    uint64_t n_events_lost;         /* lost by devices, according to their logs */

    eti_text run_methods;         /* labels of runs, see model/parts.h; absent: none */
    const char *run_methods_file; /* file of the labels; NULL: none */
    eti_method *methods;          /* methods of program and record */
    size_t n_methods;
    size_t
        method; /* method of the record that the Inspector uses for all blocks; ETI_NO_METHOD without one */
    /* The Inspector cannot open the record: its columns have the method found for each block, and `method` only for
     * blocks whose method is unknown. */
    bool shows_found_methods;
    bool tries_methods;        /* see eti__methods_try() */
    eti_graph graph;           /* the edge program of this method */
    eti_graph reference_graph; /* graph named in the options; empty without the option */
    eti_blocks blocks;
    eti_shared_list accounts; /* per block: its account, see eti__account_of() */
    uint64_t n_skipped_runs;
    size_t n_repaired_names; /* names in the ETDump that were not UTF-8 */
    eti_debug_totals debug_totals;

    bool has_foreign_record; /* a note says that the ETRecord comes from another export */
    /* It is certain that the ETRecord is not that of the program that ran: event->known has nothing of it. */
    bool leaves_out_record;
    eti_text mismatch; /* first warning that a file does not belong to the ETDump; absent: none */
    eti_note *notes;   /* the array is allocated by malloc(), the texts in the arena */
    size_t n_notes, note_capacity;
    bool are_references_read; /* see model/parts.h */
    bool are_times_checked;   /* see eti_inspector_check_times() */
    bool are_plans_checked;   /* see eti_inspector_check_plans() */
    bool are_tensors_checked; /* see eti_inspector_check_tensors() */
};

/* Returns whether there is an ETRecord that is not left out. */
static inline bool eti__uses_record(const eti_inspector *inspector) {
    return inspector->record && !inspector->leaves_out_record;
}

/* Returns the i-th file that the inspector was made from, and its kind ("etdump", "etrecord", "program", "data" or
 * "debug_buffer"); NULL past the end. */
const struct eti_file *eti__inspector_file(const eti_inspector *inspector, size_t i,
                                           const char **kind);

/* Returns a reference to the inspector. */
eti_kept eti__inspector_keep(const eti_inspector *inspector);

/* Checks that the time scales can be converted. ETI_ERROR_USAGE. */
eti_status eti__options_check(const eti_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Implements eti_inspector_open() of etinspect.h; `options` may be NULL. */
eti_status eti__inspector_open(eti_inspector **out, const eti_inputs *inputs,
                               const eti_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== outer calls ============================================================================= */
/* Finds the DELEGATE_CALL of the events that share its instruction and its chain. */

typedef struct eti_outer_call {
    uint64_t chain;
    int64_t instruction;
    const eti_event *event; /* the first such call of the block */
} eti_outer_call;

typedef struct eti_outer_calls {
    ETI_INTERN_OF(eti_outer_call) calls;
} eti_outer_calls;

/* Initializes `out`, which eti__outer_calls_free() frees. Returns false if memory runs out. */
bool eti__outer_calls_find(eti_outer_calls *out, const eti_event_block *block);

/* Returns the number of an event's call, or UINT32_MAX. */
uint32_t eti__outer_call_of(const eti_outer_calls *calls, const eti_event *event);

void eti__outer_calls_free(eti_outer_calls *calls);

/* ==== instructions ============================================================================ */
/* Finds the instructions of a program that the events of a block belong to. */

/* Returns the number, within its run, of the chain of instructions that an event belongs to. */
uint64_t eti__event_chain(const eti_event *event);

/* Returns whether an event of the block belongs to an instruction; events of loading do not. */
bool eti__block_has_instructions(const eti_event_block *block);
/* Returns whether there are programs, and blocks that ran instructions, if any, ran those of a program. */
bool eti__uses_program(const eti_inspector *inspector);

/* Returns the instruction of a plan that an event belongs to; NULL if it belongs to none of the plan. */
const eti_pte_instruction *eti__event_instruction(const eti_event *event, const eti_pte_plan *plan);

/* Returns the first event of the block that does not log the call that its instruction in the plan makes; NULL if all do.
 * `*instruction` is then that instruction; NULL if the plan has no such instruction. */
const eti_event *eti__first_misfit(const eti_event_block *block, const eti_pte_plan *plan,
                                   const eti_pte_instruction **instruction);

/* ==== metadata ================================================================================ */
/* Turns a delegate's metadata, which only its backend understands, into readable text. */

typedef enum eti_metadata_form {
    ETI_METADATA_BYTES, /* as Python prints a list of bytes */
    ETI_METADATA_UTF8,  /* as Python prints a list of str; invalid UTF-8 becomes U+FFFD */
    ETI_METADATA_HEX,   /* a list of str with hexadecimal digits */
    ETI_METADATA_JSON,  /* a JSON array of the parsed entries; null for an empty one */
} eti_metadata_form;

/* Appends an entry in the form it has in a list; see eti_metadata_form. */
void eti__metadata_add(eti_buffer *out, eti_text entry, eti_metadata_form form);

/* ==== method payloads ========================================================================= */
/* Finds the payload of the delegate that a method calls at an instruction. */

/* Finds the delegate that a method calls at the instruction of an event: in `plan`, which may be NULL, or else in an
 * ETRecord made after lowering, which keeps the nodes' data of XNNPACK payloads but nothing of others. Returns false if
 * it is unknown. */
bool eti__find_payload(const eti_inspector *inspector, const eti_method *method,
                       const eti_pte_plan *plan, const eti_event *event, eti_text *backend,
                       eti_text *payload);

/* Returns the lowered module that the instruction of an event calls, or NULL if that is unknown. */
const eti_lowered_module *eti__find_lowered_module(const eti_inspector *inspector,
                                                   const eti_method *method,
                                                   const eti_event *event);

/* ==== methods ================================================================================= */
/* Finds the method that ran in each EventBlock: an ETDump does not name it, but its events refer
 * only to instructions of that method.
 *
 * With a program, an event fits an instruction if it logs the call that the instruction makes:
 * native_call_addmm.out is a kernel aten::addmm.out; DELEGATE_CALL and events logged by delegates
 * are calls of a delegate. With only an ETRecord, the instructions are those of its
 * debug_handle_map, those in its delegate_map call a delegate, and the names of kernels are
 * compared with the operators of the handles. If several methods fit, the one with the fewest
 * instructions without an event is chosen; if that does not decide, none is chosen. */

/* Sets the method of each block for which several methods fit and methods[b], a set of bits for inspector->methods, has
 * exactly one bit. Callers distinguish the methods by properties other than instructions. ETI_ERROR_MEMORY, or any status
 * of reading a graph. */
eti_status eti__methods_choose(eti_inspector *inspector, const uint64_t *methods,
                               eti_error *err) ETI_WARN_UNUSED;

/* Gives the blocks for which several methods fit, and none was chosen, the attributes that they have if they ran
 * inspector->methods[number], if that fits. They are `is_tried`; `*any`: there are such blocks. ETI_ERROR_MEMORY, or any status
 * of reading a graph. */
eti_status eti__methods_try(eti_inspector *inspector, size_t number, bool *any,
                            eti_error *err) ETI_WARN_UNUSED;

/* Makes the method of these blocks unknown again, except for `known` of their Events. */
void eti__methods_end_trial(eti_inspector *inspector);

/* Returns whether `known` of the block's Events is to be set now: that of blocks with an unknown method is set in trials. */
static inline bool eti__block_is_to_set(const eti_inspector *inspector,
                                        const eti_event_block *block) {
    return inspector->tries_methods ? block->is_tried : !block->has_candidates;
}

/* Returns whether the method of each block is looked for; otherwise all blocks have that of the Inspector. */
bool eti__finds_methods(const eti_inspector *inspector);

/* Returns whether the note of a dump says that the program, if there is one, is the one that ran. */
bool eti__dump_is_of_program(eti_inspector *inspector, const eti_etdump *dump);

/* Returns whether blocks may belong to different methods. */
bool eti__has_several_methods(const eti_inspector *inspector);

/* Returns the index of a method in inspector->methods, or ETI_NO_METHOD. */
size_t eti__method_number(const eti_inspector *inspector, eti_text name);

/* Returns whether any block ran the method. */
bool eti__method_ran(const eti_inspector *inspector, const eti_method *method);

/* Returns the graph of a method of the ETRecord; NULL if no block needed it. */
const eti_graph *eti__methods_graph(const eti_inspector *inspector, size_t number);

/* Appends the names of methods, a set of bits for inspector->methods, separated by commas. */
void eti__methods_add_names(eti_buffer *out, const eti_inspector *inspector, uint64_t methods);

/* Returns the method that ran in a block; NULL if unknown. */
const eti_method *eti__method_of(const eti_inspector *inspector, const eti_event_block *block);

/* ==== notes =================================================================================== */
/* Explains in notes why the result of an inspector is empty, unlabelled or surprising: what is
 * missing and how to get it. */

/* Returns whether the file of an ETDump has another, which is ignored. If so, the message warns of it, on one line. */
bool eti__note_joined_dump(const eti_inspector *inspector, size_t i, eti_error *out);

/* Adds notes on blocks whose method is unknown, or is not the one that the user chose. Must be called after everything
 * that could find the method. ETI_ERROR_MEMORY. */
eti_status eti__notes_of_methods(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Adds a note on one line and frees its text; an empty text adds nothing. ETI_ERROR_MEMORY, also if the buffer had run
 * out of memory. */
eti_status eti__notes_add(eti_inspector *inspector, eti_note_kind kind, eti_buffer *text,
                          eti_error *err) ETI_WARN_UNUSED;

/* Records that the note added last warns that a file does not belong to the ETDump. */
void eti__notes_mark_mismatch(eti_inspector *inspector);

/* Removes from the notes that something of the ETRecord is shown. */
void eti__notes_leave_out_record(eti_inspector *inspector);

/* ==== record ================================================================================== */
/* An ETRecord that is opened once, for one inspector or many: its maps, and the graphs that
 * inspectors request, each of which is read only once.
 *
 * Several threads may request graphs at the same time. Returned data never changes and lives as
 * long as the record. */

/* The ways to read a graph. */
typedef enum eti_graph_reading {
    ETI_READ_EDGE,      /* of a method */
    ETI_READ_LOWERED,   /* of a method, with lowered modules */
    ETI_READ_REFERENCE, /* known to the Inspector by its name */
    ETI_READ_VALUES     /* of a method, or known by its name; with lowered modules and values */
} eti_graph_reading;

typedef struct eti_read_graph {
    eti_graph_reading reading;
    size_t method;
    const char *name; /* NULL: the edge program of the method */
    eti_graph graph;
    eti_graph_values values; /* of ETI_READ_VALUES */
} eti_read_graph;

struct eti_record {
    eti_references references;
    void (*on_free)(void *context); /* see eti_record_on_free() */
    void *on_free_context;
    eti_arena arena; /* holds everything that is read */
    struct eti_file file;
    eti_etrecord *maps;
    pthread_mutex_t reading; /* locks the members below, and the arena */
    eti_read_graph *graphs;
    size_t n_graphs, graph_capacity;
    bool are_outputs_read;
    const eti_saved_value *reference_outputs;
    struct eti_read_weights *weights; /* by method */
    size_t n_weights, weight_capacity;
};

/* A node that uses a parameter or buffer whose bytes have this SHA-256, as those of no other have. */
typedef struct eti_weight_user {
    eti_text key;  /* hexadecimal digits */
    uint32_t node; /* number in the graph of the method */
} eti_weight_user;

/* Finds the only users of the parameters and buffers of a method, sorted by key. Finds none if the record has no weights, or
 * more than 32 MiB of them, or if they cannot be read. Fails with ETI_ERROR_MEMORY, or with any status of reading the graph. */
eti_status eti__record_weight_users(eti_record *record, size_t method, const eti_weight_user **out,
                                    size_t *n, eti_error *err) ETI_WARN_UNUSED;

/* Returns the record with one more reference, which eti_record_close() drops. */
eti_record *eti__record_keep(eti_record *record);

/* Returns a graph as eti__etrecord_read_graph(), _read_lowered(), _read_reference_graph() or _read_values() reads it; `name` is
 * the name of a reference graph or of a graph with values, or NULL. `values` may be NULL: a caller who will need the values later
 * then asks for ETI_READ_VALUES instead of ETI_READ_LOWERED, so that the graph is read only once. */
eti_status eti__record_graph(eti_record *record, eti_graph_reading reading, size_t method,
                             const char *name, eti_graph *out, eti_graph_values *values,
                             eti_error *err) ETI_WARN_UNUSED;

/* ==== run events ============================================================================== */
/* Turns the events of one run into sources of Events: groups them by instruction (id, chain and
 * delegate id), so that a profile event and the debug events of the same call are in one group;
 * each profile event of a group is one source, which is recognised in other runs by its identity.
 *
 * Events are identified by their index in the run. All members are scratch memory, reused for the
 * next run. */

#define ETI_NO_EVENT UINT32_MAX

/* Identity of an event: its name and ids. "" and -1 stand for absent parts. */
typedef struct eti_event_identity {
    bool ignores_ids; /* ids that a delegate counts in its process do not matter */
    int32_t instruction_id, delegate_id_int;
    eti_text name, delegate_id_str;
} eti_event_identity;
eti_event_identity eti__event_identity_read(const eti_etdump *dump, eti_position event);
uint64_t eti__event_identity_hash(const eti_event_identity *identity, uint64_t seed);
bool eti__event_identities_equal(const eti_event_identity *a, const eti_event_identity *b);

/* Returns the metadata of the first run that has any; absent if no run has. */
eti_text eti__event_metadata(const eti_event *event);

/* Returns the name by which people and comparisons know the event: without ids of a process, a graph or a value. */
eti_text eti__event_label(const eti_event *event);

/* ==== samples ================================================================================= */
/* Turns the stamps of a block's profile events into samples and their statistics. */

/* Returns the number of ticks of the event's stamps in a unit of the target scale. */
double eti__event_factor(const eti_event *event, const eti_options *options);

/* Returns the frequency of the cycles that an event counts, in Hz; 0 if it is unknown. */
double eti__event_hz(const eti_event *event, const eti_options *options);

/* Returns the entry that applies to the event's own times instead of the source time scale, or NULL. */
const eti_delegate_time_scale *eti__event_own_time_scale(const eti_event *event,
                                                         const eti_options *options);

/* ==== tensor ================================================================================== */
/* Finds a tensor's bytes in the debug buffer and compares tensors as torch.equal() does. */

/* Normally, the tensors of a run do not overlap, and each is read once. Only overlapping tensors can add up to more than
 * the debug buffer; then at most 64 MiB plus this multiple of the buffer are read. */
#define ETI_TENSORS_READ_RATIO 4
static inline uint64_t eti__tensors_most_read(uint64_t debug_buffer_size) {
    return ((uint64_t)64 << 20) + ETI_TENSORS_READ_RATIO * debug_buffer_size;
}

/* A tensor and its place in memory. */
typedef struct eti_tensor_view {
    const eti_etdump *dump;
    eti_etdump_tensor tensor;
    uint64_t n_elements;
    const uint8_t *
        data; /* NULL if there is no debug buffer, there are no elements, or the element type has an unknown width */
    size_t n_bytes;
} eti_tensor_view;

/* Returns whether the writer recorded where a tensor's contents are. libetcapture gives the offset -1 to tensors whose
 * contents did not fit; ETDumpGen gives it to tensors without contents, and fails if other tensors do not fit. */
bool eti__tensor_is_recorded(const eti_etdump *dump, eti_position tensor);

/* Reads a tensor; without `debug_buffer`, it has no contents. If the ETDump has its own debug buffer, that one is used.
 * ETI_ERROR_MALFORMED: no sizes, a negative or overflowing size, or bytes that are outside the buffer or not recorded. */
eti_status eti__tensor_read(eti_tensor_view *out, const eti_etdump *dump, eti_position tensor,
                            const struct eti_file *debug_buffer, eti_error *err) ETI_WARN_UNUSED;

/* ==== value =================================================================================== */
/* The structs behind the public eti_value and eti_tensor. */

struct eti_tensor {
    int8_t scalar_type;   /* number of ExecuTorch's ScalarType */
    const char *dtype;    /* static */
    const int64_t *sizes; /* n_dims of them */
    size_t n_dims;        /* 0 for a scalar */
    int64_t offset;       /* offset in the debug buffer, in bytes */
    const uint8_t *
        data; /* contiguous, row-major; NULL without a debug buffer, if empty, or if not recorded */
    size_t n_bytes; /* 0 if `data` is NULL */
    const int64_t *
        strides; /* as recorded, n_dims of them, unchecked; NULL: row-major. The Inspector ignores them */
};

struct eti_value {
    eti_value_kind kind;
    int64_t as_int;
    bool as_bool;
    double as_double;
    const eti_tensor *tensors; /* one if the kind is ETI_VALUE_TENSOR */
    size_t n_tensors;
};

#endif
