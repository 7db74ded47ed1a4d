/*
 * profile.h - turns an inspector into one side of a comparison: the Events that ran, in order, with their own times
 * in each file and run.
 *
 * A file is what one process recorded, and the unit of comparisons: the runs of a file share its memory layout, core and
 * clock. A baseline (baseline.h) is a profile in a file of its own; it keeps the files that it was made from apart.
 * Times are ticks of the source scale, so that a profile that was saved and read again is the same to the last bit.
 */
#ifndef ETI_PROFILE_PROFILE_H
#define ETI_PROFILE_PROFILE_H

#include "account/role.h"
#include "base/arena.h"
#include "base/files/file.h"
#include "model/options.h"
#include "profile/options.h"
#include "program/figures.h"
#include "table/report.h"

#include <math.h>

typedef enum eti_entry_kind {
    /* Totals: sums of own times, per run. A block has the totals for which it has events. */
    ETI_ENTRY_EXECUTE,   /* Method::execute with all inside it, or without one all Events */
    ETI_ENTRY_OPERATORS, /* kernels outside of delegates */
    ETI_ENTRY_DELEGATES, /* delegate calls, with what delegates logged */
    ETI_ENTRY_FRAMEWORK, /* the runtime itself */
    ETI_ENTRY_LOADING,   /* Program::*, Method::init ... */
    /* Own time, without the time of events inside it. */
    ETI_ENTRY_EVENT,
    ETI_ENTRY_ALLOCATED, /* eti_profile_block.allocated, and nothing else: bytes, no time */
} eti_entry_kind;

#define ETI_N_TOTALS ETI_ENTRY_EVENT

/* Times of an entry in the runs of one file, in ticks. */
typedef struct eti_file_times {
    double
        location; /* see stats/location.h; NaN: unknown, in baselines of version 1 without samples */
    double p10;   /* NaN: unknown, in baselines of version 2 without samples */
    double p50, p90, avg, min, max; /* NaN, as all: the file lacks the entry */
} eti_file_times;

typedef struct eti_entry {
    uint8_t kind; /* an eti_entry_kind */
    /* of ETI_ENTRY_EVENT, an eti_role: never ETI_ROLE_NOT_LOGGED, but ETI_ROLE_DELEGATE_CALL */
    uint8_t role;
    uint32_t line; /* of `file`; 0: unknown */
    eti_text name; /* of the event; of a total, what people call it */
    eti_text op; /* operators with " + " between them; absent: unknown. All texts below likewise */
    eti_text op_type; /* of events, the operator that it is (account/op_type.h); never absent */
    eti_text origin; /* node of the exported program that it comes from; only if it was asked for */
    eti_text module; /* innermost that all nodes share, with dots: encoder.layers.0 */
    eti_text backend;
    eti_text delegate_id;
    eti_text handles;    /* debug handles with spaces between them */
    eti_text file, code; /* of the model's source; `code` is not kept in baselines */
    const uint64_t
        *ticks; /* one per run of the block, 0 in files that lack the entry; NULL: not kept */
    const eti_file_times *times; /* one per file of the block */
    uint64_t step;          /* greatest common divisor of all ticks; 0: all are 0, or unknown */
    const eti_event *event; /* of profile->inspector; NULL: of a total, or not of an inspector */
    /* in the target scale, of the files that have the entry: the median of their p10, p50, p90 and avg; min and max of
     * all runs */
    eti_summary summary;
} eti_entry;

/* Runs of a block that one file recorded. */
typedef struct eti_file_runs {
    uint32_t file;    /* number of profile->files */
    size_t first, n;  /* runs of the block */
    size_t n_skipped; /* warm-up before these */
} eti_file_runs;

typedef struct eti_profile_block {
    eti_text name;
    eti_text label;              /* the name for people, see model/block_label.h */
    eti_text method;             /* that ran; absent: the only one of the profile, or unknown */
    int32_t bundled_input_index; /* -1: none */
    size_t n_runs;               /* that are compared */
    size_t n_skipped;            /* warm-up, which is not in n_runs */
    const eti_file_runs
        *files; /* n_files, in the order of profile->files, which is that of their runs */
    size_t n_files;
    eti_entry *entries; /* totals, in the order of their kinds, then events in the order they ran */
    size_t n_entries, n_totals;
    eti_entry *allocated; /* bytes that each run allocated; NULL: that was not recorded */
} eti_profile_block;

