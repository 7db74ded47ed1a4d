/*
 * page_slices.h - turns slices into the part of the data block that the timeline draws.
 */
#ifndef ETI_REPORT_PAGE_SLICES_H
#define ETI_REPORT_PAGE_SLICES_H

#include "base/json_writer.h"
#include "report/contents.h"

/* Adds {"n_runs": of all, "tracks": [{"name", "help"}], "runs": [{"name", "block", "number", "first", "n"}], "start",
 * "duration", "event", "depth", "track"}: the last five are columns of numbers, with the slices of a run together; `first`
 * and `n` are the range of a run's slices. Starts are in ns, each minus the one before; events are numbers in the block, -1
 * for the run itself. Adds nothing without an inspector or slices, or if slices are left out. If there are more slices
 * than max_slices, only some runs are included: the first two, the slowest, those at the median and the 90th percentile, the
 * last, then others at even distances. Returns the statuses of timeline/timeline.h; ETI_ERROR_MEMORY. */
eti_status eti__page_add_slices(eti_json_writer *json, const eti_page *page,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
