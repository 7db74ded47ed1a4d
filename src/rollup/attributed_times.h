/*
 * attributed_times.h - adds up the time of delegates by the way in which the nodes of their
 * operators were found.
 */
#ifndef ETI_ROLLUP_ATTRIBUTED_TIMES_H
#define ETI_ROLLUP_ATTRIBUTED_TIMES_H

#include "account/account.h"
#include "base/numbers.h"
#include "model/model.h"

/* Ticks in the runs that count. Initialize to all zeros. */
typedef struct eti_attributed_times {
    eti_wide of[ETI_N_ATTRIBUTIONS]; /* of the Events that delegates logged */
    /* time of backends whose operators are uncertain, which a program may name */
    eti_wide seen_by_program;
    eti_wide in_delegates; /* of delegate calls, logged or not */
    eti_wide whole;        /* of all counted Events */
} eti_attributed_times;

/* Adds the Events of a block. */
void eti__attributed_times_add(eti_attributed_times *times, const eti_account *account);

/* Adds the times of other blocks. */
void eti__attributed_times_join(eti_attributed_times *out, const eti_attributed_times *joined);

/* Returns the time that delegates logged. */
double eti__attributed_times_logged(const eti_attributed_times *times);

#endif
