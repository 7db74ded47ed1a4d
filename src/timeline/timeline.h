/*
 * timeline.h - slices on tracks, counters, stacks.
 */
#ifndef ETI_TIMELINE_TIMELINE_H
#define ETI_TIMELINE_TIMELINE_H

#include "account/account.h"
#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"
#include "etinspect.h"
#include "model/model.h"
#include "places/places.h"
#include "rollup/rollup.h"

/* ==== slices ================================================================================== */
/* Turns the runs of an inspector into slices: intervals on tracks, for time lines and traces.
 *
 * - A slice is a profile event, or a run around its events. Times are integer nanoseconds since
 *   the first stamp of the ETDump. Stamps are converted, not durations, so that slices inside
 *   another slice stay inside it. A cycle of a clock with an unknown frequency is shown as 1 ns.
 *   Times are at most INT64_MAX.
 * - Stamps of a 32-bit clock that wrapped around continue to increase, inside a run as in
 *   account/account.h, and from one run to the next. The runs of an ETDump follow each other: if the
 *   stamps of a run lie before the end of the previous run (because the clock was set back), the
 *   run starts at that end (is_moved).
 * - Each thread or queue has tracks of its own, see eti__etdump_read_lane().
 * - A track holds only slices that nest. A slice that overlaps another in part goes to the next
 *   lane, which is a track of its own. Slices of a track are ordered by start, then the longer
 *   first, then the one recorded later first; a slice of length zero contains no other, and such
 *   slices with the same stamp stay in the order of recording.
 * - Events that delegates logged are inside their DELEGATE_CALL if they are known to be on the clock
 *   of the runtime, or if all stamps of the backend in this ETDump are inside their calls and look
 *   measured; otherwise they are on a track of the backend or of a part of the hardware, see
 *   eti_slice_track_kind. A slice of a delegate's event is as long as the event is in the account,
 *   and inside its call. Events without time, such as counters, have no slices.
 *
 * eti_slice_source holds the data of all runs together; eti_slices streams the runs and needs only
 * the memory of one run. Everything borrows from the inspector. */

typedef enum eti_slice_track_kind {
    ETI_TRACK_METHOD, /* events of the runtime, and of delegates on its clock inside their calls */
    /* Events of a part of the hardware, on its own clock; they are placed as slice_clock.h says. */
    ETI_TRACK_DEVICE,
    /* The backend invented the positions, see account/account.h, or logged none. Events are shown as recorded if they begin
     * inside the calls, and those of the call end in it; otherwise they are placed as slice_clock.h says. */
    ETI_TRACK_SYNTHETIC,
    ETI_TRACK_OWN_CLOCK, /* placed as slice_clock.h says */
    ETI_TRACK_NO_CALL,   /* logged by a delegate without a matching DELEGATE_CALL */
    ETI_TRACK_DEBUG,     /* debug events, shown as instants instead of slices */
    ETI_N_TRACK_KINDS,
} eti_slice_track_kind;

#define ETI_EVERY_RUN UINT32_MAX

/* Largest number of bytes shown of an event's metadata. */
#define ETI_MOST_SLICE_METADATA 4096

typedef struct eti_slice_track {
    uint32_t dump; /* index into source->dumps */
    /* index of its run in source->runs if runs are aligned; otherwise ETI_EVERY_RUN */
    uint32_t run;
    uint32_t thread; /* number of the thread or queue; 0: the main thread */
    uint32_t lane;   /* 0 is the first lane; others hold overlapping slices */
    uint8_t kind;    /* an eti_slice_track_kind */
    bool is_in_cycles;
    eti_text backend; /* absent if it belongs to no delegate, or to an unknown one */
    eti_text unit;    /* part of the hardware, such as "GPU"; absent: unknown */
} eti_slice_track;

enum {
    ETI_SLICE_FLOW_BEGINS = 1, /* `flow` starts at this slice; if not set, it ends at this slice */
    ETI_SLICE_MARK = 2,        /* an instant without flow: the program marked a time */
};

typedef struct eti_slice {
    uint64_t start, end; /* in ns; start <= end */
    uint64_t self;       /* self time in ns, see account/account.h; 0 for a run */
    uint64_t
        value; /* what was recorded, in the unit of its Event; 0 for a run, and unless args are full */
    uint64_t flow;   /* number of the flow, from 1; 0: no flow */
    uint32_t track;  /* index into slices->tracks */
    uint32_t depth;  /* number of slices of the track around it */
    uint32_t event;  /* number of the Event in its block; ETI_NO_EVENT for a run */
    uint32_t number; /* number of the profile event in its run; UINT32_MAX for a run */
    uint8_t flags;   /* combination of ETI_SLICE_... */
} eti_slice;

