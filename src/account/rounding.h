/*
 * rounding.h - computes an upper bound for the time of delegate calls that appears not to be logged
 * only because their operators are logged in whole microseconds.
 *
 * XNNPACK measures its operators in nanoseconds and rounds down to microseconds:
 * xnn_get_elapsed_time() divides integers. Therefore n events of a call may last up to n µs longer
 * than logged, and the call appears to have been idle during that time.
 */
#ifndef ETI_ACCOUNT_ROUNDING_H
#define ETI_ACCOUNT_ROUNDING_H

#include "account/account.h"
#include "base/numbers.h"

/* Delegate calls that logged operators in whole microseconds, in the runs that count. Initialize to all zeros. */
typedef struct eti_rounding {
    eti_wide not_logged; /* number of ticks of these calls that are not logged */
    eti_wide most;     /* number of these ticks that rounding may have removed from the operators */
    uint64_t n_events; /* number of the operators' profile events */
    /* an operator took a microsecond or more in at least one run; zeros alone prove nothing */
    bool is_known;
} eti_rounding;

/* Adds the calls of a block; `microsecond` is the number of ticks per microsecond. Returns false if memory runs out. */
bool eti__rounding_add(eti_rounding *rounding, const eti_account *account, double microsecond);

#endif
