/*
 * numerics_view.h - what the tables of numerics.c and numeric_gap.c are made of.
 */
#ifndef ETI_VIEW_NUMERICS_VIEW_H
#define ETI_VIEW_NUMERICS_VIEW_H

#include "account/places.h"
#include "numerics/differences.h"
#include "numerics/options.h"
#include "numerics/reference_points.h"
#include "table/report.h"
#include "view/numerics/failing.h"

/* What was recorded on a side; of a file of tensors only its points. */
typedef struct numerics_side {
    const eti_inspector *inspector; /* NULL: a file */
    eti_recorded recorded;
    eti_origins origins;
    eti_points points;
} numerics_side;

typedef struct numerics_view {
    const eti_numerics_options *options; /* while the report is made */
    numerics_side base, newer;
    struct eti_file reference_file; /* what `reference` borrows from; all zeros of a folder */
    eti_reference_points reference;
    eti_match_by by;
    eti_matches matches;
    eti_differences differences;
    eti_places places;
    eti_place *places_of; /* per difference */
    eti_failing failing;
} numerics_view;

/* Returns what loads the elements of the base. */
static inline eti_element_loader eti__numerics_loader(numerics_view *view) {
    return (eti_element_loader){eti__reference_points_load, &view->reference};
}

/* Returns what an output is called: by its Event, or as an output of the run. */
eti_text eti__numerics_name(const eti_point *point);

/* Compares what the runs of `newer` recorded with what those of `base` did, or with the reference: `base` NULL. Takes over the
 * file of the reference, which has no data where that is none or a folder. Keeps `options`. Statuses of eti__numerics_report();
 * then there is nothing to free. */
eti_status eti__numerics_view_make(numerics_view **out, const eti_inspector *base,
                                   const eti_inspector *newer, const eti_numerics_options *options,
                                   struct eti_file *reference, eti_error *err) ETI_WARN_UNUSED;
void eti__numerics_view_free(numerics_view *view);

/* Adds to the last section of the report how many outputs were compared. ETI_ERROR_MEMORY. */
eti_status eti__numerics_note_compared(eti_report *report, const numerics_view *view,
                                       eti_error *err) ETI_WARN_UNUSED;

#endif
