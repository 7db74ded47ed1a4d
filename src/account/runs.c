#include "account/account.h"

#include "account/calls.h"

#include <stdlib.h>

/* ==== run list ================================================================================ */

/* ---- warm-up runs and outliers --------------------------------------------------------------- */

/* Returns the time of Method::execute in a run or, without it or if the run has several lanes, the time in which a counted
 * Event ran; in the target time scale. */
static double run_elapsed(const eti_account *account, size_t run) {
    const eti_event_block *block = account->block;
    return account->execute != ETI_NO_EVENT && account->n_lanes == 1
               ? block->raw[account->execute * block->n_runs + run]
               : eti__account_time(account, account->elapsed[run]);
}

/* Returns whether a run is an outlier among the n runs that its block has in its ETDump after the warm-up, of which it
 * is one. */
static bool run_is_outlier(const eti_spread *spread, size_t n, double elapsed) {
    return n >= ETI_LEAST_RUNS && eti__is_outlier(spread, elapsed);
}

/* Copies the times of the runs after the warm-up, in order, and returns their number. */
static size_t copy_settled(const eti_run_times *runs, size_t n, double *settled) {
    size_t n_settled = 0;
    for (size_t i = 0; i < n; i++) {
        if (!runs[i].is_warm_up)
            settled[n_settled++] = runs[i].elapsed;
    }
    return n_settled;
}

static double deviation_from(double median, double elapsed) {
    return median > 0 ? elapsed / median - 1 : 0;
}

/* Judges the runs of an ETDump. `block_median` is that of all ETDumps. `scratch` has room for three numbers per run. */
static void judge_dump(eti_dump_runs *dump, eti_run_times *runs, double block_median,
                       double *scratch) {
    double *settled = scratch;
    size_t n_settled = copy_settled(runs, dump->n, settled);
    scratch += n_settled;
    if (n_settled == 0)
        return;
    eti_spread spread = eti__spread_of(settled, n_settled, scratch);
    dump->median = spread.median;
    dump->n_warm_up = dump->n - n_settled;
    double median = n_settled >= ETI_LEAST_RUNS ? dump->median : block_median;
    for (size_t i = 0; i < dump->n; i++) {
        eti_run_times *run = &runs[i];
        run->z = eti__modified_z(&spread, run->elapsed);
        run->deviation = deviation_from(median, run->elapsed);
        run->is_outlier = !run->is_warm_up && run_is_outlier(&spread, n_settled, run->elapsed);
        dump->n_outliers += run->is_outlier;
    }
    dump->trend = eti__trend_of(settled, n_settled, scratch);
    dump->correlation = eti__lag_correlation(settled, n_settled, scratch);
}

/* Adds the runs that a block has in each ETDump, and judges them. */
static bool judge_block(eti_run_list *list, eti_run_block *block) {
    size_t n = block->block->n_runs;
    double *scratch = malloc((3 * n + 1) * sizeof *scratch);
    if (!scratch)
        return false;
    size_t n_settled = copy_settled(list->runs + block->first, n, scratch);
    if (n_settled > 0)
        block->median = eti__median(scratch, n_settled);
    block->first_dump = list->n_dumps;
    for (size_t first = 0, end; first < n; first = end) {
        end = eti__warm_up_end(block->block, first);
        if (!ETI_GROW(list->dumps, list->dump_capacity, list->n_dumps + 1)) {
            free(scratch);
            return false;
        }
        eti_dump_runs *dump = &list->dumps[list->n_dumps++];
        *dump = (eti_dump_runs){.dump = block->block->runs[first].dump,
                                .first = block->first + first,
                                .n = end - first};
        for (size_t i = 0; i < dump->n; i++)
            list->runs[dump->first + i].dump = (uint32_t)list->n_dumps - 1;
        judge_dump(dump, list->runs + dump->first, block->median, scratch);
    }
    block->n_dumps = list->n_dumps - block->first_dump;
    free(scratch);
    return true;
}