/* As baselines and tables have it: "execute"; of events their role, "kernel". */
const char *eti__entry_kind_name(const eti_entry *entry);
/* Sets kind and role by that name; false: there is no such name. */
bool eti__entry_set_kind(eti_entry *entry, eti_text name);

/* Returns the number of the event that an entry was made of, in its block of the inspector; -1: none. */
int64_t eti__entry_event_number(const eti_entry *entry);

#define ETI_NO_FILE UINT32_MAX

/* A file with runs. Two files with the same bytes are not two processes. */
typedef struct eti_profile_file {
    eti_text name;
    uint64_t size;    /* bytes; 0: unknown */
    const void *data; /* NULL: not loaded */
    eti_text sha256;  /* hexadecimal digits; absent: not computed, or unknown */
    bool
        is_baseline; /* size and data are those of a baseline of version 1, which stands for its files */
    const eti_label *labels; /* those that may differ between files (eti__label_may_differ()) */
    size_t n_labels;
} eti_profile_file;

struct eti_profile {
    eti_references references;
    eti_arena arena; /* all following fields, except data borrowed from an inspector */
    eti_text name;   /* of its first file, for messages */
    eti_text method; /* the only one that there is; absent: there are several, or unknown */
    eti_time_scale source_scale, target_scale;
    double clock_hz;   /* 0: unknown */
    double factor;     /* ticks / factor is a time in the target scale */
    eti_label *labels; /* sorted by key */
    size_t n_labels;
    eti_profile_file *files; /* in the order that they were given or recorded in */
    size_t n_files;
    eti_profile_block *blocks;
    size_t n_blocks;
    /* delegated events that count cycles, while others count time: left out */
    uint64_t n_uncounted;
    bool has_ticks;             /* of each run, in all blocks */
    const eti_figures *figures; /* of the program, that a baseline keeps; NULL: none */
    /* Where it comes from: one of these. */
    const eti_inspector *inspector;
    struct eti_file file;                   /* a baseline */
    const struct eti_profile *const *parts; /* that were merged */
    size_t n_parts;
};

/* Returns the inspector that a profile was made of, the first of its parts that has any; NULL: all are baselines. It lives
 * as long as the profile. */
const eti_inspector *eti__profile_inspector(const struct eti_profile *profile);

/* Returns a reference to the profile. */
eti_kept eti__profile_keep(const struct eti_profile *profile);

/* Makes an empty profile, to be filled. NULL: out of memory. */
struct eti_profile *eti__profile_new(void);

/* Whether files of one thing may have different labels of this name: those of builds (commit, build, date, branch,
 * version), and what measurements note of their circumstances (governor, processors, load_average, temperature, pairs,
 * seed). All other labels must be equal in files of one program. */
bool eti__label_may_differ(const char *key);

/* Returns the label of this name, or NULL. */
const eti_label *eti__find_label(const eti_label *labels, size_t n, const char *key);

/* Copies labels, sorted by key. A label that may differ between files is given to each file without one of this name;
 * those that all files share become the profile's. profile->files is set. ETI_ERROR_USAGE: a key is there twice, or one
 * is not UTF-8; ETI_ERROR_MEMORY. */