typedef enum eti_slice_counter_kind {
    /* in ns, at the start of each run that does more than load; absent if runs are aligned */
    ETI_COUNTER_RUN_TIME,
    /* number of bytes allocated so far in this run; their times are estimates, see slice_clock.h */
    ETI_COUNTER_ALLOCATOR,
    /* number of bytes in use of a planned arena, from the start of each instruction on; 0 between runs */
    ETI_COUNTER_ARENA,
    /* what a delegate counted, at the start of each call */
    ETI_COUNTER_LOGGED,
    /* what a program counted, see eti_counter, at the start of the event */
    ETI_COUNTER_COUNTED,
} eti_slice_counter_kind;

/* A number that changes with time. */
typedef struct eti_slice_counter {
    uint32_t dump;
    uint32_t run;    /* as in eti_slice_track */
    uint32_t number; /* memory id of an arena; for an allocator, its number among all allocators */
    uint8_t kind;    /* an eti_slice_counter_kind */
    eti_text name;   /* name of the allocator, of the arena's method, or of what was counted */
    eti_text unit; /* of what a delegate or a program counted, such as "bytes"; otherwise absent */
} eti_slice_counter;

typedef struct eti_slice_sample {
    uint64_t time;    /* in ns */
    int64_t value;    /* from this time on */
    uint32_t counter; /* index into slices->counters */
} eti_slice_sample;

/* A debug event, at the approximate time of its recording. */
typedef struct eti_slice_instant {
    uint64_t time;   /* in ns */
    uint32_t track;  /* index into slices->tracks */
    uint32_t event;  /* number of its Event in the block; ETI_NO_EVENT for an output of the run */
    uint32_t number; /* number of the event in its run */
} eti_slice_instant;

/* An ETDump on the time line. */
typedef struct eti_slice_dump {
    const eti_etdump *dump;
    uint64_t base;        /* stamp that is shown as 0, in ticks of the source scale */
    size_t first, n_runs; /* range in source->runs */
} eti_slice_dump;

/* A run that is shown. */
typedef struct eti_slice_run {
    uint32_t dump;   /* index into source->dumps */
    uint32_t block;  /* index in the inspector */
    uint32_t number; /* index of the run in its block, as in the view "runs" */
    uint32_t index;  /* index of the run in its ETDump */
    bool is_warm_up, is_outlier;
    bool is_representative; /* of its block, see eti_run_times */
    bool is_moved;
    bool has_times;    /* an event that no delegate logged has a time */
    uint32_t n_slices; /* number of slices if none is left out */
    /* In ticks of the source scale: the first stamp, the offset from the base of the ETDump at which it is shown, and
     * the last stamp. */
    uint64_t first, shown_at, last;
} eti_slice_run;

/* Texts about an Event, shown with its slices. Unknown texts are absent. */
typedef struct eti_slice_event {
    const eti_event *event;
    int32_t instruction_id; /* -1 if none */
    uint32_t block;         /* index in the inspector */
    /* such as "aten.permute_copy.default, aten.mm.default"; if there are many, the first two and the last */
    eti_text op_types;
    eti_text module;  /* such as "blocks.0.q" */
    eti_text source;  /* such as "model.py:12" */
    eti_text backend; /* backend of an event that a delegate logged, or of a delegate call */
    /* Those that only ETI_ARGS_FULL needs, and otherwise absent: as the columns of the view "events". */
    eti_text kernel, node, compute_unit, unit;
    uint64_t n_text;       /* size of its name and these texts */
    uint32_t backend_kind; /* index into source->backends; 0 if no delegate logged it */
    uint8_t role;          /* an eti_role */
} eti_slice_event;

/* Clock of the events that a delegate logged in an ETDump. */
typedef struct eti_slice_backend eti_slice_backend;

/* Name of a lane of an ETDump. */
typedef struct eti_lane_name {
    uint32_t dump, lane;
    eti_text name;
} eti_lane_name;

