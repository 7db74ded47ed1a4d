/*
 * rollup.h - sums of times: groups, the module tree, delegation, instructions, the graph with its times.
 */
#ifndef ETI_ROLLUP_ROLLUP_H
#define ETI_ROLLUP_ROLLUP_H

#include "account/account.h"
#include "base/arena.h"
#include "base/intern.h"
#include "base/numbers.h"
#include "base/text.h"
#include "etinspect.h"
#include "model/model.h"
#include "places/places.h"
#include "program/program.h"

/* ==== attributed times ======================================================================== */
/* Adds up the time of delegates by the way in which the nodes of their operators were found. */

/* Weights, see "typical time" in account/account.h. Initialize to all zeros. */
typedef struct eti_attributed_times {
    eti_wide of[ETI_N_ATTRIBUTIONS]; /* of the Events that delegates logged */
    /* time of backends whose operators are uncertain, which a program may name */
    eti_wide seen_by_program;
    eti_wide in_delegates; /* of delegate calls, logged or not */
    eti_wide whole;        /* of all counted Events */
} eti_attributed_times;

/* Returns the time that delegates logged. */
double eti__attributed_times_logged(const eti_attributed_times *times);

/* ==== rollup ================================================================================== */
/* Adds up the self times of events by group, for any grouping.
 *
 * Each event belongs to one group and only self times are added, so the groups of any grouping add
 * up to the whole: Method::execute or, without it, all Events that ran. Events of loading, and all
 * Events inside them, are left out unless there are no others. Warm-up runs are left out, see
 * account/account.h.
 *
 * Orders and shares follow from weights, see "typical time" in account/account.h. Statistics are
 * those of the per-run sums of a group, over the runs of all EventBlocks that have
 * an Event of the group. A run that took another branch does not count. */

typedef struct eti_group {
    eti_time_sum time;
    /* those of operators, or of all events if the group has no operator */
    uint64_t n_events, n_calls;
    uint64_t n_work_events;
    size_t n_runs;
    uint32_t newest_block; /* index into rollup->parts; ETI_NO_GROUP if there is none */
} eti_group;

/* A group in one block. */
typedef struct eti_group_part {
    uint32_t next;    /* an older part of the group */
    uint32_t n_runs;  /* number of runs of the block */
    size_t first_sum; /* index into rollup->sums; n_runs sums follow */
    size_t first_run; /* index of the block's first run among the runs of all blocks */
} eti_group_part;

/* The sum of a run; if `has_events` is false, the run has no event of the groups. */
typedef struct eti_group_sum {
    eti_wide ticks;
    bool has_events;
} eti_group_sum;

/* Initialize to all zeros. */
typedef struct eti_rollup {
    eti_group *groups;
    size_t n_groups, group_capacity;
    eti_group_part *parts;
    size_t n_parts, part_capacity;
    uint64_t *sums; /* ticks */
    size_t n_sums, sum_capacity;
    eti_time_sum whole;
    eti_method_runs method_runs;
    double factor; /* ticks / factor is a time in the target scale */
    eti_run_counts runs;
    bool is_unsteady;        /* a group is, see eti__time_sum_is_unsteady() */
    size_t most_runs;        /* n_runs of the group with the most runs */
    eti_cycle_counts cycles; /* see account/account.h */
    eti_rounding rounding;
    eti_attributed_times attributed;
} eti_rollup;

/* Sets the group of each Event of a block, as a small number. The value is ETI_NO_GROUP before the call; left
 * unchanged, it excludes the Event. Returns false if memory runs out. */
typedef bool (*eti_group_function)(void *context, const eti_account *account, uint32_t *groups);

/* Adds up the blocks selected by the options. Fails with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__rollup_make(eti_rollup *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_group_function group_events,
                            void *context, eti_error *err) ETI_WARN_UNUSED;
/* Adds to `out` the counts of another rollup, of other blocks, that notes need: its runs, whether it is unsteady, Events without a
 * time, rounding and times of delegates. */
void eti__rollup_join_counts(eti_rollup *out, const eti_rollup *joined);
void eti__rollup_free(eti_rollup *rollup);

/* Converts ticks to the target time scale. */
double eti__rollup_time(const eti_rollup *rollup, eti_wide ticks);
/* Returns the typical time of a sum of groups per run of the methods that have them, in the target time scale. */
double eti__rollup_typical(const eti_rollup *rollup, const eti_time_sum *time);
/* Returns the typical time of a group per run of the blocks that have it, in the target time scale; 0 without runs. */
double eti__rollup_typical_in_blocks(const eti_rollup *rollup, const eti_group *group);
/* Returns a sum of groups as a share of the whole. */
double eti__rollup_share(const eti_rollup *rollup, const eti_time_sum *time);

