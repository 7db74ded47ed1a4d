/*
 * etcapture.h - records events while a model runs, and writes them as an ETDump that etinspect and
 * ExecuTorch's Inspector read.
 *
 * The library does not read ETDumps, has no threads, and does not sample. Its core needs no
 * allocator and no libc but memcpy, memset and memcmp.
 *
 *     static uint8_t memory[16384];
 *     etc_config config = ETC_CONFIG_INIT;
 *     config.clock = my_cycle_counter;
 *     etc_capture *capture = etc_init(memory, sizeof memory, &config);
 *     etc_name conv = etc_intern(capture, "conv");
 *     etc_run(capture, "Execute");
 *     etc_span span = etc_start(capture, conv);
 *     ... the work ...
 *     etc_end(capture, &span);
 *     etc_run_end(capture);
 *     etc_print(capture, NULL, put_character, uart);
 *
 * Recording: the calls that return nothing, a name or a span never fail, abort, allocate or block.
 * Runs, events and names that are lost are counted: see etc_get_stats(). Every call accepts a
 * capture that is NULL, does nothing, and returns ETC_OK if it returns a status. If ETC_DISABLED is
 * defined before this header is included, all calls are empty inline functions.
 *
 * Runs: an event belongs to the run that is open when the event ends. A run is complete if it was
 * ended, by etc_run_end() or by the next etc_run(), and lost no event, neither for lack of memory nor
 * for a wrong argument; other runs are partial. A value that a call refuses with ETC_INVALID or
 * ETC_UNSUPPORTED is not lost. Only complete runs are saved, unless keep_partial_runs or, for one
 * call, partial_runs is set.
 *
 * Rings: with ETC_RING, the oldest runs are dropped to make room. As the length of a run is not
 * known in advance, the open run drops others only until it has half of the memory for records; then
 * its later events are lost unless memory is free, and it is partial. Give a ring twice the memory of
 * the longest run. A record lies in one piece: nothing is dropped for a record that no place would be
 * large enough for.
 *
 * Debug data are the contents of tensors, one after the other: an ETDump has only their offsets,
 * and the contents are in a file of their own.
 *
 * Times are ticks of the capture's clock.
 *
 * Ownership: calls copy texts and data. The memory given to etc_init(), etc_lane() and
 * etc_set_debug_buffer(), and the contexts of functions, belong to the caller and must live as long
 * as the capture.
 *
 * Threads: one capture belongs to one thread at a time; different captures need no locks. Other
 * threads and interrupt handlers record into the same runs through lanes: see etc_lane().
 *
 * Growth: etc_config, etc_save_options and etc_stats begin with their size and grow at their end:
 * initialise them with the macro that ends in _INIT. Enums grow only at their end. etc_span,
 * etc_key, etc_sink and etc_tensor never grow.
 *
 * Clocks of processors are in etcapture_clock.h, classes for C++ in etcapture.hpp, a tracer for
 * ExecuTorch's runtime in etcapture_executorch.hpp.
 */
#ifndef ETCAPTURE_H
#define ETCAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ETC_API __attribute__((visibility("default")))
#else
#define ETC_API
#endif

#ifdef __cplusplus
extern "C++" {
/* Returns a structure of zeros, except for its size. */
template <typename T> inline T etc_sized() {
    T value = T();
    value.struct_size = sizeof(T);
    return value;
}
}
#endif

/* ---- status ---------------------------------------------------------------------------------- */

/* X(name, sentence): the list of all statuses. */
#define ETC_STATUS_LIST(X)                                                                         \
    X(OK, "success")                                                                               \
    X(INVALID, "an argument is wrong")                                                             \
    X(STATE, "the capture is in the wrong state for this call")                                    \
    X(FULL, "the memory of the capture, or the buffer given, is full")                             \
    X(MEMORY, "out of memory")                                                                     \
    X(IO, "a sink or a file cannot be written, or a journal cannot be read")                       \
    X(TOO_LARGE, "the ETDump would be larger than 2 GiB")                                          \
    X(UNSUPPORTED, "an ETDump cannot hold data of this type, or a journal has another version")

typedef enum etc_status {
#define ETC_STATUS_ENUM(name, sentence) ETC_##name,
    ETC_STATUS_LIST(ETC_STATUS_ENUM)
#undef ETC_STATUS_ENUM
} etc_status;

/* ---- configuration --------------------------------------------------------------------------- */

typedef struct etc_capture etc_capture;

/* Identifies a text that was interned in a capture; 0: no text. */
typedef uint32_t etc_name;

typedef enum etc_when_full {
    ETC_STOP, /* keep the first runs */
    ETC_RING, /* keep the last runs */
    ETC_GROW, /* etc_open() only: take more memory, up to `limit_bytes`; then as ETC_STOP */
} etc_when_full;

typedef enum etc_profiling_level {
    ETC_PROFILE_ALL_EVENTS,
    ETC_PROFILE_METHOD_ONLY, /* drops the events of etc_start_op() */
} etc_profiling_level;

typedef enum etc_debug_level {
    ETC_DEBUG_NONE,
    ETC_DEBUG_PROGRAM_OUTPUTS,
    ETC_DEBUG_INTERMEDIATE_OUTPUTS, /* all values */
} etc_debug_level;

typedef enum etc_event_kind {
    ETC_EVENT_PROFILE,
    ETC_EVENT_DELEGATE,
    ETC_EVENT_ALLOCATION,
    ETC_EVENT_DEBUG,
} etc_event_kind;

/* Describes an event for a filter. */
typedef struct etc_filter_event {
    etc_event_kind kind;
    const char *name; /* name of the event, of the delegate's operator, or of the key; NULL: none */
    int32_t id;       /* of the delegate's operator, of the key or of the allocator; -1: none */
    uint32_t handle;  /* debug handle of the instruction */
} etc_filter_event;

