/*
 * account.h - turns the profile events of an EventBlock into self times that add up: each tick of a
 * run belongs to the innermost event only.
 *
 * - The time stamps decide which event is inside which, see nesting.h. All profile events of a run
 *   take part. The Inspector keeps only the last of several equal profile events (calls in a loop);
 *   the times of the others are added to the Event of that one.
 * - A delegate's events may use another clock and have arbitrary stamps. Regardless of its stamps,
 *   such an event belongs to the next recorded DELEGATE_CALL with its instruction id and chain, or
 *   to the last one if none follows. If the events of a call add up to more than the time left in
 *   the call, each gets its proportion of that time, and no unlogged time is left (n_full_calls).
 *   Events that count cycles while others count time have no time here (n_uncounted). Nor do events
 *   that fit no DELEGATE_CALL, unless their stamps show where they belong.
 * - If a 32-bit clock wraps around during a run, a stamp before the start of every event whose end
 *   wrapped was taken after the clock wrapped.
 *
 * One rule marks the warm-up runs, see warm_up.h; they do not count in sums and averages.
 *
 * Therefore, in each run, the self times of Method::execute and of all events inside it add up to
 * its elapsed time exactly. Times are ticks of the source scale.
 */
#ifndef ETI_ACCOUNT_ACCOUNT_H
#define ETI_ACCOUNT_ACCOUNT_H

#include "account/options.h"
#include "account/repeated_calls.h"
#include "account/role.h"
#include "account/time_faults.h"
#include "base/numbers.h"
#include "model/model.h"

typedef struct eti_event_account {
    /* number of the enclosing Event in the first run, or ETI_NO_EVENT; no cycles */
    uint32_t parent;
    uint8_t role;     /* an eti_role */
    bool is_leaf;     /* no Event is inside this one */
    bool is_counted;  /* its self time is included in eti_account.whole */
    uint64_t n_calls; /* number of profile events in the runs that count */
} eti_event_account;

typedef struct eti_account {
    const eti_event_block *block;
    const eti_options *options;
    double factor;             /* ticks / factor is a time in the target scale */
    eti_event_account *events; /* per event of the block */
    uint64_t *self;            /* n_events x n_runs, by event; 0 in a run without a time */
    /* Per run: the sum of the self times of all counted events. These are all events except those of
     * loading (and the events inside them), or all events if there is nothing but loading. */
    uint64_t *whole;
    bool *is_warm_up; /* per run; all false if options.keeps_warm_up */
    size_t n_warm_up; /* number of warm-up runs */
    /* Numbers of the other runs, in order; only these count in sums, shares and averages. There is
     * at least one if the block has a run. */
    uint32_t *runs;
    size_t n_runs;
    uint32_t execute; /* number of Method::execute, or ETI_NO_EVENT */
    /* number of counted events outside Method::execute, if the block has one */
    uint64_t n_outside;
    /* number of delegate calls, in all runs, whose events sum up to more than the call */
    uint64_t n_full_calls;
    uint64_t n_uncounted; /* number of delegated events that count cycles while others count time */
    eti_time_faults faults; /* time faults in all runs */
    uint64_t n_repeated; /* number of profile events, in all runs, without an Event of their own */
    eti_repeated_calls repeated; /* the calls of Events with such profile events */
} eti_account;

/* Numbers of runs, of one block or several. */
typedef struct eti_run_counts {
    size_t n;         /* number of runs that count */
    size_t n_warm_up; /* number of warm-up runs, which do not count */
    size_t n_blocks;
} eti_run_counts;

/* Adds the runs of a block. */
void eti__run_counts_add(eti_run_counts *counts, const eti_account *account);

/* Makes the account of a block. `options` are those of its inspector. The account borrows from the inspector and
 * lives until eti__account_free(). Fails with ETI_ERROR_MEMORY and leaves nothing to free. */
eti_status eti__account_new(eti_account *out, const eti_event_block *block,
                            const eti_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__account_free(eti_account *account);

/* Returns the self times of an event, one per run. */
static inline const uint64_t *eti__account_self(const eti_account *account, size_t event) {
    return account->self + event * account->block->n_runs;
}

/* Return, for a timed Event in a run, the time of its calls, including the events inside them, in the target scale; the
 * stamp at which the first one starts; and their number. Unlike the sample of the Event, they cover all of its calls. */
double eti__account_elapsed(const eti_account *account, size_t event, size_t run);
uint64_t eti__account_start(const eti_account *account, size_t event, size_t run);
uint64_t eti__account_calls(const eti_account *account, size_t event, size_t run);

/* Adds up ticks, given as one value per run of the block, over the runs that count. */
eti_wide eti__account_total(const eti_account *account, const uint64_t *ticks);

static inline eti_role eti__account_role(const eti_account *account, size_t event) {
    return (eti_role)account->events[event].role;
}

/* Returns the number of the delegate call that contains an event logged by a delegate; for any other event, its own
 * number. */
size_t eti__account_call_of(const eti_account *account, size_t event);

/* Returns the backend that ran an event; if the event's own record has no backend, that of its delegate call. The
 * text is absent or empty if the backend is unknown or there is none. */
eti_text eti__account_backend(const eti_account *account, size_t event);

/* Converts ticks to the target scale as the Inspector does. */
static inline double eti__account_time(const eti_account *account, uint64_t ticks) {
    return (double)ticks / account->factor;
}

#endif
