/*
 * compare.h - pairs of events or programs of two sides, verdicts and notes about them.
 */
#ifndef ETI_COMPARE_COMPARE_H
#define ETI_COMPARE_COMPARE_H

#include "account/account.h"
#include "base/arena.h"
#include "base/text.h"
#include "etinspect.h"
#include "profile/profile.h"
#include "stats/stats.h"
#include "table/table.h"

#include <math.h>

/* ==== namesakes =============================================================================== */
/* The module, source line or number that distinguishes events of a block with the same name. */

/* Describes how an event differs from others of its name. */
typedef struct eti_namesakes {
    uint32_t n; /* number of events of that name in the block, itself included; 0 for a total */
    uint32_t number; /* of the event among these, counting from 1 */
    bool has_line,
        has_number; /* the label has these, because without them other labels are equal */
    /* the label without the module, for tables that have a column of it; absent if it is the name */
    eti_text beside_module;
} eti_namesakes;

/* Finds the namesakes of each entry of a block. The arena owns `out`, an array with the numbers of block->entries. False:
 * out of memory. */
bool eti__namesakes_find(const eti_namesakes **out, const eti_profile_block *block,
                         eti_arena *arena);

/* Appends the name of a total or event. If the block has other events of that name, appends the module, as in "addmm
 * (encoder.layers.0)"; the source line, if others of these have the same module or none is known; and the number among
 * all of them, as in "addmm #3", if even that is not enough. Labels count as equal if they are printed alike.
 * `namesakes` may be NULL: it has none. */
void eti__add_entry_label(eti_buffer *out, const eti_entry *entry, const eti_namesakes *namesakes);

/* ==== options ================================================================================= */
/* Options of comparisons. */

typedef struct eti_diff_options {
    double alpha; /* probability of any false "slower" in a comparison; above 0, below 1 */
    double
        least_effect; /* 0.05: the limit of rules that state none, and of comparisons without rules */
    double margin;    /* 0.10: what passes is not slower by more than the limit and this */
    double beta;   /* 0.05: probability of a wrong pass, and of each wrong bound of an interval */
    bool in_turns; /* the sides were recorded in turns, so that the machine favours neither */
    double min_share;  /* 0.01: events below 1 % of the total are not judged */
    eti_metric metric; /* metric to which the runs of a file are reduced */
    /* "op", "optype", "module", "backend", "source" or "node"; NULL: no groups */
    const char *group;
    bool allow_unlike;      /* compare sides whose time scales, methods or labels differ */
    bool one_process;       /* runs are the units, not files */
    bool lists_all;         /* list unchanged rows, too */
    bool include_units;     /* add units to the names of columns */
    bool has_gaps;          /* gaps from comparing the recorded tensors: */
    const eti_gap_of *gaps; /* n_gaps results; needed only while the report is made */
    size_t n_gaps;
} eti_diff_options;

#define ETI_DIFF_OPTIONS_DEFAULT                                                                   \
    {                                                                                              \
        .alpha = 0.01, .least_effect = 0.05, .min_share = 0.01, .margin = 0.10, .beta = 0.05,      \
        .include_units = true                                                                      \
    }

typedef struct eti_trend_options {
    eti_diff_options diff; /* options of one side */
    const char *by;        /* see eti__side_make(); NULL: job or commit */
    /* CSV files of known changes: the lists of exceptions of a gate, with a column `commit` */
    const eti_source *allowed;
    size_t n_allowed;
    uint64_t seed;    /* seed of permutations */
    size_t n_threads; /* number of threads; 0: as many as this process may run at once */
} eti_trend_options;

#define ETI_TREND_OPTIONS_DEFAULT                                                                  \
    { .diff = ETI_DIFF_OPTIONS_DEFAULT, .seed = 1 }

/* ==== diff row ================================================================================ */
/* Defines pairs of blocks, and rows with both sides of a total, an Event or a group.
 *
 * The unit of evidence is the file or, with options.one_process, the run. Each row has a value for
 * each unit of its block: the median of its runs, or another metric (stats/stats.h). */

/* Reason why a row that both sides have belongs to no family of tests. */
typedef enum eti_unjudged {
    ETI_JUDGED,
    ETI_UNJUDGED_FEW_FILES, /* a side has fewer units than a verdict needs */
    ETI_UNJUDGED_SMALL,     /* below options.min_share of the total */
    ETI_UNJUDGED_NO_TIME,   /* its time is 0 in a unit */
    ETI_UNJUDGED_MISSING,   /* a file of a side lacks it */
    ETI_UNJUDGED_PART,      /* it is a total that is part of another */
    ETI_UNJUDGED_UNITS,     /* the sides count it in different units */
} eti_unjudged;

