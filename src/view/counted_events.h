/*
 * counted_events.h - finds the groups that count the events of a database.
 */
#ifndef ETI_VIEW_COUNTED_EVENTS_H
#define ETI_VIEW_COUNTED_EVENTS_H

#include "account/account.h"

typedef struct eti_counted_event {
    eti_text op_type; /* absent: the event has no time */
    eti_text module;  /* absent: it is in no group */
    double
        total; /* self time in the group, after the warm-up; unchanged if the event is in no group */
} eti_counted_event;

/* Fills `out` for all events of the account's block; their groups are known only if the block `is_summed` (account/blocks.h). Texts
 * are those of the ETRecord. False: out of memory. */
bool eti__count_events(const eti_account *account, bool is_summed, eti_counted_event *out);

#endif
