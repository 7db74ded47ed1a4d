/*
 * slices.h - turns the runs of an inspector into slices: intervals on tracks, for time lines and traces.
 *
 * - A slice is a profile event, or a run around its events. Times are nanoseconds since the first stamp of the ETDump, in
 * integers: stamps are converted, not durations, so that slices inside another one stay inside it.
 * A cycle of a clock whose
 *   frequency is not known is shown as 1 ns. Times are at most INT64_MAX.
 * - Stamps of a 32-bit clock that wrapped around continue to increase, inside a run as in
 * account.h, and from one run to the next. The runs
 *   of an ETDump follow each other: one whose stamps lie before the end of the run before (the clock was set back) starts at
 *   that end (is_moved).
 * - A track holds only slices that nest. A slice that overlaps another in part goes to the next
 * lane, which is a track of its own.
 * Slices of a track are ordered by start, then the longer first, then the one recorded later first;
 * a slice without length contains no other, and such slices with the same stamp stay in the order
 * of recording.
 * - Events that delegates logged are inside their DELEGATE_CALL if all stamps of the backend in
 * this ETDump are inside their calls and look measured; otherwise they are on a track of the
 * backend, see eti_slice_track_kind.
 *
 * eti_slice_source holds the data of all runs together; eti_slices streams the runs, with the
 * memory of one run. Everything borrows from the inspector.
 */
#ifndef ETI_ACCOUNT_SLICES_H
#define ETI_ACCOUNT_SLICES_H

#include "account/options.h"
#include "account/role.h"
#include "base/arena.h"
#include "base/text.h"
#include "model/inspector.h"
#include "model/run_events.h"

typedef enum eti_slice_track_kind {
    ETI_TRACK_METHOD, /* what the runtime logged, and what delegates did on its clock inside their calls */
    ETI_TRACK_SYNTHETIC, /* positions are the backend's invention, see synthetic.h: they are shown as recorded where they
                            begin inside the calls, else from the start of each call on */
    ETI_TRACK_OWN_CLOCK, /* distances inside a call are as recorded; its first event is put at the start of the call */
    ETI_TRACK_NO_CALL, /* logged by a delegate, but no DELEGATE_CALL fits */
    ETI_TRACK_DEBUG,   /* debug events: instants instead of slices */
    ETI_N_TRACK_KINDS,
} eti_slice_track_kind;

#define ETI_EVERY_RUN UINT32_MAX

/* Bytes of an event's metadata that are shown. */
#define ETI_MOST_SLICE_METADATA 4096

typedef struct eti_slice_track {
    uint32_t dump; /* number in source->dumps */
    uint32_t
        run; /* number of the run that it is of, in source->runs, if runs are aligned; else ETI_EVERY_RUN */
    uint32_t lane; /* 0: the first; others hold what overlaps */
    uint8_t kind;  /* an eti_slice_track_kind */
    bool is_in_cycles;
    eti_text backend; /* absent: of no delegate, or unknown */
} eti_slice_track;

enum {
    ETI_SLICE_FLOW_BEGINS = 1, /* `flow` leads from this slice; without it, to this slice */
};

typedef struct eti_slice {
    uint64_t start, end; /* ns; start <= end */
    uint64_t self;       /* own time in ns, as account.h has it; 0 of a run */
    uint64_t flow;       /* number from 1 on; 0: none */
    uint32_t track;      /* number in slices->tracks */
    uint32_t depth;      /* number of slices of the track around it */
    uint32_t event;      /* number of the Event in its block; ETI_NO_EVENT: the run */
    uint32_t number;     /* of the profile event in its run; UINT32_MAX of the run */
    uint8_t flags;       /* ETI_SLICE_... */
} eti_slice;

typedef enum eti_slice_counter_kind {
    ETI_COUNTER_RUN_TIME, /* ns, at the start of each run that does more than load; not of aligned runs */
    ETI_COUNTER_ALLOCATOR, /* bytes given out so far in this run; their time is that of placing.h: approximate */
    ETI_COUNTER_ARENA, /* bytes in use of a planned arena, from the start of each instruction on; 0 between runs */
} eti_slice_counter_kind;

