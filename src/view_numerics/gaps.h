/*
 * gaps.h - turns the rows of the view "numerics" into the gaps of nodes and Events, which other views look up for their own
 * rows.
 *
 * Compares the same values as numerics.c in the same way, so the numbers are equal.
 */
#ifndef ETI_VIEW_NUMERICS_GAPS_H
#define ETI_VIEW_NUMERICS_GAPS_H

#include "account/account.h"
#include "model/model.h"
#include "places/places.h"
#include "table/table.h"
#include "view_numerics/numerics_view.h"

/* Starts as all zeros: nothing was requested. */
typedef struct eti_gaps {
    bool is_asked;
    eti_gap_of *of; /* whose texts live as long as `view` */
    size_t n;
    numerics_view *view;
} eti_gaps;

/* Compares the tensors that the inspector's runs recorded with options->reference; does nothing if there is no reference.
 * ETI_ERROR_USAGE: the reference is a bundled program, which has no results of operators; the statuses of
 * eti__numerics_report(). Free `out` in any case. */
eti_status eti__gaps_find(eti_gaps *out, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Does the same with the tensors that the runs of a base recorded, matched by options->match. */
eti_status eti__gaps_between(eti_gaps *out, const eti_inspector *base, const eti_inspector *newer,
                             const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Groups places, by numbers from 0. */
typedef struct eti_gap_grouping {
    uint32_t (*group_of)(const void *context, const eti_place *place);
    size_t (*count)(const void *context); /* number of groups, once all places are known */
    const void *context;
} eti_gap_grouping;

/* Returns the gap of each group, the worst of the outputs in the blocks that `options` choose; NULL: out of memory. The
 * caller frees it. */
eti_gap *eti__gaps_of_groups(const eti_gaps *gaps, eti_places *places,
                             const eti_view_options *options, const eti_gap_grouping *grouping);

/* Adds the number of compared outputs to the last section; nothing if that was not requested. ETI_ERROR_MEMORY. */
eti_status eti__gaps_note(const eti_gaps *gaps, eti_report *report, eti_error *err) ETI_WARN_UNUSED;

void eti__gaps_free(eti_gaps *gaps);

#endif
