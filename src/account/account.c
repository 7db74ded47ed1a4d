#include "account/account.h"

#include "account/blocks.h"
#include "account/call_order.h"
#include "account/nesting.h"
#include "account/warm_up.h"
#include "model/samples.h"
#include "stats/timescale.h"

#include <stdlib.h>

#define CLOCK_MAX 4294967295u /* of a clock of 32 bits */

typedef struct accountant {
    eti_account *account;
    const eti_options *options;
    const eti_block_run *run;
    eti_call_order order; /* of the current run */
    eti_nesting nesting;  /* of the calls that are no delegate call's */
    uint32_t *nested;     /* per call: its number there */
    uint32_t *call_at;    /* per number there: its call */
    uint64_t *ticks;      /* per call that is a delegate call's: its elapsed time */
    eti_wide *inside;     /* per call: the sum of these for all that are its own */
    eti_wide *given;      /* per call: the sum for those that have got their part */
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

/* ---- delegates' ticks ------------------------------------------------------------------------ */

static uint64_t ticks_per_second(eti_time_scale scale) {
    static const uint64_t per_second[] = {
        [ETI_SCALE_NS] = 1000000000, [ETI_SCALE_US] = 1000000, [ETI_SCALE_MS] = 1000,
        [ETI_SCALE_S] = 1,           [ETI_SCALE_CYCLES] = 0,
    };
    return per_second[scale];
}

/* The scale of the event's stamps; `*is_countable` is false where it has nothing to do with the source's. */
static eti_time_scale scale_of(const accountant *a, const eti_event *event, bool *is_countable) {
    eti_time_scale source = a->options->source_time_scale;
    const eti_delegate_time_scale *own = NULL;
    *is_countable = true;
    if (event->is_timed_as_delegated)
        own = eti__delegate_time_scale_for(a->options, event->record->backend_name);
    if (!own)
        return source;
    bool has_cycles = own->scale == ETI_SCALE_CYCLES || source == ETI_SCALE_CYCLES;
    /* a clock's frequency is not that of the delegate's clock */
    *is_countable = !has_cycles || (own->scale == source && a->options->clock_hz == 0);
    return own->scale;
}

/* Converts ticks of the event's scale to those of the source scale; 0 where the event counts something else. */
static uint64_t in_source_scale(const accountant *a, const eti_event *event, uint64_t ticks) {
    bool is_countable;
    eti_time_scale scale = scale_of(a, event, &is_countable);
    if (!is_countable)
        return 0;
    if (scale == a->options->source_time_scale)
        return ticks;
    eti_wide scaled = eti__wide_product(ticks, ticks_per_second(a->options->source_time_scale));
    return eti__wide_quotient(scaled, ticks_per_second(scale));
}

/* As eti__elapsed_exact() counts them, before they are scaled. */
static uint64_t elapsed_ticks(const eti_etdump_stamps *stamps) {
    if (stamps->start_time <= stamps->end_time)
        return stamps->end_time - stamps->start_time;
    return stamps->start_time <= CLOCK_MAX ? CLOCK_MAX - stamps->start_time + stamps->end_time : 0;
}

/* ---- one run --------------------------------------------------------------------------------- */

static const eti_event *event_of(const accountant *a, size_t call) {
    return &a->account->block->events[a->order.calls[call].event];
}

static eti_etdump_stamps stamps_of(const accountant *a, size_t call) {
    uint32_t number = a->order.calls[call].number;
    return eti__etdump_read_stamps(a->run->dump, eti__block_run_position(a->run, number));
}

static void free_arrays(accountant *a) {
    free(a->nested);
    free(a->call_at);
    free(a->ticks);
    free(a->inside);
    free(a->given);
    a->nested = a->call_at = NULL;
    a->ticks = NULL;
    a->inside = a->given = NULL;
    eti__nesting_free(&a->nesting);
}

/* Makes all ready for a run whose layout is another than that of the run before. */
static eti_status make_arrays(accountant *a, eti_error *err) {
    size_t n = a->order.n_calls, n_nested = 0;
    free_arrays(a);
    a->nested = calloc(n + 1, sizeof *a->nested);
    a->call_at = calloc(n + 1, sizeof *a->call_at);
    a->ticks = calloc(n + 1, sizeof *a->ticks);
    a->inside = calloc(n + 1, sizeof *a->inside);
    a->given = calloc(n + 1, sizeof *a->given);
    if (!a->nested || !a->call_at || !a->ticks || !a->inside || !a->given)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (a->order.calls[i].delegate_call != ETI_NO_CALL)
            continue;
        a->call_at[n_nested] = (uint32_t)i;
        a->nested[i] = (uint32_t)n_nested++;
    }
    return eti__nesting_init(&a->nesting, n_nested, err);
}