eti_status eti__profile_add_labels(struct eti_profile *profile, const eti_label *labels, size_t n,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Does the same with the labels that n >= 1 profiles share, whose files the profile has. ETI_ERROR_MEMORY. */
eti_status eti__profile_share_labels(struct eti_profile *profile,
                                     const struct eti_profile *const *profiles, size_t n,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Whether locations are known: older baselines kept other times only. */
bool eti__profile_has_locations(const struct eti_profile *profile);

/* Returns the divisor of the ticks of an entry: 1 for bytes. */
double eti__entry_factor(const struct eti_profile *profile, const eti_entry *entry);

/* Gives an entry its ticks, which must live as long as the profile, and sets the times, step and summary that follow
 * from them. profile->factor and the files of the block are set. `scratch` has room for 2 n_runs values. False: out of
 * memory. */
bool eti__entry_set_ticks(struct eti_profile *profile, const eti_profile_block *block,
                          eti_entry *entry, const uint64_t *ticks, double *scratch);

/* Sets the summary of an entry from its times. profile->factor is set. `scratch` has room for a value per file of the
 * block. */
void eti__entry_set_summary(const struct eti_profile *profile, const eti_profile_block *block,
                            eti_entry *entry, double *scratch);

/* Returns the times of a file that lacks the entry. */
static inline eti_file_times eti__no_file_times(void) {
    const double none = (double)NAN;
    return (eti_file_times){none, none, none, none, none, none, none};
}

/* Sets the labels of all blocks. False: out of memory. */
bool eti__profile_label_blocks(struct eti_profile *profile) ETI_WARN_UNUSED;

/* Returns whether two blocks have the same name, bundled input and, if known, method: of one profile, runs of other Events by
 * other files. */
static inline bool eti__block_has_name_of(const eti_profile_block *a, const eti_profile_block *b) {
    return a->bundled_input_index == b->bundled_input_index && eti__text_equal(a->name, b->name) &&
           (!a->method.data || !b->method.data || eti__text_equal(a->method, b->method));
}

static inline bool eti__file_lacks_entry(const eti_file_times *times) {
    return isnan(times->p50);
}

/* Fills the times of runs, at least one. `scratch` has room for 2 n values. */
void eti__file_times_of(eti_file_times *out, const uint64_t *ticks, size_t n, double *scratch);

/* Finds two files of one profile, or of two, with the same bytes; the second profile may be NULL. NULLs: no such files
 * are known. Computes the SHA-256 of files that are compared with those of a baseline. ETI_ERROR_MEMORY. */
eti_status eti__profiles_find_same_file(const struct eti_profile *profile,
                                        const struct eti_profile *other,
                                        const eti_profile_file *out[2],
                                        eti_error *err) ETI_WARN_UNUSED;

/* Checks that no file is in the profile twice. ETI_ERROR_USAGE names it; ETI_ERROR_MEMORY. */
eti_status eti__profile_check_files(const struct eti_profile *profile,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Checks that the files are of one program: no two without a file in common have blocks of one name that stayed apart, because
 * less than half of their events are the same (profile_join.h). ETI_ERROR_USAGE names two files. */
eti_status eti__profile_check_blocks(const struct eti_profile *profile,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Names the files that the profile was made from, and makes the report keep the profile. ETI_ERROR_MEMORY. */
eti_status eti__profile_add_sources(eti_report *report, const struct eti_profile *profile,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Checks that two profiles are comparable: time scales, methods that both know, and labels must be equal, except labels that
 * may differ between files (eti__label_may_differ()); one that a side lacks counts as a different one. ETI_ERROR_USAGE names
 * the difference. */
eti_status eti__profiles_check_alike(const struct eti_profile *base,
                                     const struct eti_profile *new_side,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Adds a note to the last section: the runs and Events that were left out of a side. ETI_ERROR_MEMORY. */
eti_status eti__profile_note_runs(eti_report *report, const struct eti_profile *profile,
                                  const char *side, eti_error *err) ETI_WARN_UNUSED;

/* The functions of etinspect.h; `options` may be NULL. */
eti_status eti__profile_from_inspector(eti_profile **out, const eti_inspector *inspector,
                                       const eti_profile_options *options,
                                       eti_error *err) ETI_WARN_UNUSED;
/* Opens an inspector and makes a profile of it, which closes the inspector when it is freed. */
eti_status eti__profile_open(eti_profile **out, const eti_inputs *inputs,
                             const eti_options *opening, const eti_profile_options *options,
                             eti_error *err) ETI_WARN_UNUSED;
eti_status eti__profile_read(eti_profile **out, const eti_source *source,
                             const eti_options *options, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__profile_save(const eti_profile *profile, const char *path,
                             const eti_baseline_options *options, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__profile_merge(eti_profile **out, const eti_profile *const *profiles, size_t n,
                              bool allow_unlike, eti_error *err) ETI_WARN_UNUSED;
/* Makes a profile of the last n >= 1 files of one. ETI_ERROR_MEMORY. */
eti_status eti__profile_last_files(eti_profile **out, const eti_profile *profile, size_t n,
                                   eti_error *err) ETI_WARN_UNUSED;
eti_status eti__profile_report(eti_report **out, const eti_profile *profile, bool include_units,
                               eti_error *err) ETI_WARN_UNUSED;

#endif