/* Summarizes the per-run sums of a group; returns false if the group has no runs. `scratch` has room for 2 *
 * most_runs values. */
bool eti__rollup_summarize(const eti_rollup *rollup, size_t group, double *scratch,
                           eti_summary *out);

/* Sets `ticks`, which has room for runs.n values, to the sum of a group in each run of all blocks; 0 in runs without
 * the group. Sets `has_events` to true for the runs of blocks with the group, and leaves it unchanged for others. */
void eti__rollup_runs(const eti_rollup *rollup, size_t group, uint64_t *ticks, bool *has_events);

/* Summarizes the per-run sums of several groups together; returns false if none of them has runs. `scratch` has room
 * for 2 * runs.n values, `sums` for runs.n. */
bool eti__rollup_summarize_groups(const eti_rollup *rollup, const uint32_t *groups, size_t n,
                                  eti_group_sum *sums, double *scratch, eti_summary *out);

/* Fills `order`, which has room for all groups, with the groups that have Events, by weight, largest first, then by
 * total, then by number. Returns the number of these groups. */
size_t eti__rollup_sort(const eti_rollup *rollup, uint32_t *order);

/* ==== steps =================================================================================== */
/* Turns Events, or a program if there is no ETDump, into the steps of methods: the instructions
 * that call a kernel or a delegate, in order, and the parts of the time of each.
 *
 * Blocks that ran the same method share its steps. Copies that a delegate makes because its
 * neighbours keep tensors in another layout or type are distinguished from its operators by the
 * names that it logs. */

typedef struct eti_step_key {
    /* number of the method's name; numbers from UINT32_MAX down for blocks with an unknown method */
    uint32_t method;
    int32_t instruction; /* -1 if unknown */
    uint32_t kind;       /* an eti_step_kind */
    /* index into steps->names: the operator of a kernel, see "op type", or a backend */
    uint32_t name;
} eti_step_key;

typedef struct eti_step {
    eti_step_key key;
    bool is_copy; /* the kernel changes only layout or type */
    eti_place place;
    /* number of operators that a delegate logged in any block, or has in its payload, or of nodes that the ETRecord lists
     * for its call; 0 if unknown */
    uint64_t n_operators;
} eti_step;

/* Initialize to all zeros. */
typedef struct eti_steps {
    ETI_INTERN_OF(eti_step) all;
    uint32_t *order; /* numbers of steps, ETI_NO_STEP or ETI_FIRST_STEP */
    size_t n_order, order_capacity;
    eti_shared_texts names;   /* names of operators and backends */
    eti_shared_texts methods; /* names of methods */
    eti_places places;
    eti_rollup rollup; /* without an ETDump: empty */
    bool has_times;
    eti_distinct_events distinct; /* operators that delegates logged */
    eti_arena arena;              /* owns the names of programs' operators */
} eti_steps;

/* ==== delegation ============================================================================== */
/* Adds up the time of delegates, of the operators outside of them and of copies, and computes an
 * upper bound for the time that delegating those operators could save.
 *
 * The bound for an operator or a split assumes that a delegate needs no time for it, that the
 * runtime needs no time around it, and that the copies beside it disappear. If two calls become
 * one, it also assumes that the overhead of one call disappears; that overhead is at most the
 * smallest unlogged time of a call of the backend. The effect on a run follows from Amdahl's law
 * and is not a forecast. */

/* Time of a set of groups. */
typedef struct eti_cost {
    eti_time_sum time;
    double p50; /* median of the sums per run; NaN if there are no times */
} eti_cost;

/* Cost of a backend, of the operators that no backend took, or of the framework. */
typedef struct eti_backend_cost {
    uint32_t number; /* number of its name */
    eti_text name;
    bool is_backend;
    bool has_calls;       /* true for all but the framework */
    uint64_t n_calls;     /* number of instructions */
    uint64_t n_operators; /* see eti_step; 0 if unknown */
    bool has_bytes;
    uint64_t n_bytes; /* size of its payloads in the program, each counted once */
    eti_cost cost;
} eti_backend_cost;

/* The time of operators that run outside of delegates, and what delegating them could save. */
typedef struct eti_saving {
    eti_cost cost;      /* of their kernels, without copies */
    eti_cost copies;    /* of the copies that would disappear with them */
    eti_time_sum bound; /* of both: largest time of operators that this could save */
    /* time of the runtime around them, and the overhead of the delegate calls that would become one */
    eti_time_sum overhead;
} eti_saving;

