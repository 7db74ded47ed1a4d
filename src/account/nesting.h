/*
 * nesting.h - turns the intervals of one run into a tree by containment, and computes the self time
 * of each.
 *
 * - An interval lies inside another if it neither starts before it nor ends after it; its parent is
 *   the one of these intervals that starts last. Of equal intervals, the one recorded later is
 *   outside, because an event is recorded when it ends. An interval of length zero that starts
 *   where another ends is not inside that one, unless it would then be inside none.
 * - If two intervals overlap only in part, neither is the parent of the other. If both lie inside a
 *   third, the time of both counts only as that of the later one; otherwise it counts as time of
 *   each.
 * - The self time of an interval is its length without its children. Therefore the self times of an
 *   interval without a parent, and of all intervals inside it, add up to its length exactly.
 */
#ifndef ETI_ACCOUNT_NESTING_H
#define ETI_ACCOUNT_NESTING_H

#include "etinspect.h"

#define ETI_NO_PARENT UINT32_MAX
#define ETI_OVERLAPS_KEPT 3

/* Arrays of n items, reused from run to run: intervals in the same order as in the previous run need no sorting. */
typedef struct eti_nesting {
    size_t n;
    uint64_t *start, *end; /* filled in by the caller, in the order of recording; start <= end */
    uint64_t *self;        /* self time */
    uint32_t *parent;      /* index of the parent, or ETI_NO_PARENT */
    /* number of intervals that were cut short because a later one overlaps them in part */
    uint64_t n_overlaps;
    uint32_t overlaps[ETI_OVERLAPS_KEPT]; /* the first of these intervals */
    uint32_t *order;                      /* sorted by start, outer intervals before inner ones */
    uint32_t *scratch;                    /* the caller may use it between calls */
} eti_nesting;

/* Makes room for n < UINT32_MAX intervals. Fails with ETI_ERROR_MEMORY and leaves nothing to free. */
eti_status eti__nesting_init(eti_nesting *out, size_t n, eti_error *err) ETI_WARN_UNUSED;

/* Fills self, parent and n_overlaps. Takes O(n) time if the order is that of the previous call, otherwise O(n log n). */
void eti__nesting_find(eti_nesting *nesting);

void eti__nesting_free(eti_nesting *nesting);

#endif
