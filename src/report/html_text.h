/*
 * html_text.h - makes texts safe for a page, and hashes scripts and styles for a Content-Security-Policy.
 */
#ifndef ETI_REPORT_HTML_TEXT_H
#define ETI_REPORT_HTML_TEXT_H

#include "base/text.h"

/* Appends text between tags or in an attribute: & < > " ' become character references, bytes that are not UTF-8 U+FFFD, and
 * characters that a terminal acts on, except line breaks, are spelled out as described in table/table.h. */
void eti__html_add_text(eti_buffer *out, eti_text text);

/* Appends JSON for a script element: each < becomes \u003c, so that nothing in it ends the element or begins a comment. JSON
 * has < only inside strings. */
void eti__html_add_json(eti_buffer *out, eti_text json);

/* "sha256-" and 44 characters of base64. */
#define ETI_CSP_HASH_SIZE 51

/* Writes the source expression of a Content-Security-Policy that allows the inline script or style with these bytes. */
void eti__html_csp_hash(const void *data, size_t size, char out[ETI_CSP_HASH_SIZE + 1]);

#endif
