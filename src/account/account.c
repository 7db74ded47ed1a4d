#include "account/account.h"

#include "account/blocks.h"
#include "account/calls.h"
#include "account/shares.h"

#include <stdlib.h>
#include <string.h>

/* ==== warm up ================================================================================= */

/* Sets is_warm_up[run] for the warm-up runs; all values are false before the call. `ticks` are the times of the runs.
 * Returns false if memory runs out. */
static bool find_warm_up(const eti_event_block *block, const uint64_t *ticks, bool *is_warm_up) {
    double *values = malloc((2 * block->n_runs + 1) * sizeof *values);
    if (!values)
        return false;
    for (size_t first = 0, end; first < block->n_runs; first = end) {
        end = eti__warm_up_end(block, first);
        for (size_t run = first; run < end; run++)
            values[run - first] = (double)ticks[run];
        size_t n_warm_up = eti__warm_up_runs(values, end - first, values + (end - first));
        for (size_t run = first; run < first + n_warm_up; run++)
            is_warm_up[run] = true;
    }
    free(values);
    return true;
}

/* ==== repeated calls ========================================================================== */

static bool make_numbers(eti_repeated_calls *repeated, const eti_event_block *block) {
    repeated->number_of = malloc((block->n_events + 1) * sizeof *repeated->number_of);
    for (size_t i = 0; repeated->number_of && i < block->n_events; i++)
        repeated->number_of[i] = ETI_NO_EVENT;
    return repeated->number_of != NULL;
}

static bool add_event(eti_repeated_calls *repeated, const eti_event_block *block, uint32_t event) {
    size_t used = repeated->n * block->n_runs;
    if (!ETI_GROW(repeated->sums, repeated->capacity, used + block->n_runs))
        return false;
    memset(repeated->sums + used, 0, block->n_runs * sizeof *repeated->sums);
    repeated->number_of[event] = (uint32_t)repeated->n++;
    return true;
}

/* Adds the Events of the calls whose Event is made from a later call of the run. */
static bool add_events(eti_repeated_calls *repeated, const eti_run_calls *calls) {
    const uint32_t *last = calls->run->layout->profile_events;
    if (!repeated->number_of && !make_numbers(repeated, calls->block))
        return false;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        const eti_call *call = &calls->order.calls[i];
        if (call->number != last[call->event] && repeated->number_of[call->event] == ETI_NO_EVENT &&
            !add_event(repeated, calls->block, call->event))
            return false;
    }
    return true;
}

/* Adds the run that `calls` has read, if it has repeated calls. False: out of memory. */
static bool add_repeated_calls(eti_repeated_calls *repeated, const eti_run_calls *calls,
                               size_t run) {
    if (calls->order.n_repeated == 0)
        return true;
    if (!add_events(repeated, calls))
        return false;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        uint32_t number = repeated->number_of[calls->order.calls[i].event];
        if (number == ETI_NO_EVENT)
            continue;
        eti_call_sum *sum = &repeated->sums[number * calls->block->n_runs + run];
        eti_etdump_stamps stamps = eti__run_calls_stamps(calls, i);
        if (sum->n++ == 0)
            sum->start = stamps.start_time;
        sum->ticks += eti__stamps_ticks(&stamps);
    }
    return true;
}

static void free_repeated_calls(eti_repeated_calls *repeated) {
    free(repeated->number_of);
    free(repeated->sums);
    *repeated = (eti_repeated_calls){0};
}

/* Returns the calls of an Event in a run; NULL if the run calls it once. */
static const eti_call_sum *find_repeated_calls(const eti_repeated_calls *repeated,
                                               const eti_event_block *block, size_t event,
                                               size_t run) {
    if (!repeated->number_of || repeated->number_of[event] == ETI_NO_EVENT)
        return NULL;
    const eti_call_sum *sum = &repeated->sums[repeated->number_of[event] * block->n_runs + run];
    return sum->n > 1 ? sum : NULL;
}

/* ==== own lengths ============================================================================= */

static bool has_own_length(const eti_event *event, const eti_options *options) {
    bool is_countable;
    if (!event->logged || !event->is_timed)
        return false;
    (void)eti__event_scale(options, event, &is_countable);
    return event->logged->unit != ETI_UNIT_TICKS || !is_countable;
}

