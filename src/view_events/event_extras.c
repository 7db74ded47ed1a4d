#include "view_events/event_extras.h"

#include "rollup/rollup.h"

#include <math.h>
#include <stdlib.h>

eti_event_extras *eti__event_extras_new(const eti_inspector *inspector) {
    eti_event_extras *extras = calloc(1, sizeof *extras);
    if (!extras)
        return NULL;
    extras->inspector = inspector;
    pthread_mutex_init(&extras->finding_out, NULL);
    extras->blocks = calloc(inspector->blocks.n_blocks + 1, sizeof *extras->blocks);
    if (extras->blocks)
        return extras;
    eti__event_extras_free(extras);
    return NULL;
}

static void free_block(eti_block_extras *block) {
    if (block->has_account)
        eti__account_free(&block->account);
    free(block->cumulative);
    free(block->places);
}

void eti__event_extras_free(eti_event_extras *extras) {
    if (!extras)
        return;
    for (size_t i = 0; extras->blocks && i < extras->inspector->blocks.n_blocks; i++)
        free_block(&extras->blocks[i]);
    free(extras->blocks);
    if (extras->has_places)
        eti__places_free(&extras->places);
    pthread_mutex_destroy(&extras->finding_out);
    free(extras);
}

/* Computes the data of a block, or of all blocks; false: out of memory. */
typedef bool find_function(eti_event_extras *extras, const eti_event_block *block);

/* Computes the data at the first call; later calls, of any thread, use the result. */
static bool find_once(eti_event_extras *extras, atomic_bool *is_found, find_function *find,
                      const eti_event_block *block) {
    if (atomic_load(is_found))
        return true;
    pthread_mutex_lock(&extras->finding_out);
    bool found = atomic_load(is_found) || find(extras, block);
    atomic_store(is_found, found);
    pthread_mutex_unlock(&extras->finding_out);
    return found;
}

static eti_block_extras *extras_of(eti_event_extras *extras, const eti_event_block *block) {
    return &extras->blocks[block - extras->inspector->blocks.blocks];
}

/* ---- accounts -------------------------------------------------------------------------------- */

static bool make_account(eti_event_extras *extras, const eti_event_block *block) {
    return eti__account_new(&extras_of(extras, block)->account, block, &extras->inspector->options,
                            NULL) == ETI_OK;
}

/* Returns the account of a block; NULL: out of memory. */
static const eti_account *account_of(eti_event_extras *extras, const eti_event_block *events) {
    eti_block_extras *block = extras_of(extras, events);
    return find_once(extras, &block->has_account, make_account, events) ? &block->account : NULL;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Adds up the runs that count. */
static double sum_runs(const eti_account *account, const eti_event *event) {
    double sum = 0;
    for (size_t i = 0; i < account->n_runs; i++)
        sum += eti_event_raw(event)[account->runs[i]];
    return sum;
}

static bool sum_executed(eti_event_extras *extras, const eti_event_block *block) {
    const eti_account *account = &extras_of(extras, block)->account;
    double sum = NAN;
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!event->is_timed || !eti__text_is(event->name, "Method::execute"))
            continue;
        double total = sum_runs(account, event);
        sum = isnan(sum) ? total : sum + total;
    }
    extras_of(extras, block)->executed = sum;
    return true;
}

bool eti__event_extras_share(eti_event_extras *extras, const eti_event *event, double *out) {
    eti_block_extras *block = extras_of(extras, event->block);
    const eti_account *account = account_of(extras, event->block);
    *out = NAN;
    if (!account || !find_once(extras, &block->has_executed, sum_executed, event->block))
        return false;
    if (event->is_timed && block->executed > 0)
        *out = sum_runs(account, event) / block->executed;
    return true;
}

/* ---- self times ------------------------------------------------------------------------------- */

typedef struct own_ticks {
    uint64_t ticks;
    size_t event;
} own_ticks;

/* Compares self times: the longest first; for equal times, the earlier event. */
static int compare_ticks(const void *a, const void *b) {
    const own_ticks *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return x->event < y->event ? -1 : 1;
}

