/*
 * profile.h - profiles of several files: labels, matching, baselines.
 */
#ifndef ETI_PROFILE_PROFILE_H
#define ETI_PROFILE_PROFILE_H

#include "base/arena.h"
#include "base/files.h"
#include "base/intern.h"
#include "base/output.h"
#include "base/text.h"
#include "etinspect.h"
#include "model/model.h"
#include "program/program.h"

#include <math.h>

/* ==== options ================================================================================= */
/* Options for making and saving profiles. */

/* Drop the warm-up runs of each file, as the view "runs" finds them. */
#define ETI_SKIP_WARM_UP SIZE_MAX

typedef struct eti_profile_options {
    /* number of leading runs of each file and EventBlock to drop, or ETI_SKIP_WARM_UP */
    size_t skip_first;
    const char *block; /* only EventBlocks with this name; NULL or "all": all blocks */
    bool origins; /* find the node of the exported program for each event; needs values of graphs */
    const eti_label *labels; /* labels of device and build; copied */
    size_t n_labels;
    bool allow_unlike; /* accept ETDumps whose times are of different clocks */
} eti_profile_options;

#define ETI_PROFILE_OPTIONS_DEFAULT                                                                \
    { .skip_first = ETI_SKIP_WARM_UP }

/* Options for writing a baseline. */
typedef struct eti_baseline_options {
    bool samples; /* also write the times of all runs */
    /* the first merged profile is the baseline being replaced: keep its samples or, without samples, merge the files of
     * each push but the last into one entry */
    bool appends;
    bool allow_unlike; /* accept files of different programs */
    bool no_sync;      /* do not wait until the file is on the disk */
    size_t n_pushes;   /* write only the last pushes; 0: all */
} eti_baseline_options;

/* ==== profile ================================================================================= */
/* Turns an inspector into one side of a comparison: the Events that ran, in order, with their self
 * times in each file and run.
 *
 * A file is the recording of one process, and the unit of comparisons: the runs of a file share
 * its memory layout, core and clock. A baseline (baseline_read.h) is a profile stored in a file; it
 * keeps the files it was made from separate. Times are ticks of the source scale, so that saving
 * and reading a profile preserves every bit. */

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

