#include "rollup/overview.h"

#include "rollup/op_type.h"

#include <stdlib.h>
#include <string.h>

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

static void add_event(eti_overview_backend *backend, const eti_account *account, size_t event) {
    eti__wide_add(&backend->ticks, eti__account_total(account, eti__account_self(account, event)));
    backend->n_runs += backend->newest == account->block ? 0 : account->n_runs;
    backend->newest = account->block;
}

static bool add_to_backend(eti_overview *data, const eti_account *account, size_t event) {
    static const eti_intern_kind kind = ETI_INTERN_BY_TEXT(eti_overview_backend);
    uint32_t number;
    if (eti__role_is_framework(eti__account_role(account, event))) {
        add_event(&data->framework, account, event);
        return true;
    }
    const eti_overview_backend added = {.name = backend_name(account, event)};
    if (!eti__intern_add_shared(&data->backends.table, &kind, &data->by_backend, &added, &number))
        return false;
    add_event(&data->backends.items[number], account, event);
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

static eti_ticks sum_self(const eti_account *account, size_t event) {
    return eti__account_total(account, eti__account_self(account, event));
}

static bool is_work(const eti_account *account, size_t event) {
    return account->events[event].is_counted &&
           eti__role_is_work(eti__account_role(account, event));
}

/* Adds an operator to the most variable ones; skips operators with less than half of the average time of an operator. */
static bool add_noisy(eti_overview *data, const eti_account *account) {
    const eti_event_block *block = account->block;
    size_t n = account->n_runs, n_work = 0;
    eti_ticks all = {0}, whole = eti__account_total(account, account->whole);
    if (n < ETI_LEAST_RUNS)
        return true;
    double *times = malloc(2 * n * sizeof *times);
    if (!times)
        return false;
    for (size_t i = 0; i < block->n_events; i++) {
        if (!is_work(account, i))
            continue;
        n_work++;
        eti__wide_add(&all, sum_self(account, i));
    }
    for (size_t i = 0; i < block->n_events; i++) {
        double own = is_work(account, i) ? eti__wide_as_double(sum_self(account, i)) : 0;
        if (own == 0 || own * (double)n_work < 0.5 * eti__wide_as_double(all))
            continue;
        for (size_t k = 0; k < n; k++)
            times[k] = eti__account_elapsed(account, i, account->runs[k]);
        eti_noisy_event noisy = {
            .event = &block->events[i],
            .variation = eti__coefficient_of_variation(times, n, times + n),
            .share = own / eti__wide_as_double(whole),
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
static bool add_block(void *context, const eti_account *account, uint32_t *groups) {
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
    ETI_TRY(eti__rollup_make(&out->rollup, inspector, options, NULL, add_block, out, err));
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
