/*
 * contents.h - the contents of a page: the reports of views, and what is left out.
 */
#ifndef ETI_REPORT_CONTENTS_H
#define ETI_REPORT_CONTENTS_H

#include "base/arena.h"
#include "model/model.h"
#include "report/options.h"
#include "table/table.h"
#include "write/write.h"

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
    eti_arena arena;
} eti_page;

#endif