/* An operator that runs outside of delegates. */
typedef struct eti_outside_op {
    uint32_t number; /* number of its name */
    eti_text name;
    bool is_copy;
    uint64_t n_calls;
    uint64_t n_splits; /* number of calls that stand between two delegate calls */
    eti_saving saving; /* its copies are those beside it, if nothing else splits the graph */
} eti_outside_op;

/* Steps between two delegate calls. */
typedef struct eti_split {
    /* jumps or moves are between the calls too, so that these stay apart even if all steps are delegated */
    bool has_control_flow;
    size_t position;   /* of its first step in order of execution */
    size_t first, end; /* range in steps->order; the delegate calls stand at first - 1 and end */
    size_t
        longest; /* in this range: the operator that takes the most time; a copy only if all are copies */
    eti_saving saving; /* its copies are those in it, and those beside it in the delegate calls */
} eti_split;

/* Initialize to all zeros. */
typedef struct eti_delegation {
    eti_steps steps;
    /* most expensive first; then the operators that no backend took, then the framework */
    eti_backend_cost *backends;
    size_t n_backends;
    /* by bound, largest first; without times, by the number of splits, then of calls */
    eti_outside_op *outside;
    size_t n_outside;
    eti_split *splits; /* in the same order; then in order of execution */
    size_t n_splits;
    eti_cost
        other_copies; /* cost of copies at the borders of delegate calls that are in no split */
    bool has_bytes;   /* a method of the program is among those whose payloads are added up */
    uint64_t n_named_bytes; /* size of the named data in that program, outside the payloads */
    eti_arena arena;
} eti_delegation;

/* Makes `out`. Costs have a p50 only if `finds_medians`. Fails with ETI_ERROR_LIMIT because of a program, or
 * ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__delegation_make(eti_delegation *out, const eti_inspector *inspector,
                                const eti_view_options *options, bool finds_medians,
                                eti_error *err) ETI_WARN_UNUSED;
void eti__delegation_free(eti_delegation *delegation);

/* ==== timed graph ============================================================================= */
/* The nodes of a graph with their inputs, their place in the model, their backend and their times. */

/* A module, or a delegate call with the modules inside it, identified by its path. */
typedef struct eti_timed_module {
    uint32_t parent; /* number of the parent, always lower; 0: no parent */
    eti_text name;   /* name of the module as nodes have it, such as "blocks.0.q" */
    /* part of the name after the parent's, such as "q"; empty for the model itself */
    eti_text part;
    bool is_call; /* it is a delegate call, not a module */
} eti_timed_module;

/* A node with times. Unknown texts are absent and unknown numbers are NaN. */
typedef struct eti_timed_node {
    eti_text name;  /* name without the "_" that the Inspector appends */
    bool is_input;  /* it is an input of the graph, with only a name and a value */
    bool is_weight; /* it is an input that is a parameter, a buffer or a constant of the model */
    /* it stands for Events that are not a single node, with only a name, an operator, a place and a time */
    bool is_rest;
    bool is_other_method; /* for `is_rest`: it stands for all Events of another method */
    bool is_unsteady;     /* its time is, see eti__time_sum_is_unsteady() */
    eti_text op;          /* "(input)" for an input */
    eti_text target;
    bool has_debug_handle;
    int64_t debug_handle;
    const char *dtype; /* type of its first result, as is `shape`; NULL if that is not a tensor */
    eti_text shape;
    eti_text backend; /* backend that the node was delegated to */
    uint32_t call;    /* node of the delegate call that contains it; ETI_NO_NODE if there is none */
    bool is_call;     /* the nodes after it are those that it calls */
    eti_text module;  /* innermost module */
    uint32_t module_number; /* index into graph->modules; 0: no module */
    bool has_several_lines; /* for `is_rest`: its nodes have different lines, so no line is known */
    eti_text file;          /* file of the user's code, as are `line` and `code` */
    uint32_t line;
    eti_text code;
    /* names of the nodes and inputs that it uses, in order, with repetitions */
    const eti_text *inputs;
    const uint32_t *input_nodes; /* numbers of these; ETI_NO_NODE if unknown */
    size_t n_inputs;
    double total;      /* time of Events of this node alone, in the target scale */
    double typical;    /* their typical time per run, see account/account.h */
    double p50;        /* median of its sums per run */
    double share;      /* its share of the whole, by weight */
    double share_mean; /* `total` as a share of the whole */
    double shared;     /* typical time per run of Events that it shares with other nodes */
    uint32_t lowered;  /* index into graph->lowered; ETI_NO_NODE for an input or `is_rest` */
    eti_gap gap;       /* gap of its results, if graph->has_gaps */
} eti_timed_node;

