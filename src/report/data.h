/*
 * data.h - turns the contents of a page into its data block, one JSON object.
 */
#ifndef ETI_REPORT_DATA_H
#define ETI_REPORT_DATA_H

#include "base/arena.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "etinspect.h"
#include "report/report.h"
#include "rollup/rollup.h"
#include "write/write.h"

/* ==== contents ================================================================================ */
/* The contents of a page: the reports of views, and what is left out. */

#define ETI_MOST_PAGE_VIEWS 24

/* Name of the view that has a comparison with its sides exchanged. */
#define ETI_SWAPPED_VIEW "diff_swapped"

/* The tables of one view, as `etinspect VIEW --format json` prints them. */
typedef struct eti_page_view {
    const char *name; /* static */
    const eti_report *report;
    eti_report *owned;   /* NULL: the report is the caller's */
    const char *columns; /* names, separated by commas, of the only columns; NULL: all columns */
} eti_page_view;

/* A view that is missing. */
typedef struct eti_page_absence {
    const char *name; /* static */
    eti_text reason;  /* in the arena */
} eti_page_absence;

/* Parts left out of a page that would be too large, in this order; --no_source always leaves out the last. */
typedef enum eti_page_omission {
    ETI_PAGE_NO_SLICES = 1,
    ETI_PAGE_NO_SAMPLES = 2,
    ETI_PAGE_NO_LARGE_GRAPHS = 4,
    ETI_PAGE_NO_SWAPPED = 8,
    ETI_PAGE_NO_SOURCE = 16,
} eti_page_omission;

typedef struct eti_page {
    const eti_inspector *inspector; /* NULL: the page has only reports */
    const char *block;              /* only EventBlocks of this name; NULL: all */
    eti_page_view views[ETI_MOST_PAGE_VIEWS];
    size_t n_views;
    eti_page_absence absences[ETI_MOST_PAGE_VIEWS];
    size_t n_absences;
    eti_page_options options;
    const eti_write_options *write;
    unsigned omissions; /* eti_page_omission */
    size_t most_rows;   /* of each table, its first ones; 0: all */
    eti_arena arena;
} eti_page;

/* ==== data ==================================================================================== */

/* Appends the object, in which < is not escaped: "schema"; "provenance"; "notes" of the inputs; for each view "tables" with
 * the rows that --format json prints, "columns" with [name, kind, meaning] of each, "remarks"; "absent", the reasons why
 * views are missing; "left_out". Stops early once `out` is larger than the page may be. Returns the statuses of the parts;
 * ETI_ERROR_MEMORY. */
eti_status eti__page_add_data(eti_buffer *out, const eti_page *page,
                              eti_error *err) ETI_WARN_UNUSED;

/* Estimates the bytes of the rows of all tables from some rows of each. False: out of memory. */
bool eti__page_estimate_rows(const eti_page *page, size_t *out);

/* Returns whether `name` is one of "a,b,c". */
bool eti__is_listed(const char *names, eti_text name);

/* Number of rows of the longest table. */
size_t eti__page_longest_table(const eti_page *page);

/* ==== graph events ============================================================================ */
/* Writes which node of the graph each Event is, so that a selection passes between tables and the
 * drawing. */

/* Adds [{"block": "forward: Execute", "nodes": [null, 7, ...]}, ...]: for each event of an EventBlock the number of the
 * row in the table "nodes" of the view "graph" that is its only node, or null. Adds nothing if events refer to another
 * graph. ETI_ERROR_MEMORY. */
eti_status eti__graph_events_add(eti_json_writer *json, const eti_timed_graph *graph,
                                 const eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* ==== page slices ============================================================================= */
/* Turns slices into the part of the data block that the timeline draws. */

/* Adds {"n_runs": of all, "tracks": [{"name", "help"}], "runs": [{"name", "block", "number", "first", "n"}], "start",
 * "duration", "event", "depth", "track"}: the last five are columns of numbers, with the slices of a run together; `first`
 * and `n` are the range of a run's slices. Starts are in ns, events are numbers in the block, -1 for the run itself; both are
 * differences from the one before. Adds nothing without an inspector or slices, or if slices are left out. If there are more slices
 * than max_slices, only some runs are included: the representative one, which alone has "representative", the first two, the
 * slowest, those at the median and the 90th percentile, the last, then others at even distances. Returns the statuses of timeline/timeline.h; ETI_ERROR_MEMORY. */
eti_status eti__page_add_slices(eti_json_writer *json, const eti_page *page,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
