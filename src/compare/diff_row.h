/*
 * diff_row.h - defines pairs of blocks, and rows with both sides of a total, an Event or a group.
 *
 * The unit of evidence is the file or, with options.one_process, the run. Each row has a value for
 * each unit of its block: the location of its runs (stats/stats.h), or another metric of them.
 */
#ifndef ETI_COMPARE_DIFF_ROW_H
#define ETI_COMPARE_DIFF_ROW_H

#include "account/account.h"
#include "base/arena.h"
#include "compare/namesakes.h"
#include "compare/options.h"
#include "profile/profile.h"
#include "stats/stats.h"

/* Reason why a row that both sides have belongs to no family of tests. */
typedef enum eti_unjudged {
    ETI_JUDGED,
    ETI_UNJUDGED_FEW_FILES, /* a side has fewer units than a verdict needs */
    ETI_UNJUDGED_SMALL,     /* below options.min_share of the total */
    ETI_UNJUDGED_NO_TIME,   /* its time is 0 in a unit */
    ETI_UNJUDGED_MISSING,   /* a file of a side lacks it */
    ETI_UNJUDGED_PART,      /* it is a total that is part of another */
} eti_unjudged;

/* One side of a row. Times are ticks. */
typedef struct eti_row_side {
    const eti_entry *entry; /* NULL if added or removed; for a group, its largest event */
    const eti_namesakes
        *namesakes;              /* of the entry; NULL for a total, a group or without an entry */
    const eti_file_times *times; /* per file of the block; NULL if the side has no times */
    const uint64_t *ticks;       /* per run of the block; NULL if not kept */
    size_t n_events;             /* number of events of a group; otherwise 0 or 1 */
    size_t n_runs;
    double p50; /* median over files, in the target scale; NaN if the side has none */
    /* geometric mean of the metric over units, in the target scale; NaN if the side has none */
    double location;
    double share; /* share of the total (ETI_ENTRY_EXECUTE) of its block; NaN if unknown */
} eti_row_side;

#define ETI_NO_PAIR UINT32_MAX

typedef struct eti_diff_row {
    eti_row_side base, new_side;
    eti_text block;    /* label of the EventBlock */
    eti_text name;     /* name of the entry, from the new side if it is there, or of the group */
    uint8_t kind;      /* an eti_entry_kind: that of its entry; ETI_ENTRY_EVENT for groups */
    uint8_t match;     /* an eti_match_kind; ETI_MATCH_SAME for totals */
    uint8_t verdict;   /* an eti_verdict */
    uint8_t unjudged;  /* an eti_unjudged */
    bool is_relative;  /* `ratio` and `change` are relative to the level of the files */
    bool is_rest;      /* the group of events without the property, or of the framework */
    bool is_compared;  /* `change`, `interval`, `adjusted_p` and `detectable` are set */
    uint32_t pair;     /* index of the pair of blocks, or ETI_NO_PAIR */
    uint32_t n_judged; /* for a group: number of its events that are judged individually */
    double step;       /* step of the clock, in ticks of the new side; 0: none, or unknown */
    /* location of the new side / base, as measured; NaN if a side is missing */
    double raw_ratio;
    double ratio;  /* raw_ratio, relative to the level if is_relative */
    double delta;  /* location of the new side - base; a missing side counts as 0 */
    double impact; /* delta / base of the total: 0.02 means that it makes the whole 2 % longer */
    eti_change change;     /* change of logarithms */
    eti_interval interval; /* confidence interval of `ratio` */
    double adjusted_p;
    double detectable; /* smallest change that could have been detected, as a share */
    eti_gap gap;       /* worst gap of the results that both sides recorded */
} eti_diff_row;

typedef struct eti_diff_rows {
    eti_diff_row *rows;
    size_t n;
    size_t n_family;  /* number of compared rows, which were tested together */
    size_t n_changed; /* number of rows at the start that are shown without the option `all` */
    double alpha;     /* alpha of the family */
    /* detectable change of the family's median row; NaN if the family is empty */
    double detectable;
} eti_diff_rows;

