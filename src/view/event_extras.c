#include "view/event_extras.h"

#include "base/text.h"
#include "model/samples.h"
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>

static void free_block(eti_block_extras *block) {
    if (block->has_account)
        eti_account_free(&block->account);
    free(block->cumulative);
}

void eti_event_extras_free(eti_event_extras *extras) {
    for (size_t i = 0; extras->blocks && i < extras->inspector->blocks.n_blocks; i++)
        free_block(&extras->blocks[i]);
    free(extras->blocks);
    if (extras->has_places)
        eti_places_free(&extras->places);
}

/* NULL: memory is out. */
static eti_block_extras *block_of(eti_event_extras *extras, const eti_event *event) {
    const eti_blocks *blocks = &extras->inspector->blocks;
    if (!extras->blocks)
        extras->blocks = calloc(blocks->n_blocks, sizeof *extras->blocks);
    return extras->blocks ? &extras->blocks[event->block - blocks->blocks] : NULL;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static double sum_executed(const eti_event_block *block) {
    double sum = NAN;
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!event->is_timed || !eti_text_is(event->name, "Method::execute"))
            continue;
        double total = eti_sum(eti_samples_of(event), block->n_runs);
        sum = isnan(sum) ? total : sum + total;
    }
    return sum;
}

bool eti_event_extras_executed(eti_event_extras *extras, const eti_event *event, double *out) {
    eti_block_extras *block = block_of(extras, event);
    if (!block)
        return false;
    if (!block->is_executed_known)
        block->executed = sum_executed(event->block);
    block->is_executed_known = true;
    *out = block->executed;
    return true;
}

/* ---- own times ------------------------------------------------------------------------------- */

typedef struct own_ticks {
    uint64_t ticks;
    size_t event;
} own_ticks;

/* Most first; of equal ones the earlier event. */
static int compare_ticks(const void *a, const void *b) {
    const own_ticks *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return x->event < y->event ? -1 : 1;
}

static uint64_t sum_ticks(const uint64_t *ticks, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ticks[i];
    return sum;
}

/* False when memory is out. */
static bool sum_up(eti_block_extras *block, size_t n_events, size_t n_runs) {
    own_ticks *sorted = malloc((n_events + 1) * sizeof *sorted);
    block->cumulative = malloc((n_events + 1) * sizeof *block->cumulative);
    bool ok = sorted && block->cumulative;
    size_t n = 0;
    for (size_t i = 0; ok && i < n_events; i++) {
        if (block->account.events[i].is_counted)
            sorted[n++] = (own_ticks){sum_ticks(eti_account_self(&block->account, i), n_runs), i};
    }
    if (ok)
        qsort(sorted, n, sizeof *sorted, compare_ticks);
    uint64_t sum = 0;
    for (size_t i = 0; ok && i < n; i++) {
        sum += sorted[i].ticks;
        block->cumulative[sorted[i].event] = sum;
    }
    block->whole = sum_ticks(block->account.whole, n_runs);
    free(sorted);
    if (!ok) {
        free(block->cumulative);
        block->cumulative = NULL;
    }
    return ok;
}

static bool count_own_times(eti_block_extras *block, const eti_event_block *events,
                            const eti_options *options) {
    if (eti_account_new(&block->account, events, options, NULL) != ETI_OK)
        return false;
    block->has_account = true;
    return sum_up(block, events->n_events, events->n_runs);
}

bool eti_event_extras_own_time(eti_event_extras *extras, const eti_event *event,
                               eti_own_time *out) {
    *out = (eti_own_time){NAN, NAN, NAN};
    eti_block_extras *block = block_of(extras, event);
    if (!block)
        return false;
    if (!block->cumulative &&
        (block->has_account || !count_own_times(block, event->block, &extras->inspector->options)))
        return false;
    size_t number = (size_t)(event - event->block->events);
    if (!event->is_timed)
        return true;
    size_t n_runs = event->block->n_runs;
    uint64_t ticks = sum_ticks(eti_account_self(&block->account, number), n_runs);
    out->time = eti_account_time(&block->account, ticks) / (double)n_runs;
    if (block->whole == 0 || !block->account.events[number].is_counted)
        return true;
    out->share = (double)ticks / (double)block->whole;
    out->cumulative = (double)block->cumulative[number] / (double)block->whole;
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

bool eti_event_extras_place(eti_event_extras *extras, const eti_event *event, eti_place *out) {
    if (!extras->has_places && !eti_places_init(&extras->places)) {
        eti_places_free(&extras->places);
        return false;
    }
    extras->has_places = true;
    return eti_places_of_event(&extras->places, event, out);
}