/* Data of all runs that `etinspect trace` shows, see eti_report.slices. */
typedef struct eti_slice_source {
    const eti_inspector *inspector;
    bool is_aligned;       /* every run has tracks of its own and starts at 0 */
    bool has_flows;        /* slices have flows */
    bool has_counters;     /* runs have samples */
    bool has_debug_events; /* runs have instants */
    unsigned args;         /* an eti_slice_args */
    eti_metadata_form metadata_form;
    bool is_in_cycles;     /* source stamps count cycles of a clock with an unknown frequency */
    eti_slice_dump *dumps; /* n_dumps: all ETDumps of the inspector */
    size_t n_dumps;
    eti_slice_run *runs; /* selected runs, by ETDump, in the order of recording */
    size_t n_runs;
    /* Events of the selected blocks, in block order, including untimed Events */
    eti_slice_event *events;
    size_t n_events;
    /* per block of the inspector: index into `events`; SIZE_MAX if not selected */
    size_t *first_event;
    eti_slice_backend *backends; /* n_backends for each ETDump; index 0 stands for no backend */
    size_t n_backends;
    const struct eti_planned_use *planned; /* NULL without a program */
    uint64_t most_text; /* limit for the size of the texts of all slices; 0: no limit */
    /* size of these texts; until all runs are examined, size of the texts made so far */
    uint64_t n_text;
    ETI_INTERN_OF(eti_lane_name) lane_names;
    eti_arena arena;
} eti_slice_source;

/* Examines all runs that the options `block`, `like` and `runs` select. `most_text` limits the size of the texts of
 * all slices (0: no limit); the texts of Events, which are made once, may take an eighth of it. Fails with
 * ETI_ERROR_USAGE if a requested run does not exist, with ETI_ERROR_LIMIT before texts take more memory than allowed,
 * or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__slice_source_make(eti_slice_source *out, const eti_inspector *inspector,
                                  const eti_view_options *options, uint64_t most_text,
                                  eti_error *err) ETI_WARN_UNUSED;
/* Adds counters, including those of the planned arenas if a program is known. Fails with ETI_ERROR_LIMIT or
 * ETI_ERROR_MEMORY. */
eti_status eti__slice_source_add_counters(eti_slice_source *source, eti_error *err) ETI_WARN_UNUSED;
void eti__slice_source_free(eti_slice_source *source);

/* Returns the indexes of all runs, the shortest first, or NULL if memory runs out. The caller frees the array. */
size_t *eti__slice_runs_by_time(const eti_slice_source *source);
/* Returns the index of the representative run of the first block that does more than load, or of the first block if none does;
 * SIZE_MAX if no such run is selected. */
size_t eti__slice_runs_representative(const eti_slice_source *source);

/* Returns the texts about an Event of the run's block. */
static inline const eti_slice_event *eti__slice_event_of(const eti_slice_source *source,
                                                         const eti_slice_run *run, uint32_t event) {
    return &source->events[source->first_event[run->block] + event];
}

/* ---- streaming ------------------------------------------------------------------------------- */

typedef struct eti_slices eti_slices;

/* Slices of a run, valid until the next run is read. */
typedef struct eti_sliced_run {
    const eti_slice_run *run;
    const eti_event_block *block;
    const eti_block_run *recorded;
    /* by track; inside a track, outer slices before inner ones, see above */
    const eti_slice *slices;
    size_t n_slices;
    const eti_slice_sample *samples; /* samples of one counter are in the order of time */
    size_t n_samples;
    const eti_slice_instant *instants; /* in the order of time */
    size_t n_instants;
} eti_sliced_run;

/* Starts a stream over all runs. `is_left_out` says for each item of source->events whether its slices are left out;
 * it is borrowed, and NULL leaves out no slice. Fails with ETI_ERROR_MEMORY. */
eti_status eti__slices_open(eti_slices **out, const eti_slice_source *source,
                            const bool *is_left_out, eti_error *err) ETI_WARN_UNUSED;
/* Reads the next run; out->run is NULL after the last. Fails with ETI_ERROR_MEMORY. */
eti_status eti__slices_next(eti_slices *slices, eti_sliced_run *out,
                            eti_error *err) ETI_WARN_UNUSED;
void eti__slices_close(eti_slices *slices);

/* Returns the number of tracks that appeared so far; a run may add tracks. */
size_t eti__slices_track_count(const eti_slices *slices);
const eti_slice_track *eti__slices_track(const eti_slices *slices, size_t i);

/* Returns the number of counters that appeared so far. */
size_t eti__slices_counter_count(const eti_slices *slices);
const eti_slice_counter *eti__slices_counter(const eti_slices *slices, size_t i);

/* Names of runs, backends and allocators that have more than 256 bytes are cut in the following names, which are repeated.
 *
 * Appends the name of a counter: "method allocator", "run time", "planned memory 1". */
void eti__slice_counter_add_name(const eti_slice_source *source, const eti_slice_counter *counter,
                                 eti_buffer *out);
/* Appends the name of a track, such as "method", "run 3" or "XNNPACK (positions computed, not measured)". */
void eti__slice_track_add_name(const eti_slice_source *source, const eti_slice_track *track,
                               eti_buffer *out);