/* Returns the sum over the runs that count; a total of more than 64 bits wraps around. */
static uint64_t sum_ticks(const eti_account *account, const uint64_t *ticks) {
    return eti__account_total(account, ticks).low;
}

/* Adds up the self times of a block. False: out of memory. */
static bool sum_up(eti_block_extras *block, size_t n_events) {
    own_ticks *sorted = malloc((n_events + 1) * sizeof *sorted);
    block->cumulative = calloc(n_events + 1, sizeof *block->cumulative);
    bool ok = sorted && block->cumulative;
    size_t n = 0;
    for (size_t i = 0; ok && i < n_events; i++) {
        if (block->account.events[i].is_counted &&
            !block->account.block->events[i].is_operator_call)
            sorted[n++] =
                (own_ticks){sum_ticks(&block->account, eti__account_self(&block->account, i)), i};
    }
    if (ok)
        qsort(sorted, n, sizeof *sorted, compare_ticks);
    uint64_t sum = 0;
    for (size_t i = 0; ok && i < n; i++) {
        sum += sorted[i].ticks;
        block->cumulative[sorted[i].event] = sum;
    }
    block->whole = sum_ticks(&block->account, block->account.whole);
    free(sorted);
    if (!ok) {
        free(block->cumulative);
        block->cumulative = NULL;
    }
    return ok;
}

static bool count_own_times(eti_event_extras *extras, const eti_event_block *events) {
    return sum_up(extras_of(extras, events), events->n_events);
}

bool eti__event_extras_own_time(eti_event_extras *extras, const eti_event *event,
                                eti_own_time *out) {
    *out = (eti_own_time){NAN, NAN, NAN};
    eti_block_extras *block = extras_of(extras, event->block);
    const eti_account *account = account_of(extras, event->block);
    if (!account || !find_once(extras, &block->has_own_times, count_own_times, event->block))
        return false;
    size_t number = (size_t)(event - event->block->events);
    if (!event->is_timed)
        return true;
    uint64_t ticks = sum_ticks(account, eti__account_self(account, number));
    out->time = eti__account_time(account, ticks) / (double)account->n_runs;
    if (block->whole == 0 || !block->account.events[number].is_counted)
        return true;
    out->share = (double)ticks / (double)block->whole;
    out->cumulative = (double)block->cumulative[number] / (double)block->whole;
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Finds the places of all events at once, with the mutex locked; after that, places are only
 * read. */
static bool find_places(eti_event_extras *extras, const eti_event_block *unused) {
    (void)unused;
    const eti_blocks *blocks = &extras->inspector->blocks;
    bool ok = eti__places_init(&extras->places);
    for (size_t b = 0; ok && b < blocks->n_blocks; b++) {
        eti_block_extras *block = &extras->blocks[b];
        bool has_account =
            atomic_load(&block->has_account) || make_account(extras, &blocks->blocks[b]);
        atomic_store(&block->has_account, has_account);
        free(block->places);
        block->places = has_account ? eti__places_of_block(&extras->places, &block->account) : NULL;
        ok = block->places != NULL;
    }
    if (!ok)
        eti__places_free(&extras->places);
    return ok;
}

bool eti__event_extras_place(eti_event_extras *extras, const eti_event *event, eti_place *out) {
    const eti_block_extras *block = extras_of(extras, event->block);
    if (!find_once(extras, &extras->has_places, find_places, event->block))
        return false;
    *out = block->places[event - event->block->events];
    return true;
}

/* ---- backends -------------------------------------------------------------------------------- */

bool eti__event_extras_backend(eti_event_extras *extras, const eti_event *event, eti_text *out) {
    const eti_account *account = account_of(extras, event->block);
    *out = (eti_text){NULL, 0};
    if (account)
        *out = eti__account_backend(account, (size_t)(event - event->block->events));
    return account != NULL;
}

/* ---- operators ------------------------------------------------------------------------------- */

bool eti__event_extras_op(eti_event_extras *extras, const eti_event *event, eti_text *out) {
    const eti_account *account = account_of(extras, event->block);
    *out = (eti_text){NULL, 0};
    if (account && event->is_timed)
        *out = eti__op_type_of(account, (size_t)(event - event->block->events)).name;
    return account != NULL;
}