/* Makes room for the Events that need it. Returns false if memory runs out. */
static bool make_lengths(eti_own_lengths *lengths, const eti_event_block *block,
                         const eti_options *options) {
    size_t n = 0;
    for (size_t i = 0; i < block->n_events; i++)
        n += has_own_length(&block->events[i], options);
    if (n == 0)
        return true;
    lengths->number_of = malloc((block->n_events + 1) * sizeof *lengths->number_of);
    if (block->n_runs == 0 || n <= SIZE_MAX / sizeof *lengths->ticks / block->n_runs)
        lengths->ticks = calloc(n * block->n_runs + 1, sizeof *lengths->ticks);
    if (!lengths->number_of || !lengths->ticks)
        return false;
    n = 0;
    for (size_t i = 0; i < block->n_events; i++)
        lengths->number_of[i] =
            has_own_length(&block->events[i], options) ? (uint32_t)n++ : ETI_NO_EVENT;
    return true;
}

/* Returns the times of an Event by run; NULL: those of the Inspector are right. */
static uint64_t *own_lengths_of(const eti_own_lengths *lengths, const eti_event_block *block,
                                size_t event) {
    if (!lengths->number_of || lengths->number_of[event] == ETI_NO_EVENT)
        return NULL;
    return lengths->ticks + (size_t)lengths->number_of[event] * block->n_runs;
}

/* Adds the calls of a run. */
static void add_lengths(eti_own_lengths *lengths, const eti_run_calls *calls, size_t run) {
    for (size_t i = 0; lengths->number_of && i < calls->order.n_calls; i++) {
        uint64_t *ticks = own_lengths_of(lengths, calls->block, calls->order.calls[i].event);
        if (!ticks)
            continue;
        if (calls->timing[i] == ETI_TIMED_BY_LENGTH)
            ticks[run] += calls->elapsed[i];
        else if (calls->timing[i] == ETI_TIMED_BY_PORTION)
            ticks[run] += calls->room[i];
    }
}

static void free_lengths(eti_own_lengths *lengths) {
    free(lengths->number_of);
    free(lengths->ticks);
    *lengths = (eti_own_lengths){0};
}

/* ==== account ================================================================================= */

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
            .call = ETI_NO_EVENT,
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
        a->account->events[event].lane = calls[i].lane;
        if (calls[i].delegate_call != ETI_NO_CALL)
            a->account->events[event].call = calls[calls[i].delegate_call].event;
    }
}

static eti_status count_runs(accountant *a, eti_error *err) {
    eti_account *account = a->account;
    bool counts_loading = !eti__block_runs(account->block);
    for (size_t run = 0; run < account->block->n_runs; run++) {
        ETI_TRY(eti__run_calls_read(&a->calls, run, account->execute, &account->faults, err));
        count_run(a, run);
        account->elapsed[run] = eti__run_calls_elapsed(&a->calls, counts_loading);
        if (a->calls.order.n_lanes > account->n_lanes)
            account->n_lanes = a->calls.order.n_lanes;
        add_lengths(&account->lengths, &a->calls, run);
        if (!add_repeated_calls(&account->repeated, &a->calls, run))
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

/* Returns whether the stamps of an event without a delegate's identifier may show that it lies inside a delegate call. */
static bool is_plain_inside(const eti_account *account, size_t event) {
    const eti_event *of = &account->block->events[event];
    return of->logged && !of->is_timed_as_delegated;
}

/* Returns the call that an event which is not plain shows for the plain events in it, or ETI_NO_EVENT. */
static uint32_t call_around(const eti_account *account, uint32_t event) {
    if (event == ETI_NO_EVENT)
        return event;
    bool is_call = eti__text_is(account->block->events[event].name, "DELEGATE_CALL");
    return is_call ? event : account->events[event].call;
}

/* Finds the delegate calls that such events lie in, and gives these events their roles. */
static void find_plain_calls(eti_account *account) {
    const uint32_t outside = ETI_NO_EVENT - 1; /* in no call */
    eti_event_account *events = account->events;
    size_t n = account->block->n_events;
    for (size_t i = 0; i < n; i++) {
        uint32_t end = (uint32_t)i;
        while (end != ETI_NO_EVENT && is_plain_inside(account, end) &&
               events[end].call == ETI_NO_EVENT)
            end = events[end].parent;
        bool is_known = end != ETI_NO_EVENT && is_plain_inside(account, end);
        uint32_t call = is_known ? events[end].call : call_around(account, end);
        for (uint32_t at = (uint32_t)i; at != end; at = events[at].parent)
            events[at].call = call == ETI_NO_EVENT ? outside : call;
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_plain_inside(account, i))
            continue;
        if (events[i].call == outside)
            events[i].call = ETI_NO_EVENT;
        else
            events[i].role = (uint8_t)eti__role_inside(&account->block->events[i]);
    }
}

/* Returns whether the backend of an event does not say which of its events contain others. */
static bool has_unknown_clock(const eti_account *account, size_t event) {
    const eti_delegate_event *logged = account->block->events[event].logged;
    return logged && logged->clock == ETI_CLOCK_UNKNOWN;
}

/* Turns calls of operators into kernels if no kernel was logged, calls of delegates that logged events into time that is
 * not logged, and events of an unknown backend around others into overhead. */
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
        if (event->role == ETI_ROLE_DELEGATED && !event->is_leaf && has_unknown_clock(account, i))
            event->role = ETI_ROLE_OVERHEAD;
    }
}

