/*
 * account.h - whose time it is: roles of events, nesting, calls, runs, warm-up, shares.
 */
#ifndef ETI_ACCOUNT_ACCOUNT_H
#define ETI_ACCOUNT_ACCOUNT_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/numbers.h"
#include "base/text.h"
#include "etinspect.h"
#include "model/model.h"
#include "stats/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* ==== repeated calls ========================================================================== */
/* Adds up the calls of Events that a run calls several times, such as those in a loop. The samples
 * of such an Event are the Inspector's: they have only the last call. */

/* The calls of an Event in a run. */
typedef struct eti_call_sum {
    uint64_t n;     /* 0: the run was not added, and calls the Event once */
    uint64_t ticks; /* sum of their times, in the scale of the Event */
    uint64_t start; /* stamp of the first call */
} eti_call_sum;

/* Initialize to all zeros. */
typedef struct eti_repeated_calls {
    uint32_t *
        number_of; /* per Event of the block: its number here, or ETI_NO_EVENT; NULL: none is repeated */
    size_t n;      /* number of Events that some run calls several times */
    eti_call_sum *sums; /* n x n_runs, by Event */
    size_t capacity;
} eti_repeated_calls;

/* ==== cycles ================================================================================== */

/* Events of delegates that count cycles of an unknown clock, and share the time of their call. Initialize to all zeros. */
typedef struct eti_cycle_counts {
    uint64_t n;
    eti_text backend; /* of the first; absent or empty: unknown */
    /* the frequency of its clock was given, but not that of the ETDump's */
    bool has_frequency;
} eti_cycle_counts;

static inline void eti__cycle_counts_add(eti_cycle_counts *counts, const eti_cycle_counts *added) {
    if (counts->n == 0) {
        counts->backend = added->backend;
        counts->has_frequency = added->has_frequency;
    }
    counts->n += added->n;
}

/* ==== own lengths ============================================================================= */
/* Keeps the times of Events that delegates logged in a unit of their own: the samples of such an
 * Event are the Inspector's, which take every number for ticks of one clock. */

/* Initialize to all zeros. */
typedef struct eti_own_lengths {
    uint32_t *
        number_of; /* per Event of the block: its number here, or ETI_NO_EVENT; NULL: none has one */
    uint64_t *ticks; /* n Events x n_runs, by Event, in ticks of the source scale */
} eti_own_lengths;

/* ==== role ==================================================================================== */
/* Classifies Events by the use of their self time.
 *
 * This is the only classification of Events; coarser classes are functions over it. Roles are in
 * the order in which reports list them: those of delegates are adjacent, and so are those of the
 * framework. */

typedef enum eti_role {
    /* An operator outside of delegates: native_call_*, any other event inside an OPERATOR_CALL, or the OPERATOR_CALL
     * itself if no kernel was logged at all. In a block without any name of ExecuTorch's runtime, which another
     * engine recorded, a leaf event of an instruction. */
    ETI_ROLE_KERNEL,
    ETI_ROLE_DELEGATED, /* a node of a delegate's graph */
    ETI_ROLE_DEVICE,    /* an accelerator that runs a whole delegate call */
    ETI_ROLE_TRANSFER,  /* a delegate copies inputs or outputs */
    ETI_ROLE_OVERHEAD, /* time of a delegate's event around others, such as submitting and waiting */
    ETI_ROLE_PROFILING, /* the cost of measuring inside a delegate call */
    /* a delegate call without logged events inside; counts as an operator */
    ETI_ROLE_DELEGATE_CALL,
    ETI_ROLE_NOT_LOGGED, /* time of a delegate call outside the events that the delegate logged */
    ETI_ROLE_OPERATOR_CALL, /* time around a kernel */
    ETI_ROLE_INSTRUCTION,   /* any other instruction: JF_CALL, MOVE_CALL, ... */
    ETI_ROLE_EXECUTE,       /* Method::execute itself: time between instructions */
    ETI_ROLE_LOAD,          /* Program::*, Method::* except execute; all of a block that loads */
    ETI_ROLE_UNTIMED,       /* logged only for debugging; has no time */
    ETI_ROLE_COUNTER,       /* a value that a delegate counted; has no time */
    ETI_N_ROLES,
} eti_role;

/* Number of roles that may have time; they come first. */
#define ETI_N_TIMED_ROLES ETI_ROLE_UNTIMED

/* Returns the name in the column `role`, such as "wrapper". */
eti_text eti__role_name(eti_role role);

/* Returns whether this is the name of an instruction of the runtime that runs no operator. */
bool eti__is_runtime_instruction(eti_text name);

/* Returns whether the role is work of an operator, delegated or not. */
static inline bool eti__role_is_work(eti_role role) {
    return role <= ETI_ROLE_DEVICE || role == ETI_ROLE_DELEGATE_CALL;
}

/* Returns whether the role is that of a delegate call, or of an event inside one. */
static inline bool eti__role_is_delegate(eti_role role) {
    return role >= ETI_ROLE_DELEGATED && role <= ETI_ROLE_NOT_LOGGED;
}

/* Returns whether delegates log events of this role, which have time. */
static inline bool eti__role_is_logged(eti_role role) {
    return role >= ETI_ROLE_DELEGATED && role <= ETI_ROLE_PROFILING;
}

/* Returns whether the role is time of a delegate call in which it runs no operator. */
static inline bool eti__role_is_around(eti_role role) {
    return role == ETI_ROLE_NOT_LOGGED || (role >= ETI_ROLE_TRANSFER && role <= ETI_ROLE_PROFILING);
}

/* Returns whether the role is time of the runtime: around kernels, between instructions, or loading. */
static inline bool eti__role_is_framework(eti_role role) {
    return role >= ETI_ROLE_OPERATOR_CALL && role != ETI_ROLE_COUNTER;
}

