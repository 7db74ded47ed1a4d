/*
 * trend.h - finds the places where totals and Events changed in the files of one profile, in their
 * order.
 *
 * Series are those of side.h: totals as measured, events relative to the level of their file. Changes are found by E-divisive
 * (stats/e_divisive.h), with half of alpha for the totals and half for the events, which share it by Bonferroni's method.
 * Neighbouring segments that differ by less than the least effect, or by no more than a step of the
 * clock, are joined.
 */
#ifndef ETI_COMPARE_TREND_H
#define ETI_COMPARE_TREND_H

#include "compare/side.h"

/* Times are in the target scale, the median over the files between two changes; of events as if all files had the same
 * level. */
typedef struct eti_trend_change {
    size_t at; /* number of the first file of the block after it */
    double before, after;
    double p; /* not adjusted: compared with the alpha of the series */
} eti_trend_change;

typedef struct eti_trend_series {
    const eti_side_row *of;
    /* per file: value by the median of all, of events as if all files had the same level; NULL: not judged */
    double *relative;
    eti_trend_change *changes;
    size_t n_changes;
    double first, last; /* before the first change, and after the last; NaN: not judged */
} eti_trend_series;

/* Borrows from the profile. */
typedef struct eti_trend {
    eti_side side;
    eti_trend_options options;
    eti_arena arena;
    /* as many as side.totals and side.events have rows; events: changed ones first, then as there */
    eti_trend_series *totals, *events;
    size_t n_changed;                /* events with a change */
    double total_alpha, event_alpha; /* of each series */
} eti_trend;

/* Finds the changes. The same seed gives the same changes with any number of threads. ETI_ERROR_TOO_FEW: no block has
 * ETI_E_DIVISIVE_FEWEST files; ETI_ERROR_LIMIT: more than ETI_E_DIVISIVE_MOST; ETI_ERROR_USAGE: options out of range;
 * ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__trend_make(eti_trend *out, const struct eti_profile *profile,
                           const eti_trend_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__trend_free(eti_trend *trend);

/* The function of etinspect.h; `options` may be NULL. */
eti_status eti__trend_report(eti_report **out, const eti_profile *profile,
                             const eti_trend_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