/* One side of a row. Times are ticks, or numbers of the unit of its entry. */
typedef struct eti_row_side {
    const eti_entry *entry; /* NULL if added or removed; for a group, its largest event */
    const eti_namesakes
        *namesakes;              /* of the entry; NULL for a total, a group or without an entry */
    const eti_file_times *times; /* per file of the block; NULL if the side has no times */
    const uint64_t *ticks;       /* per run of the block; NULL if not kept */
    size_t n_events;             /* number of events of a group; otherwise 0 or 1 */
    size_t n_runs;
    double p50; /* median over files, in the target scale; NaN if the side has none */
    /* usual value over units, in the target scale; NaN if the side has none. If the sides are compared, that of the new side
     * is that of the base, changed by the estimate */
    double location;
    /* typical ticks of all runs: the median of each file x its runs; 0 without times. Those of a group are the sum of its
     * events', see account/account.h. */
    double typical;
    double share; /* `typical` as a share of that of its block; NaN if unknown */
} eti_row_side;

#define ETI_NO_PAIR UINT32_MAX

typedef struct eti_diff_row {
    eti_row_side base, new_side;
    eti_text block;   /* label of the EventBlock */
    eti_text name;    /* name of the entry, from the new side if it is there, or of the group */
    uint8_t kind;     /* an eti_entry_kind: that of its entry; ETI_ENTRY_EVENT for groups */
    uint8_t match;    /* an eti_match_kind; ETI_MATCH_SAME for totals */
    uint8_t verdict;  /* an eti_verdict */
    uint8_t unjudged; /* an eti_unjudged */
    uint8_t
        metric; /* an eti_metric; ETI_METRIC_P50 if the units are runs, which have one time each */
    bool is_rest; /* the group of events without the property, or of the framework */
    const struct eti_family *family; /* of a part or a level; NULL for a total */
    bool is_level;      /* all events or groups of a pair alike: has neither entries nor times */
    bool is_compared;   /* `judged` and `change` are set: both sides have at least two units */
    bool is_measured;   /* judged as measured, not relative to other rows */
    bool is_unreadable; /* cannot be judged, because its family can be read in two ways */
    bool is_doubtful;   /* may be slower by more than the limit and the margin */
    uint32_t pair;      /* index of the pair of blocks, or ETI_NO_PAIR */
    double step;        /* step of the clock, in ticks of the new side; 0: none, or unknown */
    double weight;      /* median value over the units of both sides, in ticks of the new side */
    /* the change as measured, in logarithms: what people see. NaN if a side is missing */
    eti_shift shift;
    eti_shift judged; /* the same or, for a part, relative to the other rows of its family */
    double fast;      /* for a total, the estimate of the change of "fast"; NaN if it is unknown */
    double ratio;     /* exp(shift.estimate) */
    double delta;     /* location of the new side - base; a missing side counts as 0 */
    double impact;    /* delta / base of the total: 0.02 means that it makes the whole 2 % longer */
    eti_change change; /* of a part, relative to the levels of the files */
    double
        adjusted_p; /* one-sided, in the direction of the estimate; adjusted for all rows of the family */
    eti_gap gap; /* worst gap of the results that both sides recorded */
} eti_diff_row;

/* ==== verdicts ================================================================================ */
/* Judges the changes of rows by a limit: those of a comparison, and those of each rule of a gate. */

typedef enum eti_outcome {
    ETI_OUTCOME_SLOWER,
    ETI_OUTCOME_NOT_SLOWER, /* not slower by more than the limit and the margin */
    ETI_OUTCOME_CANNOT_TELL,
} eti_outcome;

/* Describes a limit and how certain its verdicts are. */
typedef struct eti_terms {
    double share;  /* of alpha; if parts are judged, half is for them and half for the level */
    double margin; /* 0.1: what passes is not slower by more than the limit and 10 % */
} eti_terms;

/* A row that is judged, with the smallest change that is forbidden, as a share. */
typedef struct eti_judged {
    const struct eti_diff_row *row;
    double limit;
    /* The result: */
    double p;        /* as in eti_diff_row.adjusted_p */
    uint8_t verdict; /* an eti_verdict; ETI_VERDICT_UNDECIDED if there are too few units */
    bool is_doubtful;
} eti_judged;

