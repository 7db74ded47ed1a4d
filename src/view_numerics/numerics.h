/*
 * numerics.h - the data from which the tables of numerics.c and numeric_gap.c are made.
 */
#ifndef ETI_VIEW_NUMERICS_NUMERICS_H
#define ETI_VIEW_NUMERICS_NUMERICS_H

#include "base/files.h"
#include "etinspect.h"
#include "numerics/numerics.h"
#include "view_numerics/view_numerics.h"

/* Returns the loader of the elements of the base. */
static inline eti_element_loader eti__numerics_loader(const numerics_input *input) {
    return (eti_element_loader){eti__reference_points_load, input->reference};
}

/* Compares the tensors that the runs of `newer` recorded with those of `base`, or, if `base` is NULL, with the references.
 * Takes over the files of the references, which have no data if the reference is a folder. Keeps `options`. Returns the
 * statuses of eti__numerics_report(); after a failure there is nothing to free. */
eti_status eti__numerics_view_make(numerics_view **out, const eti_inspector *base,
                                   const eti_inspector *newer, const eti_numerics_options *options,
                                   struct eti_file **files, eti_error *err) ETI_WARN_UNUSED;

void eti__numerics_view_free(numerics_view *view);

/* Adds the number of compared outputs to the last section of the report. ETI_ERROR_MEMORY. */
eti_status eti__numerics_note_compared(eti_report *report, const numerics_view *view,
                                       eti_error *err) ETI_WARN_UNUSED;

#endif