/* A pair of blocks; one block is NULL if only the other side has it. */
typedef struct eti_diff_pair {
    const eti_profile_block *base, *new_side;
    const eti_namesakes *namesakes_base, *namesakes_new; /* per entry of each block */
    const eti_entry *total_base, *total_new;             /* ETI_ENTRY_EXECUTE entries, or NULL */
    const eti_diff_row *total; /* row of these entries in the totals; NULL if it has no total */
    size_t n_base, n_new;      /* numbers of units */
    size_t n_judged;           /* number of its events that are judged individually */
    bool is_whole;             /* all files that have a block with this name have this block */
    double *levels;      /* per unit, base first, in logarithms; NULL if events have no level */
    size_t n_level_rows; /* number of events from which the levels were found */
    /* change of the level from base to new side; p is tested like that of totals */
    eti_change level;
    bool has_level_test; /* level.p is set */
} eti_diff_pair;

/* Numbers of events that were judged and that were not, by reason. */
typedef struct eti_coverage {
    size_t n_events, n_judged, n_small, n_no_time, n_missing, n_few_files, n_added, n_removed;
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
    eti_metric metric;      /* metric in use: p50 if a side has no locations */
    eti_arena arena;
    eti_diff_pair *pairs;
    size_t n_pairs;
    /* sentences must name the block of a row: several blocks of the new side have a total */
    bool names_blocks;
    eti_diff_rows totals;    /* in the order of blocks and kinds */
    eti_diff_rows events;    /* changes first, the largest first */
    eti_diff_rows groups;    /* in the same order; empty without options.group */
    eti_diff_rows allocated; /* in the order of blocks; numbers are bytes, shares are unknown */
    eti_coverage coverage;
    size_t n_base, n_new;  /* number of units; the smallest of all pairs with a total */
    size_t fewest;         /* smallest number of units per side for a verdict */
    bool is_same_file;     /* a file of the base is also a file of the new side */
    eti_text same_file[2]; /* its name on each side */
    bool has_equal_ticks;  /* in every file, all runs of each event took the same number of ticks */
} eti_diff;

/* Reduces the runs of a file to one number. */
double eti__file_metric(const eti_file_times *times, eti_metric metric);

/* Returns whether a unit lacks the entry: one of its values is NaN. */
bool eti__has_missing(const double *values, size_t n);

/* Returns why an entry belongs to no family, or ETI_JUDGED if it belongs to one. It has these values in n >= 1 units,
 * NaN where a unit lacks it. To be judged, their median must be at least `least`. `scratch` has room for n values. */
eti_unjudged eti__find_unjudged(const double *values, size_t n, double least, double *scratch);

/* Returns a row with the members that need neither units nor tests; either side may be absent. */
eti_diff_row eti__diff_row_of(const eti_diff *diff, uint32_t pair, const eti_entry *base,
                              const eti_entry *new_side);

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

/* Returns whether the rows must name their block. */
bool eti__diff_rows_name_blocks(const eti_diff *diff, const eti_diff_rows *rows);

/* Counts an event that both sides have, or that the examined side has, by the reason why it belongs to no family. */
void eti__coverage_add(eti_coverage *coverage, eti_unjudged unjudged);

/* Fills the values of a row in the units of its block, in ticks of the new side, base first; `out` has room for pair->n_base +
 * pair->n_new values. Returns false if a value is unknown. */
bool eti__diff_row_values(const eti_diff *diff, const eti_diff_row *row, double *out);

/* Fills the row's locations, ratios, delta, impact and shares of `total`, the row of its block's total; NULL: no
 * total. `scratch` has room for the units of a side. */
void eti__diff_set_sizes(const eti_diff *diff, eti_diff_row *row, const eti_diff_row *total,
                         double *scratch);

#endif
