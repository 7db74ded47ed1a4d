#include "rollup/parts.h"

#include "base/sort.h"
#include "rollup/rollup.h"

#include <stdlib.h>
#include <string.h>

/* ==== attributed times ======================================================================== */

static bool is_sure(uint8_t attribution) {
    return attribution >= ETI_ATTRIBUTION_RECORDED && attribution <= ETI_ATTRIBUTION_ALIGNED;
}

static void add_logged(eti_attributed_times *times, const eti_account *account, size_t event,
                       eti_wide own) {
    uint8_t attribution = account->block->events[event].known->attribution;
    eti_text backend = eti__account_backend(account, event);
    eti__wide_add(&times->of[attribution], own);
    if (!is_sure(attribution) &&
        (backend.size == 0 || eti__is_xnnpack(backend) || eti__is_vulkan(backend)))
        eti__wide_add(&times->seen_by_program, own);
}

/* Adds the Events of a block. */
static void add_attributed_times(eti_attributed_times *times, const eti_account *account) {
    eti__wide_add(&times->whole, account->whole_weight);
    for (size_t i = 0; i < account->block->n_events; i++) {
        eti_role role = eti__account_role(account, i);
        if (!account->events[i].is_counted || !eti__role_is_delegate(role))
            continue;
        eti_wide own = eti__account_sum(account, i).weight;
        eti__wide_add(&times->in_delegates, own);
        if (role == ETI_ROLE_DELEGATED || role == ETI_ROLE_DEVICE)
            add_logged(times, account, i, own);
    }
}

/* Adds the times of other blocks. */
static void join_attributed_times(eti_attributed_times *out, const eti_attributed_times *joined) {
    for (size_t i = 0; i < ETI_N_ATTRIBUTIONS; i++)
        eti__wide_add(&out->of[i], joined->of[i]);
    eti__wide_add(&out->seen_by_program, joined->seen_by_program);
    eti__wide_add(&out->in_delegates, joined->in_delegates);
    eti__wide_add(&out->whole, joined->whole);
}

double eti__attributed_times_logged(const eti_attributed_times *times) {
    double sum = 0;
    for (size_t i = 0; i < ETI_N_ATTRIBUTIONS; i++)
        sum += eti__wide_as_double(times->of[i]);
    return sum;
}

/* ==== rollup ================================================================================== */

/* ---- adding ---------------------------------------------------------------------------------- */

static bool make_groups(eti_rollup *rollup, uint32_t number) {
    if (!ETI_GROW(rollup->groups, rollup->group_capacity, (size_t)number + 1))
        return false;
    for (; rollup->n_groups <= number; rollup->n_groups++)
        rollup->groups[rollup->n_groups] = (eti_group){.newest_block = ETI_NO_GROUP};
    return true;
}

/* Returns the sums of the group in the block whose parts begin at `first_part`, or NULL if memory runs out. */
static uint64_t *sums_of(eti_rollup *rollup, uint32_t number, size_t first_part, size_t n_runs) {
    if (!make_groups(rollup, number))
        return NULL;
    eti_group *group = &rollup->groups[number];
    uint32_t newest = group->newest_block;
    if (newest != ETI_NO_GROUP && newest >= first_part)
        return rollup->sums + rollup->parts[newest].first_sum;

    size_t at = rollup->n_sums;
    if (rollup->n_parts >= ETI_NO_GROUP ||
        !ETI_GROW(rollup->parts, rollup->part_capacity, rollup->n_parts + 1) ||
        !ETI_GROW(rollup->sums, rollup->sum_capacity, at + n_runs))
        return NULL;
    memset(rollup->sums + at, 0, n_runs * sizeof *rollup->sums);
    rollup->n_sums += n_runs;
    rollup->parts[rollup->n_parts] = (eti_group_part){newest, (uint32_t)n_runs, at, rollup->runs.n};
    group->newest_block = (uint32_t)rollup->n_parts++;
    group->n_runs += n_runs;
    if (group->n_runs > rollup->most_runs)
        rollup->most_runs = group->n_runs;
    return rollup->sums + at;
}

static bool add_event(eti_rollup *rollup, const eti_account *account, size_t event, uint32_t number,
                      size_t first_part, uint64_t method) {
    size_t n_runs = account->n_runs;
    const uint64_t *self = eti__account_self(account, event);
    uint64_t *sums = sums_of(rollup, number, first_part, n_runs);
    if (!sums)
        return false;
    eti_group *group = &rollup->groups[number];
    for (size_t i = 0; i < n_runs; i++)
        sums[i] += self[account->runs[i]];
    eti_time_sum time = eti__account_sum(account, event);
    time.methods = method;
    eti__time_sum_add(&group->time, &time);
    bool is_work = eti__role_is_work(eti__account_role(account, event));
    if (is_work && group->n_work_events == 0)
        group->n_events = group->n_calls = 0;
    if (is_work || group->n_work_events == 0) {
        group->n_events++;
        group->n_calls += account->events[event].n_calls;
    }
    group->n_work_events += is_work;
    return true;
}

