/*
 * rollup.h - adds up the own times of events by group, whatever the groups are.
 *
 * Each event belongs to one group and only own times are added, so the groups of any grouping add up to the
 * whole: Method::execute, or all that ran where there is none. Events of loading are left out, with all
 * that is inside them, unless there is nothing else at all.
 *
 * Statistics are those of the per-run sums of a group, over the runs of all EventBlocks that have an event of
 * it: a run that took another branch says nothing about it.
 */
#ifndef ETI_ACCOUNT_ROLLUP_H
#define ETI_ACCOUNT_ROLLUP_H

#include "account/account.h"
#include "account/options.h"
#include "base/wide.h"

#define ETI_NO_GROUP UINT32_MAX

/* Sums of many counters of 64 bits do not overflow. */
typedef eti_wide eti_ticks;

typedef struct eti_group {
    eti_ticks total;
    uint64_t n_events, n_calls; /* of operators alone, unless it has none */
    uint64_t n_work_events;
    size_t n_runs;
    uint32_t newest_block; /* in rollup->parts; ETI_NO_GROUP: none */
} eti_group;

/* A group in one block. */
typedef struct eti_group_part {
    uint32_t next;    /* an older one of the group */
    uint32_t n_runs;  /* of the block */
    size_t first_sum; /* in rollup->sums: n_runs of them */
} eti_group_part;

/* Starts as all zeros. */
typedef struct eti_rollup {
    eti_group *groups;
    size_t n_groups, group_capacity;
    eti_group_part *parts;
    size_t n_parts, part_capacity;
    uint64_t *sums; /* ticks */
    size_t n_sums, sum_capacity;
    eti_ticks whole;
    double factor;            /* ticks / factor is a time in the target scale */
    size_t n_runs, most_runs; /* of all blocks; of the longest group */
    uint64_t n_uncounted;     /* see account.h */
} eti_rollup;

/* Sets the groups of the events of a block, one number per event, small ones; they are ETI_NO_GROUP to begin
 * with, which leaves an event out. False: out of memory. */
typedef bool (*eti_group_function)(void *context, const eti_account *account, uint32_t *groups);

/* Adds up the blocks that the options let in. `accounts`, one per block of the inspector, are made where they are
 * all zeros, and kept for the next rollup; NULL: none is kept. ETI_ERROR_MEMORY; to be freed in any case. */
eti_status eti__rollup_make(eti_rollup *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_account *accounts,
                            eti_group_function group_events, void *context,
                            eti_error *err) ETI_WARN_UNUSED;
void eti__rollup_free(eti_rollup *rollup);

/* In the target time scale. */
double eti__rollup_time(const eti_rollup *rollup, eti_ticks ticks);
/* 0 where the whole is 0. */
double eti__rollup_share(const eti_rollup *rollup, eti_ticks ticks);

/* Of the per-run sums of a group; false when it has no runs. `scratch` has room for 2 * most_runs values. */
bool eti__rollup_summarize(const eti_rollup *rollup, size_t group, double *scratch,
                           eti_summary *out);

/* The groups that have events, in `order`, which has room for all: by total, largest first, then in the order of
 * numbers. Returns how many. */
size_t eti__rollup_sort(const eti_rollup *rollup, uint32_t *order);

#endif