/* Reasons for an undecided answer. */
typedef enum eti_doubt {
    ETI_DOUBT_NONE,
    ETI_DOUBT_FEW_UNITS,
    ETI_DOUBT_FEW_RUNS, /* a file has fewer runs than the metric needs */
    ETI_DOUBT_JOBS,     /* the sides were recorded in different jobs */
    ETI_DOUBT_TWO_READINGS,
    ETI_DOUBT_CONTRADICTION, /* a total by p50 and by fast */
    ETI_DOUBT_NOISE,
    ETI_DOUBT_UNLIKE,  /* see eti__find_unlike() */
    ETI_DOUBT_NOTHING, /* no row can be judged: a comparison of nothing does not pass */
} eti_doubt;

typedef enum eti_unlike_kind {
    ETI_ALIKE,
    ETI_UNLIKE_BLOCKS,  /* only the base has the block */
    ETI_UNLIKE_EVENTS,  /* the sides have little in common */
    ETI_UNLIKE_WARM_UP, /* warm-up took many more runs of the new side */
} eti_unlike_kind;

/* Reason why a comparison in which nothing is slower does not pass. */
typedef struct eti_unlike {
    eti_unlike_kind kind;
    const struct eti_diff_pair *pair; /* the blocks; NULL if the sides are alike */
    /* shares of each side: of the time that the sides share, or of the runs that warm-up took */
    double base, new_side;
} eti_unlike;

#define ETI_MOST_NAMED 3 /* number of rows that a sentence names */

/* Describes what was judged by one limit. */
typedef struct eti_judgement {
    const struct eti_diff *diff;
    eti_outcome outcome;
    eti_doubt doubt;                  /* also about what is not slower, if something is */
    const struct eti_diff_pair *pair; /* of the doubt */
    eti_unlike unlike;                /* for ETI_DOUBT_UNLIKE */
    size_t n_units; /* number of units that each side of all pairs needs for a verdict */
    size_t n_judged, n_doubtful;
    double limit, margin;   /* of the doubtful row that is named first, or of the first row */
    const char *limit_unit; /* set by the caller for a limit that is not a share */
    double share;           /* doubtful rows as a share of the time; NaN if unknown */
    /* number of units per side that would decide; 0 if unknown, or if a measured change is above the limit */
    size_t n_needed;
    bool is_above; /* the measured change is above the limit */
    size_t n_named;
    const struct eti_diff_row *named[ETI_MOST_NAMED]; /* the doubtful ones with the most time */
} eti_judgement;

typedef struct eti_diff_rows {
    eti_diff_row *rows;
    size_t n;
    size_t n_changed; /* number of rows at the start that are shown without the option `all` */
    eti_judgement judgement;
} eti_diff_rows;

/* Rows of one pair of blocks that are judged together: its events, or its groups, that have times, or those that count
 * cycles. */
typedef struct eti_family {
    size_t n;
    bool is_of_groups, is_of_cycles;
    double time; /* sum of the weights of the rows */
    double *
        levels; /* per unit, base first, in logarithms; NULL if there are too few rows for a level */
    eti_shift level;              /* change of the levels; 0 without levels */
    double most_rows, most_kinds; /* changes, as measured, of most rows and of most kinds of them */
    bool has_two_readings;        /* the sides differ in one of these and not in the other */
    eti_text kind;                /* the kind that differs most from the rest */
    size_t n_of_kind;
    double kind_difference; /* median change of that kind - that of the other kinds */
} eti_family;

/* A pair of blocks; one block is NULL if only the other side has it. */
typedef struct eti_diff_pair {
    const eti_profile_block *base, *new_side;
    const eti_namesakes *namesakes_base, *namesakes_new; /* per entry of each block */
    const eti_entry *total_base, *total_new;             /* ETI_ENTRY_EXECUTE entries, or NULL */
    const eti_diff_row *total; /* row of these entries in the totals; NULL if it has no total */
    double typical_base, typical_new; /* typical ticks of all runs of each block */
    size_t n_base, n_new;             /* numbers of units */
    size_t n_runs;                    /* smallest number of runs of a file */
    bool is_whole;   /* all files that have a block with this name have this block */
    eti_ranks ranks; /* for these numbers of units */
    eti_family events, cycles, groups, cycle_groups;
} eti_diff_pair;

/* Numbers of events that were judged and that were not, by reason. */
typedef struct eti_coverage {
    size_t n_events, n_judged, n_small, n_no_time, n_missing, n_few_files, n_units, n_added,
        n_removed;
    double share; /* share of judged events in the time of all, on the new side; NaN if unknown */
} eti_coverage;