static bool add_groups(eti_rollup *rollup, const eti_account *account, const uint32_t *groups) {
    const eti_event_block *block = account->block;
    size_t first_part = rollup->n_parts;
    uint64_t method = eti__method_runs_add(&rollup->method_runs, account);
    for (size_t i = 0; i < block->n_events; i++) {
        if (groups[i] != ETI_NO_GROUP && account->events[i].is_counted &&
            block->events[i].is_timed &&
            !add_event(rollup, account, i, groups[i], first_part, method))
            return false;
    }
    eti_time_sum all = eti__account_sum_all(account);
    all.methods = method;
    eti__time_sum_add(&rollup->whole, &all);
    eti__run_counts_add(&rollup->runs, account);
    eti__cycle_counts_add(&rollup->cycles, &account->cycles);
    add_attributed_times(&rollup->attributed, account);
    rollup->factor = account->factor;
    return true;
}

static eti_status add_block(eti_rollup *rollup, const eti_inspector *inspector,
                            const eti_event_block *block, eti_group_function group_events,
                            void *context, eti_error *err) {
    const eti_account *account;
    ETI_TRY(eti__account_of(&account, inspector, block, err));
    uint32_t *groups = malloc((block->n_events + 1) * sizeof *groups);
    if (groups)
        memset(groups, 0xff, (block->n_events + 1) * sizeof *groups);
    double microsecond = eti__time_scale_factor(inspector->options.source_time_scale, ETI_SCALE_US,
                                                inspector->options.clock_hz);
    bool done = groups && group_events(context, account, groups) &&
                add_groups(rollup, account, groups) &&
                eti__rounding_add(&rollup->rounding, account, microsecond);
    free(groups);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__rollup_make(eti_rollup *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_group_function group_events,
                            void *context, eti_error *err) {
    *out = (eti_rollup){.factor = 1};
    bool no_loading = eti__blocks_leave_out_loading(inspector, options);
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (!eti__block_is_summed(options, block, no_loading))
            continue;
        ETI_TRY(add_block(out, inspector, block, group_events, context, err));
    }
    if (options->whole)
        out->whole = *options->whole;
    for (size_t i = 0; i < out->n_groups && !out->is_unsteady; i++)
        out->is_unsteady = eti__time_sum_is_unsteady(&out->groups[i].time, &out->whole);
    return ETI_OK;
}

void eti__rollup_join_counts(eti_rollup *out, const eti_rollup *joined) {
    eti_rounding *rounding = &out->rounding;
    eti__run_counts_join(&out->runs, &joined->runs);
    out->is_unsteady |= joined->is_unsteady;
    eti__cycle_counts_add(&out->cycles, &joined->cycles);
    eti__wide_add(&rounding->not_logged, joined->rounding.not_logged);
    eti__wide_add(&rounding->most, joined->rounding.most);
    rounding->n_events += joined->rounding.n_events;
    rounding->is_known |= joined->rounding.is_known;
    join_attributed_times(&out->attributed, &joined->attributed);
}

void eti__rollup_free(eti_rollup *rollup) {
    free(rollup->groups);
    free(rollup->parts);
    free(rollup->sums);
    *rollup = (eti_rollup){0};
}

/* ---- queries --------------------------------------------------------------------------------- */

double eti__rollup_time(const eti_rollup *rollup, eti_wide ticks) {
    return eti__wide_as_double(ticks) / rollup->factor;
}

double eti__rollup_typical(const eti_rollup *rollup, const eti_time_sum *time) {
    return eti__typical_ticks(&rollup->method_runs, time) / rollup->factor;
}

double eti__rollup_typical_in_blocks(const eti_rollup *rollup, const eti_group *group) {
    double half_ticks = eti__wide_as_double(group->time.weight);
    return group->n_runs > 0 ? half_ticks / 2 / (double)group->n_runs / rollup->factor : 0;
}

double eti__rollup_share(const eti_rollup *rollup, const eti_time_sum *time) {
    return eti__time_sum_share(time, &rollup->whole);
}

/* Keeps the samples in the order of the runs, in which numpy would add them. */
bool eti__rollup_summarize(const eti_rollup *rollup, size_t group, double *scratch,
                           eti_summary *out) {
    const eti_group *g = &rollup->groups[group];
    size_t at = g->n_runs;
    if (at == 0)
        return false;
    for (uint32_t i = g->newest_block; i != ETI_NO_GROUP; i = rollup->parts[i].next) {
        const eti_group_part *part = &rollup->parts[i];
        at -= part->n_runs;
        for (size_t run = 0; run < part->n_runs; run++)
            scratch[at + run] =
                eti__rollup_time(rollup, eti__wide_of(rollup->sums[part->first_sum + run]));
    }
    *out = eti__summarize(scratch, g->n_runs, scratch + rollup->most_runs);
    return true;
}