/* A number that changes with time. */
typedef struct eti_slice_counter {
    uint32_t dump;
    uint32_t run;    /* as that of tracks */
    uint32_t number; /* memory id of an arena; of an allocator a number among all */
    uint8_t kind;    /* an eti_slice_counter_kind */
    eti_text name;   /* of the allocator; of the arena's method */
} eti_slice_counter;

typedef struct eti_slice_sample {
    uint64_t time;    /* ns */
    uint64_t value;   /* from then on; at most INT64_MAX */
    uint32_t counter; /* number in slices->counters */
} eti_slice_sample;

/* A debug event, at about the time when it was recorded. */
typedef struct eti_slice_instant {
    uint64_t time;   /* ns */
    uint32_t track;  /* number in slices->tracks */
    uint32_t event;  /* number of its Event in the block; ETI_NO_EVENT: an output of the run */
    uint32_t number; /* of the event in its run */
} eti_slice_instant;

/* Time lines of an ETDump. */
typedef struct eti_slice_dump {
    const eti_etdump *dump;
    uint64_t base;        /* the stamp that is shown as 0, in ticks of the source scale */
    size_t first, n_runs; /* of source->runs */
} eti_slice_dump;

/* A run that is shown. */
typedef struct eti_slice_run {
    uint32_t dump;   /* number in source->dumps */
    uint32_t block;  /* number in the inspector */
    uint32_t number; /* of the run in its block, as the view "runs" numbers them */
    uint32_t index;  /* of the run in its ETDump */
    bool is_warm_up, is_outlier;
    bool is_moved;
    bool has_times; /* something that no delegate logged has a time */
    /* Ticks of the source scale: the first stamp; how long after the base of the ETDump it is shown; the last stamp. */
    uint64_t first, shown_at, last;
} eti_slice_run;

/* Texts about an Event, shown beside its slices. Absent texts are not known. */
typedef struct eti_slice_event {
    const eti_event *event;
    uint32_t block; /* number in the inspector */
    eti_text
        op_types; /* "aten.permute_copy.default, aten.mm.default"; of many the first and the last */
    eti_text module;       /* "blocks.0.q" */
    eti_text source;       /* "model.py:12" */
    eti_text backend;      /* of what a delegate logged, and of its calls */
    uint64_t n_text;       /* bytes of its name and these texts */
    uint32_t backend_kind; /* number in source->backends; 0: not logged by a delegate */
    uint8_t role;          /* an eti_role */
} eti_slice_event;

/* The clock of the events that a delegate logged in an ETDump. */
typedef struct eti_slice_backend eti_slice_backend;

/* Data of all runs: `etinspect trace` shows it, see eti_report.slices. */
typedef struct eti_slice_source {
    const eti_inspector *inspector;
    bool is_aligned;       /* every run has a track of its own and starts at 0 */
    bool has_flows;        /* slices have flows */
    bool has_counters;     /* runs have samples */
    bool has_debug_events; /* runs have instants */
    unsigned args;         /* an eti_slice_args */
    eti_metadata_form metadata_form;
    bool is_in_cycles;     /* source stamps count cycles of an unknown clock */
    eti_slice_dump *dumps; /* n_dumps: all of the inspector */
    size_t n_dumps;
    eti_slice_run *runs; /* by dump, in the order of recording; those that were chosen */
    size_t n_runs;
    eti_slice_event
        *events; /* of the chosen blocks, in their order: a block's untimed Events too */
    size_t n_events;
    size_t *first_event; /* per block of the inspector: index in events; SIZE_MAX: not chosen */
    eti_slice_backend *backends; /* n_backends for each dump; number 0 stands for none */
    size_t n_backends;
    const struct eti_planned_use *planned; /* slices/planned_use.h; NULL: no program */
    uint64_t most_text; /* bytes that the texts of all slices may have; 0: any number */
    uint64_t n_text;    /* of these bytes; of texts that were made, until all runs are examined */
    eti_arena arena;
} eti_slice_source;

