/*
 * trend.h - finds the places where totals and Events changed in the pushes of one profile, in their
 * order.
 */
#ifndef ETI_SERIES_TREND_H
#define ETI_SERIES_TREND_H

#include "base/arena.h"
#include "compare/compare.h"
#include "etinspect.h"
#include "series/side.h"

/* Times are medians over the pushes between two changes, in the target scale; those of events are adjusted as if all
 * files had the same level. */
typedef struct eti_trend_change {
    size_t at; /* index of the first push of the block after the change */
    double before, after;
    double p;       /* not adjusted; to be compared with the alpha of the series */
    eti_text known; /* reason of a known change; absent if it is new */
} eti_trend_change;

typedef struct eti_trend_series {
    const eti_side_row *of;
    /* per push: value / median of all values, for events as if all files had the same level; NULL if not judged */
    double *relative;
    eti_trend_change *changes;
    size_t n_changes, n_new; /* n_new of them are not known */
    double first, last;      /* before the first change, and after the last; NaN if not judged */
} eti_trend_series;

/* Borrows from the profile. */
typedef struct eti_trend {
    eti_side side;
    eti_trend_options options;
    eti_arena arena;
    /* one per row of side.totals and side.events; events with new changes come first, the others in the same order */
    eti_trend_series *totals, *events;
    size_t n_changed;                /* number of events with a new change */
    bool names_blocks;               /* judged totals or events must name their block */
    double total_alpha, event_alpha; /* alpha of each series */
} eti_trend;

/* Finds the changes. The same seed gives the same changes with any number of threads. Fails with ETI_ERROR_TOO_FEW if
 * no block has ETI_E_DIVISIVE_FEWEST pushes, with ETI_ERROR_LIMIT if one has more than ETI_E_DIVISIVE_MOST, with
 * ETI_ERROR_USAGE if options are out of range, with ETI_ERROR_MALFORMED if a file of known changes is, or with
 * ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__trend_make(eti_trend *out, const struct eti_profile *profile,
                           const eti_trend_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__trend_free(eti_trend *trend);

#endif