/* Returns whether the runtime uses the name of an event. */
static bool is_of_runtime(const eti_account *account, size_t event) {
    eti_role role = eti__account_role(account, event);
    return (role != ETI_ROLE_INSTRUCTION && role != ETI_ROLE_UNTIMED && role != ETI_ROLE_COUNTER &&
            !eti__role_is_logged(role)) ||
           eti__is_runtime_instruction(account->block->events[event].name);
}

/* Adds the lanes of run 0 that have an event with a name that the runtime uses. Returns false if memory runs out. */
static bool find_runtime_lanes(const accountant *a, eti_intern *lanes,
                               const eti_intern_kind *kind) {
    const eti_call_order *order = &a->calls.order;
    uint32_t number;
    for (size_t i = 0; i < order->n_calls; i++) {
        if (is_of_runtime(a->account, order->calls[i].event) &&
            !eti__intern_add(lanes, kind, &order->calls[i].lane, &number))
            return false;
    }
    return true;
}

/* Turns the leaf events of instructions into kernels, on lanes where no event has a name that the runtime uses: engines other
 * than ExecuTorch choose names of their own. An event of several lanes is a kernel only if this holds for each of them, so
 * the order of the calls does not matter. Returns false if memory runs out. */
static bool settle_foreign(accountant *a) {
    static const eti_intern_kind kind = {.item_size = sizeof(uint32_t),
                                         .key_size = sizeof(uint32_t)};
    eti_account *account = a->account;
    const eti_call_order *order = &a->calls.order;
    size_t n_events = account->block->n_events;
    eti_error ignored;
    eti_intern lanes = {0};
    uint32_t number;
    bool has_runtime = false;
    for (size_t i = 0; i < n_events && !has_runtime; i++)
        has_runtime = is_of_runtime(account, i);
    if (has_runtime && account->n_lanes == 1)
        return true;
    bool *is_kept = calloc(n_events + 1, sizeof *is_kept);
    bool done = is_kept != NULL;
    if (done && has_runtime && account->block->n_runs > 0) {
        done = eti__call_order_read(&a->calls.order, account->block, &account->block->runs[0],
                                    &ignored) == ETI_OK &&
               find_runtime_lanes(a, &lanes, &kind);
        for (size_t i = 0; done && i < order->n_calls; i++)
            is_kept[order->calls[i].event] |=
                eti__intern_find(&lanes, &kind, &order->calls[i].lane, &number);
    }
    for (size_t i = 0; i < n_events && done; i++) {
        eti_event_account *event = &account->events[i];
        if (event->role == ETI_ROLE_INSTRUCTION && event->is_leaf && !is_kept[i] &&
            account->block->events[i].instruction_id != -1)
            event->role = ETI_ROLE_KERNEL;
    }
    free(is_kept);
    eti__intern_free(&lanes);
    return done;
}

static bool takes_time(const eti_account *account, size_t event) {
    const uint64_t *self = eti__account_self(account, event);
    for (size_t run = 0; run < account->block->n_runs; run++) {
        if (self[run] > 0)
            return true;
    }
    return false;
}

/* Sets that the event around another is no leaf. Inside an unknown backend, zero lengths at a border show no nesting: there,
 * only an event that takes time, or has one inside that does, makes the events around it no leaves. */
