/*
 * slow_runs.h - finds how much of the time of EventBlocks is in outlier runs that took longer than the median.
 *
 * Sums, averages and shares include outliers, so that one slow run may decide the order of a table.
 */
#ifndef ETI_ACCOUNT_SLOW_RUNS_H
#define ETI_ACCOUNT_SLOW_RUNS_H

#include "account/account.h"
#include "model/model.h"

/* Share of the time that outliers may add without changing what a table means. */
#define ETI_SLOW_RUNS_MATTER 0.05

/* Initialize to all zeros. Times are in the target scale. */
typedef struct eti_slow_runs {
    double total;  /* time of all runs after the warm-up */
    double excess; /* time of slow outliers (run_list.h) above the median run of their block */
    size_t n;      /* number of these runs */
    /* the run with the largest excess: its block, its number, and its time / that of the median run */
    const eti_event_block *block;
    uint32_t number;
    double most_excess, ratio;
} eti_slow_runs;

/* Adds the runs of a block. Returns false if memory runs out. */
bool eti__slow_runs_add(eti_slow_runs *runs, const eti_account *account);
/* Adds the runs of other blocks. */
void eti__slow_runs_join(eti_slow_runs *out, const eti_slow_runs *joined);

/* Returns whether outliers add more than ETI_SLOW_RUNS_MATTER of the time. */
bool eti__slow_runs_matter(const eti_slow_runs *runs);

#endif
