/*
 * run_calls.h - reads the calls of one run of an EventBlock: their intervals on one time line,
 * their nesting, and the self time of each.
 *
 * account.h describes the rules. The arrays are reused for the next run.
 */
#ifndef ETI_ACCOUNT_RUN_CALLS_H
#define ETI_ACCOUNT_RUN_CALLS_H

#include "account/call_order.h"
#include "account/nesting.h"
#include "account/time_faults.h"
#include "base/numbers.h"
#include "model/model.h"
#include "read/read.h"

/* Largest stamp of a 32-bit clock; as in the Inspector, it is added to stamps of a clock that wrapped around. */
#define ETI_CLOCK_32_MAX 4294967295u

/* Initialize with eti__run_calls_init(). Times are ticks of the source scale. */
typedef struct eti_run_calls {
    const eti_event_block *block;
    const eti_options *options;
    const eti_block_run *run; /* the run that was read last */
    eti_call_order order;     /* its calls, in the order of recording */
    eti_nesting nesting;      /* intervals of the calls that are not inside a delegate call */
    uint32_t *nested;         /* per call: its index in `nesting` */
    uint32_t *call_at;        /* per index in `nesting`: its call */
    uint64_t *elapsed;        /* per call inside a delegate call: its time */
    uint64_t *own;            /* per call: self time */
    uint64_t n_full; /* number of delegate calls whose events add up to more than the call */
    /* Per call: the sum of the times of all events that belong to it, and of those that already have their part. */
    eti_wide *inside, *given;
} eti_run_calls;

/* Initializes `out`. `options` are those of the inspector; block and options are borrowed. */
void eti__run_calls_init(eti_run_calls *out, const eti_event_block *block,
                         const eti_options *options);

/* Reads a run of the block, and adds its faults to `faults` unless that is NULL. `execute` is the number of
 * Method::execute, or ETI_NO_EVENT. Fails with ETI_ERROR_MEMORY. */
eti_status eti__run_calls_read(eti_run_calls *calls, size_t run, uint32_t execute,
                               eti_time_faults *faults, eti_error *err) ETI_WARN_UNUSED;

void eti__run_calls_free(eti_run_calls *calls);

/* Returns the call that contains another, or ETI_NO_CALL: the delegate call for an event that a delegate logged; for
 * others, the one that the stamps show. */
uint32_t eti__run_calls_parent(const eti_run_calls *calls, size_t call);

/* Returns the recorded stamps of a call. */
eti_etdump_stamps eti__run_calls_stamps(const eti_run_calls *calls, size_t call);

/* Returns the ticks between two stamps, as eti__elapsed_exact() counts before it scales. */
uint64_t eti__stamps_ticks(const eti_etdump_stamps *stamps);

/* Returns the scale of an Event's stamps; sets `*is_countable` to false if they cannot be converted to the source
 * scale. */
eti_time_scale eti__event_scale(const eti_options *options, const eti_event *event,
                                bool *is_countable);

/* Returns the ticks per second of a time scale; 0 for cycles. */
uint64_t eti__scale_ticks(eti_time_scale scale);

#endif
