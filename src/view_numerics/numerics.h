/*
 * numerics.h - the view "numerics": one row per recorded output of an operator, with its difference
 * from the output of a base: another run, or a file of tensors.
 */
#ifndef ETI_VIEW_NUMERICS_NUMERICS_H
#define ETI_VIEW_NUMERICS_NUMERICS_H

#include "model/model.h"
#include "numerics/numerics.h"
#include "table/table.h"

/* Makes the report; `base` is NULL if options->reference is set. ETI_ERROR_USAGE: there is no base, or two, an option is
 * wrong, or there is no way to match points; ETI_ERROR_TOO_FEW: no point has a partner, fewer than options->min_compared
 * could be compared, or no expression of options->fail_on is true, but a run has no output that could be compared; the
 * statuses of eti__recorded_read() and of reading the file of tensors; ETI_ERROR_MEMORY. */
eti_status eti__numerics_report(eti_report **out, const eti_inspector *base,
                                const eti_inspector *newer, const eti_numerics_options *options,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