/* ==== time faults ============================================================================= */
/* Counts stamps of events that cannot be right, or could be right only if a clock wrapped around,
 * and keeps the first of each kind.
 *
 * Events that a delegate logged have stamps of the delegate's clock; for these, only
 * ETI_TIME_WRAPPED and ETI_TIME_BACKWARDS are detected. */

typedef enum eti_time_fault {
    /* Event ends before it starts, and takes less than half the range of a 32-bit clock if that clock wrapped around;
     * not a fault. */
    ETI_TIME_WRAPPED,
    /* Event ends before it starts, and would take longer; its stamps run backwards. */
    ETI_TIME_BACKWARDS,
    /* Event of an instruction starts before the Method::execute of its run. */
    ETI_TIME_EARLY,
    /* Event of an instruction ends after the Method::execute of its run. */
    ETI_TIME_OUTLASTS,
    /* Event overlaps another event in part, see calls.h. */
    ETI_TIME_OVERLAPS,
    /* Event that lies inside no other overlaps another such event of its lane in part. */
    ETI_TIME_BESIDE,
    ETI_N_TIME_FAULTS,
} eti_time_fault;

/* Number of events of each kind that are named. */
#define ETI_FAULTS_NAMED 3

/* An event in a run. */
typedef struct eti_faulty_event {
    const eti_event_block *block;
    uint32_t run, event; /* indexes in the block */
} eti_faulty_event;

/* Faulty events of one kind, in all runs. Initialize to all zeros. */
typedef struct eti_faulty_events {
    uint64_t n;
    eti_faulty_event first[ETI_FAULTS_NAMED];
} eti_faulty_events;

typedef struct eti_time_faults {
    eti_faulty_events of[ETI_N_TIME_FAULTS];
} eti_time_faults;

/* Adds the faults of another block. */
void eti__time_faults_join(eti_time_faults *faults, const eti_time_faults *other);

/* Returns whether a fault may make times wrong that are shown. */
bool eti__time_fault_is_serious(eti_time_fault kind);

/* Appends a sentence such as "2 events end after their Method::execute: add (Execute, run 3), mul (Execute, run 4)";
 * nothing if there are no such events. */
void eti__time_faults_describe(const eti_time_faults *faults, eti_time_fault kind, eti_buffer *out);

/* ==== account ================================================================================= */
/* Turns the profile events of an EventBlock into self times that add up: each tick of a run
 * belongs to the innermost event only.
 *
 * - The time stamps decide which event is inside which, see calls.h. All profile events of a run
 *   take part. The Inspector keeps only the last of several equal profile events (calls in a
 *   loop); the times of the others are added to the Event of that one.
 * - A delegate's events may use another clock and have arbitrary stamps. Regardless of its stamps,
 *   such an event belongs to the next recorded DELEGATE_CALL with its instruction id and chain, or
 *   to the last one if none follows. Inside the call its stamps count if they are of the runtime's
 *   clock; otherwise the event is inside the one that its meaning shows (eti_delegate_event), or
 *   the call. If the lengths of such events add up to more than the time left around them, each
 *   gets its proportion of that time (n_full_calls). Events that count cycles while others count
 *   time share the time that is left around them in proportion to their cycles.
 *   Counters, and events that fit no DELEGATE_CALL, have no time, unless the stamps of the latter
 *   show where they belong.
 * - If a 32-bit clock wraps around during a run, a stamp before the start of every event whose end
 *   wrapped was taken after the clock wrapped.
 *
 * - Threads and queues that work at the same time have lanes, see eti__etdump_read_lane(). Events nest
 *   in events of their own lane only. The runtime runs the chains of a program one after the other:
 *   if Method::execute is on lane 0, a chain with its instructions is no lane, whatever events of
 *   a user it contains, unless these are in a lane that works while an instruction of lane 0 does.
 *   The elapsed time of a run is the length of the union of its events. The self times add up to the
 *   busy time of all lanes, which may be more.
 *
 * One rule marks the warm-up runs, see eti__warm_up_end(); they do not count in sums and averages.
 *
 * Therefore, in each run, the self times of Method::execute and of all events inside it on its lane
 * add up to its elapsed time exactly. Times are ticks of the source scale. */

typedef struct eti_event_account {
    /* number of the enclosing Event in the first run, or ETI_NO_EVENT; no cycles */
    uint32_t parent;
    uint32_t call;    /* number of the delegate call that contains it, or ETI_NO_EVENT */
    uint32_t lane;    /* of its last call in the first run */
    uint8_t role;     /* an eti_role */
    bool is_leaf;     /* no Event is inside this one */
    bool is_counted;  /* its self time is included in eti_account.whole */
    uint64_t n_calls; /* number of profile events in the runs that count */
} eti_event_account;

typedef struct eti_account {
    const eti_event_block *block;
    const eti_options *options;
    double factor;             /* ticks / factor is a time in the target scale */
    eti_event_account *events; /* per event of the block */
    uint64_t *self;            /* n_events x n_runs, by event; 0 in a run without a time */
    /* per event: twice the median of its self times in the runs that count; 0 if it is not counted */
    eti_wide *doubled_medians;
    eti_wide *totals;      /* per event: sum of its self times in the runs that count */
    eti_wide whole_weight; /* weight of all counted events, see "typical time" */
    /* Per run: the sum of the self times of all counted events. These are all events except those of
     * loading (and the events inside them), or all events if there is nothing but loading. */
    uint64_t *whole;
    /* Per run: the length of the union of these events; less than `whole` if events overlap. */
    uint64_t *elapsed;
    size_t n_lanes;   /* largest number of lanes in a run */
    bool *is_warm_up; /* per run; all false if options.keeps_warm_up */
    size_t n_warm_up; /* number of warm-up runs */
    /* Numbers of the other runs, in order; only these count in sums, shares and averages. There is
     * at least one if the block has a run. */
    uint32_t *runs;
    size_t n_runs;
    uint32_t execute; /* number of Method::execute, or ETI_NO_EVENT */
    /* number of counted events outside Method::execute, if the block has one */
    uint64_t n_outside;
    /* number of delegate calls, in all runs, whose events sum up to more than the call */
    uint64_t n_full_calls;
    eti_cycle_counts cycles; /* Events that share the time of their call in proportion to cycles */
    eti_time_faults faults;  /* time faults in all runs */
    uint64_t n_repeated; /* number of profile events, in all runs, without an Event of their own */
    eti_own_lengths lengths;     /* times of Events that the Inspector's samples do not have */
    eti_repeated_calls repeated; /* the calls of Events with such profile events */
} eti_account;