/* Each group belongs to one pair of blocks. Borrows from both profiles. */
typedef struct eti_diff {
    const struct eti_profile *base, *new_side;
    eti_diff_options options;
    double base_factor; /* ticks of the base / base_factor: time in the new side's target scale */
    double base_scale;  /* ticks of the new side per tick of the base; 1 unless clocks differ */
    eti_clocks clocks;  /* clocks of both sides */
    eti_clocks base_clocks; /* clocks of the base, if base_scale is not 1; otherwise empty */
    eti_metric metric;      /* metric in use */
    eti_arena arena;
    eti_diff_pair *pairs;
    size_t n_pairs;
    /* sentences must name the block of a row: several blocks of the new side have a total */
    bool names_blocks;
    /* in the order of blocks and kinds; then the levels, "all events alike" */
    eti_diff_rows totals;
    eti_diff_rows events;    /* changes first, the largest first */
    eti_diff_rows groups;    /* in the same order; empty without options.group */
    eti_diff_rows allocated; /* in the order of blocks; numbers are bytes, shares are unknown */
    eti_coverage coverage;
    size_t n_base, n_new;  /* number of units; the smallest of all pairs with a total */
    size_t fewest;         /* smallest number of units per side for a verdict */
    bool is_of_two_jobs;   /* the sides have different labels `job` */
    bool is_same_file;     /* a file of the base is also a file of the new side */
    eti_text same_file[2]; /* its name on each side */
    bool has_equal_ticks;  /* in every file, all runs of each event took the same number of ticks */
} eti_diff;

/* Reduces the runs of a file to one number. */
double eti__file_metric(const eti_file_times *times, eti_metric metric);

/* Returns whether a unit lacks the entry: one of its values is NaN. */
bool eti__has_missing(const double *values, size_t n);

/* Returns the larger share of both sides; NaN if neither is known. */
double eti__diff_row_share(const eti_diff_row *row);

/* Returns why an entry belongs to no family, or ETI_JUDGED if it belongs to one. It has these values in n >= 1 units,
 * NaN where a unit lacks it. To be judged, their median must be at least `least`. `scratch` has room for n values. */
eti_unjudged eti__find_unjudged(const double *values, size_t n, double least, double *scratch);

/* Returns the unit in which a side is counted; absent: time, or bytes of allocations. */
static inline eti_text eti__row_side_unit(const eti_row_side *side) {
    return side->entry ? side->entry->unit : (eti_text){NULL, 0};
}

/* Returns the same for a row: that of the new side, if it is there. */
static inline eti_text eti__diff_row_unit(const eti_diff_row *row) {
    return eti__row_side_unit(row->new_side.entry ? &row->new_side : &row->base);
}

/* Returns whether both sides have the row. */
static inline bool eti__diff_row_is_on_both(const eti_diff_row *row) {
    return row->base.n_events > 0 && row->new_side.n_events > 0;
}

/* Finds out whether rows must name their block, because rows of one kind belong to several blocks. Starts as all zeros;
 * add all rows that are named together, with a pointer that stands for their block. */
typedef struct eti_row_blocks {
    const void *first[ETI_ENTRY_ALLOCATED + 1]; /* per kind of entry: block of its first row */
    bool must_be_named;
} eti_row_blocks;

static inline void eti__row_blocks_add(eti_row_blocks *blocks, uint8_t kind, const void *block) {
    if (!blocks->first[kind])
        blocks->first[kind] = block;
    blocks->must_be_named = blocks->must_be_named || blocks->first[kind] != block;
}

/* Returns the events of the first pair that has a level of them, or NULL. */
const eti_family *eti__diff_events_with_level(const eti_diff *diff);

/* Counts an event that both sides have, or that the examined side has, by the reason why it belongs to no family. */
void eti__coverage_add(eti_coverage *coverage, eti_unjudged unjudged);

/* ==== diff ==================================================================================== */
/* Turns two profiles into the changes between them, of totals, Events and groups of Events, with
 * verdicts.
 *
 * Blocks are paired by name and bundled input; of several equal ones, the k-th are paired. Their
 * events are paired by profile/profile.h.
 *
 * The unit of evidence is the file (stats/stats.h). Events and groups are compared relative to
 * the level of their file, which is that of most events; totals are compared as measured. Totals,
 * events and groups are a family of tests each: the families share alpha, and p-values are
 * adjusted by Holm's method within each. If a side has fewer files than stats/stats.h requires,
 * rows have ratios but no verdicts. */

