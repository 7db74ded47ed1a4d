/*
 * columns.h - turns a column's name, as a user types it, into the number of the column.
 */
#ifndef ETI_TABLE_COLUMNS_H
#define ETI_TABLE_COLUMNS_H

#include "etinspect.h"

/* Finds the column with exactly this name, or else with this name and a unit, or with this heading:
 * "p50" and "p50 (µs)" find "p50 (ms)", "debug handles" finds "debug_handles". Returns false if
 * there is none. */
bool eti__column_find(const eti_table *table, eti_text name, size_t *out);

/* Returns the name of a column without its unit. */
eti_text eti__column_short_name(eti_text name);

/* Fails with ETI_ERROR_USAGE; the message lists the columns with similar names or, if there are
 * none, all columns. `option` is the option that has the name. */
eti_status eti__column_fail(const eti_table *table, const char *option, eti_text name,
                            eti_error *err);

/* Returns whether a mistyped `name` may mean `column`, which may be any other name from a short list: it is part of that
 * name, or differs little from it. */
bool eti__name_is_near(eti_text column, eti_text name);

#endif