/* Times of an entry in the runs of one file, in ticks, or in its unit. */
typedef struct eti_file_times {
    double p10; /* NaN if unknown, in baselines without samples */
    /* NaN, like p10, if the file lacks the entry; for `fast` see stats/stats.h */
    double fast, p50, p90, p95, p99, avg, min, max;
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
    eti_text handles; /* debug handles, separated by spaces */
    eti_text
        unit; /* of ticks and summary, if they are no time: "cycles" of an unknown clock; absent: time */
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
    eti_text label;  /* readable name, see model/model.h */
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

/* Returns the index of the event, in its block of the inspector, from which an entry was made; -1 if there is none. */
int64_t eti__entry_event_number(const eti_entry *entry);

/* A file with runs. Two files with the same bytes do not count as two processes. */
typedef struct eti_profile_file {
    eti_text name, shown; /* its path, which may be any bytes, and the same as UTF-8, for output */
    uint64_t size;        /* in bytes; 0 if unknown */
    const void *data;     /* NULL if not loaded */
    eti_text sha256;      /* hexadecimal digits; absent if not computed or unknown */
    const eti_label *labels; /* labels that may differ between files (eti__label_may_differ()) */
    size_t n_labels;
    uint32_t
        n_merged; /* number of files of a push whose medians this entry has; 0: it is one file */
    eti_text pairs_path, pairs_side; /* pairs.csv that lists it, and its side there; absent: none */
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
    eti_delegate_scale *delegate_scales; /* see labels.h */
    size_t n_delegate_scales;
    double clock_hz;   /* 0 if unknown */
    double factor;     /* ticks / factor gives a time in the target scale */
    eti_label *labels; /* sorted by key */
    size_t n_labels;
    eti_profile_file *files; /* in the order in which they were given or recorded */
    size_t n_files;
    eti_profile_block *blocks;
    size_t n_blocks;
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

/* Makes an empty profile. NULL: out of memory. */
struct eti_profile *eti__profile_new(void);

/* Checks that no file is a merged push, which is no side of a comparison: its scatter is lost. ETI_ERROR_USAGE names one. */
eti_status eti__profile_check_unmerged(const struct eti_profile *profile,
                                       eti_error *err) ETI_WARN_UNUSED;

/* Sets for each file the number of its push, and returns how many there are. A push is one job of a CI system, or one
 * build: consecutive files with the same label `by`; if it is NULL, with the same label "job" or, without one, "commit".
 * A file without such a label is a push of its own, and so is every file if `by` is "file". `out` has room for
 * profile->n_files. */
size_t eti__profile_number_pushes(const struct eti_profile *profile, const char *by, uint32_t *out);

/* Returns the label with this name, or NULL. */
const eti_label *eti__find_label(const eti_label *labels, size_t n, const char *key);

/* Sets the ticks of an entry, which must live as long as the profile, and the times, step and summary computed from them.
 * profile->factor and the files of the block must be set. `scratch` has room for 2 n_runs values. False: out of memory. */
bool eti__entry_set_ticks(struct eti_profile *profile, const eti_profile_block *block,
                          eti_entry *entry, const uint64_t *ticks, double *scratch);

/* Returns whether two blocks have the same name, bundled input and, if known, method. Within a profile, they then belong
 * to runs of different Events in other files. */
static inline bool eti__block_has_name_of(const eti_profile_block *a, const eti_profile_block *b) {
    return a->bundled_input_index == b->bundled_input_index && eti__text_equal(a->name, b->name) &&
           (!a->method.data || !b->method.data || eti__text_equal(a->method, b->method));
}

/* Returns whether the ticks of an entry are time, and profile->factor applies to them. */
static inline bool eti__entry_is_time(const eti_entry *entry) {
    return entry->kind != ETI_ENTRY_ALLOCATED && !entry->unit.data;
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

/* Checks that the files belong to the same program: two blocks with the same name that were not joined, because they have
 * fewer than half of their events in common (profile_join.h), must share a file. ETI_ERROR_USAGE names two files;
 * ETI_ERROR_MEMORY. */
eti_status eti__profile_check_blocks(const struct eti_profile *profile,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Begins a report about two profiles, or about the new side alone if `base` is NULL: it names their files and keeps the
 * profiles. `*out` is NULL after a failure. ETI_ERROR_MEMORY. */
eti_status eti__profiles_begin_report(eti_report **out, const char *view,
                                      const struct eti_profile *base,
                                      const struct eti_profile *new_side,
                                      eti_error *err) ETI_WARN_UNUSED;

/* Checks that two profiles are comparable: time scales, methods known to both, and labels must be equal, except for
 * labels that may differ between files (eti__label_may_differ()). A label that is missing on one side counts as
 * different. ETI_ERROR_USAGE names the difference. */
eti_status eti__profiles_check_alike(const struct eti_profile *base,
                                     const struct eti_profile *new_side,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Name of the file that a measurement writes beside its dumps, see profile/pairs.c. */
#define ETI_PAIRS_FILE "pairs.csv"

/* Finds out whether two sides were recorded in turns: one pairs.csv lists all their files, as dumps of different sides, or the
 * labels `pair` of their files are known and each side has the pairs of the other. ETI_ERROR_MEMORY. */
eti_status eti__profiles_are_in_turns(bool *out, const struct eti_profile *base,
                                      const struct eti_profile *new_side,
                                      eti_error *err) ETI_WARN_UNUSED;

/* Finds a job (label `job` of the files) of a side in which the other side, whose jobs are known, was not recorded. Sets `out`
 * to such labels of the base and of the new side; returns false if there is none. */
bool eti__profiles_find_unlike_jobs(const struct eti_profile *base,
                                    const struct eti_profile *new_side, const eti_label *out[2]);

/* Checks that two sides, which are compared and not merged, were not recorded in different jobs. ETI_ERROR_USAGE. */
eti_status eti__profiles_check_jobs(const struct eti_profile *base,
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

/* ==== baseline ================================================================================ */
/* The file format of profiles: CSV that can be read and edited by hand, and compared by git.
 *
 *     etinspect-baseline,4                    or etinspect-baseline,4,samples
 *     time_scale,ns                           of ticks; followed by the cycles per second, if known, and
 *                                             BACKEND=SCALE for each backend that logged events
 *     method,forward
 *     label,device,pixel8                     shared by all files
 *     program,file_size,1548                  figures of the program, if it was given
 *     file,mon.etdp,15568,2d71...4881,commit=4f2a,date=2026-11-20
 *     file,tue.etdp,15568,a1fc...b0fa,commit=77c0,date=2026-11-21
 *     columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,step,fast,p50,p90,p95,p99,avg,min,max
 *     block,Execute,,50;48,2;2                name, bundled input, runs, runs dropped before these, and, if the program
 *                                             has several methods, the method
 *     execute,Method::execute,,,,,,,,,,1,513.5;511.25,...
 *     kernel,native_call_addmm.out,aten.addmm.default,aten.addmm.default,fc,,,5,model.py,12,return self.fc(x),1,98;97.5,...
 *     end,10                                  number of the records before this one
 *
 * A file has its name without folders, its size, its SHA-256 and the labels that may differ. The entry of a merged push has files=N instead of size and SHA-256, and its times are medians
 * over these files, with five digits.
 * Entries belong to the block before them, in the order of their kinds: an added event is one more
 * line. Lists have an item for each file, separated by ;, which is empty if the file lacks the
 * entry. Times are in ticks; those of `allocated`, the last entry if it was recorded, are bytes.
 * With samples, the step and the times are replaced by `ticks`, the times of all runs, separated
 * by ; and between files by |. An unknown value is empty. After the values follow the node of the
 * exported program and the unit of events that count cycles, if an event has them. Columns added by
 * later versions come last. */

#define ETI_BASELINE_END "end"

/* Writes all files of a profile, and the figures of its program unless they are NULL. With `samples`, which the profile must
 * have, writes the times of all runs. False: out of memory. */
bool eti__baseline_write(const struct eti_profile *profile, const eti_figures *figures,
                         bool samples, eti_output *output);

/* ==== block names ============================================================================= */
/* Finds the blocks with the same name (eti__block_has_name_of()) without comparing all pairs of
 * blocks.
 *
 * A block without a known method has the name of every block with its name and bundled input,
 * whatever their methods. The blocks are therefore in lists: one for each name with its method,
 * and one for each name with any method. The caller keeps the lists in an array indexed by their
 * numbers. */

/* Sets for each block of a profile the number of files that have a block with its name. False: out of memory. */
bool eti__block_names_count_files(const struct eti_profile *profile, size_t *out);

/* ==== clocks ================================================================================== */
/* Finds the step of each clock from the ticks of two profiles: the clocks of kernels, of delegate
 * calls, and of each backend. */

/* A clock, shared by the events of a role, or of a backend for events that it logged. */
typedef struct eti_clock {
    eti_text backend, unit;
    uint32_t role;
    uint64_t step; /* greatest common divisor of all ticks */
} eti_clock;

/* Starts as all zeros. */
typedef struct eti_clocks {
    ETI_INTERN_OF(eti_clock) clocks;
} eti_clocks;

/* Adds the events of a profile. False: out of memory. */
bool eti__clocks_add(eti_clocks *clocks, const struct eti_profile *profile);
void eti__clocks_free(eti_clocks *clocks);

/* Returns the step of an event's clock, in ticks; 0 if it has none. The event's profile must have been added. */
double eti__clock_step(const eti_clocks *clocks, const eti_entry *entry);

/* ==== match =================================================================================== */
/* Pairs the corresponding entries of two profiles, given in execution order.
 *
 * Between two exports, operators are inserted, removed, moved, renamed and given to delegates.
 * Entries are compared by keys; each rule is applied to the entries left by the previous ones:
 *
 * 1. the longest common sequence of strong keys, in order (Myers, Algorithmica 1, 1986): the same;
 * 2. the same node of the exported model: first with the same kind of kernel, then with the same
 *   operator, in order and then anywhere; finally, any entries of the node if both sides have
 *   equally many left. They are the same or moved if the weak keys are equal, otherwise renamed;
 *   if only one of them ran in a delegate, delegated or undelegated;
 * 3. between those, the longest common sequences of weak keys: the same;
 * 4. equal strong keys, then equal weak keys, anywhere, paired in order: moved;
 * 5. the same work, inside a delegate on one side and outside on the other, paired in order:
 *   delegated or undelegated;
 * 6. between two pairs, if both sides have equally many entries left, those at the same position
 *   with the same work: renamed;
 * 7. all others: removed or added.
 *
 * Two exports of one model (float and int8, another backend) have the same nodes; after a change
 * of the model, other nodes may have the old names. So if more than a tenth of the pairs found by
 * rule 1 disagree in their nodes, nodes are ignored. Otherwise, rules 2 to 6 never pair entries
 * whose nodes disagree. */

#define ETI_NO_ENTRY UINT32_MAX

typedef enum eti_match_kind {
    ETI_MATCH_SAME,
    ETI_MATCH_RENAMED,
    ETI_MATCH_MOVED,
    ETI_MATCH_DELEGATED,   /* portable before, run by a delegate now */
    ETI_MATCH_UNDELEGATED, /* run by a delegate before, portable now */
    ETI_MATCH_ADDED,
    ETI_MATCH_REMOVED,
} eti_match_kind;

/* Returns "same", "renamed", "moved", "delegated", ... */
const char *eti__match_kind_name(eti_match_kind kind);

typedef struct eti_match {
    eti_match_kind kind;
    uint32_t base,
        new_side; /* indices of the items; ETI_NO_ENTRY in place of the missing item if one was added or removed */
} eti_match;

/* ==== match profiles ========================================================================== */
/* Matches the blocks and events of two profiles by the rules of match.h.
 *
 * The keys of an event are its kind, name and operators, and its module and the code of its source
 * line if the record has them; otherwise its debug handles and delegate id, which change if an
 * operator is inserted before it. If both profiles know nodes of the exported model, events with
 * other names match if they belong to the same node. */

/* Matches the blocks of two profiles. The caller frees `*out`. ETI_ERROR_MEMORY. */
eti_status eti__match_blocks(eti_match **out, size_t *n, const struct eti_profile *base,
                             const struct eti_profile *new_side, eti_error *err) ETI_WARN_UNUSED;

/* Matches the events of two blocks; indices count from the first entry after the totals. The caller frees `*out`.
 * ETI_ERROR_MEMORY. */
eti_status eti__match_events(eti_match **out, size_t *n, const eti_profile_block *base,
                             const eti_profile_block *new_side, eti_error *err) ETI_WARN_UNUSED;

/* ==== profile figures ========================================================================= */
/* Finds the figures of a profile's program. */

/* Finds the figures of the program: those kept in a baseline, or those of the inspector's program; of several profiles,
 * the last one that has figures counts. `*are_known` is false if none has. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__profile_find_figures(eti_figures *out, bool *are_known,
                                     const struct eti_profile *profile,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Returns the profile's program; NULL if it is not loaded. */
const eti_pte *eti__profile_program(const struct eti_profile *profile);

#endif
