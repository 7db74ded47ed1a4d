/*
 * json_text.h - turns texts and cells into JSON (RFC 8259).
 */
#ifndef ETI_WRITE_JSON_TEXT_H
#define ETI_WRITE_JSON_TEXT_H

#include "table/report.h"

/* Appends a string, or null for an absent text. Bytes that are not UTF-8 become U+FFFD. */
void eti__json_add_string(eti_buffer *out, eti_text text);
/* Appends a member of an object: a key and a string, or null for an absent text. */
void eti__json_add_member(eti_buffer *out, const char *key, eti_text value);

/* Appends a cell: missing values, NaN and infinities are null; doubles have enough digits to be
 * read back exactly; lists are arrays. */
void eti__json_add_cell(eti_buffer *out, const eti_cell *cell);

/* Appends the column's name as a key, followed by ": ". Leaves out its unit if it is that of the report, which has it as
 * "time_scale". */
void eti__json_add_key(eti_buffer *out, const eti_report *report, const eti_column *column);

#endif
