/*
 * profile.h - turns an inspector into one side of a comparison: the Events that ran, in order, with their self times in each
 * file and run.
 *
 * A file is the recording of one process, and the unit of comparisons: the runs of a file share its memory layout, core and
 * clock. A baseline (baseline.h) is a profile stored in a file; it keeps the files it was made from separate. Times are
 * ticks of the source scale, so that saving and reading a profile preserves every bit.
 */
#ifndef ETI_PROFILE_PROFILE_H
#define ETI_PROFILE_PROFILE_H

#include "base/arena.h"
#include "base/files.h"
#include "base/text.h"
#include "model/model.h"
#include "profile/options.h"
#include "program/program.h"
#include "table/table.h"

#include <math.h>

typedef enum eti_entry_kind {
    /* Totals: sums of self times, per run. A block has only the totals for which it has events. */
    ETI_ENTRY_EXECUTE,   /* Method::execute with everything inside it; without one, all Events */
    ETI_ENTRY_OPERATORS, /* kernels outside delegates */
    ETI_ENTRY_DELEGATES, /* delegate calls, including the events that delegates logged */
    ETI_ENTRY_FRAMEWORK, /* the runtime itself */
    ETI_ENTRY_LOADING,   /* Program::*, Method::init ... */
    /* Self time, without the time of nested events. */
    ETI_ENTRY_EVENT,
    ETI_ENTRY_ALLOCATED, /* only eti_profile_block.allocated: bytes, not time */
} eti_entry_kind;

#define ETI_N_TOTALS ETI_ENTRY_EVENT

/* Times of an entry in the runs of one file, in ticks. */
typedef struct eti_file_times {
    double location;                /* see stats/stats.h; NaN if unknown */
    double p10;                     /* NaN if unknown, in baselines without samples */
    double p50, p90, avg, min, max; /* NaN, like the others, if the file lacks the entry */
} eti_file_times;

typedef struct eti_entry {
    uint8_t kind; /* an eti_entry_kind */
    /* for ETI_ENTRY_EVENT, an eti_role; ETI_ROLE_DELEGATE_CALL stands for ETI_ROLE_NOT_LOGGED */
    uint8_t role;
    uint32_t line; /* of `file`; 0 if unknown */
    eti_text name; /* name of the event, or readable name of the total */
    eti_text op; /* operators, separated by " + "; this and the texts below are absent if unknown */
    eti_text
        op_type; /* for events, the operator that the event is (rollup/rollup.h); never absent */
    eti_text origin; /* node of the exported program that the event comes from; only if requested */
    eti_text module; /* innermost module shared by all nodes, with dots: encoder.layers.0 */
    eti_text backend;
    eti_text delegate_id;
    eti_text handles;    /* debug handles, separated by spaces */
    eti_text file, code; /* of the model's source; baselines do not keep `code` */
    const uint64_t
        *ticks; /* one per run of the block, 0 in files that lack the entry; NULL if not kept */
    const eti_file_times *times; /* one per file of the block */
    uint64_t step; /* greatest common divisor of all ticks; 0 if all are 0 or unknown */
    const eti_event
        *event; /* event of profile->inspector; NULL for a total, or without an inspector */
    /* in the target scale, over the files that have the entry: medians of their p10, p50, p90 and avg; min and max of all
     * runs */
    eti_summary summary;
} eti_entry;

/* Runs of a block that one file recorded. */
typedef struct eti_file_runs {
    uint32_t file;    /* index into profile->files */
    size_t first, n;  /* range of the block's runs */
    size_t n_skipped; /* number of warm-up runs dropped before them */
} eti_file_runs;

typedef struct eti_profile_block {
    eti_text name;
    eti_text label;  /* readable name, see model/block.h */
    eti_text method; /* method that ran; absent if it is the profile's only one, or unknown */
    int32_t bundled_input_index; /* -1 if none */
    size_t n_runs;               /* runs that are compared */
    size_t n_skipped;            /* warm-up runs, not included in n_runs */
    const eti_file_runs
        *files; /* n_files of them, in the order of profile->files, which is that of their runs */
    size_t n_files;
    eti_entry *entries; /* totals, in the order of their kinds, then events in execution order */
    size_t n_entries, n_totals;
    eti_entry *allocated; /* bytes that each run allocated; NULL if not recorded */
} eti_profile_block;

/* Returns the name of an entry's kind as used in baselines and tables, such as "execute"; for an event, its role, such as
 * "kernel". */
