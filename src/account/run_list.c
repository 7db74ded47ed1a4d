#include "account/run_list.h"

#include "account/blocks.h"

#include <stdlib.h>

/* ---- warm-up runs and outliers --------------------------------------------------------------- */

double eti__run_elapsed(const eti_account *account, size_t run) {
    const eti_event_block *block = account->block;
    return account->execute != ETI_NO_EVENT ? block->raw[account->execute * block->n_runs + run]
                                            : eti__account_time(account, account->whole[run]);
}

bool eti__run_is_outlier(const eti_spread *spread, size_t n, double elapsed) {
    return n >= ETI_LEAST_RUNS && eti__is_outlier(spread, elapsed);
}

static void judge_runs(eti_run_times *runs, size_t n, const eti_spread *spread, size_t n_settled) {
    for (size_t i = 0; i < n; i++) {
        eti_run_times *run = &runs[i];
        run->z = eti__modified_z(spread, run->elapsed);
        run->deviation = spread->median > 0 ? run->elapsed / spread->median - 1 : 0;
        run->is_outlier = !run->is_warm_up && eti__run_is_outlier(spread, n_settled, run->elapsed);
    }
}

static bool judge_block(eti_run_list *list, eti_run_block *block) {
    size_t n = list->n_runs - block->first, n_settled = 0;
    eti_run_times *runs = list->runs + block->first;
    double *settled = malloc((3 * n + 1) * sizeof *settled);
    if (!settled)
        return false;
    double *scratch = settled + n;
    for (size_t i = 0; i < n; i++) {
        if (!runs[i].is_warm_up)
            settled[n_settled++] = runs[i].elapsed;
    }
    if (n_settled > 0) {
        eti_spread spread = eti__spread_of(settled, n_settled, scratch);
        block->median = spread.median;
        judge_runs(runs, n, &spread, n_settled);
    }
    block->trend = eti__trend_of(settled, n_settled, scratch);
    block->correlation = eti__lag_correlation(settled, n_settled, scratch);
    free(settled);
    return true;
}

/* ---- adding ---------------------------------------------------------------------------------- */

/* Adds ticks from the first event to the last, in the order of the samples in memory. */
static void add_ticks(eti_run_list *list, const eti_account *account, eti_run_times *runs) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        const eti_event_account *event = &account->events[i];
        if (!event->is_counted)
            continue;
        eti_role role = eti__account_role(account, i);
        const uint64_t *self = eti__account_self(account, i);
        for (size_t run = 0; run < account->block->n_runs; run++)
            runs[run].ticks[role] += self[run];
        list->n_events[role]++;
        list->n_calls[role] += event->n_calls;
    }
}

static void add_counts(eti_run_list *list, const eti_account *account) {
    list->factor = account->factor;
    list->has_execute =
        (list->has_execute || list->n_blocks == 1) && account->execute != ETI_NO_EVENT;
    list->n_outside += account->n_outside;
    list->n_full_calls += account->n_full_calls;
    list->n_uncounted += account->n_uncounted;
    eti__time_faults_join(&list->faults, &account->faults);
    list->n_repeated += account->n_repeated;
}

bool eti__run_list_add(eti_run_list *list, const eti_account *account) {
    const eti_event_block *block = account->block;
    size_t n = block->n_runs;
    if (!ETI_GROW(list->blocks, list->block_capacity, list->n_blocks + 1) ||
        !ETI_GROW(list->runs, list->run_capacity, list->n_runs + n))
        return false;
    eti_run_block *added = &list->blocks[list->n_blocks];
    *added = (eti_run_block){.block = block,
                             .execute = account->execute,
                             .first = list->n_runs,
                             .n_warm_up = account->n_warm_up};
    eti_run_times *runs = list->runs + list->n_runs;
    for (size_t run = 0; run < n; run++)
        runs[run] = (eti_run_times){.block = (uint32_t)list->n_blocks,
                                    .number = (uint32_t)run,
                                    .elapsed = eti__run_elapsed(account, run),
                                    .is_warm_up = account->is_warm_up[run]};
    list->n_runs += n;
    list->n_blocks++;
    add_ticks(list, account, runs);
    add_counts(list, account);
    return judge_block(list, added);
}

bool eti__run_list_find_first(eti_run_list *list, const eti_inspector *inspector) {
    eti_run_times **first = calloc(inspector->n_dumps + 1, sizeof *first);
    uint32_t *index = calloc(inspector->n_dumps + 1, sizeof *index);
    bool done = first && index;
    for (size_t i = 0; i < list->n_runs && done && inspector->n_skipped_runs == 0; i++) {
        eti_run_times *run = &list->runs[i];
        const eti_block_run *recorded = &list->blocks[run->block].block->runs[run->number];
        size_t dump = (size_t)(recorded->dump - inspector->dumps);
        if (first[dump] && index[dump] <= recorded->index)
            continue;
        first[dump] = run;
        index[dump] = recorded->index;
    }
    for (size_t i = 0; i < inspector->n_dumps && done; i++) {
        if (first[i])
            first[i]->is_first = true;
    }
    free(first);
    free(index);
    return done;
}

eti_status eti__run_list_make(eti_run_list *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    *out = (eti_run_list){.factor = 1};
    bool no_loading = eti__blocks_leave_out_loading(inspector, options);
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (!eti__block_is_summed(options, block, no_loading))
            continue;
        eti_account account;
        ETI_TRY(eti__account_new(&account, block, &inspector->options, err));
        bool is_added = eti__run_list_add(out, &account);
        eti__account_free(&account);
        if (!is_added)
            return eti_fail_memory(err);
    }
    return eti__run_list_find_first(out, inspector) ? ETI_OK : eti_fail_memory(err);
}

void eti__run_list_free(eti_run_list *list) {
    free(list->runs);
    free(list->blocks);
    *list = (eti_run_list){0};
}

uint64_t eti__run_ticks(const eti_run_times *run, eti_role first, eti_role last) {
    uint64_t ticks = 0;
    for (int role = (int)first; role <= (int)last; role++)
        ticks += run->ticks[role];
    return ticks;
}
