/*
 * counted_events.h - finds what a database says of events beside their times: the groups that count them.
 */
#ifndef ETI_VIEW_DATABASE_COUNTED_EVENTS_H
#define ETI_VIEW_DATABASE_COUNTED_EVENTS_H

#include "account/account.h"

typedef struct eti_counted_event {
    eti_text op_type; /* absent: the event has no time */
    eti_text module;  /* absent: it is in no group */
    double
        total; /* its own time there, in all runs after the warm-up; left as it is where it is in no group */
} eti_counted_event;

/* Sets what is known of all events of the account's block, whose groups are known only if it `is_summed` (blocks.h); texts
 * are those of the ETRecord. False: out of memory. */
bool eti__count_events(const eti_account *account, bool is_summed, eti_counted_event *out);

#endif
