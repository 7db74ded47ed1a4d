#include "account/account.h"

#include <stdlib.h>

#define NOT_WHOLE UINT64_MAX

/* Largest number of ticks per microsecond; no clock of a device is faster. */
#define LONGEST_MICROSECOND 1e6

/* Returns whether an event took whole microseconds in all runs, including warm-up runs. */
static bool is_whole(const eti_account *account, size_t event, uint64_t microsecond) {
    const uint64_t *ticks = eti__account_self(account, event);
    for (size_t i = 0; i < account->block->n_runs; i++) {
        if (ticks[i] % microsecond != 0)
            return false;
    }
    return true;
}

static bool took_time(const eti_account *account, size_t event) {
    const uint64_t *ticks = eti__account_self(account, event);
    for (size_t i = 0; i < account->block->n_runs; i++) {
        if (ticks[i] > 0)
            return true;
    }
    return false;
}

static bool is_logged_in_call(const eti_account *account, size_t event) {
    uint32_t call = account->events[event].parent;
    return eti__account_role(account, event) == ETI_ROLE_DELEGATED && call != ETI_NO_EVENT &&
           eti__account_role(account, call) == ETI_ROLE_NOT_LOGGED;
}

static bool has_logged_calls(const eti_account *account) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (is_logged_in_call(account, i))
            return true;
    }
    return false;
}

/* Counts the events of each call, or marks the call as NOT_WHOLE. */
static void count_events(const eti_account *account, uint64_t microsecond, uint64_t *counts) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (!is_logged_in_call(account, i))
            continue;
        uint64_t *count = &counts[account->events[i].parent];
        if (*count != NOT_WHOLE && is_whole(account, i, microsecond))
            *count += account->events[i].n_calls;
        else
            *count = NOT_WHOLE;
    }
}

static void add_call(eti_rounding *rounding, const eti_account *account, size_t call,
                     uint64_t n_events, uint64_t microsecond) {
    eti_wide not_logged = eti__account_sum(account, call).weight;
    eti_wide most = eti__wide_product(n_events, 2 * microsecond);
    if (eti__wide_compare(not_logged, most) < 0)
        most = not_logged;
    eti__wide_add(&rounding->not_logged, not_logged);
    eti__wide_add(&rounding->most, most);
    rounding->n_events += n_events;
}

static void add_calls(eti_rounding *rounding, const eti_account *account, uint64_t microsecond,
                      const uint64_t *counts) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (counts[i] > 0 && counts[i] != NOT_WHOLE)
            add_call(rounding, account, i, counts[i], microsecond);
        if (!rounding->is_known && is_logged_in_call(account, i) &&
            counts[account->events[i].parent] != NOT_WHOLE)
            rounding->is_known = took_time(account, i);
    }
}

bool eti__rounding_add(eti_rounding *rounding, const eti_account *account, double microsecond) {
    uint64_t ticks = microsecond <= LONGEST_MICROSECOND ? (uint64_t)microsecond : 0;
    if (ticks < 2 || (double)ticks < microsecond || !has_logged_calls(account))
        return true;
    uint64_t *counts = calloc(account->block->n_events, sizeof *counts);
    if (!counts)
        return false;
    count_events(account, ticks, counts);
    add_calls(rounding, account, ticks, counts);
    free(counts);
    return true;
}