/* Numbers of runs, of one block or several. */
typedef struct eti_run_counts {
    size_t n;         /* number of runs that count */
    size_t n_warm_up; /* number of warm-up runs, which do not count */
    size_t n_blocks;
    size_t n_overlapping; /* number of runs that count in which lanes were busy at the same time */
    eti_wide busy, elapsed; /* ticks of these runs: self times of all lanes, and elapsed time */
} eti_run_counts;

/* Adds the runs of a block. */
void eti__run_counts_add(eti_run_counts *counts, const eti_account *account);
/* Adds the runs of other blocks. */
void eti__run_counts_join(eti_run_counts *counts, const eti_run_counts *joined);

/* Sets `out` to the account of a block, which all reports of the inspector share: the first call makes it, and the
 * inspector frees it. Several threads may call this. Fails with ETI_ERROR_MEMORY. */
eti_status eti__account_of(const eti_account **out, const eti_inspector *inspector,
                           const eti_event_block *block, eti_error *err) ETI_WARN_UNUSED;

/* Makes an account of its own with other options than the inspector's. It borrows from the inspector and lives until
 * eti__account_free(). Fails with ETI_ERROR_MEMORY and leaves nothing to free. */
eti_status eti__account_new(eti_account *out, const eti_event_block *block,
                            const eti_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__account_free(eti_account *account);

/* Returns the self times of an event, one per run. */
static inline const uint64_t *eti__account_self(const eti_account *account, size_t event) {
    return account->self + event * account->block->n_runs;
}

/* Return, for a timed Event in a run, the time of its calls, including the events inside them, in the target scale; the
 * stamp at which the first one starts; and their number. Unlike the sample of the Event, they cover all of its calls. */
double eti__account_elapsed(const eti_account *account, size_t event, size_t run);
uint64_t eti__account_start(const eti_account *account, size_t event, size_t run);
uint64_t eti__account_calls(const eti_account *account, size_t event, size_t run);

/* Returns whether an Event has times: a counter has none. */
bool eti__account_has_times(const eti_account *account, size_t event);

/* Returns the number that a timed Event recorded in a run, in the unit of eti__event_unit(). */
uint64_t eti__account_value(const eti_account *account, size_t event, size_t run);

/* Returns the same of the last call in the run, as the samples of the Event have it. */
uint64_t eti__event_value(const eti_event *event, size_t run);

/* Returns the unit of the numbers that an Event recorded, such as "cycles"; absent if the numbers mean nothing. */
eti_text eti__event_unit(const eti_options *options, const eti_event *event);

/* Adds up ticks, given as one value per run of the block, over the runs that count. */
eti_wide eti__account_total(const eti_account *account, const uint64_t *ticks);

/* Returns whether lanes are busy at the same time in a run. */
static inline bool eti__account_overlaps(const eti_account *account, size_t run) {
    return account->n_lanes > 1 && account->elapsed[run] < account->whole[run];
}

static inline eti_role eti__account_role(const eti_account *account, size_t event) {
    return (eti_role)account->events[event].role;
}

/* Returns the number of the delegate call that contains an event logged by a delegate; for any other event, its own
 * number. */
size_t eti__account_call_of(const eti_account *account, size_t event);

/* Returns the backend that ran an event; if the event's own record has no backend, that of its delegate call. The
 * text is absent or empty if the backend is unknown or there is none. */
eti_text eti__account_backend(const eti_account *account, size_t event);

/* Returns the part of the hardware that ran an event, such as "CPU" or "GPU"; absent if unknown. */
eti_text eti__event_compute_unit(const eti_account *account, size_t event);

/* Converts ticks to the target scale as the Inspector does. */
static inline double eti__account_time(const eti_account *account, uint64_t ticks) {
    return (double)ticks / account->factor;
}

/* ==== typical time ============================================================================ */
/* Defines the time of Events from which shares and orders follow, so that one interrupted run
 * decides neither.
 *
 * The typical time of an Event is the median of its self times in the runs that count. The weight
 * of an Event is its typical time x the number of these runs, in half ticks, which is an integer.
 * Runs without the Event, such as those of another branch, are in blocks of their own and add
 * nothing. The weight of a set of Events is the sum of their weights. Therefore the weights of a
 * module's children and of its own Events add up to that of the module exactly, and the shares of
 * all groups add up to 1. The median of the sums of a set has no such property. */

/* Sums over Events. Initialize to all zeros. */
typedef struct eti_time_sum {
    eti_wide total;   /* self times of all runs that count, in ticks, of which means are made */
    eti_wide weight;  /* in half ticks */
    uint64_t methods; /* bits of the methods that have these Events, see eti_method_runs */
} eti_time_sum;

/* Return the sums of a counted Event, and of all counted Events; without bits of methods. */
eti_time_sum eti__account_sum(const eti_account *account, size_t event);
eti_time_sum eti__account_sum_all(const eti_account *account);

void eti__time_sum_add(eti_time_sum *sum, const eti_time_sum *added);
/* Compares the weights and, if these are equal, the totals: < 0, 0 or > 0. */
int eti__time_sum_compare(const eti_time_sum *a, const eti_time_sum *b);

/* Return the share by weight, and the share by total; 0 if the whole is 0. */
double eti__time_sum_share(const eti_time_sum *sum, const eti_time_sum *whole);
double eti__time_sum_share_mean(const eti_time_sum *sum, const eti_time_sum *whole);

/* Returns whether the mean and the typical time differ by more than half of the smaller one, and by more than 1 % of
 * the whole: runs were interrupted, or have two speeds. */
bool eti__time_sum_is_unsteady(const eti_time_sum *sum, const eti_time_sum *whole);

/* Methods from this number on are one. */
#define ETI_MOST_METHODS_APART 64

/* Numbers of runs that count, by method. Initialize to all zeros. */
typedef struct eti_method_runs {
    size_t n;
    struct {
        eti_text method; /* borrowed; name of the blocks if their method is unknown */
        size_t n_runs;
    } of[ETI_MOST_METHODS_APART];
} eti_method_runs;

/* Adds the runs of a block. Returns the bit of its method. */
uint64_t eti__method_runs_add(eti_method_runs *runs, const eti_account *account);

/* Returns the typical ticks of a set of Events per run of the methods that have them. */
double eti__typical_ticks(const eti_method_runs *runs, const eti_time_sum *sum);

/* ==== options ================================================================================= */
/* Options of views and of their column names. */

typedef struct eti_table_options {
    bool include_units; /* add units to the names of the statistics' columns */
    bool include_delegate_debug_data;
    eti_metadata_form delegate_metadata;
} eti_table_options;

#define ETI_TABLE_OPTIONS_DEFAULT                                                                  \
    { .include_units = true }

#define ETI_NO_INSTRUCTION_ASKED SIZE_MAX

/* Details of the slices of a trace. */
typedef enum eti_slice_args {
    ETI_ARGS_NONE,
    ETI_ARGS_SHORT,
    ETI_ARGS_FULL,
} eti_slice_args;

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): members are grouped by meaning */
typedef struct eti_view_options {
    eti_table_options table;
    const char *block;           /* only EventBlocks with this name; NULL or "all": all */
    const eti_event_block *like; /* only EventBlocks with the method of this one; NULL: all */
    const eti_time_sum *whole;   /* time that shares refer to; NULL: the time of all groups */
    /* "modules": names, in the form that eti_inspector_modules_table() accepts */
    const char *const *modules;
    size_t n_modules;
    bool samples; /* also list every sample, not only the statistics */
    /* "groups": op (also NULL), kernel, backend, compute_unit, module, module:DEPTH, source, block or
     * method */
    const char *group;
    size_t depth;            /* "tree": levels below the model; 0: all */
    double fold;             /* "tree": modules with a smaller share are folded into one row */
    bool folds_layers;       /* "tree": modules that differ by a number are one row */
    bool lines;              /* "tree": draw lines; otherwise modules have full names */
    size_t context;          /* "source": number of lines shown around those with times */
    const char *source_root; /* "source": folder of the files; NULL: as in the stack traces */
    bool shows_files;        /* "source": print the text of files, not only lines with times */
    bool hides_source;   /* "summary", "layers": leave out files and lines of the model's source */
    bool lists_all;      /* "graph": also list a row for each input in tables for people */
    const char *graph;   /* "graph", "ops": name of a graph; NULL: the edge program of the method */
    size_t top;          /* "summary": number of operators listed; 0: 10 */
    bool split_variants; /* "summary": split operators by the names of their kernels */
    bool per_block;      /* "groups": each EventBlock has groups of its own */
    bool kernels;        /* "ops": split operators by their kernels */
    /* "ops" with kernels, "event_list": floating-point operations and bytes that the hardware can do in a second; 0: unknown */
    double peak_flops, peak_bandwidth;
    bool emits_ops; /* "ops" of programs: write a list for a selective build */
    /* "ops" of programs: operators that a build contains; NULL: unknown */
    const eti_source *available;
    size_t at;      /* "memory": an instruction; ETI_NO_INSTRUCTION_ASKED: no instruction */
    bool map;       /* "memory": draw the bytes in use */
    bool sha256;    /* "size": hash the bytes of each row */
    bool per_event; /* "runs": one row per Event of a run */
    /* "summary", "layers", "runs": tokens of a run, "128" or "prefill=128,decode=1"; NULL: unknown */
    const char *tokens;
    bool debug_events; /* "trace": write an instant for each debug event */
    /* "trace": draw arrows from delegate calls to the events that they logged on other tracks */
    bool flows;
    /* "tensors": number of a run, or "all"; NULL: the first run that recorded tensors */
    const char *run;
    /* "graph", "tree", "source": reference of results; NULL: no reference */
    const eti_source *reference;
    const char *match;   /* how the results are paired, see numerics/numerics.h */
    const char *runs;    /* "trace": numbers of runs in their blocks, "0,5-7"; NULL: all */
    unsigned trace_time; /* "trace": 0: times as recorded, 1: every run starts at 0 */
    unsigned args;       /* "trace": an eti_slice_args */
} eti_view_options;