static void settle_leaf(eti_account *account, uint32_t event) {
    uint32_t parent = account->events[event].parent;
    if (!has_unknown_clock(account, event) || !has_unknown_clock(account, parent))
        account->events[parent].is_leaf = false;
    else if (takes_time(account, event))
        for (; parent != ETI_NO_EVENT && has_unknown_clock(account, parent) &&
               account->events[parent].is_leaf;
             parent = account->events[parent].parent)
            account->events[parent].is_leaf = false;
}

/* Counts an event that shares the time of its call in proportion to its cycles. */
static void count_cycles(const accountant *a, size_t event) {
    const eti_event *of = &a->account->block->events[event];
    bool is_countable;
    (void)eti__event_scale(a->options, of, &is_countable);
    if (is_countable || !of->is_timed_as_delegated || !eti__account_has_times(a->account, event))
        return;
    const eti_cycle_counts one = {1, eti__account_backend(a->account, event),
                                  eti__event_hz(of, a->options) > 0};
    eti__cycle_counts_add(&a->account->cycles, &one);
}

/* Sets which events are counted, which are leaves, and the roles that depend on that. Returns false if memory runs out. */
static bool settle_events(accountant *a, const uint32_t *root) {
    eti_account *account = a->account;
    bool counts_loading = !eti__block_runs(account->block);
    for (size_t i = 0; i < account->block->n_events; i++) {
        eti_event_account *event = &account->events[i];
        if (event->role >= ETI_N_TIMED_ROLES)
            continue;
        event->is_counted = counts_loading || account->events[root[i]].role != ETI_ROLE_LOAD;
        if (event->is_counted && account->execute != ETI_NO_EVENT && root[i] != account->execute &&
            event->lane == account->events[account->execute].lane)
            account->n_outside++;
        if (event->call == ETI_NO_EVENT || event->parent == event->call)
            count_cycles(a, i);
        if (event->parent == ETI_NO_EVENT)
            continue;
        eti_event_account *parent = &account->events[event->parent];
        settle_leaf(account, (uint32_t)i);
        if (event->role == ETI_ROLE_INSTRUCTION && parent->role == ETI_ROLE_OPERATOR_CALL)
            event->role = ETI_ROLE_KERNEL;
    }
    settle_calls(account);
    return settle_foreign(a);
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
    find_plain_calls(account);
    bool is_settled = settle_events(a, root);
    free(root);
    sum_whole(account);
    if (!is_settled || (!a->options->keeps_warm_up &&
                        !find_warm_up(account->block, account->elapsed, account->is_warm_up)))
        return eti_fail_memory(err);
    list_runs(account);
    return eti__account_find_medians(account) ? uncount_calls(a, err) : eti_fail_memory(err);
}

static bool make_results(eti_account *account) {
    size_t n_events = account->block->n_events, n_runs = account->block->n_runs;
    account->events = calloc(n_events + 1, sizeof *account->events);
    account->doubled_medians = calloc(n_events + 1, sizeof *account->doubled_medians);
    account->totals = calloc(n_events + 1, sizeof *account->totals);
    account->whole = calloc(n_runs + 1, sizeof *account->whole);
    account->elapsed = calloc(n_runs + 1, sizeof *account->elapsed);
    account->is_warm_up = calloc(n_runs + 1, sizeof *account->is_warm_up);
    account->runs = malloc((n_runs + 1) * sizeof *account->runs);
    if (n_runs == 0 || n_events <= SIZE_MAX / sizeof *account->self / n_runs)
        account->self = calloc(n_events * n_runs + 1, sizeof *account->self);
    return account->events && account->doubled_medians && account->totals && account->whole &&
           account->elapsed && account->is_warm_up && account->runs && account->self;
}

void eti__account_free(eti_account *account) {
    free(account->events);
    free(account->self);
    free(account->doubled_medians);
    free(account->totals);
    free(account->whole);
    free(account->elapsed);
    free(account->is_warm_up);
    free(account->runs);
    free_repeated_calls(&account->repeated);
    free_lengths(&account->lengths);
    *account = (eti_account){0};
}

eti_status eti__account_new(eti_account *out, const eti_event_block *block,
                            const eti_options *options, eti_error *err) {
    *out = (eti_account){
        .block = block,
        .options = options,
        .factor = eti__time_scale_factor(options->source_time_scale, options->target_time_scale,
                                         options->clock_hz),
        .execute = ETI_NO_EVENT,
        .n_lanes = 1,
    };
    accountant a = {.account = out, .options = options};
    eti__run_calls_init(&a.calls, block, options);
    bool is_made = make_results(out) && make_lengths(&out->lengths, block, options);
    eti_status status = is_made ? count_block(&a, err) : eti_fail_memory(err);
    eti__run_calls_free(&a.calls);
    if (status != ETI_OK)
        eti__account_free(out);
    return status;
}