/* Returns true to keep the event, the opposite of ExecuTorch's filters. For events with a name, the
 * filter is called once for each name and kind; its result is kept as long as the capture. */
typedef bool (*etc_filter_function)(void *context, const etc_filter_event *event);

/* Returns the current time in ticks; must not go backwards. */
typedef uint64_t (*etc_clock_function)(void *context);

/* The defaults are zeros, except for the size. */
typedef struct etc_config {
    size_t struct_size; /* sizeof in the caller; see Growth above */
    /* NULL: CLOCK_MONOTONIC in nanoseconds; on systems without it, the clock must be given. */
    etc_clock_function clock;
    void *clock_context;
    /* Nanoseconds in a tick, as a fraction. Saving then writes nanoseconds, rounded down. Both 0:
     * ticks are written unchanged. */
    uint32_t tick_numerator, tick_denominator;
    etc_when_full when_full;
    uint32_t keep_runs; /* ETC_RING: most complete runs of each name to keep; 0: all that fit */
    /* The window: leaves out the first `skip_runs` runs called `window_name` and records the next
     * `max_runs` (0: all) of them. Runs with other names are always recorded. */
    uint32_t skip_runs, max_runs;
    const char *window_name; /* NULL: "Execute" */
    bool keep_partial_runs;  /* saves runs that lost events, and the open run, too */
    /* Numbers events: while no instruction is set, the n-th event started in a run gets chain 0 and
     * debug handle n, from 0, so that the Inspector distinguishes events with equal names; debug
     * values get chain and handle of the event started last. */
    bool auto_handles;
    etc_profiling_level profiling_level;
    etc_debug_level debug_level;
    etc_filter_function filter; /* NULL: everything is kept */
    void *filter_context;
    uint64_t limit_bytes; /* etc_open(): most memory, bytes; 0, like more than 1 GiB: 1 GiB */
    /* ETC_RING: memory for names, bytes; 0: an eighth, or as much as names need, up to 2 KiB, from memory that no record has reached
     * yet. At least 256 bytes are left for records. */
    uint32_t name_bytes;
} etc_config;

#ifdef __cplusplus
#define ETC_CONFIG_INIT etc_sized<etc_config>()
#else
#define ETC_CONFIG_INIT                                                                            \
    { .struct_size = sizeof(etc_config) }
#endif

/* Number of bytes of the smallest memory of a capture. */
#define ETC_MIN_BYTES 1024

/* Parts of the library that a configuration may need. */
enum {
    ETC_WITH_RING = 1,   /* when_full */
    ETC_WITH_FILTER = 2, /* filter */
    ETC_WITH_VALUES = 4, /* debug_level */
};

/* ---- spans, keys, tensors -------------------------------------------------------------------- */

/* Holds an event that was started. Spans may be copied, dropped, and ended in any order. Only the
 * library uses the members. */
typedef struct etc_span {
    uint64_t start; /* ticks */
    etc_name name;
    int32_t chain;
    uint32_t handle;
    int32_t delegate_id;
    uint32_t kind; /* 0: nothing will be recorded */
} etc_span;

/* Identifies the operator that made a value: ETC_OPERATOR for an operator of the program; an
 * operator of a delegate has either a name or an id. */
typedef struct etc_key {
    const char *name; /* NULL: none */
    int32_t id;       /* -1: none */
} etc_key;

#ifdef __cplusplus
#define ETC_OPERATOR (etc_key{NULL, -1})
#else
#define ETC_OPERATOR ((etc_key){NULL, -1})
#endif

/* Marks a debug value as an output of the program. */
#define ETC_PROGRAM_OUTPUT 1u

/* A number that belongs to an event, such as bytes, instructions or energy. Its name ends with its unit in brackets, if it has one:
 * "energy [uJ]". Numbers are whole: choose a unit that is small enough. */
typedef struct etc_counter {
    etc_name name; /* 0: the counter is left out */
    int64_t value;
} etc_counter;

/* Largest number of counters of an event. */
#define ETC_MOST_COUNTERS 16

#define ETC_MAX_RANK 16

/* Numbers of ExecuTorch's ScalarType. */
typedef enum etc_scalar_type {
    ETC_BYTE = 0,
    ETC_CHAR = 1,
    ETC_SHORT = 2,
    ETC_INT = 3,
    ETC_LONG = 4,
    ETC_HALF = 5,
    ETC_FLOAT = 6,
    ETC_DOUBLE = 7,
    ETC_BOOL = 11,
    ETC_QINT8 = 12,
    ETC_QUINT8 = 13,
    ETC_QINT32 = 14,
    ETC_BFLOAT16 = 15,
    ETC_BITS16 = 22,
    ETC_FLOAT8_E5M2 = 23,
    ETC_FLOAT8_E4M3FN = 24,
    ETC_FLOAT8_E5M2FNUZ = 25,
    ETC_FLOAT8_E4M3FNUZ = 26,
    ETC_UINT16 = 27,
    ETC_UINT32 = 28,
    ETC_UINT64 = 29,
} etc_scalar_type;

typedef struct etc_tensor {
    int32_t scalar_type;    /* an etc_scalar_type */
    uint32_t rank;          /* at most ETC_MAX_RANK */
    const int64_t *sizes;   /* `rank` numbers, in elements */
    const int64_t *strides; /* elements; NULL: contiguous */
    const void *data;       /* NULL if `bytes` is 0 */
    size_t bytes;           /* product of the sizes, times the size of an element */
} etc_tensor;

