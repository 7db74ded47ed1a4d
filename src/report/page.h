/*
 * page.h - turns reports, which are tables, into one HTML page that needs nothing else: the numbers as JSON in a data block,
 * and a fixed script that draws them.
 *
 * How to add a section: write SECTION.js here, which calls section() of core.js, and name it in `order` of core.js. A
 * section shows tables of views, which page.c lists. Data that are not tables (drawings, slices) are a part of the
 * data block: one function, and a row of `parts` in data.c.
 */
#ifndef ETI_REPORT_PAGE_H
#define ETI_REPORT_PAGE_H

#include "base/text.h"
#include "etinspect.h"
#include "report/data.h"

/* ==== page ==================================================================================== */

/* Adds a view, whose report lives as long as the page. */
void eti__page_add_view(eti_page *page, const char *name, const eti_report *report);

/* Appends the page to `out`. ETI_ERROR_LIMIT: it is larger than it may be, whatever is left out; ETI_ERROR_MEMORY, and the
 * statuses of the parts. */
eti_status eti__page_make(eti_page *page, eti_buffer *out, eti_error *err) ETI_WARN_UNUSED;

/* Frees the contents of the page, but not the struct. */
void eti__page_free(eti_page *page);

/* ==== html text =============================================================================== */
/* Makes texts safe for a page, and hashes scripts and styles for a Content-Security-Policy. */

/* Appends text between tags or in an attribute: & < > " ' become character references, bytes that are not UTF-8 U+FFFD, and
 * characters that a terminal acts on, except line breaks, are spelled out as described in table/table.h. */
void eti__html_add_text(eti_buffer *out, eti_text text);

/* Appends JSON for a script element: </ becomes <\/, and the < of <!, <s and <S becomes \u003c, so that the JSON cannot end the
 * element, or begin a comment or a script. JSON has < only inside strings. */
void eti__html_add_json(eti_buffer *out, eti_text json);

/* "sha256-" and 44 characters of base64. */
#define ETI_CSP_HASH_SIZE 51

/* Writes the source expression of a Content-Security-Policy that allows the inline script or style with these bytes. */
void eti__html_csp_hash(const void *data, size_t size, char out[ETI_CSP_HASH_SIZE + 1]);

#endif