#define ETI_VIEW_OPTIONS_DEFAULT                                                                   \
    {                                                                                              \
        .table = ETI_TABLE_OPTIONS_DEFAULT, .fold = 0.005, .context = 2,                           \
        .at = ETI_NO_INSTRUCTION_ASKED, .args = ETI_ARGS_SHORT                                     \
    }

/* ==== allocations ============================================================================= */
/* Turns the allocation events of ETDumps into the memory that each allocator handed out, in total
 * and in each run.
 *
 * ETDumps do not record deallocation, so the peak of a run is the sum of its allocations. The
 * runtime numbers allocators from 1; if an allocation in an ETDump names allocator 0, the numbers
 * in that ETDump start at 0. */

/* Numbers of bytes saturate at UINT64_MAX. */
typedef struct eti_allocated {
    uint64_t n, bytes, largest;
} eti_allocated;

typedef struct eti_allocator {
    eti_text name;  /* as the file has it */
    eti_text shown; /* the same as UTF-8 */
    eti_allocated all;
    uint64_t peak; /* largest number of bytes in one run */
    uint64_t n_runs;
    /* 1 + index in `runs` of the entry of the run that was read last; 0: no entry yet */
    size_t last;
} eti_allocator;

/* The memory that one allocator handed out in one run. */
typedef struct eti_run_allocations {
    /* numbers of the dump in the inspector, of the run in the dump, and of the allocator */
    uint32_t dump, run, allocator;
    eti_allocated in_run;
} eti_run_allocations;