/* Receives bytes in order. `write` returns 0, or another number to stop: the call fails with
 * ETC_IO. */
typedef struct etc_sink {
    int (*write)(void *context, const void *data, size_t size);
    void *context;
} etc_sink;

/* ---- saving ---------------------------------------------------------------------------------- */

/* The defaults, zeros except for the size, save all complete runs. NULL stands for the defaults. */
typedef struct etc_save_options {
    size_t struct_size;   /* sizeof in the caller; see Growth above */
    uint32_t last_runs;   /* saves only this number of the last runs; 0: all */
    const char *run_name; /* saves only runs with this name; NULL: all */
    bool no_allocations;  /* leaves out allocators and allocations, which make the Inspector fail */
    uint32_t line_width;  /* etc_print(): characters of base64 in a line; 0: all in one line */
    bool partial_runs;    /* saves runs that lost events, and the open run, too */
} etc_save_options;

#ifdef __cplusplus
#define ETC_SAVE_OPTIONS_INIT etc_sized<etc_save_options>()
#else
#define ETC_SAVE_OPTIONS_INIT                                                                      \
    { .struct_size = sizeof(etc_save_options) }
#endif

/* Counts runs, events and names, recorded and lost, since the capture was made. The statistics of a
 * capture with lanes include its lanes. `runs`, runs_dropped, runs_outside and runs_opened count runs
 * of the main capture; runs_partial adds the runs that the main capture has complete and a lane has
 * not.
 *
 * Until etc_reset() forgets runs, each run that was opened is open, can be saved as a complete run,
 * was dropped, or is partial: runs_opened is the sum of the number of complete runs that can be saved,
 * runs_dropped, runs_partial, and 1 if a run is open and has memory. */
typedef struct etc_stats {
    size_t struct_size;    /* sizeof in the caller; see Growth above */
    uint64_t runs;         /* complete runs, including those dropped later */
    uint64_t events;       /* of all kinds */
    uint64_t runs_dropped; /* complete runs, by the ring or by keep_runs; or for lack of memory */
    uint64_t runs_partial; /* ended after losing events */
    uint64_t runs_outside; /* outside the window */
    uint64_t events_lost_full;  /* for lack of memory, also that of a delegate's name */
    uint64_t events_lost_state; /* without an open run */
    uint64_t events_lost_wrong; /* for a wrong argument */
    uint64_t names_lost;        /* for lack of memory; events of the program then have no name */
    uint64_t names_repaired;    /* for bytes that are not UTF-8, or for their length */
    uint64_t debug_values_without_contents;
    uint64_t debug_values_not_finite; /* which make the Inspector fail */
    /* Bytes in use now, and the most that were in use at a time. */
    uint64_t record_bytes, record_bytes_most;
    uint64_t name_bytes;
    uint64_t debug_bytes;
    uint64_t memory_bytes; /* for records and names together */
    /* Runs that lanes dropped, or had no memory for, each counted once for each lane. Such a run is
     * partial if the main capture still has it. */
    uint64_t lane_runs_dropped;
    uint64_t runs_opened;              /* inside the window */
    uint64_t debug_values_below_level; /* left out by `debug_level` */
    uint64_t packets_lost;             /* of the stream that was opened: damaged or missing */
} etc_stats;

#ifdef __cplusplus
#define ETC_STATS_INIT etc_sized<etc_stats>()
#else
#define ETC_STATS_INIT                                                                             \
    { .struct_size = sizeof(etc_stats) }
#endif

typedef struct etc_id_range {
    int32_t begin, end; /* from `begin` to `end` - 1 */
} etc_id_range;

/* Says which events etc_filter_globs() keeps: those whose name matches one of `include`, or whose
 * id is in one of `ranges`, and whose name matches none of `exclude`. Without `include` and
 * `ranges`, keeps all events whose name matches none of `exclude`. In a pattern, * stands for any
 * characters and ? for one. */
typedef struct etc_globs {
    const char *const *include;
    size_t n_include;
    const char *const *exclude;
    size_t n_exclude;
    const etc_id_range *ranges;
    size_t n_ranges;
} etc_globs;

#ifndef ETC_DISABLED

/* Returns the sentence of a status; never NULL. */
ETC_API const char *etc_status_text(etc_status status);

/* ---- life ------------------------------------------------------------------------------------ */

/* Puts a capture into `memory`, at any alignment, and uses at most 1 GiB of it. There is nothing to
 * free. Returns NULL if `size` is less than ETC_MIN_BYTES or the configuration is wrong: no clock
 * where there is no default, only one part of the tick fraction, ETC_GROW, a value outside its
 * enum. */
ETC_API etc_capture *etc_init(void *memory, size_t size, const etc_config *config);
/* As etc_init(), for boards: the program links only the parts that it names, ETC_WITH_RING | …, which must be a constant. On other
 * systems a program has the whole library. Returns NULL also if the configuration needs another part. */
#if defined(__unix__) || defined(__APPLE__)
static inline etc_capture *etc_init_with(void *memory, size_t size, const etc_config *config,
                                         unsigned parts) {
    bool lacks_part =
        config && ((config->when_full == ETC_RING && !(parts & ETC_WITH_RING)) ||
                   (config->filter && !(parts & ETC_WITH_FILTER)) ||
                   (config->debug_level != ETC_DEBUG_NONE && !(parts & ETC_WITH_VALUES)));
    return lacks_part ? NULL : etc_init(memory, size, config);
}
#else
/* Only etc_init_with() uses these names. */
extern const struct etc_ring_calls etc__ring_calls;
extern const struct etc_filter_calls etc__filter_calls;
extern const struct etc_value_calls etc__value_calls, etc__value_calls_in_ring;
etc_capture *etc__init_parts(void *memory, size_t size, const etc_config *config,
                             const struct etc_ring_calls *ring,
                             const struct etc_filter_calls *filters,
                             const struct etc_value_calls *values);

