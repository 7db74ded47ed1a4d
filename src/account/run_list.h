/*
 * run_list.h - turns accounts of EventBlocks into the times of each run by role, the warm-up runs
 * and the outliers.
 *
 * A run is compared only with runs of its own block after the warm-up, because another block is
 * another program or another input.
 */
#ifndef ETI_ACCOUNT_RUN_LIST_H
#define ETI_ACCOUNT_RUN_LIST_H

#include "account/account.h"
#include "model/model.h"
#include "stats/stats.h"

/* Smallest number of runs after the warm-up that can have outliers. */
#define ETI_LEAST_RUNS 5

/* A run of a block. */
typedef struct eti_run_times {
    uint32_t block;                    /* index into list->blocks */
    uint32_t number;                   /* index of the run in its block */
    uint64_t ticks[ETI_N_TIMED_ROLES]; /* self times by role; they add up to account->whole */
    /* time of Method::execute or, without it, of all Events; in the target time scale */
    double elapsed;
    /* elapsed / median of the block's runs after the warm-up, minus 1; 0 if the median is 0 */
    double deviation;
    double z; /* modified z-score among the same runs; see stats/summary.h */
    bool is_warm_up, is_outlier;
    bool is_first; /* first run of its ETDump; false for all if skip_first left out runs */
} eti_run_times;

typedef struct eti_run_block {
    const eti_event_block *block;
    uint32_t execute; /* number of Method::execute, or ETI_NO_EVENT */
    size_t first;     /* index into list->runs */
    size_t n_warm_up;
    double median;       /* median of the runs after the warm-up */
    eti_run_trend trend; /* trend of these runs */
    double correlation;  /* correlation of each of these runs with the previous one */
} eti_run_block;

/* Initialize to all zeros. */
typedef struct eti_run_list {
    eti_run_times *runs; /* by block, in the order of the runs */
    size_t n_runs, run_capacity;
    eti_run_block *blocks;
    size_t n_blocks, block_capacity;
    uint64_t n_events[ETI_N_TIMED_ROLES]; /* number of counted Events, in all blocks */
    uint64_t n_calls[ETI_N_TIMED_ROLES];  /* number of profile events of all runs */
    double factor;                        /* ticks / factor is a time in the target scale */
    bool has_execute;                     /* whether every block has Method::execute */
    /* Sums over all accounts; see account.h. */
    uint64_t n_outside, n_full_calls, n_uncounted, n_repeated;
    eti_time_faults faults;
} eti_run_list;

/* Adds the runs of a block. Returns false if memory runs out. */
bool eti__run_list_add(eti_run_list *list, const eti_account *account);
/* Sets is_first; call it after all blocks were added. Returns false if memory runs out. */
bool eti__run_list_find_first(eti_run_list *list, const eti_inspector *inspector);
/* Adds all selected blocks that do more than load, or all selected blocks if none does. Fails with ETI_ERROR_MEMORY;
 * free `out` in any case. */
eti_status eti__run_list_make(eti_run_list *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__run_list_free(eti_run_list *list);

/* Returns the time of Method::execute in a run or, without it, of all counted Events; in the target time scale. */
double eti__run_elapsed(const eti_account *account, size_t run);

/* Returns whether a run is an outlier among the n runs of its block after the warm-up, of which it is one. */
bool eti__run_is_outlier(const eti_spread *spread, size_t n, double elapsed);

/* Returns the sum of a run's self times in the roles from `first` to `last`. */
uint64_t eti__run_ticks(const eti_run_times *run, eti_role first, eti_role last);

#endif