typedef struct eti_timed_graph {
    /* Inputs come first, then the other nodes in graph order, with each call followed by the nodes that it stands
     * for: n_nodes in total. Then come n_rest nodes that stand for all other Events, so that totals add up to the
     * whole. */
    eti_timed_node *nodes;
    size_t n_nodes, n_rest;
    /* name of the method, or of another graph of the ETRecord; absent without an ETRecord */
    eti_text name;
    bool is_of_several_methods;      /* the record or the program has further methods */
    const eti_timed_module *modules; /* the first stands for no module */
    size_t n_modules;
    bool has_record; /* false: without an ETRecord there are no nodes */
    bool has_times;  /* it is the edge program, which the Events refer to */
    bool has_gaps;   /* results were compared with those of a reference */
    eti_run_counts runs;
    size_t n_lists; /* number of sets of nodes with only a common time */
    eti_arena arena;
    bool shows_weights;                /* whether drawings show weights */
    struct eti_lowered_graph *lowered; /* owner of the texts; NULL if the inspector owns them */
} eti_timed_graph;

/* ==== graph =================================================================================== */
/* Turns a graph of the ETRecord into nodes with their inputs, their place in the model, their
 * backend and their times. */

/* Reads the graph options->graph. Only the edge program has times. The time of an Event that is a single node
 * (places/places.h) counts in the node's `total`. The time of an Event of several nodes, or of an event that a delegate
 * ran for them, counts in the `shared` time of each. Fails with ETI_ERROR_USAGE if there is no such graph, with any
 * status of reading the ETRecord, or with ETI_ERROR_MEMORY. Free `out` in any case, before the inspector is closed. */