/* Puts the stamps on one line of time: those after a clock of 32 bits wrapped around are later. */
static void unwrap(eti_nesting *nesting, uint64_t first_wrapped) {
    for (size_t i = 0; i < nesting->n; i++) {
        if (nesting->end[i] < nesting->start[i]) {
            nesting->end[i] += CLOCK_MAX;
        } else if (nesting->start[i] < first_wrapped && nesting->end[i] <= CLOCK_MAX) {
            nesting->start[i] += CLOCK_MAX;
            nesting->end[i] += CLOCK_MAX;
        }
    }
}

/* Counts an event that ends before it starts. */
static void add_wrapped(accountant *a, size_t run, size_t call, const eti_etdump_stamps *stamps) {
    if (stamps->start_time <= stamps->end_time || stamps->start_time > CLOCK_MAX)
        return;
    const eti_faulty_event event = {a->account->block, (uint32_t)run, a->order.calls[call].event};
    bool is_backwards = elapsed_ticks(stamps) > CLOCK_MAX / 2;
    eti__time_faults_add(&a->account->faults, is_backwards ? ETI_TIME_BACKWARDS : ETI_TIME_WRAPPED,
                         event);
}

static void read_intervals(accountant *a, size_t run) {
    eti_nesting *nesting = &a->nesting;
    uint64_t first_wrapped = UINT64_MAX;
    for (size_t i = 0; i < a->order.n_calls; i++) {
        if (a->order.calls[i].delegate_call != ETI_NO_CALL)
            continue;
        const eti_event *event = event_of(a, i);
        eti_etdump_stamps stamps = stamps_of(a, i);
        add_wrapped(a, run, i, &stamps);
        uint64_t start = in_source_scale(a, event, stamps.start_time);
        uint64_t end = in_source_scale(a, event, stamps.end_time);
        if (end < start && start > CLOCK_MAX)
            end = start;
        if (end < start && start < first_wrapped)
            first_wrapped = start;
        nesting->start[a->nested[i]] = start;
        nesting->end[a->nested[i]] = end;
    }
    if (first_wrapped != UINT64_MAX)
        unwrap(nesting, first_wrapped);
}

/* Adds up the elapsed times of the events of each delegate call. */
static void sum_delegated(accountant *a, size_t run) {
    for (size_t i = 0; i < a->order.n_calls; i++)
        a->inside[i] = a->given[i] = (eti_wide){0};
    for (size_t i = 0; i < a->order.n_calls; i++) {
        uint32_t call = a->order.calls[i].delegate_call;
        if (call == ETI_NO_CALL)
            continue;
        eti_etdump_stamps stamps = stamps_of(a, i);
        add_wrapped(a, run, i, &stamps);
        a->ticks[i] = in_source_scale(a, event_of(a, i), elapsed_ticks(&stamps));
        eti__wide_add(&a->inside[call], eti__wide_of(a->ticks[i]));
    }
}

/* Returns the part of `room` that belongs to `ticks` of `all`, when `all` fill it. */
static uint64_t part_of(uint64_t room, eti_wide ticks, eti_wide all) {
    for (; all.high > 0; all = eti__wide_half(all))
        ticks = eti__wide_half(ticks);
    return eti__wide_quotient(eti__wide_product(ticks.low, room), all.low);
}

static void add_self(const accountant *a, size_t run, size_t call, uint64_t ticks) {
    const eti_account *account = a->account;
    account->self[(size_t)a->order.calls[call].event * account->block->n_runs + run] += ticks;
}

/* A delegate's event has its time, or its part of the call where that is less than all of them. */
static void add_delegated(accountant *a, size_t run, size_t call) {
    uint32_t outer = a->order.calls[call].delegate_call;
    uint64_t room = a->nesting.self[a->nested[outer]], ticks = a->ticks[call];
    eti_wide all = a->inside[outer];
    if (eti__wide_compare(all, eti__wide_of(room)) > 0) {
        eti_wide before = a->given[outer];
        eti__wide_add(&a->given[outer], eti__wide_of(ticks));
        ticks = part_of(room, a->given[outer], all) - part_of(room, before, all);
    }
    add_self(a, run, call, ticks);
}