/* Compares two profiles. Fails with ETI_ERROR_USAGE if options are out of range, a group is unknown, or the sides
 * differ in time scale, method, labels or the unit of an event without options.allow_unlike; with ETI_ERROR_DATA if there is no pair of
 * blocks; or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__diff_make(eti_diff *out, const struct eti_profile *base,
                          const struct eti_profile *new_side, const eti_diff_options *options,
                          eti_error *err) ETI_WARN_UNUSED;
void eti__diff_free(eti_diff *diff);

/* Judges n rows that are compared; `diff` has them. They are totals, or parts and the levels of these. Rows of a level come
 * last. Returns false if memory runs out. */
bool eti__judge(eti_judgement *out, const eti_diff *diff, const eti_terms *terms, eti_judged *rows,
                size_t n);

/* Returns whether `share` is enough to judge the level of a family: the sides were recorded in turns, its changes can be read
 * in one way, and there are enough units. */
bool eti__level_is_checked(const eti_diff *diff, const eti_diff_row *level, double share);

/* Adds a row to the named ones, by its share of the time. */
void eti__judgement_name(eti_judgement *judgement, const eti_diff_row *row);

/* Checks the options. Fails with ETI_ERROR_USAGE if a number is out of range. */
eti_status eti__diff_check_options(const eti_diff_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== outcome ================================================================================= */
/* Turns verdicts into an answer in words.
 *
 * diff, gate and measure give the same answers: "slower"; "not slower", if the intervals lie below the limit and
 * the margin; or "cannot tell", with the reason and a remedy. */

/* Returns a cell with the number of files that are needed; empty if it is unknown. */
static inline eti_cell eti__files_needed_cell(size_t n_needed) {
    if (n_needed == 0)
        return (eti_cell){.kind = ETI_CELL_NONE};
    return eti__count_cell(n_needed);
}

/* If events that both sides have take less than this share of the time of a side, the sides have little in common. */
#define ETI_LITTLE_IN_COMMON 0.5

/* Holds everything that the leading sentence of a comparison states. */
typedef struct eti_answer {
    const eti_diff *diff;
    eti_outcome outcome;
    size_t n_slower, n_faster;  /* number of events; of groups if `parts` are groups */
    const eti_diff_rows *parts; /* the events, or the groups, that n_slower and n_faster count */
    const eti_diff_row *total;  /* worst of the judged totals; NULL if none is judged */
    size_t n_needed; /* number of units per side that would decide; 0 if unknown or decided */
    /* share of each side's time in events that both have; NaN if unknown */
    double shared_base, shared_new;
} eti_answer;

/* Names the rows of two sides that are compared: those that is_about() selects, or all if it is NULL. */
typedef struct eti_compared_rows {
    const eti_diff *diff;
    const eti_diff_rows *rows;
    bool (*is_about)(const void *rule, const eti_diff_row *row);
    const void *rule;
    bool compares;     /* false: a limit for the new side */
    bool are_parts;    /* events or groups, which are compared only if both sides have them */
    bool have_warm_up; /* the times depend on which runs are warm-up */
} eti_compared_rows;

/* Finds why a comparison, in which nothing is slower, must not pass: only the base has a block that it is about, the sides
 * of a block have little in common, or warm-up took many more runs of the new side. `are_checked` says which pairs have
 * judged rows. Returns false if memory runs out. */
bool eti__find_unlike(eti_unlike *out, const eti_compared_rows *of, const bool *are_checked);
/* Appends this reason; `things` names the compared items, such as "events". */
void eti__add_unlike(eti_buffer *out, const eti_diff *diff, const eti_unlike *unlike,
                     const char *things, bool names_blocks);

/* Finds the answer of a comparison. Borrows from `diff`. */
eti_answer eti__diff_answer(const eti_diff *diff);

/* Returns a bound of an interval as a share; NaN if too few units give none. */
static inline double eti__share_of_bound(double log_bound) {
    return isfinite(log_bound) ? expm1(log_bound) : (double)NAN;
}

/* Appends a change and its interval, such as "18.2 % slower (between 12.1 % and 24.3 %)"; "18.2 % slower by p90 (...)" if
 * the metric is not p50. */
void eti__add_size_of(eti_buffer *out, const eti_diff_row *row);
/* Appends "addmm is " and that. */
void eti__add_changed_row(eti_buffer *out, const eti_diff_row *row, bool names_block);
/* Appends "Method::execute is between 2.7 % faster and 5.6 % slower". */
void eti__add_unchanged_row(eti_buffer *out, const eti_diff_row *row, bool names_block);
/* Appends "; the limit is 5 % with a margin of 10 %", or with a unit, "; the limit is +20 us"; 0: no margin. */
void eti__add_limit(eti_buffer *out, double limit, const char *unit, double margin);
/* Appends the reasons of n undecided judgements, and the number of files that would decide. */
void eti__add_doubts(eti_buffer *out, const eti_diff *diff, const eti_judgement *const *judgements,
                     size_t n);
/* Appends "5 and 5 files", or runs. */
void eti__add_units(eti_buffer *out, const eti_diff *diff);

/* Number of events that were not checked for a reason. */
typedef struct eti_reason {
    size_t n;
    const char *words;
} eti_reason;

/* Appends the reasons with a number above 0, such as "274 below min_share, 3 with a time of 0"; `before` precedes the
 * first. */
void eti__add_reasons(eti_buffer *out, const char *before, const eti_reason *reasons, size_t n);
/* Appends "checked 11 of 285 events (97.1 % of the time); 274 below min_share, 3 with a time of 0". */
void eti__add_coverage(eti_buffer *out, const eti_coverage *coverage);

/* Ends each answer with one_process, because such an answer does not apply to the program in general. */
#define ETI_ONE_PROCESS_NOTE                                                                       \
    "this applies only to the runs of these processes; another process of the same program may "   \
    "differ"

/* ==== diff notes ============================================================================== */
/* Turns facts of a comparison into lines below its tables. Each function adds the lines that apply
 * to the section that was added last, or none; reports of diff and gate share them. All fail with
 * ETI_ERROR_MEMORY. */

/* Adds that both sides are the same file, or have little in common; these notes come after the answer, before all others. */
eti_status eti__note_sides(eti_report *report, const eti_diff *diff, const eti_answer *answer,
                           eti_error *err) ETI_WARN_UNUSED;

/* Adds that the runs that are compared depend on the previous ones, so that they count as fewer. */
eti_status eti__note_dependence(eti_report *report, const eti_diff *diff,
                                eti_error *err) ETI_WARN_UNUSED;

/* Adds how single events are judged if all events changed, or if their changes can be read in two ways. Names the metric of the
 * comparison if `names_metric` is set. */
eti_status eti__note_readings(eti_report *report, const eti_diff *diff, bool names_metric,
                              eti_error *err) ETI_WARN_UNUSED;

/* Adds a note if the changes of a total by p50 and by fast differ. */
eti_status eti__note_metrics(eti_report *report, const eti_diff *diff,
                             eti_error *err) ETI_WARN_UNUSED;

/* ==== diff report ============================================================================= */
/* Functions shared by the reports about profiles. */

/* Implements the function of etinspect.h; `options` may be NULL. */
eti_status eti__diff_report(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                            const eti_diff_options *options, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__noise_report(eti_report **out, const eti_profile *profile,
                             const eti_diff_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== row label =============================================================================== */
/* Names rows in sentences and tables such that namesakes differ. */

/* Appends " of " and the label of a block. */
void eti__add_row_block(eti_buffer *out, eti_text label);

/* Returns the namesakes of a row, on the side on which it has its name; NULL for a total or a group. */
const eti_namesakes *eti__row_namesakes(const eti_diff_row *row);

/* Appends the label of a row (eti__add_entry_label()); the name of a group is enough. If `names_block`, the label of the
 * block follows, as in "addmm of forward". */
void eti__add_row(eti_buffer *out, const eti_diff_row *row, bool names_block);

/* Returns the label without the module, which tables show beside it; absent if the name is enough. */
eti_text eti__label_beside_module(const eti_namesakes *namesakes);

/* Whether people need labels or modules to distinguish the rows of a table. Starts as all zeros. */
typedef struct eti_row_needs {
    bool labels, modules;
} eti_row_needs;

/* Adds what an event or a row needs; namesakes may be NULL. */
void eti__needs_add(eti_row_needs *needs, const eti_entry *entry, const eti_namesakes *namesakes);
void eti__needs_add_row(eti_row_needs *needs, const eti_diff_row *row);

/* Shows these to people in a table with names in the column `name`, whose cells have these labels. */
void eti__needs_show(const eti_row_needs *needs, eti_table *table, const char *name);

#endif
