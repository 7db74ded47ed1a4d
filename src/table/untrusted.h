/*
 * untrusted.h - copies of a table for destinations where text may act instead of being shown.
 * Names, stack traces and metadata come from files that are not trusted.
 *
 * A copy is made row by row, as it is read; the original table must live longer.
 */
#ifndef ETI_TABLE_UNTRUSTED_H
#define ETI_TABLE_UNTRUSTED_H

#include "base/text.h"
#include "table/table.h"

/* Makes a copy for a terminal: characters that it acts on, except line breaks, are spelled out as Python's repr() does
 * (\x1b, \u202e), so that a name can neither move the cursor, nor send commands, nor change the direction of the text after
 * it. ETI_ERROR_MEMORY. */
eti_status eti__table_make_visible(eti_table **out, const eti_table *table,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Further characters that eti__add_visible() spells out. */
#define ETI_VISIBLE_ONE_LINE 1u /* line breaks */
#define ETI_VISIBLE_ASCII 2u    /* characters that are not ASCII; lines and marks become ASCII */

/* Appends one text in this way. Bytes that are not UTF-8 become U+FFFD. */
void eti__add_visible(eti_buffer *out, eti_text text, unsigned besides);

/* eti_table_defuse_formulas() of etinspect.h is here too. */

#endif