static inline etc_capture *etc_init_with(void *memory, size_t size, const etc_config *config,
                                         unsigned parts) {
    return etc__init_parts(memory, size, config, parts & ETC_WITH_RING ? &etc__ring_calls : NULL,
                           parts & ETC_WITH_FILTER ? &etc__filter_calls : NULL,
                           !(parts & ETC_WITH_VALUES) ? NULL
                           : parts & ETC_WITH_RING    ? &etc__value_calls_in_ring
                                                      : &etc__value_calls);
}
#endif
/* Forgets runs and debug data. Keeps names, configuration, instruction, and counts of losses. */
ETC_API void etc_reset(etc_capture *c);

/* Makes a capture in memory of its own, on POSIX systems only. Reserves addresses for
 * `limit_bytes`, and halves that each time the system refuses; a page takes memory once records or
 * names reach it. Records never move. ETC_STOP, the default, means the same as ETC_GROW; a ring
 * uses all of its addresses before it drops a run, except runs that `keep_runs` drops: it uses their memory again before it
 * takes more. If `config` is NULL, the defaults apply. The
 * caller closes *out, which is NULL after a failure. ETC_INVALID: the configuration is wrong, or
 * `limit_bytes` is less than ETC_MIN_BYTES; ETC_MEMORY. */
ETC_API etc_status etc_open(etc_capture **out, const etc_config *config);
/* Frees the memory taken by opening the capture, unless etc_init() made it, and by making its
 * lanes. The capture and its lanes must not be used any more. Keeps the file of a journal. */
ETC_API void etc_close(etc_capture *c);

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Makes a lane of `main`: a capture for one more thread or interrupt handler. Its events belong to
 * the run that is open in `main`. In a file they follow the events of `main`, lane by lane in the
 * order in which the lanes were made, not by time: equal runs have the same events in the same
 * order, however threads take turns. A lane needs no lock: each call reads one word of `main`.
 *
 * The chain of an event is the number of its lane, from 1 in the order in which lanes were made. An event outside of
 * instructions has chain -1 in `main`, and -1 minus the number of the lane in a lane. A chain above 0 that
 * etc_set_instruction() sets, in `main` or in a lane, is the number of a queue of a device: choose numbers above those of the
 * lanes. etinspect nests the events of each lane and queue by their times, and shows each lane and queue on its own track.
 *
 * Must be called by the thread that `main` belongs to. Only that thread opens and ends runs,
 * resets, saves and closes: for a lane these calls, allocators and bundled inputs are counted in
 * events_lost_state, and saving a lane is ETC_STATE. No lane may record while `main` is saved,
 * queried for statistics, reset or closed. Names interned in `main`, and the clock, filter and
 * levels of `main`, are valid in its lanes; threads of lanes call the clock and the filter, too. A
 * name that a lane interns is valid in that lane only. Automatic handles start at 1,000,000 in lane
 * 1, at 2,000,000 in lane 2, ….
 *
 * `when_full` applies to the memory of the lane, too. A run is partial if a lane lost events of it,
 * or dropped its records of it; what a lane lost of one run changes no other.
 *
 * The lane lasts as long as `main`. `memory` is as for etc_init(). On POSIX systems it may be NULL:
 * the lane then has memory of its own, which grows to `size` bytes (0: as many as `main` has) and
 * which etc_close() of `main` frees. Returns NULL if `main` is NULL or a lane, or if memory is too
 * small. */
ETC_API etc_capture *etc_lane(etc_capture *main, void *memory, size_t size);
/* Names a lane or queue in the file; keeps at most 64 bytes of the name. `number` is the number of a queue; 0 names the lane `c`
 * or, if `c` is a main capture, the main thread. Uses memory for names as etc_intern() does. Name each lane and queue only once. */
ETC_API void etc_name_lane(etc_capture *c, uint32_t number, const char *name);

/* ---- names, runs, context -------------------------------------------------------------------- */

/* Returns the name of a text, the same for equal texts. Bytes that are not UTF-8 become '?'. Of a
 * text of more than 511 bytes, at most 502 bytes are kept, up to the end of a character, with # and a hash of the whole text in 8
 * digits after them, so that different texts stay different. Returns 0 if `text` is NULL or memory
 * is full. */
ETC_API etc_name etc_intern(etc_capture *c, const char *text);

/* Ends the open run and opens the next; ExecuTorch calls its runs "Default" (loading) and
 * "Execute". NULL is the name "". */
ETC_API void etc_run(etc_capture *c, const char *name);
/* Ends the open run. */
ETC_API void etc_run_end(etc_capture *c);

/* Sets the instruction of the program to which the following events and values belong. A chain above 0 is the number of a queue:
 * see etc_lane(). */
ETC_API void etc_set_instruction(etc_capture *c, int32_t chain, uint32_t handle);
/* Sets no instruction, as in a new capture: chain -1, handle 0. */
ETC_API void etc_unset_instruction(etc_capture *c);
/* Sets which input of a bundled program the runs opened from now on execute; -1: none. */
ETC_API void etc_set_bundled_input(etc_capture *c, int32_t index);

/* ---- events ---------------------------------------------------------------------------------- */

/* Starts an event. Its time begins when the call returns. */
ETC_API etc_span etc_start(etc_capture *c, etc_name name);
/* Starts the event of an operator, which the profiling level may drop. */
ETC_API etc_span etc_start_op(etc_capture *c, etc_name name);
/* Interns the name and starts an event, which takes longer than etc_start(). */
ETC_API etc_span etc_start_text(etc_capture *c, const char *name);
/* Ends an event; its time ends when the call begins. It is recorded in the open run, with the
 * instruction that was set when it started. */
