#include "account/account.h"

#include "account/blocks.h"
#include "account/run_calls.h"
#include "account/warm_up.h"
#include "stats/stats.h"

#include <stdlib.h>

typedef struct accountant {
    eti_account *account;
    const eti_options *options;
    eti_run_calls calls; /* of the current run */
} accountant;

/* ---- roles ----------------------------------------------------------------------------------- */

static void set_roles(eti_account *account) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        account->events[i] = (eti_event_account){
            .parent = ETI_NO_EVENT,
            .role = (uint8_t)eti__role_by_name(&account->block->events[i]),
            .is_leaf = true,
        };
        if (account->events[i].role == ETI_ROLE_EXECUTE)
            account->execute = (uint32_t)i;
    }
}

/* ---- all runs -------------------------------------------------------------------------------- */

static void count_run(accountant *a, size_t run) {
    const eti_run_calls *calls = &a->calls;
    eti_account *account = a->account;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        uint32_t event = calls->order.calls[i].event;
        account->self[(size_t)event * account->block->n_runs + run] += calls->own[i];
        account->events[event].n_calls++;
    }
    account->n_full_calls += calls->n_full;
    account->n_repeated += calls->order.n_repeated;
}

/* Sets the parent of each event from the last call of the event in the run that was counted. */
static void set_parents(accountant *a) {
    const eti_call *calls = a->calls.order.calls;
    for (size_t i = 0; i < a->calls.order.n_calls; i++) {
        uint32_t outer = eti__run_calls_parent(&a->calls, i), event = calls[i].event;
        uint32_t parent = outer == ETI_NO_CALL ? ETI_NO_EVENT : calls[outer].event;
        a->account->events[event].parent = parent == event ? ETI_NO_EVENT : parent;
    }
}

static eti_status count_runs(accountant *a, eti_error *err) {
    eti_account *account = a->account;
    for (size_t run = 0; run < account->block->n_runs; run++) {
        ETI_TRY(eti__run_calls_read(&a->calls, run, account->execute, &account->faults, err));
        count_run(a, run);
        if (!eti__repeated_calls_add(&account->repeated, &a->calls, run))
            return eti_fail_memory(err);
        if (run == 0)
            set_parents(a);
    }
    return ETI_OK;
}

/* Sets `root` to the outermost event around each event. Calls in a loop may be nested differently in each iteration,
 * so events could contain each other in a cycle; such a cycle is cut. */
static void find_roots(eti_account *account, uint32_t *root) {
    const uint32_t unknown = ETI_NO_EVENT, on_the_way = ETI_NO_EVENT - 1;
    size_t n = account->block->n_events;
    for (size_t i = 0; i < n; i++)
        root[i] = unknown;
    for (size_t i = 0; i < n; i++) {
        uint32_t last = (uint32_t)i;
        while (root[last] == unknown) {
            root[last] = on_the_way;
            uint32_t parent = account->events[last].parent;
            if (parent == ETI_NO_EVENT || root[parent] == on_the_way) {
                account->events[last].parent = ETI_NO_EVENT;
                root[last] = last;
            } else {
                last = parent;
            }
        }
        uint32_t found = root[last];
        for (uint32_t at = (uint32_t)i; root[at] == on_the_way; at = account->events[at].parent)
            root[at] = found;
    }
}

/* Turns calls of operators into kernels if no kernel was logged, and calls of delegates that logged events into time
 * that is not logged. */
static void settle_calls(eti_account *account) {
    bool has_kernels = false;
    for (size_t i = 0; i < account->block->n_events; i++)
        has_kernels |= account->events[i].role == ETI_ROLE_KERNEL;
    for (size_t i = 0; i < account->block->n_events; i++) {
        eti_event_account *event = &account->events[i];
        if (event->role == ETI_ROLE_OPERATOR_CALL && event->is_leaf && !has_kernels)
            event->role = ETI_ROLE_KERNEL;
        if (event->role == ETI_ROLE_DELEGATE_CALL && !event->is_leaf)
            event->role = ETI_ROLE_NOT_LOGGED;
    }
}

/* Turns the leaf events of instructions into kernels if no event has a name that the runtime uses: engines other than
 * ExecuTorch choose names of their own. */
static void settle_foreign(eti_account *account) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        eti_role role = eti__account_role(account, i);
        if ((role != ETI_ROLE_INSTRUCTION && role != ETI_ROLE_UNTIMED &&
             role != ETI_ROLE_DELEGATED) ||
            eti__is_runtime_instruction(account->block->events[i].name))
            return;
    }
    for (size_t i = 0; i < account->block->n_events; i++) {
        eti_event_account *event = &account->events[i];
        if (event->role == ETI_ROLE_INSTRUCTION && event->is_leaf &&
            account->block->events[i].instruction_id != -1)
            event->role = ETI_ROLE_KERNEL;
    }
}

/* Sets which events are counted, which are leaves, and the roles that depend on that. */
static void settle_events(const accountant *a, const uint32_t *root) {
    eti_account *account = a->account;
    bool counts_loading = !eti__block_runs(account->block);
    for (size_t i = 0; i < account->block->n_events; i++) {
        eti_event_account *event = &account->events[i];
        if (event->role == ETI_ROLE_UNTIMED)
            continue;
        event->is_counted = counts_loading || account->events[root[i]].role != ETI_ROLE_LOAD;
        if (event->is_counted && account->execute != ETI_NO_EVENT && root[i] != account->execute)
            account->n_outside++;
        bool is_countable;
        (void)eti__event_scale(a->options, &account->block->events[i], &is_countable);
        account->n_uncounted += !is_countable;
        if (event->parent == ETI_NO_EVENT)
            continue;
        eti_event_account *parent = &account->events[event->parent];
        parent->is_leaf = false;
        if (event->role == ETI_ROLE_INSTRUCTION && parent->role == ETI_ROLE_OPERATOR_CALL)
            event->role = ETI_ROLE_KERNEL;
    }
    settle_calls(account);
    settle_foreign(account);
}

