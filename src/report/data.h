/*
 * data.h - turns the contents of a page into its data block, one JSON object.
 */
#ifndef ETI_REPORT_DATA_H
#define ETI_REPORT_DATA_H

#include "base/text.h"
#include "report/contents.h"

/* Appends the object, in which < is not escaped: "schema"; "provenance"; "notes" of the inputs; for each view "tables" with
 * the rows that --format json prints, "columns" with [name, kind, meaning] of each, "remarks"; "absent", the reasons why
 * views are missing; "left_out". Stops early once `out` is larger than the page may be. Returns the statuses of the parts;
 * ETI_ERROR_MEMORY. */
eti_status eti__page_add_data(eti_buffer *out, const eti_page *page,
                              eti_error *err) ETI_WARN_UNUSED;

#endif