ETC_API void etc_end(etc_capture *c, const etc_span *span);
/* Records an event with the given times, even if `end` is before `start`: readers take this for a clock of 32 bits that
 * wrapped around, and reject the file if `start` is 2^32 or more. */
ETC_API void etc_log(etc_capture *c, etc_name name, uint64_t start, uint64_t end);

/* Starts an event of a delegate's operator, which has either a name or an id: either `name` is not
 * 0 or `id` is not -1. After names were lost, an event with neither is taken for one whose name was. */
ETC_API etc_span etc_start_delegate(etc_capture *c, etc_name name, int32_t id);
/* Ends a delegate's event, with `size` bytes of metadata, at most 2^24, in a format of the
 * delegate. */
ETC_API void etc_end_delegate(etc_capture *c, const etc_span *span, const void *metadata,
                              size_t size);
ETC_API void etc_log_delegate(etc_capture *c, etc_name name, int32_t id, uint64_t start,
                              uint64_t end, const void *metadata, size_t size);

/* End or record an event as etc_end(), etc_end_delegate() without metadata, and etc_log() do, with at most ETC_MOST_COUNTERS
 * counters. The counters are text in the metadata of the event, such as "etcapture: cycles=1200; energy [uJ]=3"; in the text, _
 * replaces semicolons and control characters of names. */
ETC_API void etc_end_counted(etc_capture *c, const etc_span *span, const etc_counter *counters,
                             size_t n);
ETC_API void etc_log_counted(etc_capture *c, etc_name name, uint64_t start, uint64_t end,
                             const etc_counter *counters, size_t n);
/* Marks the current time: records an event without length, with counters that have these values now. */
ETC_API void etc_mark(etc_capture *c, etc_name name, const etc_counter *counters, size_t n);

/* Records an allocator in the open run and returns its id, from 1 in each run; 0: it was not
 * recorded. */
ETC_API uint32_t etc_allocator(etc_capture *c, const char *name);
/* Records an allocation. `id` is not checked, as in ExecuTorch. */
ETC_API void etc_allocation(etc_capture *c, uint32_t id, uint64_t bytes);

#if defined(__GNUC__)
typedef struct etc_scope {
    etc_capture *capture;
    etc_span span;
} etc_scope;

static inline void etc_scope_end(etc_scope *scope) {
    etc_end(scope->capture, &scope->span);
}

#define ETC_SCOPE_PASTE(a, b) a##b
#define ETC_SCOPE_NAME(line) ETC_SCOPE_PASTE(etc_scope_, line)
/* Starts an event that ends with the enclosing scope. `c` is evaluated twice. */
#define ETC_SCOPE(c, name)                                                                         \
    __attribute__((cleanup(etc_scope_end), unused)) etc_scope ETC_SCOPE_NAME(__LINE__) = {         \
        (c), etc_start((c), (name))}
#endif

/* ---- debug values ---------------------------------------------------------------------------- */

/* Stores the contents of tensors in a buffer, from which etc_save_debug() takes those of the runs it saves. Each lane has a
 * buffer of its own. Replaces a buffer or sink set before; NULL: stores no contents. ETC_STATE: the capture already has
 * tensors, or is a lane of a capture that has a sink.
 *
 * With ETC_RING the buffer is a ring, too: if contents do not fit, the oldest whole runs are dropped, unless even that would
 * not make enough room. */
ETC_API etc_status etc_set_debug_buffer(etc_capture *c, void *buffer, size_t size);
/* Writes the contents of tensors to a sink as soon as they are recorded. After a failed write, nothing more is written.
 * ETC_INVALID: no function; ETC_STATE: as above, or the capture is a ring, has lanes or is a lane. */
ETC_API etc_status etc_set_debug_sink(etc_capture *c, etc_sink sink);
/* Number of bytes of contents so far, with the gaps between tensors; with ETC_RING and a buffer, of
 * the contents that were in the buffer when the last contents were stored. */
ETC_API uint64_t etc_debug_used(const etc_capture *c);

/* Record a value that an instruction or a delegate's operator made. Also return ETC_OK if the debug level, the filter or the
 * window drops the value, whether or not a run is open. ETC_STATE: no run is open; ETC_FULL: there is no memory for the
 * record.
 *
 * The contents of a tensor start at a multiple of 64 in the debug data. A tensor that has no bytes, or for which there is no
 * buffer or sink, is recorded without contents. So is one that does not fit or cannot be written, with ETC_FULL or ETC_IO.
 * ETC_INVALID: key, flags, rank or sizes are wrong, or `bytes` does not match the sizes; ETC_UNSUPPORTED: an ETDump cannot
 * hold the scalar type. In both cases nothing is recorded. */
ETC_API etc_status etc_log_tensor(etc_capture *c, etc_key key, const etc_tensor *tensor,
                                  unsigned flags);
ETC_API etc_status etc_log_tensors(etc_capture *c, etc_key key, const etc_tensor *tensors, size_t n,
                                   unsigned flags);
/* Record a number or a truth value. `flags` must be 0: readers look for outputs of the program only
 * among tensors. */
ETC_API etc_status etc_log_int(etc_capture *c, etc_key key, int64_t value, unsigned flags);
ETC_API etc_status etc_log_double(etc_capture *c, etc_key key, double value, unsigned flags);
ETC_API etc_status etc_log_bool(etc_capture *c, etc_key key, bool value, unsigned flags);

/* Filters by patterns and ids: an etc_filter_function whose context is an etc_globs. */
ETC_API bool etc_filter_globs(void *globs, const etc_filter_event *event);