typedef struct eti_allocations {
    const eti_inspector *inspector;
    eti_arena texts; /* names of allocators that are not those in the file */
    ETI_INTERN_OF(eti_allocator) allocators;
    eti_pointer_table by_name;
    eti_run_allocations *runs; /* in the order of dumps and runs */
    size_t n_runs, run_capacity;
    uint64_t n_bytes; /* total size of the names of allocators and runs in `runs` */
} eti_allocations;

/* Reads the allocations of the runs selected by the options, except runs that skip_first leaves out. Fails with
 * ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__allocations_make(eti_allocations *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__allocations_free(eti_allocations *allocations);

/* Returns the id that an ETDump gives to the first allocator of a run. */
int32_t eti__first_allocator_id(const eti_etdump *dump);
/* Finds or adds the allocator with this id in a run, and sets `*out` to its number among all allocators. Returns
 * false if memory runs out. */
bool eti__allocations_find_allocator(eti_allocations *allocations, const eti_etdump *dump,
                                     const eti_etdump_run *run, int32_t id, int32_t first_id,
                                     uint32_t *out);

/* Returns the number of bytes allocated in a run by all allocators. */
uint64_t eti__run_allocated(const eti_block_run *run);

/* ==== blocks ================================================================================== */
/* Selects the EventBlocks that a request concerns. */

/* Fails with ETI_ERROR_USAGE because no block is called `wanted`. The message names the block with
 * the most similar name, or else all blocks. */
eti_status eti__block_fail(const eti_blocks *blocks, const char *wanted, eti_error *err);

/* Returns whether the option block selects this block: by its name, by its label ("Execute [input 1]"), by the method
 * that ran, or by its number, counted from 0. NULL or "all" selects every block. */
bool eti__block_is_called(const eti_event_block *block, const char *wanted);

/* Returns the method that the block ran: the one that is known for the block, or the only one that the ETRecord or, without
 * an ETRecord, the program has; absent if it is unknown. */
eti_text eti__block_method(const eti_inspector *inspector, const eti_event_block *block);

/* Returns whether options->block and options->like select this block. */
bool eti__block_is_chosen(const eti_view_options *options, const eti_event_block *block);

/* Returns whether the block ran a method of the program, including the payloads of its delegates. */
static inline bool eti__block_is_of_program(const eti_event_block *block) {
    return block->plan && !block->has_other_payloads;
}

/* Returns whether a block that the options select ran this method of the program. */
bool eti__blocks_ran(const eti_inspector *inspector, const eti_view_options *options,
                     const eti_pte_plan *plan);

/* Returns whether the block has timed Events other than those of loading. */
bool eti__block_runs(const eti_event_block *block);

/* Returns whether sums over blocks leave out blocks that only load; true if a selected block does more than load. */
bool eti__blocks_leave_out_loading(const eti_inspector *inspector, const eti_view_options *options);

/* Returns whether a block is part of such sums, that is, whether it has times and is selected by the options. */
bool eti__block_is_summed(const eti_view_options *options, const eti_event_block *block,
                          bool leaves_out_loading);

/* ==== call order ============================================================================== */
/* Turns the profile events of a run into calls: finds the Event of each call and, if the call is
 * delegated, the delegate call that contains it. Neither depends on times, so all runs with the
 * same layout share the result. */

#define ETI_NO_CALL UINT32_MAX

typedef struct eti_call {
    uint32_t number; /* number of the profile event in its run */
    uint32_t event;  /* number of the Event in its block */
    /* for a delegated Event: index of the delegate call that contains it; otherwise, or if unknown, ETI_NO_CALL */
    uint32_t delegate_call;
    uint32_t lane; /* number of its thread or queue; 0: the main thread */
} eti_call;

/* Initialize to all zeros. */
typedef struct eti_call_order {
    const eti_run_layout *layout; /* layout that was read last */
    eti_call *calls;              /* in the order of recording */
    size_t n_calls, capacity;
    /* number of calls without an Event of their own, which share the Event of the last similar call */
    uint64_t n_repeated;
    size_t n_lanes; /* number of lanes that have calls */
} eti_call_order;

/* Reads the calls of a run, unless it has the layout that was read last. Fails with ETI_ERROR_MEMORY. */
eti_status eti__call_order_read(eti_call_order *order, const eti_event_block *block,
                                const eti_block_run *run, eti_error *err) ETI_WARN_UNUSED;

void eti__call_order_free(eti_call_order *order);

/* ==== distinct events ========================================================================= */
/* Distinguishes the events of several blocks: blocks of one method share those that have the same
 * instruction, name and id, such as the events outside of the branches that the blocks took. */

/* Initialize to all zeros, except `inspector`. */
typedef struct eti_distinct_events {
    const eti_inspector *inspector;
    eti_intern seen;
} eti_distinct_events;

/* Stores whether no event added before is the same one. An event is not added again with its block. Returns false if memory
 * runs out. */
bool eti__distinct_events_add(eti_distinct_events *distinct, const eti_event *event,
                              bool *is_new) ETI_WARN_UNUSED;
void eti__distinct_events_free(eti_distinct_events *distinct);

/* ==== event times ============================================================================= */
/* Lists each run of each timed event of EventBlocks: by block, then in the order of runs and of
 * events. */

/* An event in one run. */
typedef struct eti_event_time {
    const eti_account *account; /* account of its block */
    const eti_event *event;
    uint32_t number; /* number of the Event in its block */
    size_t run;      /* number of the run in its block */
} eti_event_time;