/* Examines all runs that the options choose: block, like, runs. `most_text`: bytes that the texts of all slices may have; those of
 * Events, which are made once, may have an eighth of it; 0: any number. ETI_ERROR_USAGE: a run that is chosen does not exist;
 * ETI_ERROR_LIMIT, before texts take more memory; ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__slice_source_make(eti_slice_source *out, const eti_inspector *inspector,
                                  const eti_view_options *options, uint64_t most_text,
                                  eti_error *err) ETI_WARN_UNUSED;
/* Adds counters, with those of the planned arenas where a program is known. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__slice_source_add_counters(eti_slice_source *source, eti_error *err) ETI_WARN_UNUSED;
void eti__slice_source_free(eti_slice_source *source);

/* Returns the numbers of all runs, the shortest first; NULL: out of memory. The caller frees it. */
size_t *eti__slice_runs_by_time(const eti_slice_source *source);

/* Returns what is known of an Event of the run's block. */
static inline const eti_slice_event *eti__slice_event_of(const eti_slice_source *source,
                                                         const eti_slice_run *run, uint32_t event) {
    return &source->events[source->first_event[run->block] + event];
}

/* ---- streaming ------------------------------------------------------------------------------- */

typedef struct eti_slices eti_slices;

/* The slices of a run. Valid until the next run is read. */
typedef struct eti_sliced_run {
    const eti_slice_run *run;
    const eti_event_block *block;
    const eti_block_run *recorded;
    const eti_slice *slices; /* by track; in each the outer before the inner, see above */
    size_t n_slices;
    const eti_slice_sample *samples; /* those of a counter in the order of time */
    size_t n_samples;
    const eti_slice_instant *instants; /* in the order of time */
    size_t n_instants;
} eti_sliced_run;

/* Starts a stream over all runs. `is_left_out`: per source->events, whether its slices are left out; NULL: none is; borrowed.
 * ETI_ERROR_MEMORY. */
eti_status eti__slices_open(eti_slices **out, const eti_slice_source *source,
                            const bool *is_left_out, eti_error *err) ETI_WARN_UNUSED;
/* Reads the next run; out->run is NULL after the last. ETI_ERROR_MEMORY. */
eti_status eti__slices_next(eti_slices *slices, eti_sliced_run *out,
                            eti_error *err) ETI_WARN_UNUSED;
void eti__slices_close(eti_slices *slices);

/* The tracks that appeared so far: a run may add some. */
size_t eti__slices_track_count(const eti_slices *slices);
const eti_slice_track *eti__slices_track(const eti_slices *slices, size_t i);

/* The counters likewise. */
size_t eti__slices_counter_count(const eti_slices *slices);
const eti_slice_counter *eti__slices_counter(const eti_slices *slices, size_t i);

/* Names of runs, backends and allocators that have more than 256 bytes are cut in the following names, which are repeated.
 *
 * Appends the name of a counter: "method allocator", "run time", "planned memory 1". */
void eti__slice_counter_add_name(const eti_slice_source *source, const eti_slice_counter *counter,
                                 eti_buffer *out);
/* Appends the name of a track: "method", "run 3", "XnnpackBackend (positions synthetic) (overlap 2)". */
void eti__slice_track_add_name(const eti_slice_source *source, const eti_slice_track *track,
                               eti_buffer *out);
/* Returns the name of an instant: its own, that of its Event, or "(output)". Long ones are cut. */
eti_text eti__slice_instant_name(const eti_sliced_run *run, const eti_slice_instant *instant);
/* Return a sentence that explains the kind of a track or counter; NULL: it needs none. */
const char *eti__slice_track_help(const eti_slice_track *track);
const char *eti__slice_counter_help(const eti_slice_counter *counter);
/* Appends the name of a run: "Execute #3". */
void eti__slice_run_add_name(const eti_slice_source *source, const eti_slice_run *run,
                             eti_buffer *out);

#endif