const char *eti__entry_kind_name(const eti_entry *entry);
/* Sets kind and role from such a name; returns false if there is no such name. */
bool eti__entry_set_kind(eti_entry *entry, eti_text name);

/* Returns the index of the event, in its block of the inspector, from which an entry was made; -1 if there is none. */
int64_t eti__entry_event_number(const eti_entry *entry);

#define ETI_NO_FILE UINT32_MAX

/* A file with runs. Two files with the same bytes do not count as two processes. */
typedef struct eti_profile_file {
    eti_text name;
    uint64_t size;           /* in bytes; 0 if unknown */
    const void *data;        /* NULL if not loaded */
    eti_text sha256;         /* hexadecimal digits; absent if not computed or unknown */
    const eti_label *labels; /* labels that may differ between files (eti__label_may_differ()) */
    size_t n_labels;
} eti_profile_file;

/* The scale in which a backend counted; its ticks are in the source scale. */
typedef struct eti_delegate_scale {
    eti_text backend; /* absent if unknown */
    eti_time_scale scale;
} eti_delegate_scale;

struct eti_profile {
    eti_references references;
    eti_arena arena; /* holds everything below except data borrowed from an inspector */
    eti_text name;   /* name of the first file, for messages */
    eti_text method; /* the only method; absent if there are several, or if it is unknown */
    eti_time_scale source_scale, target_scale;
    eti_delegate_scale *delegate_scales; /* see delegate_scales.h */
    size_t n_delegate_scales;
    double clock_hz;   /* 0 if unknown */
    double factor;     /* ticks / factor gives a time in the target scale */
    eti_label *labels; /* sorted by key */
    size_t n_labels;
    eti_profile_file *files; /* in the order in which they were given or recorded */
    size_t n_files;
    eti_profile_block *blocks;
    size_t n_blocks;
    /* number of dropped delegated events, which count cycles while others count time */
    uint64_t n_uncounted;
    bool has_ticks;      /* the ticks of each run are known, in all blocks */
    bool has_fixed_skip; /* the number of first runs to drop was given, not found as warm-up */
    const eti_figures *figures; /* figures of the program, which a baseline keeps; NULL if none */
    /* Source of the profile, one of the following. */
    const eti_inspector *inspector;
    struct eti_file file;                   /* a baseline */
    const struct eti_profile *const *parts; /* the profiles that were merged */
    size_t n_parts;
};

/* Returns the inspector from which a profile, or the first of its parts that has one, was made; NULL if all are
 * baselines. It lives as long as the profile. */
const eti_inspector *eti__profile_inspector(const struct eti_profile *profile);

/* Returns a reference to the profile. */
eti_kept eti__profile_keep(const struct eti_profile *profile);

/* Makes an empty profile. NULL: out of memory. */
struct eti_profile *eti__profile_new(void);

/* Returns whether files of the same program may have different labels with this name: labels of builds (commit, build,
 * date, branch, version), and labels with which measurements record their conditions (governor, processors, load_average,
 * temperature, pairs, seed). All other labels must be equal in files of the same program. */
bool eti__label_may_differ(const char *key);

/* Returns the label with this name, or NULL. */
const eti_label *eti__find_label(const eti_label *labels, size_t n, const char *key);

/* Copies labels, sorted by key. A label that may differ between files is given to each file without one of that name;
 * labels shared by all files become the profile's. profile->files must be set. ETI_ERROR_USAGE: a key occurs twice, or a
 * label is not UTF-8; ETI_ERROR_MEMORY. */
