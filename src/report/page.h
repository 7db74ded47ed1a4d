/*
 * page.h - turns reports, which are tables, into one HTML page that needs nothing else: the numbers as JSON in a data block,
 * and a fixed script that draws them.
 *
 * How to add a section: write SECTION.js here, which calls section() of core.js, and name it in `order` of core.js. A
 * section shows tables of views, which inspector_page.c lists. Data that are not tables (drawings, slices) are a part of the
 * data block: one function, and a row of `parts` in data.c.
 */
#ifndef ETI_REPORT_PAGE_H
#define ETI_REPORT_PAGE_H

#include "base/text.h"
#include "report/contents.h"
#include "table/table.h"

/* Adds a view, whose report lives as long as the page. */
void eti__page_add_view(eti_page *page, const char *name, const eti_report *report);

/* Appends the page to `out`. ETI_ERROR_LIMIT: it is larger than it may be, whatever is left out; ETI_ERROR_MEMORY, and the
 * statuses of the parts. */
eti_status eti__page_make(eti_page *page, eti_buffer *out, eti_error *err) ETI_WARN_UNUSED;

/* Frees the contents of the page, but not the struct. */
void eti__page_free(eti_page *page);

#endif