static void free_shared(void *account) {
    eti__account_free(account);
    free(account);
}

/* Block and options of a shared account. */
typedef struct account_source {
    const eti_event_block *block;
    const eti_options *options;
} account_source;

static eti_status make_shared(void **out, const void *context, eti_error *err) {
    const account_source *of = context;
    eti_account *made = malloc(sizeof *made);
    if (!made)
        return eti_fail_memory(err);
    eti_status status = eti__account_new(made, of->block, of->options, err);
    if (status == ETI_OK)
        *out = made;
    else
        free(made);
    return status;
}

eti_status eti__account_of(const eti_account **out, const eti_inspector *inspector,
                           const eti_event_block *block, eti_error *err) {
    const account_source of = {block, &inspector->options};
    const void *account = NULL;
    eti_status status =
        eti__shared_get(&account, &inspector->accounts.items[block - inspector->blocks.blocks],
                        make_shared, free_shared, &of, err);
    *out = account;
    return status;
}

static const eti_call_sum *repeated_calls_of(const eti_account *account, size_t event, size_t run) {
    return find_repeated_calls(&account->repeated, account->block, event, run);
}

double eti__account_elapsed(const eti_account *account, size_t event, size_t run) {
    const eti_event *of = &account->block->events[event];
    const uint64_t *own = own_lengths_of(&account->lengths, account->block, event);
    if (own)
        return eti__account_time(account, own[run]);
    const eti_call_sum *calls = repeated_calls_of(account, event, run);
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

bool eti__account_has_times(const eti_account *account, size_t event) {
    const eti_event *of = &account->block->events[event];
    bool has_time = !of->logged || eti__delegate_event_has_time(of->logged);
    return account->events[event].role < ETI_N_TIMED_ROLES && has_time;
}

uint64_t eti__event_value(const eti_event *event, size_t run) {
    const eti_block_run *in = &event->block->runs[run];
    uint32_t number = in->layout->profile_events[event - event->block->events];
    eti_etdump_stamps stamps =
        eti__etdump_read_stamps(in->dump, eti__block_run_position(in, number));
    return eti__stamps_value(event, &stamps);
}

uint64_t eti__account_value(const eti_account *account, size_t event, size_t run) {
    const eti_call_sum *calls = repeated_calls_of(account, event, run);
    return calls ? calls->ticks : eti__event_value(&account->block->events[event], run);
}

eti_text eti__event_unit(const eti_options *options, const eti_event *event) {
    bool is_countable;
    if (event->logged && event->logged->unit != ETI_UNIT_TICKS)
        return eti__delegate_unit_name(event->logged->unit);
    return eti__text_of(eti_time_scale_name(eti__event_scale(options, event, &is_countable)));
}

eti_wide eti__account_total(const eti_account *account, const uint64_t *ticks) {
    eti_wide sum = {0};
    for (size_t i = 0; i < account->n_runs; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): n_runs of them are set */
        eti__wide_add(&sum, eti__wide_of(ticks[account->runs[i]]));
    return sum;
}

void eti__run_counts_add(eti_run_counts *counts, const eti_account *account) {
    counts->n += account->n_runs;
    counts->n_warm_up += account->n_warm_up;
    counts->n_blocks++;
    for (size_t i = 0; i < account->n_runs; i++) {
        uint32_t run = account->runs[i];
        if (!eti__account_overlaps(account, run))
            continue;
        counts->n_overlapping++;
        eti__wide_add(&counts->busy, eti__wide_of(account->whole[run]));
        eti__wide_add(&counts->elapsed, eti__wide_of(account->elapsed[run]));
    }
}

void eti__run_counts_join(eti_run_counts *counts, const eti_run_counts *joined) {
    counts->n += joined->n;
    counts->n_warm_up += joined->n_warm_up;
    counts->n_blocks += joined->n_blocks;
    counts->n_overlapping += joined->n_overlapping;
    eti__wide_add(&counts->busy, joined->busy);
    eti__wide_add(&counts->elapsed, joined->elapsed);
}

size_t eti__account_call_of(const eti_account *account, size_t event) {
    const eti_event_account *of = &account->events[event];
    if (of->call != ETI_NO_EVENT)
        return of->call;
    return of->role == ETI_ROLE_DELEGATED && of->parent != ETI_NO_EVENT ? of->parent : event;
}

eti_text eti__account_backend(const eti_account *account, size_t event) {
    const eti_event *events = account->block->events;
    eti_text own = events[event].known->backend_name;
    return own.size > 0 ? own : events[eti__account_call_of(account, event)].known->backend_name;
}

eti_text eti__event_compute_unit(const eti_account *account, size_t event) {
    const eti_delegate_event *logged = account->block->events[event].logged;
    eti_role role = eti__account_role(account, event);
    if (logged && logged->compute_unit.data)
        return logged->compute_unit;
    if (logged && logged->role == ETI_DELEGATE_COUNTER)
        return (eti_text){NULL, 0};
    bool is_on_host =
        role == ETI_ROLE_KERNEL || role == ETI_ROLE_NOT_LOGGED ||
        (logged && logged->clock == ETI_CLOCK_HOST) ||
        eti__backend_of_id(eti__account_backend(account, event)) == ETI_BACKEND_XNNPACK;
    return is_on_host ? eti__text_of("CPU") : (eti_text){NULL, 0};
}

/* ==== summed methods ========================================================================== */

static bool is_listed(const eti_summed_methods *methods, const eti_event_block *block) {
    for (size_t i = 0; i < methods->n; i++) {
        if (eti__blocks_are_alike(methods->items[i].options.like, block))
            return true;
    }
    return false;
}

static void list_methods(eti_summed_methods *out, const eti_inspector *inspector,
                         const eti_view_options *options) {
    bool no_loading = eti__blocks_leave_out_loading(inspector, options);
    for (size_t i = 0; i < inspector->blocks.n_blocks && out->n <= ETI_MOST_METHODS; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (!eti__block_is_summed(options, block, no_loading) || is_listed(out, block))
            continue;
        eti_summed_method *added = &out->items[out->n++];
        *added = (eti_summed_method){block->label, *options};
        if (block->method_name.size > 0)
            added->name = block->method_name;
        added->options.like = block;
    }
}

/* Adds the time of a block to the whole. */
static eti_status add_method_block(eti_summed_methods *out, const eti_inspector *inspector,
                                   const eti_event_block *block, eti_error *err) {
    const eti_account *account;
    ETI_TRY(eti__account_of(&account, inspector, block, err));
    eti_time_sum all = eti__account_sum_all(account);
    eti__time_sum_add(&out->whole, &all);
    return ETI_OK;
}

static eti_status sum_methods_whole(eti_summed_methods *out, const eti_inspector *inspector,
                                    const eti_view_options *options, eti_error *err) {
    bool no_loading = eti__blocks_leave_out_loading(inspector, options);
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (eti__block_is_summed(options, block, no_loading))
            ETI_TRY(add_method_block(out, inspector, block, err));
    }
    for (size_t i = 0; i < out->n; i++)
        out->items[i].options.whole = &out->whole;
    return ETI_OK;
}