static void sum_whole(eti_account *account) {
    size_t n_runs = account->block->n_runs;
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (!account->events[i].is_counted)
            continue;
        const uint64_t *self = eti__account_self(account, i);
        for (size_t run = 0; run < n_runs; run++)
            account->whole[run] += self[run];
    }
}

static void list_runs(eti_account *account) {
    for (size_t run = 0; run < account->block->n_runs; run++) {
        if (!account->is_warm_up[run])
            account->runs[account->n_runs++] = (uint32_t)run;
    }
    account->n_warm_up = account->block->n_runs - account->n_runs;
}

/* Subtracts the calls in warm-up runs from the numbers of calls. */
static eti_status uncount_calls(accountant *a, eti_error *err) {
    const eti_event_block *block = a->account->block;
    for (size_t run = 0; run < block->n_runs; run++) {
        if (!a->account->is_warm_up[run])
            continue;
        ETI_TRY(eti__call_order_read(&a->calls.order, block, &block->runs[run], err));
        for (size_t i = 0; i < a->calls.order.n_calls; i++)
            a->account->events[a->calls.order.calls[i].event].n_calls--;
    }
    return ETI_OK;
}

static eti_status count_block(accountant *a, eti_error *err) {
    eti_account *account = a->account;
    set_roles(account);
    ETI_TRY(count_runs(a, err));
    uint32_t *root = calloc(account->block->n_events + 1, sizeof *root);
    if (!root)
        return eti_fail_memory(err);
    find_roots(account, root);
    settle_events(a, root);
    free(root);
    sum_whole(account);
    if (!a->options->keeps_warm_up &&
        !eti__warm_up_find(account->block, account->whole, account->is_warm_up))
        return eti_fail_memory(err);
    list_runs(account);
    return uncount_calls(a, err);
}

static bool make_results(eti_account *account) {
    size_t n_events = account->block->n_events, n_runs = account->block->n_runs;
    account->events = calloc(n_events + 1, sizeof *account->events);
    account->whole = calloc(n_runs + 1, sizeof *account->whole);
    account->is_warm_up = calloc(n_runs + 1, sizeof *account->is_warm_up);
    account->runs = malloc((n_runs + 1) * sizeof *account->runs);
    if (n_runs == 0 || n_events <= SIZE_MAX / sizeof *account->self / n_runs)
        account->self = calloc(n_events * n_runs + 1, sizeof *account->self);
    return account->events && account->whole && account->is_warm_up && account->runs &&
           account->self;
}

eti_status eti__account_new(eti_account *out, const eti_event_block *block,
                            const eti_options *options, eti_error *err) {
    *out = (eti_account){
        .block = block,
        .options = options,
        .factor = eti__time_scale_factor(options->source_time_scale, options->target_time_scale,
                                         options->clock_hz),
        .execute = ETI_NO_EVENT,
    };
    accountant a = {.account = out, .options = options};
    eti__run_calls_init(&a.calls, block, options);
    eti_status status = make_results(out) ? count_block(&a, err) : eti_fail_memory(err);
    eti__run_calls_free(&a.calls);
    if (status != ETI_OK)
        eti__account_free(out);
    return status;
}

static const eti_call_sum *repeated_calls_of(const eti_account *account, size_t event, size_t run) {
    return eti__repeated_calls_of(&account->repeated, account->block, event, run);
}

double eti__account_elapsed(const eti_account *account, size_t event, size_t run) {
    const eti_call_sum *calls = repeated_calls_of(account, event, run);
    const eti_event *of = &account->block->events[event];
    return calls ? (double)calls->ticks / eti__event_factor(of, account->options)
                 : eti_event_raw(of)[run];
}

uint64_t eti__account_start(const eti_account *account, size_t event, size_t run) {
    const eti_call_sum *calls = repeated_calls_of(account, event, run);
    return calls ? calls->start : eti_event_start_time(&account->block->events[event])[run];
}

uint64_t eti__account_calls(const eti_account *account, size_t event, size_t run) {
    const eti_call_sum *calls = repeated_calls_of(account, event, run);
    return calls ? calls->n : 1;
}

eti_wide eti__account_total(const eti_account *account, const uint64_t *ticks) {
    eti_wide sum = {0};
    for (size_t i = 0; i < account->n_runs; i++)
        eti__wide_add(&sum, eti__wide_of(ticks[account->runs[i]]));
    return sum;
}

void eti__run_counts_add(eti_run_counts *counts, const eti_account *account) {
    counts->n += account->n_runs;
    counts->n_warm_up += account->n_warm_up;
    counts->n_blocks++;
}

size_t eti__account_call_of(const eti_account *account, size_t event) {
    const eti_event_account *of = &account->events[event];
    return of->role == ETI_ROLE_DELEGATED && of->parent != ETI_NO_EVENT ? of->parent : event;
}

eti_text eti__account_backend(const eti_account *account, size_t event) {
    const eti_event *events = account->block->events;
    eti_text own = events[event].known->backend_name;
    return own.size > 0 ? own : events[eti__account_call_of(account, event)].known->backend_name;
}

void eti__account_free(eti_account *account) {
    free(account->events);
    free(account->self);
    free(account->whole);
    free(account->is_warm_up);
    free(account->runs);
    eti__repeated_calls_free(&account->repeated);
    *account = (eti_account){0};
}
