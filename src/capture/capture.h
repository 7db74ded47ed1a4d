/*
 * capture.h - the memory of a capture and the records in it, for the sources of the core.
 *
 * The memory given to a capture is one area. Records are found by offsets into it, of which at most
 * 2^30 bytes are used.
 *
 *     etc_capture | buckets | table of keep_runs | records →                  ← names |
 *
 * Records have a header word and lie at multiples of 8 bytes. A run record goes before the records
 * of its run. In a capture that stops when full, records and names share the space between them. In
 * a ring, names have a share of their own, and the records from `base` to `limit` are a ring of
 * whole runs. The oldest run is at `tail`. Runs before `base` loaded the model and are never
 * dropped.
 *
 * The memory may be a file that is read after the process was killed between any two stores:
 * journal.h gives the order of the stores that etc__order_stores() separates.
 *
 * The core, all sources except hosted*.c, journal*.c and nrt/, is freestanding: it needs only
 * memcpy, memset and memcmp, and has no writable data.
 */
#ifndef ETC_CAPTURE_CAPTURE_H
#define ETC_CAPTURE_CAPTURE_H

#define ETC_NO_INLINE /* these sources define the functions */
#include "etcapture.h"

#if __STDC_HOSTED__
#include <string.h>
#else
void *memcpy(void *restrict, const void *restrict, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
#endif

/* Records are words of 32 bits, and their offsets do not fit a size_t of 16 bits. */
_Static_assert(sizeof(int) >= 4 && sizeof(size_t) >= 4 && (unsigned char)-1 == 255,
               "libetcapture needs int and size_t of 32 bits or more, and bytes of 8 bits");
_Static_assert(sizeof(uint64_t) == 8 && sizeof(double) == 8, "numbers of 64 bits take 8 bytes");

/* Whether the system has files, memory maps and clocks: hosted*.c, journal*.c */
#if __STDC_HOSTED__ && (defined(__unix__) || defined(__APPLE__))
#define ETC_HOSTED 1
#else
#define ETC_HOSTED 0
#endif

/* Functions that record an event are always inline, and what is rare in them is apart. */
#define ETC_HOT inline __attribute__((always_inline))
#define ETC_APART static __attribute__((noinline))

/* Whether speed counts more than size: other functions are inline then, too, and frequent cases have paths of their own.
 * Otherwise ETC_FAST functions exist once in each source, and ETC_SHARED functions of headers only once. */
#if defined(__OPTIMIZE_SIZE__)
#define ETC_IS_FAST 0
#define ETC_FAST static __attribute__((noinline, unused))
#define ETC_SHARED inline
#else
#define ETC_IS_FAST 1
#define ETC_FAST static inline __attribute__((always_inline))
#define ETC_SHARED ETC_FAST
#endif

#ifndef ETC_IS_LITTLE
#define ETC_IS_LITTLE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#endif

/* Keeps the compiler from moving stores across the call. */
#define etc__order_stores() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* ---- records --------------------------------------------------------------------------------- */

typedef enum etc_record_kind {
    ETC_RECORD_FILLER, /* the ring continues at its base */
    ETC_RECORD_RUN,
    ETC_RECORD_PROFILE,
    ETC_RECORD_DELEGATE,
    ETC_RECORD_ALLOCATOR,
    ETC_RECORD_ALLOCATION,
    ETC_RECORD_VALUE,
    ETC_RECORD_COUNTED,
} etc_record_kind;

/* A header has the kind in its low byte, and the size in units of 8 bytes in the other bits. */
#define ETC_RECORD_UNIT 8u
#define ETC_RECORD_MOST 0x7fffff8u

static inline uint32_t etc__record_header(etc_record_kind kind, uint32_t size) {
    return (size / ETC_RECORD_UNIT) << 8 | (uint32_t)kind;
}

static inline etc_record_kind etc__record_kind(const uint32_t *record) {
    return (etc_record_kind)(*record & 0xff);
}

static inline uint32_t etc__record_size(const uint32_t *record) {
    return (*record >> 8) * ETC_RECORD_UNIT;
}

enum {
    ETC_RUN_PARTIAL = 1,
    ETC_RUN_DROPPED = 2,
    ETC_RUN_MIXED =
        4, /* may have records other than profile records, or a filler; used only with ETC_IS_FAST */
    ETC_RUN_LOADING = 8,
    ETC_RUN_LANES =
        256, /* the bits from here on: number of lanes that recorded in the run, or lost events of it */
};

typedef struct etc_run_record {
    uint32_t header;
    etc_name name;
    int32_t bundled_input;
    uint32_t flags;
    uint32_t size;   /* of all its records, including this one and fillers; set when the run ends */
    uint32_t number; /* of the main capture's run, see lane.c below */
} etc_run_record;

typedef struct etc_profile_record {
    uint32_t header;
    etc_name name;
    int32_t chain;
    uint32_t handle;
    uint64_t start, end;
} etc_profile_record;

/* Is followed by the metadata. */
typedef struct etc_delegate_record {
    etc_profile_record profile; /* with the name of the delegate's operator */
    int32_t id;
    uint32_t metadata_size;
} etc_delegate_record;

enum {
    ETC_COUNTED_MARK = 1 << 29,
    ETC_COUNTED_DELEGATE = 1 << 30, /* otherwise the name is that of an event of the program */
    ETC_COUNTED_N = ETC_COUNTED_MARK - 1,
};

/* Is followed by its counters. */
typedef struct etc_counted_record {
    etc_profile_record profile;
    int32_t delegate_id;
    uint32_t n; /* of counters; ETC_COUNTED_MARK, … */
} etc_counted_record;

typedef struct etc_counter_record {
    int64_t value;
    etc_name name; /* 0: lost when the event was copied; it is left out */
    uint32_t spare;
} etc_counter_record;

typedef struct etc_allocator_record {
    uint32_t header;
    etc_name name;
} etc_allocator_record;

typedef struct etc_allocation_record {
    uint32_t header;
    uint32_t id;
    uint64_t bytes;
} etc_allocation_record;

/* Numbers of the ValueType of ETDumps. */
typedef enum etc_value_type {
    ETC_VALUE_INT = 1,
    ETC_VALUE_BOOL = 2,
    ETC_VALUE_DOUBLE = 4,
    ETC_VALUE_TENSOR = 5,
    ETC_VALUE_TENSORS = 6,
} etc_value_type;

/* Is followed by its tensor records, if it has tensors. */
typedef struct etc_value_record {
    uint32_t header;
    etc_name name;
    int32_t chain;
    uint32_t handle;
    int32_t id;
    uint8_t type;
    uint8_t is_output;
    uint16_t spare;
    uint64_t bits; /* of the number; number of tensors */
} etc_value_record;

/* Is followed by `rank` sizes and `rank` strides. */
typedef struct etc_tensor_record {
    int32_t scalar_type;
    uint32_t rank;
    int64_t offset;
} etc_tensor_record;

static inline const int64_t *etc__tensor_sizes(const etc_tensor_record *tensor) {
    return (const int64_t *)(const void *)(tensor + 1);
}

static inline const etc_tensor_record *etc__next_tensor(const etc_tensor_record *tensor) {
    return (const etc_tensor_record *)(const void *)(etc__tensor_sizes(tensor) +
                                                     (size_t)2 * tensor->rank);
}

static inline uint32_t etc__round_up(uint32_t size, uint32_t unit) {
    return (size + unit - 1) & ~(unit - 1);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Is followed by the text, and by at least one zero up to a multiple of 4 bytes. An etc_name is the
 * distance of the entry from the end of the memory, in units of 4 bytes.
 *
 * Among the words of names, only `mark` has 0xff as its highest byte, so that one load shows
 * whether a number is a name: 0xff does not occur in UTF-8, and the other words are small. */
typedef struct etc_name_entry {
    uint32_t mark; /* length of the text; ETC_NAME_OF_LANE; ETC_NAME_FILTERED; ETC_NAME_MARK */
    etc_name next; /* in the bucket; 0: none */
    uint32_t hash;
    uint32_t file_end; /* bytes in the file of this name and all names before it */
} etc_name_entry;

#define ETC_NAME_MARK 0xff000000u
#define ETC_NAME_FILTERED 16 /* first of two bits for each etc_event_kind: asked, kept */
#define ETC_NAME_LENGTH 0x7fffu
#define ETC_NAME_OF_LANE 0x8000u /* etc_name_lane() made the text, which events may have, too */

/* ---- the capture ----------------------------------------------------------------------------- */

/* A capture is a main capture or a lane of one: see lane.c below. A lane has these members, too. */
typedef struct etc_lane_calls etc_lane_calls;
typedef struct etc_lane_walk etc_lane_walk;
typedef struct etc_lane_part {
    etc_capture *main;
    const etc_lane_calls *calls;
    etc_lane_walk *walk;
    uint32_t number; /* from 1 */
    /* Numbers of the last two runs that the lane entered, until main has counted the lane in them. */
    uint32_t entered[2];
    uint32_t n_entered;
    uint32_t names_before; /* while saving: bytes of names of main and the lanes before this one */
} etc_lane_part;

/* ---- parts ----------------------------------------------------------------------------------- */

/* On a board, a program links only the parts that its captures use: the core calls a part through pointers in the capture, never
 * by name. etc_init() of etcapture.h sets those of rings, values and filters, which the configuration selects; calls that record
 * counters and names of lanes set those that save them. Other systems have all parts in one library. */

/* ring.c */
typedef struct etc_ring_calls {
    /* Drops the oldest runs until a record fits, unless that cannot succeed. */
    bool (*make_room)(etc_capture *c, uint32_t size);
    /* Returns whether names have room for an entry. */
    bool (*has_room_for_name)(etc_capture *c, uint32_t size);
    /* Gives names their share of the memory for records. */
    void (*divide)(etc_capture *c, uint32_t size, uint32_t name_bytes);
    /* Returns whether runs with this name load the model. */
    bool (*is_loading)(const etc_capture *c, etc_name name);
    /* Frees the memory of a run that lost events. */
    void (*free_partial)(etc_capture *c, const etc_run_record *run);
    /* Drops the oldest run with the name of a run that just ended if there are more such runs than the configuration keeps. */
    void (*keep_runs)(etc_capture *c, const etc_run_record *run);
} etc_ring_calls;

/* record.c */
typedef struct etc_filter_calls {
    /* Returns whether the filter keeps an event. */
    bool (*keeps)(etc_capture *c, etc_event_kind kind, etc_name name, int32_t id, uint32_t handle);
} etc_filter_calls;

/* debug.c, debug_save.c, layout_values.c */
typedef struct saving saving;     /* layout.h */
typedef struct etc_wire etc_wire; /* sink.h */
typedef struct etc_value_calls {
    /* Records a number, or tensors, that the debug level keeps. */
    etc_status (*log_number)(etc_capture *c, etc_key key, uint8_t type, uint64_t bits,
                             unsigned flags);
    etc_status (*log_tensors)(etc_capture *c, etc_key key, const etc_tensor *tensors, size_t n,
                              unsigned flags, uint8_t type);
    /* Copies the contents of a tensor of the open run to the debug buffer of a ring, drops the oldest runs if needed, and stores
     * the offset. ETC_FULL: the open run or pinned runs leave no room for them; nothing was copied. NULL: the captures are no
     * rings. */
    etc_status (*store_in_ring)(etc_capture *c, const etc_tensor *tensor, int64_t *offset);
    /* Writes, or counts, a value. */
    void (*put)(saving *s, const etc_value_record *value);
    /* Prints the contents of tensors, if there are any; later prints their size and CRC. */
    void (*print_contents)(etc_wire *w, const etc_capture *c, const etc_save_options *options);
    void (*print_check)(etc_wire *w);
} etc_value_calls;

/* allocations.c */
typedef struct etc_cursor etc_cursor;
typedef struct etc_allocation_calls {
    /* Writes, or counts, an allocation. */
    void (*put_allocation)(saving *s, const etc_allocation_record *record);
    /* Writes, or counts, the allocators of a run, and in the first run the names of lanes: `n` in all. */
    void (*put_allocators)(saving *s, const etc_cursor *records, uint32_t n);
    /* Number of names of lanes. */
    uint32_t (*count_lane_names)(saving *s);
} etc_allocation_calls;

extern const etc_ring_calls etc__ring_calls;
extern const etc_filter_calls etc__filter_calls;
extern const etc_value_calls etc__value_calls, etc__value_calls_in_ring;
extern const etc_allocation_calls etc__allocation_calls;

/* ---- state of a capture ---------------------------------------------------------------------- */

typedef enum etc_run_state {
    ETC_NO_RUN,
    ETC_RUN_OPEN,
    ETC_RUN_FULL,    /* all later events of this run are lost */
    ETC_RUN_OUTSIDE, /* of the window */
    ETC_RUN_AHEAD,   /* of a lane: its next event enters the run of main */
} etc_run_state;

/* The debug buffer of a ring: contents of pinned runs come first, followed by a ring with those of the other runs, in the
 * order of their records. Space that a dropped run left between other runs becomes free together with these: everything from
 * `oldest` to `end` is in use. Offsets are in units of ETC_CONTENTS_ALIGNMENT. */
typedef struct etc_contents_ring {
    void (*no_write)(void); /* at the place of a sink's function: always NULL */
    uint32_t pinned_end;
    uint32_t oldest;    /* oldest contents of a run that is not pinned, if contents_run is set */
    uint32_t run_begin; /* first contents of the open run, if it has any */
    uint32_t end;       /* of the newest contents */
} etc_contents_ring;

/* Bits of etc_capture.pinned. */
enum {
    ETC_PINNED_DECIDED = 1,  /* `base` stays where it is */
    ETC_PINNED_MEASURED = 2, /* pinned_end is known */
};

/* Which runs of a ring the open run may drop. It is not known in advance how long a run that is being recorded will be: it
 * drops others only until it has half of the ring, so that one long run cannot remove all others and then not fit. */
enum {
    ETC_DROPS_HALF,
    ETC_DROPS_ALL,      /* the open run is known to fit */
    ETC_DROPS_NONE = 30 /* the open run is known not to fit */
};

/* Counts the complete runs with a name for keep_runs. With ETC_IS_FAST a ring has a table of them. */
typedef struct etc_kept {
    etc_name name;   /* 0: none yet */
    uint32_t n;      /* 0: another name may take the place */
    uint32_t oldest; /* position of the oldest, if there is one */
} etc_kept;

#define ETC_NOWHERE UINT32_MAX

/* Number of bytes that names of a ring leave for records. */
#define ETC_LEAST_RECORDS 256u

/* Set in kept_bits if names of a ring have the memory that the configuration gives them, and no more. */
#define ETC_FIXED_NAMES 0x80u

struct etc_capture {
    /* The most used members come first: small instruction sets reach them in one instruction, bytes
     * only at offsets below 32. */
    uint8_t run_state, when_full, profiling_level, debug_level;
    bool has_instruction, is_full;
    uint8_t pinned;
    bool has_tensors;
    bool keep_partial_runs, auto_handles;
    bool is_guarded; /* outside the window, or a lane: calls must use etc__is_on_guarded() */
#if ETC_HOSTED
    bool has_journal;
#endif
    bool run_has_contents; /* in a ring: the open run has contents in the debug buffer */
    uint8_t drops;         /* ETC_DROPS_HALF, … */
    bool has_replaced;     /* a name that still has runs lost its place in the table of keep_runs */
    uint8_t
        kept_bits; /* the table of keep_runs, which is before `records`, has 2^bits places; 0: there is no table */

    uint8_t *records;
    uint32_t limit; /* end of the memory of records; positions are offsets from `records` */
    uint32_t base;
    uint32_t tail, head;
    uint32_t used; /* from tail to head */
    uint32_t used_most;
    uint32_t run;          /* the open run; ETC_NOWHERE: none, or it could not be recorded */
    uint32_t n_allocators; /* of the open run */
    int32_t chain, bundled_input;
    uint32_t handle, auto_handle;
    int32_t auto_chain; /* chain of automatic handles: the number of the lane, or more */
    uint32_t
        n_runs_unrecorded; /* for which there was no memory; they are among n_runs_dropped, too */
    uint32_t last_number;  /* of a run */
    /* Lanes of other threads read the number of the open run, or an etc_run_number, and the number of the first run that
     * does not load the model (ETC_NUMBER_NONE: there is none yet), which is stored before that run is open. */
    uint32_t open_number, first_other;
    /* In a ring, number of the run with the oldest contents that are not pinned; ETC_NUMBER_NONE: there is none. */
    uint32_t contents_run;
    etc_lane_part *lane;    /* NULL: the capture is a main capture */
    etc_capture *next_lane; /* the first lane, of a main capture */

    uint8_t *names_end;
    uint32_t names_used, names_most; /* bytes before names_end */
    uint32_t file_names;             /* bytes that all names take in a file */
    uint32_t bucket_mask;

    etc_clock_function clock;
    void *clock_context;
    etc_filter_function filter;
    void *filter_context;

    uint64_t n_runs, n_events, n_runs_dropped, n_lost_full;
    uint32_t n_runs_partial, n_runs_outside, n_lost_state, n_lost_wrong;
    uint32_t n_names_lost, n_names_repaired, n_without_contents, n_not_finite;

    uint32_t tick_numerator, tick_denominator;
    uint32_t keep_runs, skip_runs, max_runs;
    uint32_t n_below_level; /* values that the debug level left out */
    etc_name window_name;
    uint32_t n_window_runs;

    const etc_value_calls *values; /* NULL: the capture cannot have debug values */
#if !ETC_HOSTED
    const etc_ring_calls *ring; /* NULL: the capture stops when it is full */
    const etc_filter_calls *filters;
    /* NULL: the capture has no records or names that need them. */
    const etc_allocation_calls *allocations;
    void (*put_counters)(saving *s, const etc_counted_record *record); /* etc__put_counters() */
#endif
    uint8_t *debug_buffer;
    size_t debug_size;
    uint64_t debug_used;
    union { /* a ring has no sink */
        struct {
            etc_sink debug_sink;
            int debug_error;         /* of the sink */
            uint32_t n_packets_lost; /* of the stream that was read */
        };
        etc_contents_ring contents;
    };

#if ETC_HOSTED
    union {
        int journal; /* if has_journal: descriptor of the mapped file, which holds its lock; -1: in a child of fork() */
        uint32_t limit_most; /* else: to which a ring moves `limit`; 0: it does not */
    };
    uint32_t mapping_size; /* size of the mapping for etc_close(); 0: the memory is the caller's */
#endif

    etc_name buckets[]; /* the first name of each; 0: none */
};

/* Returns the calls of a ring; NULL: the capture stops when it is full. */
static inline const etc_ring_calls *etc__ring(const etc_capture *c) {
#if ETC_HOSTED
    return c->when_full == ETC_RING ? &etc__ring_calls : NULL;
#else
    return c->ring;
#endif
}

static inline const etc_allocation_calls *etc__allocations(const etc_capture *c) {
#if ETC_HOSTED
    (void)c;
    return &etc__allocation_calls;
#else
    return c->allocations;
#endif
}

/* Lets saving use the parts that saving another capture uses, whose records or names are copied. */
static inline void etc__use_parts_of(etc_capture *c, const etc_capture *other) {
    if (!c->values)
        c->values = other->values;
#if !ETC_HOSTED
    if (!c->put_counters)
        c->put_counters = other->put_counters;
    if (!c->allocations)
        c->allocations = other->allocations;
#endif
}

/* Returns whether the filter keeps an event; true without a filter. */
static ETC_HOT bool etc__keeps(etc_capture *c, etc_event_kind kind, etc_name name, int32_t id,
                               uint32_t handle) {
#if ETC_HOSTED
    const etc_filter_calls *filters = &etc__filter_calls;
#else
    const etc_filter_calls *filters = c->filters;
#endif
    return !c->filter || filters->keeps(c, kind, name, id, handle);
}

/* Load and store words that one thread writes and others read. In order: memory written before the
 * store can be read after the load. */
#if __GCC_ATOMIC_INT_LOCK_FREE == 2
static inline uint32_t etc__load(const uint32_t *word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void etc__store(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline uint32_t etc__load_in_order(const uint32_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void etc__store_in_order(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
#else /* a single core, such as Cortex-M0+, which loads and stores whole words */
static inline uint32_t etc__load(const uint32_t *word) {
    return *(const volatile uint32_t *)word;
}

static inline void etc__store(uint32_t *word, uint32_t value) {
    *(volatile uint32_t *)word = value;
}

static inline uint32_t etc__load_in_order(const uint32_t *word) {
    uint32_t value = etc__load(word);
    __atomic_signal_fence(__ATOMIC_ACQUIRE);
    return value;
}

static inline void etc__store_in_order(uint32_t *word, uint32_t value) {
    __atomic_signal_fence(__ATOMIC_RELEASE);
    etc__store(word, value);
}
#endif

static inline void etc__count(uint32_t *counter) {
    *counter += *counter != UINT32_MAX;
}

#if ETC_IS_FAST
/* Returns the number of places of the table of keep_runs. */
static inline uint32_t etc__n_kept(const etc_capture *c) {
    unsigned bits = c->kept_bits & ~ETC_FIXED_NAMES;
    return bits ? 1u << bits : 0;
}
#endif

/* Does the work of etc__is_on() if `is_guarded` is set. Puts a lane into the run of its main
 * capture. */
bool etc__is_on_guarded(etc_capture *c);

/* Returns whether calls have to record. */
static ETC_HOT bool etc__is_on(etc_capture *c) {
    return c && (!c->is_guarded || etc__is_on_guarded(c));
}

/* ---- capture.c ------------------------------------------------------------------------------- */

/* Makes a capture with the parts that its configuration selects; NULL stands for a part that it does not select. */
etc_capture *etc__init_parts(void *memory, size_t size, const etc_config *config,
                             const etc_ring_calls *ring, const etc_filter_calls *filters,
                             const etc_value_calls *values);
/* Puts a capture without names, and without configuration except `ring` and `name_bytes`, into memory that has room for it.
 * `ring` is NULL if the capture stops when it is full. */
etc_capture *etc__place(void *memory, size_t size, const etc_ring_calls *ring, uint32_t name_bytes);
/* Does the work of etc_reset() for a capture without its lanes. */
void etc__forget(etc_capture *c);

/* ---- names.c --------------------------------------------------------------------------------- */

/* Repairs and interns a text. Returns 0 if `text` is NULL or memory is full, which is counted. */
etc_name etc__intern(etc_capture *c, const char *text);
/* Returns the name of a text that is UTF-8, if it is known; else 0. */
etc_name etc__find_name(const etc_capture *c, const char *text);
/* Returns the entry of a name of the table of `c`. */
static inline etc_name_entry *etc__entry_at(const etc_capture *c, etc_name name) {
    return (etc_name_entry *)(void *)(c->names_end - (size_t)name * 4);
}

/* Marks names that a lane has interned, except in the table of the lane. */
#define ETC_LANE_NAME 0x80000000u

/* Returns the capture whose table has the name, if there is such a name, and clears the mark. */
static ETC_HOT const etc_capture *etc__name_owner(const etc_capture *c, etc_name *name) {
    if (!c->lane)
        return c;
    if (!(*name & ETC_LANE_NAME))
        return c->lane->main;
    *name &= ~ETC_LANE_NAME;
    return c;
}

/* Returns whether this is a name of the table of `c`. */
static ETC_HOT bool etc__has_name(const etc_capture *c, etc_name name) {
    return name - 1 < etc__load(&c->names_used) / 4 &&
           etc__load(&etc__entry_at(c, name)->mark) >= ETC_NAME_MARK;
}

/* Returns whether events of the capture can have this name. */
static ETC_HOT bool etc__is_name(const etc_capture *c, etc_name name) {
    c = etc__name_owner(c, &name);
    return etc__has_name(c, name);
}

/* Returns the entry of a name; NULL: there is no such name. */
static inline etc_name_entry *etc__name_entry(const etc_capture *c, etc_name name) {
    c = etc__name_owner(c, &name);
    return etc__has_name(c, name) ? etc__entry_at(c, name) : NULL;
}

/* Returns whether a text that ends in NUL is UTF-8 and has this length; stores its hash. */
bool etc__is_text(const char *text, uint32_t length, uint32_t *hash);

static inline const char *etc__entry_text(const etc_name_entry *entry) {
    return (const char *)(entry + 1);
}

static inline uint32_t etc__entry_length(const etc_name_entry *entry) {
    return etc__load(&entry->mark) & ETC_NAME_LENGTH; /* filters of other threads change the mark */
}

static inline bool etc__names_lane(const etc_name_entry *entry) {
    return (etc__load(&entry->mark) & ETC_NAME_OF_LANE) != 0;
}

/* Returns the size of an entry with a text of this length, bytes. */
static inline uint32_t etc__entry_size(uint32_t length) {
    return etc__round_up((uint32_t)sizeof(etc_name_entry) + length + 1, 4);
}

/* The name of the text "", which every main capture interns first. */
enum { ETC_EMPTY_NAME = sizeof(etc_name_entry) / 4 + 1 };

/* Returns the size of a string of this length in a file, bytes. */
static inline uint32_t etc__string_size(uint32_t length) {
    return etc__round_up(4 + length + 1, 4);
}

/* ---- record.c -------------------------------------------------------------------------------- */

/* Returns whether a record fits after the last one. */
ETC_HOT bool etc__fits_at_head(const etc_capture *c, uint32_t size) {
    return size <= c->limit - c->head && size <= c->limit - c->base - c->used;
}

/* Does the work of etc__reserve() if the record does not fit after the last one. */
void *etc__make_room(etc_capture *c, uint32_t size);

/* Returns memory for a record of the open run, of a multiple of 8 bytes; drops old runs of a ring
 * to make room. NULL: the event is lost, which is counted. */
ETC_HOT void *etc__reserve_fast(etc_capture *c, uint32_t size) {
    if (c->run_state == ETC_RUN_OPEN && size <= ETC_RECORD_MOST && etc__fits_at_head(c, size))
        return c->records + c->head;
    return etc__make_room(c, size);
}

/* Does the same where records are rare. */
ETC_SHARED void *etc__reserve(etc_capture *c, uint32_t size) {
    return etc__reserve_fast(c, size);
}

/* Notes that the open run has other records than profile records. */
ETC_SHARED void etc__mark_mixed(etc_capture *c) {
    if (ETC_IS_FAST)
        ((etc_run_record *)(void *)(c->records + c->run))->flags |= ETC_RUN_MIXED;
}

/* Makes the reserved record part of the run: a profile record, or the run record. */
ETC_HOT void etc__commit_fast(etc_capture *c, uint32_t size) {
    uint32_t head = c->head + size;
    if (head == c->limit && c->when_full == ETC_RING)
        head = c->base;
    c->used += size;
    etc__order_stores();
    c->head = head;
    if (c->used + c->base > c->used_most)
        c->used_most = c->used + c->base;
}

/* Does the same where records are rare. */
ETC_SHARED void etc__commit_plain(etc_capture *c, uint32_t size) {
    etc__commit_fast(c, size);
}

/* Makes the reserved record, of any kind, part of the run. */
ETC_SHARED void etc__commit(etc_capture *c, uint32_t size) {
    etc__mark_mixed(c);
    etc__commit_plain(c, size);
}

ETC_SHARED void etc__commit_event(etc_capture *c, uint32_t size) {
    etc__commit(c, size);
    c->n_events++;
}

/* Values of etc_span.kind. */
enum { ETC_SPAN_PROFILE = 0x45500001, ETC_SPAN_DELEGATE = 0x45440002 };

/* Loses an event for a wrong argument. */
void etc__lose_wrong(etc_capture *c) __attribute__((noinline));
/* Returns whether a span may be recorded: its name is known, and a delegate's event has either a name or an id. */
bool etc__is_span(const etc_capture *c, const etc_span *span);
/* Returns whether the window leaves out a run that opens next. */
bool etc__is_outside(const etc_capture *c, etc_name name);
/* Added to the chains of automatic handles in captures of Python, so that no program has them. */
#define ETC_AUTO_CHAIN 1000000

/* Stores the chain and the handle of events that start now. */
void etc__instruction(const etc_capture *c, int32_t *chain, uint32_t *handle);

/* ---- cursor.c -------------------------------------------------------------------------------- */

/* Walks the records of a run after its run record, and then the records of its lanes. */
struct etc_cursor {
    const etc_capture *c;
    const etc_lane_calls *lanes; /* NULL: none are walked */
    uint32_t at, left;
    bool is_plain; /* all records are profile records */
};

/* Returns the next record, which belongs to cursor->c; skips fillers. NULL: there are no more. */
const uint32_t *etc__next_record(etc_cursor *cursor);

/* Walks runs, the oldest first. */
typedef struct etc_run_cursor {
    uint32_t at, left;
    bool is_pinned; /* still before `base` */
    bool any_name, with_partial;
    bool is_whole; /* the run that was returned has ended, and lost no event in main or a lane */
    etc_name name;
    const etc_lane_calls *lanes; /* NULL: none are walked */
    etc_cursor records;          /* of the run that was returned */
} etc_run_cursor;

/* Starts a walk of the runs called `name` in this capture alone; NULL: all runs. */
void etc__start_own_runs(const etc_capture *c, etc_run_cursor *cursor, const char *name);
/* Starts a walk of the runs with the name, and of the kinds, that the options choose, with the records of lanes. */
void etc__start_runs(const etc_capture *c, etc_run_cursor *cursor, const etc_save_options *options);
/* Returns the next complete run, or the next run of any kind if partial runs are saved, too; NULL:
 * there are no more. */
const etc_run_record *etc__next_run(const etc_capture *c, etc_run_cursor *cursor);
/* Number of runs of such a walk; options->last_runs does not limit it. */
uint32_t etc__count_runs(const etc_capture *c, const etc_save_options *options);
/* Returns the next run of any kind; NULL: there are no more. */
const etc_run_record *etc__next_any_run(const etc_capture *c, etc_run_cursor *cursor);

/* ---- ring.c ---------------------------------------------------------------------------------- */

/* Notes that the open run, if there is one, lost an event: it will be partial. A lane enters the run for that. */
void etc__mark_partial(etc_capture *c);

/* Pins the runs that loaded the model if there are any to pin, and returns whether it did. */
bool etc__pin_loading(etc_capture *c);
/* Frees the memory of runs that keep_runs dropped, or else drops the oldest run. Returns false if there are only the open run
 * and pinned runs. */
bool etc__drop_oldest(etc_capture *c);
/* Returns the number of bytes of the longest run for which the ring has room if all others are dropped, except pinned
 * ones. */
uint32_t etc__longest_run(const etc_capture *c);
/* Returns where the ring begins once the runs that loaded the model are pinned. */
uint32_t etc__ring_base(const etc_capture *c);
/* Empties the table of keep_runs. */
void etc__forget_kept(etc_capture *c);
#if ETC_HOSTED
/* Lets a ring begin with a part of its memory. It grows when runs that are kept need more: pages that were touched are used again
 * first. */
void etc__start_small(etc_capture *c);
/* Grows a ring if a run of this size is more than half of it. Returns whether it grew. */
bool etc__grow_for(etc_capture *c, uint64_t size);
#endif

/* ---- tensor.c, debug_ring.c, debug_save.c, layout_values.c ----------------------------------- */

etc_status etc__log_number(etc_capture *c, etc_key key, uint8_t type, uint64_t bits,
                           unsigned flags);
etc_status etc__log_tensors(etc_capture *c, etc_key key, const etc_tensor *tensors, size_t n,
                            unsigned flags, uint8_t type);
/* Do the work of the members of etc_value_calls. */
void etc__print_contents(etc_wire *w, const etc_capture *c, const etc_save_options *options);
void etc__print_check(etc_wire *w);
/* Writes, or counts, a value. */
void etc__put_value(saving *s, const etc_value_record *value);

/* Contents of tensors start at multiples of this number in debug data. */
#define ETC_CONTENTS_ALIGNMENT 64u

/* Returns the size of an element, bytes; 0: an ETDump cannot hold elements of this type, or
 * elements are smaller than a byte. */
uint32_t etc__element_size(int32_t scalar_type);
/* Returns the size of a recorded tensor's contents, bytes. */
uint64_t etc__tensor_bytes(const etc_tensor_record *tensor);
/* Walks the tensors with contents among the records of a cursor. */
typedef struct etc_tensor_cursor {
    etc_cursor records; /* its capture has the last tensor that was returned */
    const etc_tensor_record *next;
    uint64_t n_left; /* of the tensors of a value, from `next` */
} etc_tensor_cursor;

/* Returns the next tensor that has contents; NULL: there is none. */
const etc_tensor_record *etc__next_contents(etc_tensor_cursor *cursor);

/* ---- lane.c ---------------------------------------------------------------------------------- */

/* Lanes are captures for more threads, whose events become part of the runs of a main capture.
 *
 * The main capture numbers its runs and publishes the number of the open run. At each call a lane
 * compares that number with the number of its own open run, and ends its run when they differ. With
 * its first event, kept or lost, it enters the run of main: it says so to main, and opens a run of
 * its own. While saving, the runs of the lanes are walked beside the runs of the main capture: runs
 * with the same number are saved as one run.
 *
 * When a run ends, main counts the lanes that entered it, in the record of the run. The run is
 * complete while that number of lanes have it without a loss. The count shows what a lane lost or
 * dropped at any time, so that no lane has to remember its lost runs.
 *
 * Nothing in the core calls lane.c by name: a program that makes no lanes does not link it. */

/* Replaces the number of a run. */
typedef enum etc_run_number {
    ETC_NUMBER_NONE,    /* no run is open */
    ETC_NUMBER_OUTSIDE, /* the window leaves it out */
    ETC_NUMBER_LOST,    /* the main capture had no memory for it */
    ETC_NUMBER_FIRST,
} etc_run_number;

/* Returns whether a number was given before another one. Numbers start again after 2^32 runs. */
static inline bool etc__is_before(uint32_t number, uint32_t other) {
    return number - other > INT32_MAX;
}

/* Automatic handles of a lane start at this, times its number: the Inspector does not look at
 * chains. */
#define ETC_LANE_HANDLES 1000000u

/* Returns the chain of an event on a lane: replaces the chains 0 and -1, so that readers find the number of the lane. Keeps other
 * chains, which are numbers of queues or already have the lane. */
static inline int32_t etc__chain_of_lane(uint32_t number, int32_t chain) {
    if (chain == 0)
        return (int32_t)number;
    return chain == -1 ? -1 - (int32_t)number : chain;
}

struct etc_lane_calls {
    /* Ends the lane's run if the main capture did. */
    void (*follow)(etc_capture *lane);
    /* Opens the lane's run in the run of the main capture, which may have ended meanwhile. */
    void (*enter)(etc_capture *lane);
    /* Publishes the number of the run that follows in main, or an etc_run_number, and then counts the lanes that entered the
     * open run. */
    void (*publish)(etc_capture *main, uint32_t number);
    /* Starts a walk of the runs of all lanes. */
    void (*start)(const etc_capture *main);
    /* Moves all lanes to a run of the main capture. Returns the number of lanes that have it and lost no event of it. */
    uint32_t (*seek)(const etc_capture *main, uint32_t number);
    /* Moves a cursor from the records of main or a lane to the records of the next lane, which may
     * have none. Returns false if there is no other lane. */
    bool (*next)(etc_cursor *cursor);
    void (*forget)(etc_capture *main);
    void (*add_stats)(const etc_capture *main, etc_stats *out);
};

/* Returns whether `c` is a lane, and counts the call, which is allowed for a main capture only. */
static inline bool etc__refuses(etc_capture *c) {
    if (c->lane)
        etc__count(&c->n_lost_state);
    return c->lane != NULL;
}

/* Returns the calls of a main capture's lanes; NULL: there are no lanes. */
static inline const etc_lane_calls *etc__lanes(const etc_capture *main) {
    return main->next_lane ? main->next_lane->lane->calls : NULL;
}

/* ---- writer.c -------------------------------------------------------------------------------- */

/* Divides a number, and returns the rest. Small processors divide bit by bit: the function that
 * compilers link for a 64-bit division is ten times as large. */
#if ETC_IS_FAST
static inline uint32_t etc__divide(uint64_t *number, uint32_t divisor) {
    uint32_t rest = (uint32_t)(*number % divisor);
    *number /= divisor;
    return rest;
}
#else
uint32_t etc__divide(uint64_t *number, uint32_t divisor);
#endif

/* Computes the CRC-32 of ZIP, bit by bit: a wire is slower, and a table would take more space. */
static inline uint32_t etc__add_to_crc(uint32_t crc, uint8_t byte) {
    crc ^= byte;
    for (unsigned bit = 0; bit < 8; bit++)
        crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
    return crc;
}

/* ---- append.c -------------------------------------------------------------------------------- */

/* Copies a complete run that a cursor returned, as etc_append() does. ETC_FULL: the copy lost events or names, and is partial. */
etc_status etc__append_run(etc_capture *to, const etc_capture *from, const etc_run_record *run,
                           etc_cursor records);
/* Copies the names of the lanes and queues of a capture and its lanes. */
void etc__copy_lane_names(etc_capture *to, const etc_capture *from);

/* ---- layout.c -------------------------------------------------------------------------------- */

/* Copies options of any size; members that the caller does not have are 0. NULL: the defaults. Returns
 * false if the size is not set. */
bool etc__read_options(etc_save_options *out, const etc_save_options *options);
/* Returns the status of a capture without a run to save: ETC_FULL if the memory of the capture, or of a lane, was too small for the
 * first run; else ETC_STATE. */
etc_status etc__why_empty(const etc_capture *c);
/* Returns the calls for values of a main capture and its lanes; NULL: there are no values. */
const etc_value_calls *etc__find_values(const etc_capture *c);

/* ---- hosted.c, hosted_clock.c ---------------------------------------------------------------- */

#if ETC_HOSTED
/* Reserves *size bytes of addresses; halves *size each time the system refuses. Returns NULL if the
 * system refuses even ETC_MIN_BYTES. */
void *etc__map(size_t *size);
/* Returns the mapping of a capture with a mapping_size, which begins with the capture, with its part as a lane, or with the
 * header of a journal. */
void *etc__mapping(etc_capture *c);
/* Returns CLOCK_MONOTONIC in nanoseconds. */
uint64_t etc__monotonic(void *context);
#define ETC_DEFAULT_CLOCK etc__monotonic
#else
#define ETC_DEFAULT_CLOCK NULL
#endif

#endif