eti_status eti__summed_methods_find(eti_summed_methods *out, const eti_inspector *inspector,
                                    const eti_view_options *options, eti_error *err) {
    *out = (eti_summed_methods){.n = 0};
    out->items = calloc(ETI_MOST_METHODS + 1, sizeof *out->items);
    if (!out->items)
        return eti_fail_memory(err);
    if (eti__has_several_methods(inspector) && !options->per_block)
        list_methods(out, inspector, options);
    if (out->n > 1 && out->n <= ETI_MOST_METHODS)
        return sum_methods_whole(out, inspector, options, err);
    out->items[0] = (eti_summed_method){.options = *options};
    out->n = 1;
    return ETI_OK;
}

void eti__summed_methods_free(eti_summed_methods *methods) {
    free(methods->items);
    *methods = (eti_summed_methods){.n = 0};
}

/* ==== event times ============================================================================= */

static eti_status add_block(eti_event_times *times, const eti_inspector *inspector,
                            const eti_event_block *block, eti_error *err) {
    eti_timed_block *added = &times->blocks[times->n_blocks];
    uint64_t n_bytes = 0;
    added->first = times->n;
    ETI_TRY(eti__account_of(&added->account, inspector, block, err));
    times->n_blocks++;
    added->events = malloc((block->n_events + 1) * sizeof *added->events);
    if (!added->events)
        return eti_fail_memory(err);
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!event->is_timed)
            continue;
        added->events[added->n_events++] = (uint32_t)i;
        n_bytes += block->name.size + event->name.size + event->known->backend_name.size;
    }
    times->n_bytes += n_bytes * block->n_runs;
    times->n += added->n_events * block->n_runs;
    return ETI_OK;
}