eti_status eti__timed_graph_make(eti_timed_graph *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__timed_graph_free(eti_timed_graph *graph);

/* ==== arguments =============================================================================== */
/* Finds the tensors that the operator of an Event takes and returns, and the work that follows from
 * them: floating-point operations, and bytes read or written.
 *
 * The tensors are those that a delegate logged. For a kernel, they are those of its instruction in
 * the program, or else those of its node in the ETRecord; for an event of XNNPACK, those of its
 * node. If the node reads numbers that another one dequantizes, or its results are quantized, the
 * kernel reads or writes the quantized numbers, so that their type counts. The tensors of other
 * Events are unknown: those of copies that a delegate inserted, and of whole delegate calls.
 *
 * Only convolutions and matrix products have floating-point operations: two for each product that
 * is added. The bytes are a lower bound: each tensor counts once, without padding. */

/* Stands for unknown work. */
#define ETI_UNKNOWN_WORK UINT64_MAX

typedef struct eti_event_tensors {
    /* of each tensor, in the order of the arguments; results come last */
    const eti_text
        *dtypes; /* such as "float32"; as the delegate spells it if torch has no such type */
    const eti_int_list *shapes; /* NULL: a size is unknown */
    size_t n;                   /* 0: unknown */
    uint64_t flop;              /* ETI_UNKNOWN_WORK also if the operator has none */
    uint64_t traffic;
} eti_event_tensors;

typedef struct eti_arguments eti_arguments;

/* Reads graphs of the ETRecord when the first Event needs them. The inspector must live longer. NULL: out of memory. */
eti_arguments *eti__arguments_new(const eti_inspector *inspector);
void eti__arguments_free(eti_arguments *arguments);

/* Finds the tensors of an Event; they live as long as the arguments. False: out of memory. */
bool eti__arguments_find(eti_arguments *arguments, const eti_account *account, size_t event,
                         eti_event_tensors *out) ETI_WARN_UNUSED;

/* Floating-point operations and bytes that the hardware can do in a second; 0: unknown. */
typedef struct eti_peaks {
    double flops, bandwidth;
} eti_peaks;

/* How near work comes to what the hardware can do. */
typedef struct eti_bound {
    double of_peak; /* shortest time in which the hardware could do it / its time; NaN: unknown */
    bool by_memory; /* bytes take that time; otherwise floating-point operations do */
} eti_bound;

/* Compares work that took `seconds` with the peaks. Unknown numbers are NaN. */
eti_bound eti__bound_of(const eti_peaks *peaks, double flop, double traffic, double seconds);

#define ETI_OF_PEAK_HELP "shortest time that the peaks allow, as a share of the self time"
#define ETI_BOUND_BY_HELP "peak that decides: compute or memory"

/* ==== group names ============================================================================= */
/* Defines the names of groups that are not an operator, backend, module or line, for all code that
 * lists groups. */

#define ETI_GROUP_FRAMEWORK "(framework)"
#define ETI_GROUP_AROUND_OPERATORS                                                                 \
    "(around operators)" /* part of the framework's time that is in no listed event */
#define ETI_GROUP_NOT_DELEGATED "(not delegated)"
#define ETI_GROUP_UNKNOWN "(unknown)"
#define ETI_GROUP_MODEL "(model)"
#define ETI_GROUP_DELEGATE_CALL "(delegate call)"
#define ETI_GROUP_DELEGATE_OVERHEAD "(delegate overhead)"
#define ETI_GROUP_DELEGATE_TRANSFERS "(delegate transfers)"
#define ETI_GROUP_SEVERAL_LINES "(several lines)"
/* Name for profiles and baselines, which store one line per Event: an Event without a line either has an unknown line
 * or several. */
#define ETI_GROUP_UNKNOWN_OR_SEVERAL_LINES "(unknown or several lines)"
#define ETI_GROUP_SEVERAL_OPS "(several operators)"
#define ETI_GROUP_SEVERAL_MODULES "(several modules)"
#define ETI_GROUP_NO_NAME "(no name)"

/* ==== grouping ================================================================================ */
/* Turns EventBlocks into groups of Events that have an operator, a kernel, a backend, a compute
 * unit, a module, a line of source, a method or a block in common, and names the groups.
 *
 * Events without such a property are in groups with the names of their grouping. */

/* The property that the Events of a group share. */
typedef enum eti_grouping {
    ETI_BY_OP,
    ETI_BY_KERNEL,
    ETI_BY_BACKEND,
    ETI_BY_COMPUTE_UNIT,
    ETI_BY_MODULE,
    ETI_BY_SOURCE,
    ETI_BY_METHOD,
    ETI_BY_BLOCK,
    ETI_N_GROUPINGS,
} eti_grouping;

/* Returns the name of a grouping as --group accepts it, such as "op". */
const char *eti__grouping_name(eti_grouping grouping);

/* Returns the noun for groups that need an ETRecord, such as "modules"; NULL if the grouping needs no ETRecord. */
const char *eti__grouping_of_record(eti_grouping grouping);

/* Parses a grouping. Sets `*depth` to 2 for "module:2", and to UINT32_MAX if no depth is given. Returns false if
 * there is no such grouping. */
bool eti__grouping_parse(const char *text, eti_grouping *out, uint32_t *depth);
/* Returns the name of the grouping most similar to a mistyped one, or NULL if none is similar. */
const char *eti__grouping_near(const char *mistyped);

typedef struct eti_block_key eti_block_key;

/* Groups with their names. Initialize with eti__groups_make(). */
typedef struct eti_groups {
    eti_grouping grouping;
    uint32_t depth; /* depth of modules */
    const eti_inspector *inspector;
    eti_places places;
    eti_text_table texts;
    eti_shared_texts ops;              /* names of operators, see "op type" */
    ETI_INTERN_OF(eti_block_key) keys; /* per group of the rollup */
    eti_rollup rollup;
    uint32_t *order; /* n groups, in the order of eti__rollup_sort() */
    size_t n;
    /* the inspector has several methods and these groups are of one, see account/account.h */
    bool is_of_method;
    bool per_block; /* each EventBlock has groups of its own, which are adjacent in `order` */
    eti_time_sum
        *wholes; /* per group in `order`: the time that its share refers to, all or of its block */
    double *cumulative; /* per group in `order`: its share plus all shares before it */
    uint64_t n_bytes;   /* approximate size of all names */
} eti_groups;

/* Groups the Events of the blocks selected by the options. If options->per_block is set, no group has Events of two
 * blocks. Fails with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__groups_make(eti_groups *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_grouping grouping, uint32_t depth,
                            eti_error *err) ETI_WARN_UNUSED;
void eti__groups_free(eti_groups *groups);

/* Returns the number of the EventBlock that a group belongs to, if each block has groups of its own. */
size_t eti__groups_block(const eti_groups *groups, uint32_t group);

/* Appends the name of a group, given by its number in the rollup. */
void eti__groups_add_name(const eti_groups *groups, uint32_t group, eti_buffer *out);

/* ==== instruction times ======================================================================= */
/* Joins the instructions of a program with the times of their Events.
 *
 * The time of an instruction is that of the Events with its number and chain: the call, the kernel
 * and the events that a delegate logged. An instruction in a loop has several Events in a run,
 * which are added up; an instruction in a branch that was not taken has none. Time that belongs to
 * no instruction counts as the framework's, so that all rows add up to the whole. Equal
 * instructions with the same number in several chains share one Event, with the time of the last
 * of them. */

/* A method that at least one block ran. */
typedef struct eti_timed_method {
    const eti_pte_plan *plan;
    size_t first; /* first row: one row for each of its instructions, then one for its framework */
    eti_liveness liveness;
    eti_planned_arenas arenas;
    eti_value_bytes bytes;
    const uint64_t *in_use; /* bytes in use of all arenas, by instruction */
} eti_timed_method;

typedef struct eti_instruction_times {
    eti_timed_method *methods; /* in the order of the program */
    size_t n_methods;
    /* the last row is the framework of runs without any instruction, if there are such runs */
    size_t n_rows;
    uint64_t *calls, *kernels; /* per row, in the runs that count; kernels run inside calls */
    eti_rollup rollup;         /* its groups are the rows */
    eti_arena arena;
} eti_instruction_times;

/* Makes the times of all methods of the inspector's program that its blocks ran. Fails with ETI_ERROR_DATA if an
 * Event belongs to no instruction, because the ETDump is of another program; with ETI_ERROR_USAGE if several methods
 * fit a block; with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__instruction_times_make(eti_instruction_times *out, const eti_inspector *inspector,
                                       const eti_view_options *options,
                                       eti_error *err) ETI_WARN_UNUSED;
void eti__instruction_times_free(eti_instruction_times *times);

/* Returns the method of a row, or NULL if it belongs to no method. */
const eti_timed_method *eti__instruction_method(const eti_instruction_times *times, size_t row);

/* Returns the number of calls of a row's instruction in the runs that count. */
uint64_t eti__instruction_calls(const eti_instruction_times *times, size_t row);

/* ==== module tree ============================================================================= */
/* Turns modules and the times of their events into a tree, with the children of each module
 * ordered by time, most expensive first.
 *
 * With `folds_layers`, modules whose names differ only by a number are shown as one module if they
 * have the same type, their events have the same operators, and the same is true of the modules
 * inside them, which have equal names: layers.0 and layers.1 become layers.*, and modules inside
 * them with equal names are shown as one, too. Their times are added. */

typedef struct eti_tree_module {
    uint32_t parent; /* ETI_PREFIX_ROOT for the model */
    /* number of modules that it stands for; 0 if another module stands for this one */
    uint32_t n_same;
    bool is_layers; /* these modules differ by a number, which is "*" in `name` */
    eti_text name;  /* its path; for the model, its type */
    eti_text path;  /* absent for the model */
    eti_text type;
    eti_time_sum self;
    eti_group all; /* sums including the modules inside it, without runs */
    /* range in tree->groups, including the groups of the modules inside it */
    size_t first_group, n_groups;
    /* range in tree->children, without modules that have no events */
    size_t first_child, n_children;
} eti_tree_module;

typedef struct eti_module_tree {
    eti_tree_module *modules; /* by index into places->modules */
    size_t n_modules;
    uint32_t *children; /* modules; the children of one parent are adjacent */
    /* groups of the rollup: each module's own groups, followed by those of the modules inside it */
    uint32_t *groups;
    uint32_t *stand_ins; /* per module of the places: the module that stands for it */
    eti_arena arena;     /* owns the names with a "*" */
} eti_module_tree;

/* Makes the tree. The Events of module n of the places are in group `first_group` + n - 1 of the rollup. Places and
 * rollup must outlive the tree. Returns false if memory runs out; free `out` in any case. */
bool eti__module_tree_make(eti_module_tree *out, const eti_places *places, const eti_rollup *rollup,
                           uint32_t first_group, bool folds_layers);
/* Returns the name without the path of the enclosing module: "qkv" for "attention.qkv" in "attention"; the whole name
 * if it does not begin with that path. */
eti_text eti__module_name_inside(eti_text name, eti_text path);

void eti__module_tree_free(eti_module_tree *tree);

/* ==== layers ================================================================================== */
/* Turns Events into the layers of the model: the modules that have Events of their own, without
 * those of the modules inside them, and parts of the time that belong to no module. Without an
 * ETRecord, kernels stand for layers.
 *
 * Layers are ordered by weight. A layer is clear of another if the runs show which one takes
 * longer: with six runs or more by a sign test, with fewer if each run of the one takes longer
 * than every run of the other. */

typedef enum eti_layer_kind {
    ETI_LAYER_MODULE,
    ETI_LAYER_KERNEL,    /* without an ETRecord: Events of one name */
    ETI_LAYER_MODEL,     /* Events of the model itself, outside of its modules */
    ETI_LAYER_CALL,      /* delegate calls of several modules that logged no operators */
    ETI_LAYER_OVERHEAD,  /* time of delegate calls outside of operators and transfers */
    ETI_LAYER_TRANSFERS, /* time in which delegates copy inputs and outputs */
    ETI_LAYER_FRAMEWORK,
    ETI_LAYER_UNKNOWN, /* Events that the ETRecord does not know */
} eti_layer_kind;

/* A group of the rollup. The first three members identify it. */
typedef struct eti_layer {
    uint32_t kind;   /* an eti_layer_kind */
    uint32_t method; /* index into layers->methods */
    uint32_t
        number; /* of its name: index into places->module_names or layers->texts; otherwise 0 */
    /* the Event with the largest weight, and its backend */
    const eti_event *event;
    eti_wide weight;
    eti_text backend; /* "CPU" for a kernel; absent or empty: none */
    /* the line whose Events of this layer have the largest weight together */
    eti_place place;
    eti_wide line_weight;
} eti_layer;

#define ETI_SEVERAL_LINES UINT32_MAX

/* The Events of a layer that come from one line. The first two members identify it. */
typedef struct eti_layer_line {
    uint32_t layer;
    uint32_t line; /* index into places->lines, or ETI_SEVERAL_LINES for Events of several lines */
    eti_wide weight;
} eti_layer_line;

/* The runs of a method, or of blocks of one name if their method is unknown. */
typedef struct eti_layer_method {
    eti_text key;    /* name of the method, or of its blocks */
    eti_text name;   /* name of the method; absent if it is unknown */
    uint64_t may_be; /* if it is unknown: the methods that fit, as in eti_event_block */
    size_t n_runs;   /* number of runs that count */
    double median;   /* of these runs, in the target time scale */
    eti_time_sum whole;
    double first_run; /* median over the first runs of the ETDumps; NaN if unknown */
    double slowest;   /* of the runs that are not first; NaN: no such run */
    bool has_warm_up; /* its first runs were found to be warm-up */
} eti_layer_method;

/* Initialize with eti__layers_make(). */
typedef struct eti_layers {
    const eti_inspector *inspector;
    bool are_kernels;               /* there is no ETRecord, or it is left out */
    ETI_INTERN_OF(eti_layer) items; /* per group of the rollup */
    ETI_INTERN_OF(eti_layer_line) lines;
    eti_rollup rollup;
    uint32_t *order; /* numbers of `items`, in the order of eti__rollup_sort() */
    size_t n;
    eti_layer_method *methods;
    size_t n_methods, method_capacity;
    eti_places places;
    eti_text_table texts; /* names of kernels */
    eti_run_list list;
} eti_layers;

/* Makes the layers of the blocks that the options select. Fails with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__layers_make(eti_layers *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__layers_free(eti_layers *layers);

/* Returns the name of a layer, such as "features.0" or "(framework)". */
eti_text eti__layer_name(const eti_layers *layers, const eti_layer *layer);

/* Returns whether the median run of a method takes much longer than its typical time: parts of the runs were interrupted. */
bool eti__layers_were_interrupted(const eti_layers *layers, const eti_layer_method *method);

/* Sets `*out` to whether layer `a` is clear of layer `b`; both are of one method. Returns false if memory runs out. */
bool eti__layers_find_clear(const eti_layers *layers, uint32_t a, uint32_t b, bool *out);

/* ==== op type ================================================================================= */
/* Finds the operator of an Event.
 *
 * An event whose nodes (places/places.h) all have the same operator has that operator; without an
 * ETRecord, or if the ETRecord does not know the event, the operator is the name of the event.
 * This is the only rule; all code that adds up operators uses it, whether they come from events or
 * from baselines. */

typedef enum eti_op_type_kind {
    ETI_OP_TYPE_FRAMEWORK, /* time of the runtime */
    /* time of a delegate call outside the events that the delegate logged */
    ETI_OP_TYPE_NOT_LOGGED,
    /* time of a delegate call in which it copies inputs and outputs, waits, or measures */
    ETI_OP_TYPE_TRANSFERS,
    ETI_OP_TYPE_OVERHEAD,
    ETI_OP_TYPE_PROFILING,
    ETI_OP_TYPE_SEVERAL, /* nodes of different operators */
    ETI_OP_TYPE_NAMED,   /* must be last: see eti__op_type_number() */
} eti_op_type_kind;

typedef struct eti_op_type {
    eti_op_type_kind kind;
    eti_text name; /* name of the operator, borrowed from the inspector, or of the group */
} eti_op_type;

/* Returns the name of an operator unknown to the ETRecord without the number of its call, which is " #2" or "_2" at
 * the end. */
eti_text eti__fold_op_name(eti_text name);

/* Returns the operator of an event of the account's block. If it is the name of the event, it has no call number;
 * ETI_GROUP_NO_NAME replaces an empty name. */
eti_op_type eti__op_type_of(const eti_account *account, size_t event);

/* Returns the kernel that ran an event whose operator is `op`: as its delegate names it, else the name of the event without
 * the number of its call. The framework's time has no kernel. */
eti_text eti__kernel_name(const eti_account *account, size_t event, const eti_op_type *op);

/* Returns the kind for a role in which a delegate call runs no operator; see eti__role_is_around(). */
eti_op_type_kind eti__op_type_around(eti_role role);

/* Returns the name of the group for a kind other than ETI_OP_TYPE_NAMED. */
eti_text eti__op_type_group(eti_op_type_kind kind);

/* Numbers operators: a kind other than ETI_OP_TYPE_NAMED has the number of the kind; operators are numbered from
 * ETI_OP_TYPE_NAMED by their index in `names`. Returns false if memory runs out. */
bool eti__op_type_number(eti_shared_texts *names, const eti_op_type *op, uint32_t *out);

/* Returns the name of the operator or group with this number. */
eti_text eti__op_type_name(const eti_shared_texts *names, uint32_t number);

/* ==== overview ================================================================================ */
/* Turns EventBlocks into the data of the view "summary", in one pass over the blocks. */

/* Number of Events shown as the most variable. */
#define ETI_MOST_NOISY 3

/* An operator or, with split_variants, an operator and the name of its kernel. */
typedef struct eti_overview_op {
    uint32_t op;     /* number in eti_overview.names, see "op type" */
    uint32_t kernel; /* index into eti_overview.names.texts; 0: unused */
} eti_overview_op;

/* Uses of the time of a backend. */
typedef enum eti_backend_part {
    ETI_BACKEND_OPERATORS,
    ETI_BACKEND_TRANSFERS,
    ETI_BACKEND_OVERHEAD, /* also time that it did not log */
    ETI_BACKEND_PROFILING,
    ETI_N_BACKEND_PARTS,
} eti_backend_part;

/* A backend on which operators ran, or the lack of one. */
typedef struct eti_overview_backend {
    eti_text name; /* name, or ETI_GROUP_NOT_DELEGATED or ETI_GROUP_UNKNOWN */
    /* number of operators, or of delegate calls that logged none; an Event that several blocks of a method have counts
     * once */
    uint64_t n_operators;
    eti_time_sum time;
    eti_time_sum parts[ETI_N_BACKEND_PARTS]; /* they add up to `time` */
    const eti_event_block *newest; /* last block with this backend among those added so far */
    size_t n_runs; /* number of runs after the warm-up in the blocks with this backend */
} eti_overview_backend;

/* An operator with varying times. */
typedef struct eti_noisy_event {
    const eti_event *event;
    double variation; /* standard deviation / mean of its times after the warm-up */
    double median;
    double share; /* its self time as a share of its block */
    size_t n_runs;
} eti_noisy_event;

/* Initialize to all zeros. */
typedef struct eti_overview {
    const eti_inspector *inspector;
    const eti_view_options *options;
    eti_distinct_events operators;
    eti_shared_texts names; /* names of operators, and folded names of Events; 0 is "" */
    ETI_INTERN_OF(eti_overview_backend) backends;
    eti_overview_backend framework;     /* Events that are no operator; has no name */
    eti_pointer_table by_backend;       /* keyed by names of backends, which Events share */
    ETI_INTERN_OF(eti_overview_op) ops; /* per group of the rollup */
    eti_rollup rollup;
    eti_run_list list;
    eti_synthetic synthetic;
    eti_noisy_event noisy[ETI_MOST_NOISY]; /* most variable first */
    size_t n_noisy;
} eti_overview;

/* Makes the overview. Fails with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__overview_make(eti_overview *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__overview_free(eti_overview *data);

/* ==== program graph =========================================================================== */
/* Turns a method of a program into a graph with one node for each instruction and one for each
 * value that no instruction writes.
 *
 * Edges lead from the instruction that wrote a value last, in file order; loops and branches,
 * which change that order, are not followed. A view of another tensor's bytes stands for that
 * tensor. */

/* Makes the graph of the method named by options.method of the inspector, or else of "forward", or else of the first
 * method of the program. Node i after the inputs is instruction i - n_inputs. Fails with ETI_ERROR_USAGE if there is
 * no such method, ETI_ERROR_LIMIT if lists are used so often that there would be too many edges, or ETI_ERROR_MEMORY.
 * Free `out` with eti__timed_graph_free() in any case. */
eti_status eti__program_graph_make(eti_timed_graph *out, size_t *n_inputs,
                                   const eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
