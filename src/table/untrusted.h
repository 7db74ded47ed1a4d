/*
 * untrusted.h - copies of a table for places where text acts instead of being shown. Names, stack
 * traces and metadata are whatever somebody put into a file.
 *
 * A copy is made of its table row by row, as it is read; the table must live longer.
 */
#ifndef ETI_TABLE_UNTRUSTED_H
#define ETI_TABLE_UNTRUSTED_H

#include "table/table.h"

/* For a terminal: characters that it acts on, except line breaks, are spelled out as Python's repr() does
 * (\x1b, \u202e), so that a name can neither move the cursor, nor send commands, nor turn the direction of
 * what follows. ETI_ERROR_MEMORY. */
eti_status eti__table_make_visible(eti_table **out, const eti_table *table,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Further characters that eti__add_visible() spells out. */
#define ETI_VISIBLE_ONE_LINE 1u /* line breaks */
#define ETI_VISIBLE_ASCII 2u    /* whatever is not ASCII; lines and marks are drawn with it */

/* Appends one text in this way. Bytes that are not UTF-8 become U+FFFD. */
void eti__add_visible(eti_buffer *out, eti_text text, unsigned besides);

/* eti_table_defuse_formulas() of etinspect.h is here too. */

#endif