eti_status eti__event_times_make(eti_event_times *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    const eti_blocks *blocks = &inspector->blocks;
    *out = (eti_event_times){.blocks = calloc(blocks->n_blocks + 1, sizeof *out->blocks)};
    if (!out->blocks)
        return eti_fail_memory(err);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        if (eti__block_is_summed(options, &blocks->blocks[i], false))
            ETI_TRY(add_block(out, inspector, &blocks->blocks[i], err));
    }
    return ETI_OK;
}

void eti__event_times_free(eti_event_times *times) {
    for (size_t i = 0; i < times->n_blocks; i++)
        free(times->blocks[i].events);
    free(times->blocks);
}

static const eti_timed_block *find_block(const eti_event_times *times, size_t i) {
    size_t low = 0, high = times->n_blocks;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (times->blocks[middle].first <= i)
            low = middle;
        else
            high = middle;
    }
    return &times->blocks[low];
}

eti_event_time eti__event_times_at(const eti_event_times *times, size_t i) {
    const eti_timed_block *of = find_block(times, i);
    uint32_t number = of->events[(i - of->first) % of->n_events];
    return (eti_event_time){
        .account = of->account,
        .event = &of->account->block->events[number],
        .number = number,
        .run = (i - of->first) / of->n_events,
    };
}

/* ==== module total ============================================================================ */
/* Adds up the averages of the events that belong to a module whose key contains a name, as the
 * Inspector does. */

/* A search for one module. The events of an instruction share a list of nodes, and nodes share a stack of modules;
 * both may be long, so each is searched once. Initialize with `name` and zeros. */
typedef struct module_search {
    eti_text name;
    eti_pointer_table known; /* lists and stacks: 1 if in the module, otherwise 0 */
} module_search;

/* Remembers an answer. If memory runs out, the answer is not kept and is computed again. */
static bool remember(module_search *search, const void *about, bool is_in) {
    (void)eti__pointer_table_add(&search->known, about, is_in);
    return is_in;
}

static bool is_node_in_module(module_search *search, const eti_op_node *node) {
    uint32_t known;
    if (node->n_modules == 0)
        return false;
    if (eti__pointer_table_find(&search->known, node->modules, &known))
        return known;
    bool is_in = false;
    for (size_t i = 0; i < node->n_modules && !is_in; i++)
        is_in = eti__text_contains(node->modules[i].key, search->name);
    return remember(search, node->modules, is_in);
}

static bool is_in_module(module_search *search, const eti_event *event) {
    const eti_event_record *record = event->record;
    uint32_t known;
    if (record->n_op_nodes == 0)
        return false;
    if (eti__pointer_table_find(&search->known, record->op_nodes, &known))
        return known;
    bool is_in = false;
    for (size_t i = 0; i < record->n_op_nodes && !is_in; i++)
        is_in = is_node_in_module(search, record->op_nodes[i]);
    return remember(search, record->op_nodes, is_in);
}

/* Returns the sum of averages. `n_found` counts the events of the module, whether timed or not. */
static double search_module(const eti_inspector *inspector, const char *name, size_t *n_found) {
    module_search search = {.name = eti__text_of(name)};
    double total = 0.0;
    *n_found = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            const eti_event *event = &block->events[i];
            if (!is_in_module(&search, event))
                continue;
            ++*n_found;
            eti_summary summary;
            if (!eti__text_is(event->name, "OPERATOR_CALL") && eti_event_summary(event, &summary))
                total += summary.avg;
        }
    }
    eti__pointer_table_free(&search.known);
    return total;
}

double eti_inspector_find_total_for_module(const eti_inspector *inspector, const char *name) {
    size_t n_found;
    return search_module(inspector, name, &n_found);
}

bool eti_inspector_has_module(const eti_inspector *inspector, const char *name) {
    size_t n_found;
    (void)search_module(inspector, name, &n_found);
    return n_found > 0;
}