static void add_nested(accountant *a, size_t run, size_t call) {
    uint64_t own = a->nesting.self[a->nested[call]];
    bool is_full = eti__wide_compare(a->inside[call], eti__wide_of(own)) > 0;
    a->account->n_full_calls += is_full;
    add_self(a, run, call, is_full ? 0 : own - a->inside[call].low);
}

static void count_run(accountant *a, size_t run) {
    read_intervals(a, run);
    eti__nesting_find(&a->nesting);
    sum_delegated(a, run);
    for (size_t i = 0; i < a->order.n_calls; i++) {
        if (a->order.calls[i].delegate_call == ETI_NO_CALL)
            add_nested(a, run, i);
        else
            add_delegated(a, run, i);
        a->account->events[a->order.calls[i].event].n_calls++;
    }
    const eti_run_intervals intervals = {.block = a->account->block,
                                         .run = (uint32_t)run,
                                         .execute = a->account->execute,
                                         .order = &a->order,
                                         .nesting = &a->nesting,
                                         .call_at = a->call_at};
    eti__time_faults_find(&a->account->faults, &intervals);
    a->account->n_repeated += a->order.n_repeated;
}

/* ---- all runs -------------------------------------------------------------------------------- */

/* Sets which event is inside which, by the last call of each in the run that was counted. */
static void set_parents(accountant *a) {
    for (size_t i = 0; i < a->order.n_calls; i++) {
        uint32_t outer = a->order.calls[i].delegate_call;
        if (outer == ETI_NO_CALL) {
            uint32_t parent = a->nesting.parent[a->nested[i]];
            outer = parent == ETI_NO_PARENT ? ETI_NO_CALL : a->call_at[parent];
        }
        uint32_t event = a->order.calls[i].event;
        uint32_t parent = outer == ETI_NO_CALL ? ETI_NO_EVENT : a->order.calls[outer].event;
        a->account->events[event].parent = parent == event ? ETI_NO_EVENT : parent;
    }
}

static eti_status count_runs(accountant *a, eti_error *err) {
    const eti_event_block *block = a->account->block;
    for (size_t run = 0; run < block->n_runs; run++) {
        const eti_run_layout *before = a->order.layout;
        a->run = &block->runs[run];
        ETI_TRY(eti__call_order_read(&a->order, block, a->run, err));
        if (a->order.layout != before)
            ETI_TRY(make_arrays(a, err));
        count_run(a, run);
        if (run == 0)
            set_parents(a);
    }
    return ETI_OK;
}

/* Where calls of a loop were nested now so and now so, events could be inside each other in a ring: that is cut
 * open. `root` gets the outermost event that each is inside of. */
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

/* Calls of operators are kernels where no kernel was logged; those of delegates that logged something are the rest. */
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

/* Engines other than ExecuTorch name events as they like: where no event has a name of the runtime's, the instructions'
 * events that have no event inside are operators. */
static void settle_foreign(eti_account *account) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        eti_role role = eti__account_role(account, i);
        if ((role != ETI_ROLE_INSTRUCTION && role != ETI_ROLE_UNTIMED) ||
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

/* Where each event stands in the whole. */
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
        (void)scale_of(a, &account->block->events[i], &is_countable);
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

/* Takes the calls of the runs that do not count out of the numbers of calls. */
static eti_status uncount_calls(accountant *a, eti_error *err) {
    const eti_event_block *block = a->account->block;
    for (size_t run = 0; run < block->n_runs; run++) {
        if (!a->account->is_warm_up[run])
            continue;
        a->run = &block->runs[run];
        ETI_TRY(eti__call_order_read(&a->order, block, a->run, err));
        for (size_t i = 0; i < a->order.n_calls; i++)
            a->account->events[a->order.calls[i].event].n_calls--;
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
        .factor = eti__time_scale_factor(options->source_time_scale, options->target_time_scale,
                                         options->clock_hz),
        .execute = ETI_NO_EVENT,
    };
    accountant a = {.account = out, .options = options};
    eti_status status = make_results(out) ? count_block(&a, err) : eti_fail_memory(err);
    free_arrays(&a);
    eti__call_order_free(&a.order);
    if (status != ETI_OK)
        eti__account_free(out);
    return status;
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
    *account = (eti_account){0};
}