/* ---- saving ---------------------------------------------------------------------------------- */

/* Write the ETDump, or the debug data that its offsets refer to. The capture does not change, and
 * recording may go on afterwards. ETC_STATE: there is no run to save, the capture is a lane, or, from
 * etc_save_debug(), the debug data went to a sink; nothing was written then. ETC_FULL: there is no run to save because the memory
 * of the capture, or of a lane, was too small for each run so far. ETC_INVALID: the sink has
 * no function, or the size of the options is not set; ETC_TOO_LARGE; ETC_IO.
 *
 * Debug data are empty if no saved tensor has contents. */
ETC_API etc_status etc_save(const etc_capture *c, const etc_save_options *options, etc_sink sink);
ETC_API etc_status etc_save_debug(const etc_capture *c, const etc_save_options *options,
                                  etc_sink sink);
/* Stores the number of bytes that etc_save() would write. */
ETC_API etc_status etc_save_size(const etc_capture *c, const etc_save_options *options,
                                 uint64_t *out);
/* Writes the ETDump into memory and stores its size in *used. ETC_FULL: the memory is smaller than
 * that size, and nothing was written; or, if *used is 0, as from etc_save(). */
ETC_API etc_status etc_save_memory(const etc_capture *c, const etc_save_options *options,
                                   void *memory, size_t size, size_t *used);

/* Writes the ETDump to the file `path` and, if `debug_path` is not NULL, the debug data to that file, which is empty if
 * there are none; on POSIX systems only. Each file is written under another name in the same folder, synced, and renamed:
 * even after a system crash, each path leads to the old file or to the complete new one. If the call fails, both files are
 * as they were. Symbolic links are followed, even to a file that does not exist yet; devices and pipes are written directly.
 * ETC_IO: errno says why, ELOOP if links lead to each other; ETC_INVALID: `path` is NULL, both paths lead to one file, or as
 * above; ETC_MEMORY; ETC_STATE, ETC_FULL, ETC_TOO_LARGE as above. */
ETC_API etc_status etc_save_file(const etc_capture *c, const etc_save_options *options,
                                 const char *path, const char *debug_path);

/* Prints debug data and ETDump as text, character by character, in the form of ExecuTorch's runner
 * for Arm boards: as shell commands that make the files. etinspect reads the log unchanged. Nothing
 * else may be printed during the call. With ETC_FULL, prints how many events were lost, and at least how much memory is
 * needed. */
ETC_API etc_status etc_print(const etc_capture *c, const etc_save_options *options,
                             void (*put)(void *context, char character), void *context);

/* Copies the runs that saving `from` would write to the end of `to`, with the events and names of lanes, but without the contents
 * of tensors. The size of a copy is known: if it fits a ring, the ring drops as many runs as it needs, otherwise none. Ends the
 * open run of `to`. The window of `to` applies; its filter and levels do not. Both captures need the same clock.
 * ETC_INVALID: both are the same capture, or as from etc_save(); ETC_STATE: there is no run to copy, or a capture is a lane;
 * ETC_FULL: `to` lost events or names, and the copies of the runs that they belong to are partial. */
ETC_API etc_status etc_append(etc_capture *to, const etc_capture *from,
                              const etc_save_options *options);

/* Stores the statistics in *out, whose struct_size must be set. */
ETC_API void etc_get_stats(const etc_capture *c, etc_stats *out);
/* Returns the number that the sink of debug data returned when it failed; 0: it has not failed. */
ETC_API int etc_debug_sink_error(const etc_capture *c);
/* Counts the runs that etc_save() would write, and their events of all kinds. ETC_STATE: there is no run to save, or the
 * capture is a lane; ETC_FULL, ETC_INVALID: as from etc_save(). After a failure both numbers are 0. `runs` and `events` may be
 * NULL. */
ETC_API etc_status etc_count_saved(const etc_capture *c, const etc_save_options *options,
                                   uint64_t *runs, uint64_t *events);

/* ---- journals -------------------------------------------------------------------------------- */

/* A journal is a file that is the memory of a capture, on POSIX systems only: records survive the
 * death of the process, even by SIGKILL, and recording costs about the same as in memory. The
 * records are in the page cache: a system crash may lose those that etc_sync() has not written.
 * Contents of tensors survive if they go to a sink that keeps them. Events of lanes do not survive: in
 * the file, runs in which a lane recorded are partial.
 * No other program may write or truncate the file. In a child of fork(), the capture of a journal has
 * no runs and records nothing, and names that are interned there are lost; the child may open a
 * journal of its own. */

/* The first bytes of a journal. */
#define ETC_JOURNAL_MAGIC "\217ETCJNL\n"
#define ETC_JOURNAL_MAGIC_SIZE 8

/* Makes a capture in a new file at `path`, with `size` bytes of memory as for etc_init(); the file
 * is a little larger. Allocates the file's blocks and touches its pages, so that a full disk is an
 * error of this call. If `config` is NULL, the defaults apply. The caller closes *out, which is
 * NULL after a failure; no file is left then. ETC_INVALID: size or configuration; ETC_MEMORY;
 * ETC_IO: errno says why, EEXIST if there is a file at `path`. */
ETC_API etc_status etc_open_journal(etc_capture **out, const char *path, size_t size,
                                    const etc_config *config);
/* Writes a journal to the disk, which may take a long time. ETC_STATE: the capture is not a
 * journal, or is one of the parent process; ETC_IO: errno says why. */
ETC_API etc_status etc_sync(etc_capture *c);

