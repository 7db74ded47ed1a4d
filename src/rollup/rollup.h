/*
 * rollup.h - adds up the self times of events by group, for any grouping.
 *
 * Each event belongs to one group and only self times are added, so the groups of any grouping add
 * up to the whole: Method::execute or, without it, all Events that ran. Events of loading, and all
 * Events inside them, are left out unless there are no others. Warm-up runs are left out, see
 * account/account.h.
 *
 * Statistics are those of the per-run sums of a group, over the runs of all EventBlocks that have
 * an Event of the group. A run that took another branch does not count.
 */
#ifndef ETI_ROLLUP_ROLLUP_H
#define ETI_ROLLUP_ROLLUP_H

#include "account/account.h"
#include "base/numbers.h"
#include "model/model.h"
#include "rollup/attributed_times.h"

#define ETI_NO_GROUP UINT32_MAX

/* A sum of 64-bit counters; it does not overflow. */
typedef eti_wide eti_ticks;

typedef struct eti_group {
    eti_ticks total;
    /* those of operators, or of all events if the group has no operator */
    uint64_t n_events, n_calls;
    uint64_t n_work_events;
    size_t n_runs;
    uint32_t newest_block; /* index into rollup->parts; ETI_NO_GROUP if there is none */
} eti_group;

/* A group in one block. */
typedef struct eti_group_part {
    uint32_t next;    /* an older part of the group */
    uint32_t n_runs;  /* number of runs of the block */
    size_t first_sum; /* index into rollup->sums; n_runs sums follow */
    size_t first_run; /* index of the block's first run among the runs of all blocks */
} eti_group_part;

/* The sum of a run; if `has_events` is false, the run has no event of the groups. */
typedef struct eti_group_sum {
    eti_ticks ticks;
    bool has_events;
} eti_group_sum;

/* Initialize to all zeros. */
typedef struct eti_rollup {
    eti_group *groups;
    size_t n_groups, group_capacity;
    eti_group_part *parts;
    size_t n_parts, part_capacity;
    uint64_t *sums; /* ticks */
    size_t n_sums, sum_capacity;
    eti_ticks whole;
    double factor; /* ticks / factor is a time in the target scale */
    eti_run_counts runs;
    eti_slow_runs slow_runs;
    size_t most_runs;     /* n_runs of the group with the most runs */
    uint64_t n_uncounted; /* see account/account.h */
    eti_rounding rounding;
    eti_attributed_times attributed;
} eti_rollup;

/* Sets the group of each Event of a block, as a small number. The value is ETI_NO_GROUP before the call; left
 * unchanged, it excludes the Event. Returns false if memory runs out. */
typedef bool (*eti_group_function)(void *context, const eti_account *account, uint32_t *groups);

/* Adds up the blocks selected by the options. `accounts`, one per block of the inspector, are made if they are all
 * zeros and kept for the next rollup; NULL: accounts are not kept. Fails with ETI_ERROR_MEMORY; free `out` in any
 * case. */
eti_status eti__rollup_make(eti_rollup *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_account *accounts,
                            eti_group_function group_events, void *context,
                            eti_error *err) ETI_WARN_UNUSED;
/* Adds to `out` the counts of another rollup, of other blocks, that notes need: its runs, slow ones, Events without a
 * time, rounding and times of delegates. */
void eti__rollup_join_counts(eti_rollup *out, const eti_rollup *joined);
void eti__rollup_free(eti_rollup *rollup);

/* Converts ticks to the target time scale. */
double eti__rollup_time(const eti_rollup *rollup, eti_ticks ticks);
/* Returns ticks as a share of the whole; 0 if the whole is 0. */
double eti__rollup_share(const eti_rollup *rollup, eti_ticks ticks);

/* Summarizes the per-run sums of a group; returns false if the group has no runs. `scratch` has room for 2 *
 * most_runs values. */
bool eti__rollup_summarize(const eti_rollup *rollup, size_t group, double *scratch,
                           eti_summary *out);

/* Summarizes the per-run sums of several groups together; returns false if none of them has runs. `scratch` has room
 * for 2 * runs.n values, `sums` for runs.n. */
bool eti__rollup_summarize_groups(const eti_rollup *rollup, const uint32_t *groups, size_t n,
                                  eti_group_sum *sums, double *scratch, eti_summary *out);

/* Fills `order`, which has room for all groups, with the groups that have Events, by total, largest first, then by
 * number. Returns the number of these groups. */
size_t eti__rollup_sort(const eti_rollup *rollup, uint32_t *order);

#endif