/* The timed events of a block. */
typedef struct eti_timed_block {
    const eti_account *account;
    uint32_t *events; /* numbers of Events in the block */
    size_t n_events;
    size_t first; /* index of the block's first entry in the list */
} eti_timed_block;

typedef struct eti_event_times {
    eti_timed_block *blocks;
    size_t n_blocks;
    size_t n;         /* number of entries in the list */
    uint64_t n_bytes; /* total size of the names of block, Event and backend in all entries */
} eti_event_times;

/* Lists the event times of the blocks selected by the options. Fails with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__event_times_make(eti_event_times *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__event_times_free(eti_event_times *times);

/* Returns entry i < times->n. */
eti_event_time eti__event_times_at(const eti_event_times *times, size_t i);

/* ==== gap ===================================================================================== */
/* How far results differ from those of a reference: of one result, or the worst of several.
 *
 * numerics/numerics.h computes the values; nodes, modules and lines of source share this
 * struct. */

#define ETI_MOST_DROP 150.0 /* largest finite drop, in dB */

typedef struct eti_gap {
    bool is_known;    /* a result was compared; otherwise all other members are 0 */
    double snr;       /* lowest signal-to-noise ratio, in dB; NaN if no result has one */
    double snr_drop;  /* largest loss of an operator itself, in dB; NaN if unknown */
    double max_abs;   /* greatest difference of two elements; NaN if no pair is finite */
    uint64_t nan_new; /* largest number of new NaN elements in a result */
} eti_gap;

/* An operator's output that was compared. Unknown members are NULL or absent. */
typedef struct eti_gap_of {
    eti_gap gap;
    const eti_event_block *block; /* block of the event on the new side */
    const eti_event *event;
    const eti_graph_node *node;  /* node in the inspector */
    const eti_event *base_event; /* NULL also if the base is a file */
    eti_text source_node;        /* node of the exported program */
    eti_text module;             /* innermost module */
    eti_text file;               /* file of the model's source */
    uint32_t line;               /* line in `file` */
} eti_gap_of;

/* Sets `gap`, initially all zeros, to the worse of both in each member. */
static inline void eti__gap_join(eti_gap *gap, const eti_gap *joined) {
    if (!joined->is_known)
        return;
    if (!gap->is_known) {
        *gap = *joined;
        return;
    }
    gap->snr = fmin(gap->snr, joined->snr); /* fmin() ignores NaN */
    gap->snr_drop = fmax(gap->snr_drop, joined->snr_drop);
    gap->max_abs = fmax(gap->max_abs, joined->max_abs);
    if (joined->nan_new > gap->nan_new)
        gap->nan_new = joined->nan_new;
}

/* ==== nesting ================================================================================= */
/* Turns the intervals of one run into a tree by containment, and computes the self time of each.
 *
 * - Intervals of different lanes neither contain nor overlap each other.
 * - An interval lies inside another if it neither starts before it nor ends after it; its parent
 *   is the one of these intervals that starts last. Of equal intervals, the one recorded later is
 *   outside, because an event is recorded when it ends. An interval of length zero that starts
 *   where another ends is not inside that one, unless it would then be inside none.
 * - If two intervals overlap only in part, neither is the parent of the other. If both lie inside
 *   a third, the time of both counts only as that of the later one; otherwise it counts as time of
 *   each.
 * - The self time of an interval is its length without its children. Therefore the self times of
 *   an interval without a parent, and of all intervals inside it, add up to its length exactly. */

#define ETI_OVERLAPS_KEPT 3

/* Arrays of n items, reused from run to run: intervals in the same order as in the previous run need no sorting. */
typedef struct eti_nesting {
    size_t n;
    uint64_t *start, *end; /* filled in by the caller, in the order of recording; start <= end */
    uint32_t *lane;        /* also filled in by the caller; initially all 0 */
    uint64_t *self;        /* self time */
    uint32_t *parent;      /* index of the parent, or ETI_NO_PARENT */
    /* number of intervals that were cut short because a later one overlaps them in part */
    uint64_t n_overlaps;
    uint32_t overlaps[ETI_OVERLAPS_KEPT]; /* the first of these intervals */
    uint32_t *order;   /* sorted by lane, then by start, outer intervals before inner ones */
    uint32_t *scratch; /* the caller may use it between calls */
} eti_nesting;

/* ==== rounding ================================================================================ */
/* Computes an upper bound for the time of delegate calls that appears not to be logged only
 * because their operators are logged in whole microseconds.
 *
 * XNNPACK measures its operators in nanoseconds and rounds down to microseconds:
 * xnn_get_elapsed_time() divides integers. Therefore n events of a call may last up to n µs longer
 * than logged, and the call appears to have been idle during that time. */

/* Delegate calls that logged operators in whole microseconds, in the runs that count. Initialize to all zeros. */
typedef struct eti_rounding {
    eti_wide not_logged; /* weight of the time of these calls that is not logged */
    eti_wide most;       /* part of this weight that rounding may have removed from the operators */
    uint64_t n_events;   /* number of the operators' profile events */
    /* an operator took a microsecond or more in at least one run; zeros alone prove nothing */
    bool is_known;
} eti_rounding;

/* Adds the calls of a block; `microsecond` is the number of ticks per microsecond. Returns false if memory runs out. */
bool eti__rounding_add(eti_rounding *rounding, const eti_account *account, double microsecond);

/* ==== run calls =============================================================================== */
/* Reads the calls of one run of an EventBlock: their intervals on one time line, their nesting,
 * and the self time of each.
 *
 * The rules are above, under "account". The arrays are reused for the next run. */

/* Largest stamp of a 32-bit clock; as in the Inspector, it is added to stamps of a clock that wrapped around. */
#define ETI_CLOCK_32_MAX 4294967295u

/* How the time of a call follows from what was recorded. */
typedef enum eti_call_timing {
    ETI_TIMED_BY_STAMPS,  /* its stamps are on the time line of the run */
    ETI_TIMED_BY_LENGTH,  /* a delegate's clock measured its length */
    ETI_TIMED_BY_PORTION, /* a delegate counted cycles: it has its portion of the time around it */
    ETI_TIMED_NOT,        /* has no time: a counter */
} eti_call_timing;