/* ---- representative run ---------------------------------------------------------------------- */

/* Returns |2 ticks - doubled|. */
static eti_wide distance(uint64_t ticks, eti_wide doubled) {
    eti_wide twice = {ticks >> 63, ticks << 1};
    eti_wide above = eti__wide_minus(twice, doubled); /* 0 if that were negative */
    eti__wide_add(&above, eti__wide_minus(doubled, twice));
    return above;
}

/* Finds the run that is nearest to the medians of the Events. Stores UINT32_MAX if no run counts. False: out of memory. */
static bool find_representative(const eti_account *account, uint32_t *out) {
    eti_wide *distances = calloc(account->n_runs + 1, sizeof *distances);
    *out = account->n_runs > 0 ? account->runs[0] : UINT32_MAX;
    if (!distances)
        return false;
    for (size_t i = 0; i < account->block->n_events; i++) {
        const uint64_t *self = eti__account_self(account, i);
        for (size_t k = 0; k < account->n_runs && account->events[i].is_counted; k++)
            eti__wide_add(&distances[k],
                          distance(self[account->runs[k]], account->doubled_medians[i]));
    }
    for (size_t k = 1, least = 0; k < account->n_runs; k++) {
        if (eti__wide_compare(distances[k], distances[least]) >= 0)
            continue;
        least = k;
        *out = account->runs[k];
    }
    free(distances);
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
        const eti_time_sum time = eti__account_sum(account, i);
        eti__time_sum_add(&list->times[role], &time);
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
    eti__cycle_counts_add(&list->cycles, &account->cycles);
    eti__time_faults_join(&list->faults, &account->faults);
    list->n_repeated += account->n_repeated;
    for (size_t run = 0; run < account->block->n_runs; run++)
        list->has_overlaps |= eti__account_overlaps(account, run);
}

bool eti__run_list_add(eti_run_list *list, const eti_account *account) {
    const eti_event_block *block = account->block;
    size_t n = block->n_runs;
    uint32_t representative = UINT32_MAX;
    if ((list->finds_representative && !find_representative(account, &representative)) ||
        !ETI_GROW(list->blocks, list->block_capacity, list->n_blocks + 1) ||
        !ETI_GROW(list->runs, list->run_capacity, list->n_runs + n))
        return false;
    eti_run_block *added = &list->blocks[list->n_blocks];
    *added = (eti_run_block){.block = block, .execute = account->execute, .first = list->n_runs};
    eti_run_times *runs = list->runs + list->n_runs;
    for (size_t run = 0; run < n; run++)
        runs[run] = (eti_run_times){.block = (uint32_t)list->n_blocks,
                                    .number = (uint32_t)run,
                                    .elapsed = run_elapsed(account, run),
                                    .is_warm_up = account->is_warm_up[run],
                                    .is_representative = run == representative};
    list->n_runs += n;
    list->n_blocks++;
    if (!list->leaves_out_roles)
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
    *out = (eti_run_list){.factor = 1, .finds_representative = true};
    bool no_loading = eti__blocks_leave_out_loading(inspector, options);
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (!eti__block_is_summed(options, block, no_loading))
            continue;
        const eti_account *account;
        ETI_TRY(eti__account_of(&account, inspector, block, err));
        if (!eti__run_list_add(out, account))
            return eti_fail_memory(err);
    }
    return eti__run_list_find_first(out, inspector) ? ETI_OK : eti_fail_memory(err);
}

void eti__run_list_free(eti_run_list *list) {
    free(list->runs);
    free(list->blocks);
    free(list->dumps);
    *list = (eti_run_list){0};
}

uint64_t eti__run_ticks(const eti_run_times *run, eti_role first, eti_role last) {
    uint64_t ticks = 0;
    for (int role = (int)first; role <= (int)last; role++)
        ticks += run->ticks[role];
    return ticks;
}

