/*
 * calls.h - calls of events: their roles, their nesting, the runs that contain them, and faults of their times.
 */
#ifndef ETI_ACCOUNT_CALLS_H
#define ETI_ACCOUNT_CALLS_H

#include "account/account.h"
#include "etinspect.h"

/* ==== nesting ================================================================================= */

#define ETI_NO_PARENT UINT32_MAX

/* Makes room for n < UINT32_MAX intervals. Fails with ETI_ERROR_MEMORY and leaves nothing to free. */
eti_status eti__nesting_init(eti_nesting *out, size_t n, eti_error *err) ETI_WARN_UNUSED;

/* Fills self, parent and n_overlaps. Takes O(n) time if the order is that of the previous call, otherwise O(n log n). */
void eti__nesting_find(eti_nesting *nesting);

void eti__nesting_free(eti_nesting *nesting);

/* ==== role ==================================================================================== */

/* Returns the role based on the names of the Event and its block alone, regardless of enclosing and nested Events; never
 * ETI_ROLE_NOT_LOGGED. */
eti_role eti__role_by_name(const eti_event *event);

/* Returns the role that an event has inside a delegate call. */
eti_role eti__role_inside(const eti_event *event);

/* Returns whether the role is anything but loading. */
static inline bool eti__role_is_running(eti_role role) {
    return role < ETI_ROLE_LOAD;
}

/* ==== run calls =============================================================================== */

/* Returns the ticks between two stamps, as eti__elapsed_exact() counts before it scales. */
uint64_t eti__stamps_ticks(const eti_etdump_stamps *stamps);

/* Returns the number that an Event recorded with its stamps, in the unit of eti__event_unit(). */
uint64_t eti__stamps_value(const eti_event *event, const eti_etdump_stamps *stamps);

/* ==== time faults ============================================================================= */

void eti__time_faults_add(eti_time_faults *faults, eti_time_fault kind, eti_faulty_event event);

#endif