/* Opens a journal as a capture in memory of its own, which can be saved, queried for statistics and
 * closed, but records nothing; the file does not change. The capture has the complete runs, the
 * partial runs, and the run that was open, which is still open. Tensors have contents only if these
 * went to a sink.
 *
 * The file is not trusted. ETC_INVALID: it is not a journal, is cut short or damaged;
 * ETC_UNSUPPORTED: it has another version or byte order (the word size may differ); ETC_STATE: a
 * process still has it open, which is not noticed on file systems without locks; ETC_IO: errno says
 * why; ETC_MEMORY. After a failure *out is NULL. */
ETC_API etc_status etc_open_recovered(etc_capture **out, const char *path);
/* Opens a journal, or a stream, in memory, which the capture does not need afterwards. A copy made while the
 * journal was being written may be rejected as damaged. */
ETC_API etc_status etc_open_recovered_memory(etc_capture **out, const void *journal, size_t size);
/* Writes the ETDump of a journal: opens and saves it. */
ETC_API etc_status etc_recover(const char *path, etc_sink sink);

/* ---- streams --------------------------------------------------------------------------------- */

/* A stream sends complete runs while the program records: over a socket, a pipe, or a wire. It copies them to a buffer of its own
 * and sends them from there in packets, each with a journal of some runs and a CRC. A reader needs no packet but those that it
 * got, and skips other output between them. */
typedef struct etc_stream etc_stream;

/* The first bytes of a packet. */
#define ETC_STREAM_MAGIC "\217ETCSTR\n"
/* Number of bytes of the smallest memory of a stream. */
#define ETC_STREAM_MIN_BYTES 2048

/* Receives bytes in order. `write` returns the number of bytes that it took, which may be 0 if there is no room now, or a negative
 * number to stop: the call fails with ETC_IO. */
typedef struct etc_stream_sink {
    int (*write)(void *context, const void *data, size_t size);
    void *context;
} etc_stream_sink;

/* Makes a stream of the runs of a capture in `memory`, at any alignment; there is nothing to free. A packet has as many runs as
 * fit into the memory. Returns NULL if `size` is less than ETC_STREAM_MIN_BYTES, or if the capture is NULL or a lane. */
ETC_API etc_stream *etc_stream_init(void *memory, size_t size, const etc_capture *c,
                                    etc_stream_sink sink);
/* Sends the complete runs that were not sent yet, until the sink takes no more: call it after runs, or from an idle loop, under
 * the same rules as etc_save(). Runs that are not sent remain in the capture; those that it drops, partial runs, and runs that do
 * not fit into the memory of the stream are lost, which is counted. Contents of tensors are not sent. ETC_FULL: something is left
 * to send; ETC_IO: the sink failed, now or before. */
ETC_API etc_status etc_stream_send(etc_stream *stream);
/* Number of runs that were lost before the last one that was sent. Packets have this number, too. */
ETC_API uint64_t etc_stream_lost(const etc_stream *stream);

/* ---- capture off ----------------------------------------------------------------------------- */

/* With a capture that is NULL, the most frequent calls cost a comparison in the caller, and no call. The functions above are the
 * same, for pointers and other languages. ETC_NO_INLINE keeps the calls. */
#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__) && !defined(ETC_NO_INLINE)
static inline etc_span etc_inline_start(etc_capture *c, etc_name name) {
    etc_span none = {0, 0, 0, 0, 0, 0};
    return c ? etc_start(c, name) : none;
}

static inline etc_span etc_inline_start_op(etc_capture *c, etc_name name) {
    etc_span none = {0, 0, 0, 0, 0, 0};
    return c ? etc_start_op(c, name) : none;
}

static inline etc_span etc_inline_start_text(etc_capture *c, const char *name) {
    etc_span none = {0, 0, 0, 0, 0, 0};
    return c ? etc_start_text(c, name) : none;
}

static inline void etc_inline_end(etc_capture *c, const etc_span *span) {
    if (c)
        etc_end(c, span);
}

#define etc_start(c, name) etc_inline_start((c), (name))
#define etc_start_op(c, name) etc_inline_start_op((c), (name))
#define etc_start_text(c, name) etc_inline_start_text((c), (name))
#define etc_end(c, span) etc_inline_end((c), (span))
#endif

#else /* ETC_DISABLED: the same calls do nothing */

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

static inline const char *etc_status_text(etc_status status) {
    return "";
}

static inline etc_capture *etc_init(void *memory, size_t size, const etc_config *config) {
    return NULL;
}

static inline etc_capture *etc_init_with(void *memory, size_t size, const etc_config *config,
                                         unsigned parts) {
    return NULL;
}

static inline void etc_reset(etc_capture *c) {
}

static inline etc_status etc_open(etc_capture **out, const etc_config *config) {
    if (out)
        *out = NULL;
    return ETC_OK;
}

static inline void etc_close(etc_capture *c) {
}

static inline etc_capture *etc_lane(etc_capture *main, void *memory, size_t size) {
    return NULL;
}

static inline void etc_name_lane(etc_capture *c, uint32_t number, const char *name) {
}

static inline etc_name etc_intern(etc_capture *c, const char *text) {
    return 0;
}

static inline void etc_run(etc_capture *c, const char *name) {
}

static inline void etc_run_end(etc_capture *c) {
}

static inline void etc_set_instruction(etc_capture *c, int32_t chain, uint32_t handle) {
}

static inline void etc_unset_instruction(etc_capture *c) {
}

static inline void etc_set_bundled_input(etc_capture *c, int32_t index) {
}

static inline etc_span etc_start(etc_capture *c, etc_name name) {
    etc_span span = {0, 0, 0, 0, 0, 0};
    return span;
}

static inline etc_span etc_start_op(etc_capture *c, etc_name name) {
    etc_span span = {0, 0, 0, 0, 0, 0};
    return span;
}