void eti__rollup_runs(const eti_rollup *rollup, size_t group, uint64_t *ticks, bool *has_events) {
    memset(ticks, 0, rollup->runs.n * sizeof *ticks);
    for (uint32_t i = rollup->groups[group].newest_block; i != ETI_NO_GROUP;
         i = rollup->parts[i].next) {
        const eti_group_part *part = &rollup->parts[i];
        memcpy(ticks + part->first_run, rollup->sums + part->first_sum,
               part->n_runs * sizeof *ticks);
        memset(has_events + part->first_run, true, part->n_runs);
    }
}

static void add_sums(const eti_rollup *rollup, const eti_group *group, eti_group_sum *sums) {
    for (uint32_t i = group->newest_block; i != ETI_NO_GROUP; i = rollup->parts[i].next) {
        const eti_group_part *part = &rollup->parts[i];
        for (size_t run = 0; run < part->n_runs; run++) {
            eti_group_sum *sum = &sums[part->first_run + run];
            eti__wide_add(&sum->ticks, eti__wide_of(rollup->sums[part->first_sum + run]));
            sum->has_events = true;
        }
    }
}

bool eti__rollup_summarize_groups(const eti_rollup *rollup, const uint32_t *groups, size_t n,
                                  eti_group_sum *sums, double *scratch, eti_summary *out) {
    size_t n_values = 0;
    for (size_t i = 0; i < rollup->runs.n; i++)
        sums[i] = (eti_group_sum){.has_events = false};
    for (size_t i = 0; i < n; i++) {
        if (groups[i] < rollup->n_groups)
            add_sums(rollup, &rollup->groups[groups[i]], sums);
    }
    for (size_t i = 0; i < rollup->runs.n; i++) {
        if (sums[i].has_events)
            scratch[n_values++] = eti__rollup_time(rollup, sums[i].ticks);
    }
    if (n_values > 0)
        *out = eti__summarize(scratch, n_values, scratch + rollup->runs.n);
    return n_values > 0;
}

static int compare_groups(const void *a, const void *b, void *context) {
    const eti_rollup *rollup = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = eti__time_sum_compare(&rollup->groups[y].time, &rollup->groups[x].time);
    return order ? order : (x > y) - (x < y);
}

size_t eti__rollup_sort(const eti_rollup *rollup, uint32_t *order) {
    size_t n = 0;
    for (size_t i = 0; i < rollup->n_groups; i++) {
        if (rollup->groups[i].n_events > 0)
            order[n++] = (uint32_t)i;
    }
    eti__sort(order, n, sizeof *order, compare_groups, (void *)rollup);
    return n;
}

/* ==== overview ================================================================================ */

/* ---- operators ------------------------------------------------------------------------------- */

static const eti_intern_kind op_kind = {.item_size = sizeof(eti_overview_op),
                                        .key_size = sizeof(eti_overview_op)};

static bool find_op(eti_overview *data, const eti_account *account, size_t event, uint32_t *out) {
    eti_op_type type = eti__op_type_of(account, event);
    eti_text kernel = eti__kernel_name(account, event, &type);
    eti_overview_op op = {0};
    return eti__op_type_number(&data->names, &type, &op.op) &&
           (!data->options->split_variants ||
            eti__shared_texts_add(&data->names, kernel, &op.kernel)) &&
           eti__intern_add(&data->ops.table, &op_kind, &op, out);
}

/* ---- backends -------------------------------------------------------------------------------- */

static eti_text backend_name(const eti_account *account, size_t event) {
    eti_text name = eti__account_backend(account, event);
    if (!eti__role_is_delegate(eti__account_role(account, event)))
        return eti__text_of(ETI_GROUP_NOT_DELEGATED);
    return name.size > 0 ? name : eti__text_of(ETI_GROUP_UNKNOWN);
}

static eti_backend_part part_of(eti_role role) {
    if (!eti__role_is_around(role))
        return ETI_BACKEND_OPERATORS;
    return role == ETI_ROLE_TRANSFER    ? ETI_BACKEND_TRANSFERS
           : role == ETI_ROLE_PROFILING ? ETI_BACKEND_PROFILING
                                        : ETI_BACKEND_OVERHEAD;
}

static void add_overview_event(eti_overview_backend *backend, const eti_account *account,
                               size_t event) {
    eti_time_sum time = eti__account_sum(account, event);
    eti__time_sum_add(&backend->time, &time);
    eti__time_sum_add(&backend->parts[part_of(eti__account_role(account, event))], &time);
    backend->n_runs += backend->newest == account->block ? 0 : account->n_runs;
    backend->newest = account->block;
}

