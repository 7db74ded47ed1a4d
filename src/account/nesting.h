/*
 * nesting.h - turns the intervals of one run into a tree by containment, and computes the own time of each.
 *
 * - An interval lies inside another if it neither starts before it nor ends after it; its parent is
 * the one of these intervals that starts last. Of equal intervals, the one recorded later is
 * outside, because an event is recorded when it ends. An interval without length that starts where
 * another ends is not inside that one, unless it would then be
 *   inside none.
 * - Where two intervals overlap only in part, neither is the parent of the other. If both lie inside a third, the
 *   time of both counts as that of the later one only; otherwise it counts as that of both.
 * - The own time of an interval is its length without its children. Therefore the own times of an
 * interval without a parent, and of all intervals inside it, add up to its length exactly.
 */
#ifndef ETI_ACCOUNT_NESTING_H
#define ETI_ACCOUNT_NESTING_H

#include "base/status.h"

#define ETI_NO_PARENT UINT32_MAX
#define ETI_OVERLAPS_KEPT 3

/* Arrays of n. Reused from run to run: intervals in the same order as in the previous run need no
 * sorting. */
typedef struct eti_nesting {
    size_t n;
    uint64_t *start, *end; /* for the caller to fill in, in the order of recording; start <= end */
    uint64_t *self;        /* own time */
    uint32_t *parent;      /* or ETI_NO_PARENT */
    uint64_t n_overlaps; /* intervals that were cut short since a later one overlaps them in part */
    uint32_t overlaps[ETI_OVERLAPS_KEPT]; /* the first of them */
    uint32_t *order;                      /* the outer before the inner, by start */
    uint32_t *scratch;                    /* for the caller too, between calls */
} eti_nesting;

/* Makes room for n < UINT32_MAX intervals. ETI_ERROR_MEMORY, with nothing left to free. */
eti_status eti__nesting_init(eti_nesting *out, size_t n, eti_error *err) ETI_WARN_UNUSED;

/* Fills self, parent and n_overlaps. O(n) where the order is that of the call before, else O(n log n). */
void eti__nesting_find(eti_nesting *nesting);

void eti__nesting_free(eti_nesting *nesting);

#endif