/* Calls that have their part of the time of the call around them: the sum of their ticks, and the time that they got. */
typedef struct eti_given {
    eti_wide ticks;
    uint64_t time;
} eti_given;

/* Initialize with eti__run_calls_init(). Times are ticks of the source scale. */
typedef struct eti_run_calls {
    const eti_event_block *block;
    const eti_options *options;
    const eti_block_run *run; /* the run that was read last */
    eti_call_order order;     /* its calls, in the order of recording */
    eti_nesting nesting;      /* intervals of the calls that may be timed by stamps */
    uint32_t *nested;         /* per call: its index in `nesting`; ETI_NO_CALL: not in it */
    uint32_t *call_at;        /* per index in `nesting`: its call */
    uint8_t *timing;          /* per call: an eti_call_timing */
    uint8_t *roles;           /* per call: the eti_role that its name gives */
    uint8_t *level;           /* per call: its level, see eti_delegate_event */
    bool *is_scaled;          /* per call: its ticks are not those of the source scale */
    uint32_t *above;          /* per call that is not timed by stamps: the call around it */
    uint64_t *elapsed;        /* per such call: its time, or cycles */
    uint64_t
        *room;     /* per call: time of the call and the calls that are not timed by stamps in it */
    uint64_t *own; /* per call: self time */
    uint64_t n_full; /* number of delegate calls whose events add up to more than the call */
    /* Per call: the sums of the lengths and of the cycles of the calls below it, and the part of those that already have
     * theirs; the total of the cycles, if the delegate counted it. */
    eti_wide *inside, *cycles;
    eti_given *given, *shared;
    uint64_t *total;
    bool *fits;       /* per delegate call: the stamps of all its events lie within it */
    uint32_t *stack;  /* per delegate call: the last open event; per event: the event around it */
    uint8_t n_levels; /* largest level of an event, plus 1 */
    bool has_inside;  /* a delegate logged one of the calls */
    bool may_fit;     /* the stamps of such a call may be on the time line of the run */
} eti_run_calls;

/* Initializes `out`. `options` are those of the inspector; block and options are borrowed. */
void eti__run_calls_init(eti_run_calls *out, const eti_event_block *block,
                         const eti_options *options);

/* Reads a run of the block, and adds its faults to `faults` unless that is NULL. `execute` is the number of
 * Method::execute, or ETI_NO_EVENT. Fails with ETI_ERROR_MEMORY. */
eti_status eti__run_calls_read(eti_run_calls *calls, size_t run, uint32_t execute,
                               eti_time_faults *faults, eti_error *err) ETI_WARN_UNUSED;

/* Reads only the order of the calls of a run, their start and end in `nesting`, and how each call is timed, for callers who need
 * neither the nesting nor self times. Fails with ETI_ERROR_MEMORY. */
eti_status eti__run_calls_read_stamps(eti_run_calls *calls, size_t run,
                                      eti_error *err) ETI_WARN_UNUSED;

void eti__run_calls_free(eti_run_calls *calls);

/* Returns the call that contains another, or ETI_NO_CALL: the one that the stamps show or, if a delegate's clock says
 * nothing about that, the one that the meaning of the delegate's events shows. */
uint32_t eti__run_calls_parent(const eti_run_calls *calls, size_t call);

/* Returns the length of the union of the outermost calls of all lanes; leaves out calls of loading unless `counts_loading`. */
uint64_t eti__run_calls_elapsed(eti_run_calls *calls, bool counts_loading);

/* Returns the recorded stamps of a call. */
eti_etdump_stamps eti__run_calls_stamps(const eti_run_calls *calls, size_t call);

/* Returns the number that a call recorded, in the unit of eti__event_unit(). */
uint64_t eti__run_calls_value(const eti_run_calls *calls, size_t call);

/* Returns the scale of an Event's stamps: that of its unit, if the delegate logged it in a unit of its own. Sets
 * `*is_countable` to false if they cannot be converted to the source scale. */
eti_time_scale eti__event_scale(const eti_options *options, const eti_event *event,
                                bool *is_countable);

/* Returns whether the ticks of an Event are as long as those of the source scale. */
bool eti__has_source_ticks(const eti_options *options, const eti_event *event);

/* Returns the ticks per second of a time scale; 0 for cycles. */
uint64_t eti__scale_ticks(eti_time_scale scale);

/* ==== run list ================================================================================ */
/* Turns accounts of EventBlocks into the times of each run by role, the warm-up runs and the
 * outliers.
 *
 * Whether a run is an outlier is decided among the runs that its block has in the same ETDump, after
 * the warm-up: another block is another program or another input, and another ETDump is another
 * process, which may be slower as a whole. For the same reason a trend belongs to one ETDump. */

/* Smallest number of runs after the warm-up that can have outliers. */
#define ETI_LEAST_RUNS 5

/* A run of a block. */
typedef struct eti_run_times {
    uint32_t block, dump;              /* indexes into list->blocks and list->dumps */
    uint32_t number;                   /* index of the run in its block */
    uint64_t ticks[ETI_N_TIMED_ROLES]; /* self times by role; they add up to account->whole */
    /* time of Method::execute or, without it or with several lanes, time in which an Event ran; in the target time scale */
    double elapsed;
    /* elapsed / median, minus 1; 0 if the median is 0. The median is that of the runs that the block has in the same
     * ETDump after the warm-up or, if these are fewer than ETI_LEAST_RUNS, in all ETDumps. */
    double deviation;
    double z; /* modified z-score among the runs of its ETDump; see stats/summary.h */
    bool is_warm_up, is_outlier;
    bool is_first; /* first run of its ETDump; false for all if skip_first left out runs */
    /* Of the runs of the block that count, it has the smallest sum of |self time - median| over the counted Events; the first
     * of several. It stands for all runs where a real one is needed. */
    bool is_representative;
} eti_run_times;