static bool add_to_backend(eti_overview *data, const eti_account *account, size_t event) {
    static const eti_intern_kind kind = ETI_INTERN_BY_TEXT(eti_overview_backend);
    uint32_t number;
    if (eti__role_is_framework(eti__account_role(account, event))) {
        add_overview_event(&data->framework, account, event);
        return true;
    }
    const eti_overview_backend added = {.name = backend_name(account, event)};
    if (!eti__intern_add_shared(&data->backends.table, &kind, &data->by_backend, &added, &number))
        return false;
    add_overview_event(&data->backends.items[number], account, event);
    if (!eti__role_is_work(eti__account_role(account, event)))
        return true;
    bool is_new;
    if (!eti__distinct_events_add(&data->operators, &account->block->events[event], &is_new))
        return false;
    data->backends.items[number].n_operators += is_new;
    return true;
}

/* ---- noisy operators ------------------------------------------------------------------------- */

static void keep_noisy(eti_overview *data, eti_noisy_event event) {
    size_t at = data->n_noisy;
    while (at > 0 && data->noisy[at - 1].variation < event.variation)
        at--;
    if (at == ETI_MOST_NOISY)
        return;
    size_t end = data->n_noisy < ETI_MOST_NOISY ? data->n_noisy++ : ETI_MOST_NOISY - 1;
    memmove(&data->noisy[at + 1], &data->noisy[at], (end - at) * sizeof *data->noisy);
    data->noisy[at] = event;
}

static bool is_work(const eti_account *account, size_t event) {
    return account->events[event].is_counted &&
           eti__role_is_work(eti__account_role(account, event));
}

/* Part of the average time of an operator that a noisy one takes at least. */
#define LEAST_OF_AVERAGE 0.5

/* Adds the operators with enough time to the most variable ones. */
static bool add_noisy(eti_overview *data, const eti_account *account) {
    const eti_event_block *block = account->block;
    size_t n = account->n_runs, n_work = 0;
    eti_time_sum all = {.methods = 0}, whole = eti__account_sum_all(account);
    if (n < ETI_LEAST_RUNS)
        return true;
    double *times = malloc(2 * n * sizeof *times);
    if (!times)
        return false;
    for (size_t i = 0; i < block->n_events; i++) {
        if (!is_work(account, i))
            continue;
        n_work++;
        eti_time_sum own = eti__account_sum(account, i);
        eti__time_sum_add(&all, &own);
    }
    for (size_t i = 0; i < block->n_events; i++) {
        eti_time_sum own = eti__account_sum(account, i);
        if (!is_work(account, i) ||
            !(eti__time_sum_share(&own, &all) * (double)n_work >= LEAST_OF_AVERAGE))
            continue;
        for (size_t k = 0; k < n; k++)
            times[k] = eti__account_elapsed(account, i, account->runs[k]);
        eti_noisy_event noisy = {
            .event = &block->events[i],
            .variation = eti__coefficient_of_variation(times, n, times + n),
            .share = eti__time_sum_share(&own, &whole),
            .n_runs = n,
        };
        noisy.median = eti__median(times, n);
        if (noisy.variation > 0)
            keep_noisy(data, noisy);
    }
    free(times);
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool group_events(eti_overview *data, const eti_account *account, uint32_t *groups) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (!account->events[i].is_counted)
            continue;
        if (!find_op(data, account, i, &groups[i]) || !add_to_backend(data, account, i))
            return false;
    }
    return true;
}

/* Adds a block to all sections in one pass. */
static bool add_overview_block(void *context, const eti_account *account, uint32_t *groups) {
    eti_overview *data = context;
    return group_events(data, account, groups) && eti__run_list_add(&data->list, account) &&
           eti__synthetic_add(&data->synthetic, account->block) && add_noisy(data, account);
}

eti_status eti__overview_make(eti_overview *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    uint32_t empty;
    *out = (eti_overview){.inspector = inspector,
                          .options = options,
                          .operators = {.inspector = inspector},
                          .list = {.factor = 1}};
    if (!eti__shared_texts_add(&out->names, eti__text_of(""), &empty))
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&out->rollup, inspector, options, add_overview_block, out, err));
    return eti__run_list_find_first(&out->list, inspector) ? ETI_OK : eti_fail_memory(err);
}

void eti__overview_free(eti_overview *data) {
    eti__distinct_events_free(&data->operators);
    eti__shared_texts_free(&data->names);
    eti__intern_free(&data->backends.table);
    eti__pointer_table_free(&data->by_backend);
    eti__intern_free(&data->ops.table);
    eti__rollup_free(&data->rollup);
    eti__run_list_free(&data->list);
    eti__synthetic_free(&data->synthetic);
    *data = (eti_overview){.n_noisy = 0};
}
