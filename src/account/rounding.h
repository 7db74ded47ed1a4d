/*
 * rounding.h - bounds the time that seems not to be logged by a delegate because its operators are logged in whole
 * microseconds.
 *
 * XNNPACK measures its operators in nanoseconds and rounds down to microseconds:
 * xnn_get_elapsed_time() divides integers. Therefore n events of a call may last up to n µs longer
 * than logged, and the call seems to have done nothing in that time.
 */
#ifndef ETI_ACCOUNT_ROUNDING_H
#define ETI_ACCOUNT_ROUNDING_H

#include "account/account.h"
#include "base/wide.h"

/* Calls of delegates that logged operators in whole microseconds, in the runs that count. Starts as all zeros. */
typedef struct eti_rounding {
    eti_wide not_logged; /* ticks of these calls */
    eti_wide most;       /* ticks of these that rounding may have taken from their operators */
    uint64_t n_events;   /* number of the operators' profile events */
    bool is_known; /* an operator took a microsecond or more in some run: 0 alone says nothing */
} eti_rounding;

/* Adds the calls of a block; a microsecond is this number of ticks. False: out of memory. */
bool eti__rounding_add(eti_rounding *rounding, const eti_account *account, double microsecond);

#endif