static inline etc_span etc_start_text(etc_capture *c, const char *name) {
    etc_span span = {0, 0, 0, 0, 0, 0};
    return span;
}

static inline void etc_end(etc_capture *c, const etc_span *span) {
}

static inline void etc_log(etc_capture *c, etc_name name, uint64_t start, uint64_t end) {
}

static inline etc_span etc_start_delegate(etc_capture *c, etc_name name, int32_t id) {
    etc_span span = {0, 0, 0, 0, 0, 0};
    return span;
}

static inline void etc_end_delegate(etc_capture *c, const etc_span *span, const void *metadata,
                                    size_t size) {
}

static inline void etc_log_delegate(etc_capture *c, etc_name name, int32_t id, uint64_t start,
                                    uint64_t end, const void *metadata, size_t size) {
}

static inline void etc_end_counted(etc_capture *c, const etc_span *span,
                                   const etc_counter *counters, size_t n) {
}

static inline void etc_log_counted(etc_capture *c, etc_name name, uint64_t start, uint64_t end,
                                   const etc_counter *counters, size_t n) {
}

static inline void etc_mark(etc_capture *c, etc_name name, const etc_counter *counters, size_t n) {
}

static inline uint32_t etc_allocator(etc_capture *c, const char *name) {
    return 0;
}

static inline void etc_allocation(etc_capture *c, uint32_t id, uint64_t bytes) {
}

static inline etc_status etc_set_debug_buffer(etc_capture *c, void *buffer, size_t size) {
    return ETC_OK;
}

static inline etc_status etc_set_debug_sink(etc_capture *c, etc_sink sink) {
    return ETC_OK;
}

static inline uint64_t etc_debug_used(const etc_capture *c) {
    return 0;
}

static inline etc_status etc_log_tensor(etc_capture *c, etc_key key, const etc_tensor *tensor,
                                        unsigned flags) {
    return ETC_OK;
}

static inline etc_status etc_log_tensors(etc_capture *c, etc_key key, const etc_tensor *tensors,
                                         size_t n, unsigned flags) {
    return ETC_OK;
}

static inline etc_status etc_log_int(etc_capture *c, etc_key key, int64_t value, unsigned flags) {
    return ETC_OK;
}

static inline etc_status etc_log_double(etc_capture *c, etc_key key, double value, unsigned flags) {
    return ETC_OK;
}

static inline etc_status etc_log_bool(etc_capture *c, etc_key key, bool value, unsigned flags) {
    return ETC_OK;
}

static inline bool etc_filter_globs(void *globs, const etc_filter_event *event) {
    return true;
}

static inline etc_status etc_save(const etc_capture *c, const etc_save_options *options,
                                  etc_sink sink) {
    return ETC_OK;
}

static inline etc_status etc_save_debug(const etc_capture *c, const etc_save_options *options,
                                        etc_sink sink) {
    return ETC_OK;
}

static inline etc_status etc_save_size(const etc_capture *c, const etc_save_options *options,
                                       uint64_t *out) {
    if (out)
        *out = 0;
    return ETC_OK;
}

static inline etc_status etc_save_memory(const etc_capture *c, const etc_save_options *options,
                                         void *memory, size_t size, size_t *used) {
    if (used)
        *used = 0;
    return ETC_OK;
}

static inline etc_status etc_save_file(const etc_capture *c, const etc_save_options *options,
                                       const char *path, const char *debug_path) {
    return ETC_OK;
}

static inline etc_status etc_print(const etc_capture *c, const etc_save_options *options,
                                   void (*put)(void *context, char character), void *context) {
    return ETC_OK;
}

static inline etc_status etc_append(etc_capture *to, const etc_capture *from,
                                    const etc_save_options *options) {
    return ETC_OK;
}

static inline void etc_get_stats(const etc_capture *c, etc_stats *out) {
    unsigned char *bytes = (unsigned char *)out;
    for (size_t i = sizeof out->struct_size; out && i < out->struct_size && i < sizeof *out; i++)
        bytes[i] = 0;
}

static inline int etc_debug_sink_error(const etc_capture *c) {
    return 0;
}

static inline etc_status etc_count_saved(const etc_capture *c, const etc_save_options *options,
                                         uint64_t *runs, uint64_t *events) {
    if (runs)
        *runs = 0;
    if (events)
        *events = 0;
    return ETC_OK;
}

static inline etc_status etc_open_journal(etc_capture **out, const char *path, size_t size,
                                          const etc_config *config) {
    if (out)
        *out = NULL;
    return ETC_OK;
}

static inline etc_status etc_sync(etc_capture *c) {
    return ETC_OK;
}

static inline etc_status etc_open_recovered(etc_capture **out, const char *path) {
    if (out)
        *out = NULL;
    return ETC_OK;
}

static inline etc_status etc_open_recovered_memory(etc_capture **out, const void *journal,
                                                   size_t size) {
    if (out)
        *out = NULL;
    return ETC_OK;
}

static inline etc_status etc_recover(const char *path, etc_sink sink) {
    return ETC_OK;
}

typedef struct etc_stream etc_stream;

typedef struct etc_stream_sink {
    int (*write)(void *context, const void *data, size_t size);
    void *context;
} etc_stream_sink;

static inline etc_stream *etc_stream_init(void *memory, size_t size, const etc_capture *c,
                                          etc_stream_sink sink) {
    return NULL;
}

static inline etc_status etc_stream_send(etc_stream *stream) {
    return ETC_OK;
}

static inline uint64_t etc_stream_lost(const etc_stream *stream) {
    return 0;
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#define ETC_SCOPE(c, name) ((void)(c), (void)(name))

#endif

#ifdef __cplusplus
}
#endif

#endif