/* Returns the name of an instant: its own, that of its Event, or "(output)". Long names are cut. */
eti_text eti__slice_instant_name(const eti_sliced_run *run, const eti_slice_instant *instant);
/* Return a sentence that explains the kind of a track or counter, or NULL if the kind needs no explanation. */
const char *eti__slice_track_help(const eti_slice_track *track);
const char *eti__slice_counter_help(const eti_slice_counter *counter);
/* Appends the name of a run, such as "Execute #3". */
void eti__slice_run_add_name(const eti_slice_source *source, const eti_slice_run *run,
                             eti_buffer *out);

/* ==== stacks ================================================================================== */
/* Turns an inspector into a profile by stack: the self time of every operator below its method and
 * its modules, as flame graphs and profilers show it.
 *
 * A stack is the method, its modules from the outside to the inside, and the operator. An event
 * that a delegate logged is below the module of its node if that is known, otherwise below the
 * module of its call. Time that belongs to no operator is below the method, as "(framework) around
 * operators" or "(framework) between instructions", or below the module of its call, as
 * "(delegate overhead) XNNPACK". Only runs that count are included (see account/account.h), so the times
 * of all stacks add up to the whole of the rollup.
 *
 * A module has its name inside the enclosing module, such as "q" in "blocks.0"; if that is a
 * number or a "*", the last part of the enclosing module's name precedes it, as in "mlp.0".
 * Modules more than ETI_MOST_STACK_MODULES levels below the model are replaced by the modules
 * around them. */

#define ETI_MOST_STACK_MODULES 100

/* A distinct name in stacks. */
typedef struct eti_stack_function {
    eti_text name;
    /* file of the line that all stacks ending in it have in common; absent if there is none */
    eti_text file;
    uint32_t line;
    bool has_lines; /* whether stacks ending in it have lines, equal or not */
} eti_stack_function;

/* A prefix of stacks. Parents have lower numbers. */
typedef struct eti_stack_node {
    uint32_t parent;
    uint32_t function;
    uint32_t depth; /* number of functions, including this one */
} eti_stack_node;

/* Stacks that end in the same node are adjacent; they differ in their line or backend. */
typedef struct eti_stack {
    uint32_t node;
    uint32_t line;
    eti_text file;    /* file of the line in the source; absent if unknown */
    eti_text backend; /* backend of a delegate; absent if unknown or none */
    eti_text method;
    uint64_t n_events; /* number of profile events */
    /* typical self time per run, see account/account.h; cycles of an unknown clock count as 1 ns */
    double ns;
} eti_stack;

/* Borrows from the inspector. */
typedef struct eti_stacks {
    ETI_INTERN_OF(eti_stack_function) functions;
    ETI_INTERN_OF(eti_stack_node) nodes;
    eti_stack *items; /* depth first, in the order in which nodes appear in the runs */
    size_t n;
    bool is_in_cycles;
    eti_rollup rollup; /* its groups are stacks */
    eti_places places;
    eti_module_tree modules;
    eti_arena arena; /* owns names */
} eti_stacks;

/* Source of the stacks; a report holds it until it is written. */
typedef struct eti_stack_source {
    const eti_inspector *inspector;
    eti_view_options options; /* folds_layers is described in rollup/rollup.h */
    uint64_t most_text;       /* limit for the total size of the names of all stacks; 0: no limit */
    /* Whether Event i of block k is left out, at first_event[k] + i; NULL leaves out no Event. */
    const bool *is_left_out;
    const size_t *first_event;
} eti_stack_source;

/* Makes the stacks of the blocks that the options select. Fails with ETI_ERROR_MEMORY or ETI_ERROR_LIMIT; free `out`
 * in any case. */
eti_status eti__stacks_make(eti_stacks *out, const eti_stack_source *source,
                            eti_error *err) ETI_WARN_UNUSED;
void eti__stacks_free(eti_stacks *stacks);

/* Stores the nodes of a stack in `path`, beginning with the method. Returns the number of nodes, at most
 * ETI_MOST_STACK_DEPTH. */
#define ETI_MOST_STACK_DEPTH (ETI_MOST_STACK_MODULES + 3)
size_t eti__stack_path(const eti_stacks *stacks, uint32_t node,
                       uint32_t path[ETI_MOST_STACK_DEPTH]);

/* Rounds a time of stacks to ns; returns at most INT64_MAX. */
static inline uint64_t eti__stack_round(double ns) {
    return ns < (double)INT64_MAX ? (uint64_t)(ns + 0.5) : INT64_MAX;
}

static inline eti_text eti__stack_name(const eti_stacks *stacks, uint32_t node) {
    return stacks->functions.items[stacks->nodes.items[node].function].name;
}

#endif