eti_status eti__profile_add_labels(struct eti_profile *profile, const eti_label *labels, size_t n,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Does the same with the labels shared by n >= 1 profiles whose files the profile has. ETI_ERROR_MEMORY. */
eti_status eti__profile_share_labels(struct eti_profile *profile,
                                     const struct eti_profile *const *profiles, size_t n,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Returns whether locations are known; older baselines have only other times. */
bool eti__profile_has_locations(const struct eti_profile *profile);

/* Returns the divisor for the ticks of an entry; 1 if these are bytes. */
double eti__entry_factor(const struct eti_profile *profile, const eti_entry *entry);

/* Sets the ticks of an entry, which must live as long as the profile, and the times, step and summary computed from them.
 * profile->factor and the files of the block must be set. `scratch` has room for 2 n_runs values. False: out of memory. */
bool eti__entry_set_ticks(struct eti_profile *profile, const eti_profile_block *block,
                          eti_entry *entry, const uint64_t *ticks, double *scratch);

/* Sets the summary of an entry from its times. profile->factor must be set. `scratch` has room for one value per file of
 * the block. */
void eti__entry_set_summary(const struct eti_profile *profile, const eti_profile_block *block,
                            eti_entry *entry, double *scratch);

/* Returns the times for a file that lacks the entry. */
static inline eti_file_times eti__no_file_times(void) {
    const double none = (double)NAN;
    return (eti_file_times){none, none, none, none, none, none, none};
}

/* Sets the labels of all blocks. False: out of memory. */
bool eti__profile_label_blocks(struct eti_profile *profile) ETI_WARN_UNUSED;

/* Returns whether two blocks have the same name, bundled input and, if known, method. Within a profile, they then belong
 * to runs of different Events in other files. */
static inline bool eti__block_has_name_of(const eti_profile_block *a, const eti_profile_block *b) {
    return a->bundled_input_index == b->bundled_input_index && eti__text_equal(a->name, b->name) &&
           (!a->method.data || !b->method.data || eti__text_equal(a->method, b->method));
}

static inline bool eti__file_lacks_entry(const eti_file_times *times) {
    return isnan(times->p50);
}

/* Computes the times of one or more runs. `scratch` has room for 2 n values. */
void eti__file_times_of(eti_file_times *out, const uint64_t *ticks, size_t n, double *scratch);

/* Finds two files with the same bytes in one or two profiles; `other` may be NULL. Sets `out` to NULLs if it finds none.
 * Computes the SHA-256 of files that are compared with files of a baseline. ETI_ERROR_MEMORY. */
eti_status eti__profiles_find_same_file(const struct eti_profile *profile,
                                        const struct eti_profile *other,
                                        const eti_profile_file *out[2],
                                        eti_error *err) ETI_WARN_UNUSED;

/* Checks that no file occurs twice in the profile. ETI_ERROR_USAGE names it; ETI_ERROR_MEMORY. */
eti_status eti__profile_check_files(const struct eti_profile *profile,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Checks that the files belong to the same program: two blocks with the same name that were not joined, because they have
 * fewer than half of their events in common (profile_join.h), must share a file. ETI_ERROR_USAGE names two files;
 * ETI_ERROR_MEMORY. */
eti_status eti__profile_check_blocks(const struct eti_profile *profile,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Adds the files from which the profile was made to the report, and makes the report keep the profile. ETI_ERROR_MEMORY. */
eti_status eti__profile_add_sources(eti_report *report, const struct eti_profile *profile,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Checks that two profiles are comparable: time scales, methods known to both, and labels must be equal, except for
 * labels that may differ between files (eti__label_may_differ()). A label that is missing on one side counts as
 * different. ETI_ERROR_USAGE names the difference. */
eti_status eti__profiles_check_alike(const struct eti_profile *base,
                                     const struct eti_profile *new_side,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Adds a note to the last section about the runs and Events of a side that were dropped. ETI_ERROR_MEMORY. */
eti_status eti__profile_note_runs(eti_report *report, const struct eti_profile *profile,
                                  const char *side, eti_error *err) ETI_WARN_UNUSED;

/* Implement the functions of etinspect.h; `options` may be NULL. */
eti_status eti__profile_from_inspector(eti_profile **out, const eti_inspector *inspector,
                                       const eti_profile_options *options,
                                       eti_error *err) ETI_WARN_UNUSED;
/* Opens an inspector and makes a profile from it; freeing the profile closes the inspector. */
eti_status eti__profile_open(eti_profile **out, const eti_inputs *inputs,
                             const eti_options *opening, const eti_profile_options *options,
                             eti_error *err) ETI_WARN_UNUSED;
eti_status eti__profile_read(eti_profile **out, const eti_source *source,
                             const eti_options *options, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__profile_save(const eti_profile *profile, const char *path,
                             const eti_baseline_options *options, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__profile_merge(eti_profile **out, const eti_profile *const *profiles, size_t n,
                              bool allow_unlike, eti_error *err) ETI_WARN_UNUSED;
/* Makes a profile of the last n >= 1 files of another one. ETI_ERROR_MEMORY. */
eti_status eti__profile_last_files(eti_profile **out, const eti_profile *profile, size_t n,
                                   eti_error *err) ETI_WARN_UNUSED;
eti_status eti__profile_report(eti_report **out, const eti_profile *profile, bool include_units,
                               eti_error *err) ETI_WARN_UNUSED;

#endif