/* The runs that a block has in one ETDump. */
typedef struct eti_dump_runs {
    const eti_etdump *dump;
    size_t first; /* index into list->runs */
    size_t n, n_warm_up, n_outliers;
    double median;       /* median of the runs after the warm-up */
    eti_run_trend trend; /* trend of these runs */
    double correlation;  /* correlation of each of these runs with the previous one */
} eti_dump_runs;

typedef struct eti_run_block {
    const eti_event_block *block;
    uint32_t execute;           /* number of Method::execute, or ETI_NO_EVENT */
    size_t first;               /* index into list->runs */
    size_t first_dump, n_dumps; /* indexes into list->dumps */
    double median;              /* median of the runs after the warm-up, of all ETDumps */
} eti_run_block;

/* Initialize to all zeros. */
typedef struct eti_run_list {
    eti_run_times *runs; /* by block, in the order of the runs */
    size_t n_runs, run_capacity;
    eti_run_block *blocks;
    size_t n_blocks, block_capacity;
    eti_dump_runs *dumps; /* by block, in the order of the runs */
    size_t n_dumps, dump_capacity;
    eti_time_sum times[ETI_N_TIMED_ROLES]; /* time of counted Events, in all blocks */
    uint64_t n_events[ETI_N_TIMED_ROLES];  /* number of these */
    uint64_t n_calls[ETI_N_TIMED_ROLES];   /* number of profile events of all runs */
    double factor;                         /* ticks / factor is a time in the target scale */
    /* set by the caller, because both take time: leave out ticks and counts by role; find the representative runs */
    bool leaves_out_roles, finds_representative;
    bool has_execute; /* whether every block has Method::execute */
    /* Sums over all accounts; see account.h. */
    uint64_t n_outside, n_full_calls, n_repeated;
    eti_cycle_counts cycles;
    eti_time_faults faults;
    bool has_overlaps; /* lanes are busy at the same time in a run */
} eti_run_list;

/* Adds the runs of a block. Returns false if memory runs out. */
bool eti__run_list_add(eti_run_list *list, const eti_account *account);
/* Sets is_first; call it after all blocks were added. Returns false if memory runs out. */
bool eti__run_list_find_first(eti_run_list *list, const eti_inspector *inspector);
/* Adds all selected blocks that do more than load, or all selected blocks if none does. Fails with ETI_ERROR_MEMORY;
 * free `out` in any case. */
eti_status eti__run_list_make(eti_run_list *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__run_list_free(eti_run_list *list);

/* Returns the sum of a run's self times in the roles from `first` to `last`. */
uint64_t eti__run_ticks(const eti_run_times *run, eti_role first, eti_role last);

/* ==== summed methods ========================================================================== */
/* Lists the methods whose EventBlocks a view sums up, so that runs of different methods never
 * share statistics.
 *
 * If the record or the program has several methods, a block with an unknown method is an item of
 * its own. If there are more than ETI_MOST_METHODS items, all blocks are one item, which limits
 * the time that damaged files take. */

#define ETI_MOST_METHODS 16

typedef struct eti_summed_method {
    eti_text name; /* name of the method, or label of the block; absent if it is the only item */
    eti_view_options options; /* the view's options, limited to the blocks of the method */
} eti_summed_method;

/* Initialize with eti__summed_methods_find(). Must not be moved, because the options of the methods point to `whole`. */
typedef struct eti_summed_methods {
    eti_summed_method *items; /* in the order of their first blocks; at least one */
    size_t n;
    eti_time_sum whole; /* time of all methods */
} eti_summed_methods;

/* Lists the methods of the blocks that the options select; with options->per_block, all blocks are one item. Fails
 * with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__summed_methods_find(eti_summed_methods *out, const eti_inspector *inspector,
                                    const eti_view_options *options,
                                    eti_error *err) ETI_WARN_UNUSED;
void eti__summed_methods_free(eti_summed_methods *methods);

/* ==== synthetic =============================================================================== */
/* Decides from the time stamps of delegated Events whether a clock produced them.
 *
 * Only the first runs of each block are examined, per backend. Fewer than four samples are not
 * judged. */

/* The time stamps of one backend. Lengths are in ticks of its own scale. */
typedef struct eti_delegate_stamps {
    eti_text backend; /* "" if unknown; borrowed from the inspector */
    uint64_t n_events, n_samples,
        n_pairs; /* number of pairs: an Event and the previous one in the same call */
    uint64_t first_length, step; /* step: greatest common divisor of lengths */
    bool lengths_differ, runs_differ, has_gaps;
    size_t most_runs;
} eti_delegate_stamps;

/* The reason why times look synthetic: the first one that applies. */
typedef enum eti_synthetic_sign {
    ETI_SYNTHETIC_NOT,
    /* All Events take equally long: the times carry no information. */
    ETI_SYNTHETIC_ALIKE,
    /* Each Event takes equally long in at least three runs, though two Events differ: the times
     * were estimated or computed. */
    ETI_SYNTHETIC_CONSTANT,
    /* Each Event starts where the previous one in the same call ends, and takes a multiple of the same step of at
     * least 100 ticks: the delegate reported durations, in steps of its own, which were placed end to end. */
    ETI_SYNTHETIC_STEPS,
} eti_synthetic_sign;

/* Initialize to all zeros. */
typedef struct eti_synthetic {
    ETI_INTERN_OF(eti_delegate_stamps) stamps; /* per backend */
    eti_pointer_table by_backend;
} eti_synthetic;

/* Examines a block. Returns false if memory runs out. */
bool eti__synthetic_add(eti_synthetic *synthetic, const eti_event_block *block);
eti_synthetic_sign eti__synthetic_judge(const eti_delegate_stamps *stamps);
void eti__synthetic_free(eti_synthetic *synthetic);

#endif