/* ==== synthetic =============================================================================== */

#define RUNS_LOOKED_AT 16
/* With fewer samples or pairs, all signs may be chance. */
#define LEAST_SAMPLES 4
#define LEAST_RUNS 3
#define LEAST_STEP 100

static eti_etdump_stamps stamps_of(const eti_event_block *block, size_t event, size_t run) {
    const eti_block_run *of = &block->runs[run];
    eti_position position = eti__block_run_position(of, of->layout->profile_events[event]);
    return eti__etdump_read_stamps(of->dump, position);
}

static uint64_t length_of(eti_etdump_stamps stamps) {
    return stamps.end_time > stamps.start_time ? stamps.end_time - stamps.start_time : 0;
}

static void add_sample(eti_delegate_stamps *to, uint64_t length) {
    if (to->n_samples++ == 0)
        to->first_length = length;
    to->lengths_differ = to->lengths_differ || length != to->first_length;
    to->step = eti__common_divisor(to->step, length);
}

/* Adds an event. `before` is the previous event in the same call, or the event itself. */
static void add_event(eti_delegate_stamps *to, const eti_event_block *block, size_t event,
                      size_t before) {
    size_t n_runs = block->n_runs < RUNS_LOOKED_AT ? block->n_runs : RUNS_LOOKED_AT;
    uint64_t first = 0;
    to->n_events++;
    if (n_runs > to->most_runs)
        to->most_runs = n_runs;
    for (size_t run = 0; run < n_runs; run++) {
        eti_etdump_stamps stamps = stamps_of(block, event, run);
        uint64_t length = length_of(stamps);
        first = run == 0 ? length : first;
        to->runs_differ = to->runs_differ || length != first;
        add_sample(to, length);
        if (before == event)
            continue;
        to->n_pairs++;
        to->has_gaps = to->has_gaps || stamps_of(block, before, run).end_time != stamps.start_time;
    }
}

static bool is_delegated(const eti_event *event) {
    return eti__role_by_name(event) == ETI_ROLE_DELEGATED;
}

static bool is_same_call(const eti_event *a, const eti_event *b) {
    return is_delegated(a) && a->instruction_id == b->instruction_id;
}

bool eti__synthetic_add(eti_synthetic *synthetic, const eti_event_block *block) {
    static const eti_intern_kind kind = ETI_INTERN_BY_TEXT(eti_delegate_stamps);
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!is_delegated(event))
            continue;
        eti_text backend = event->known->backend_name;
        const eti_delegate_stamps added = {.backend = backend.data ? backend : eti__text_of("")};
        uint32_t number;
        if (!eti__intern_add_shared(&synthetic->stamps.table, &kind, &synthetic->by_backend, &added,
                                    &number))
            return false;
        size_t before = i > 0 && is_same_call(&block->events[i - 1], event) ? i - 1 : i;
        add_event(&synthetic->stamps.items[number], block, i, before);
    }
    return true;
}

eti_synthetic_sign eti__synthetic_judge(const eti_delegate_stamps *stamps) {
    if (stamps->n_samples < LEAST_SAMPLES || stamps->n_events < 2)
        return ETI_SYNTHETIC_NOT;
    if (!stamps->lengths_differ)
        return ETI_SYNTHETIC_ALIKE;
    if (!stamps->runs_differ && stamps->most_runs >= LEAST_RUNS)
        return ETI_SYNTHETIC_CONSTANT;
    if (!stamps->has_gaps && stamps->n_pairs >= LEAST_SAMPLES && stamps->step >= LEAST_STEP)
        return ETI_SYNTHETIC_STEPS;
    return ETI_SYNTHETIC_NOT;
}

void eti__synthetic_free(eti_synthetic *synthetic) {
    eti__intern_free(&synthetic->stamps.table);
    eti__pointer_table_free(&synthetic->by_backend);
    *synthetic = (eti_synthetic){0};
}
