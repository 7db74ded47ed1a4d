/*
 * untrusted.h - copies of a table for places where text acts instead of being shown. Names, stack
 * traces and metadata are whatever somebody put into a file.
 *
 * A copy is made of its table row by row, as it is read; the table must live longer.
 */
#ifndef ETI_OUTPUT_UNTRUSTED_H
#define ETI_OUTPUT_UNTRUSTED_H

#include "output/table.h"

/* For a terminal: characters that it acts on, but for line breaks, are spelled out as Python's repr() does
 * (\x1b, \u202e), so that a name can neither move the cursor, nor send commands, nor turn the direction of
 * what follows. ETI_ERROR_MEMORY. */
eti_status eti_table_make_visible(eti_table **out, const eti_table *table,
                                  eti_error *err) ETI_WARN_UNUSED;

/* eti_table_defuse_formulas() of etinspect.h is here too. */

#endif
