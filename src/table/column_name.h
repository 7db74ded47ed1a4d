/*
 * column_name.h - turns a column's name, as a user types it, into the number of the column.
 */
#ifndef ETI_TABLE_COLUMN_NAME_H
#define ETI_TABLE_COLUMN_NAME_H

#include "base/text.h"
#include "table/report.h"

/* Finds the column with exactly this name, or else with this name and a unit, or with this heading:
 * "p50" and "p50 (µs)" find "p50 (ms)", "debug handles" finds "debug_handles". Returns false if
 * there is none. */
bool eti__column_find(const eti_table *table, eti_text name, size_t *out);

/* Fails with ETI_ERROR_USAGE; the message lists the columns with similar names or, if there are
 * none, all columns. `option` is the option that has the name. */
eti_status eti__column_fail(const eti_table *table, const char *option, eti_text name,
                            eti_error *err);

/* Returns whether a mistyped `name` may mean `column`, which may be any other name from a short list: it is part of that
 * name, or differs little from it. */
bool eti__name_is_near(eti_text column, eti_text name);

/* Takes the next name off a list with commas between names, without the blanks around it. Returns false at the end; the list
 * "" has one name, "". */
bool eti__column_next_part(eti_text *rest, eti_text *part);

/* Returns the name without its unit. */
eti_text eti__column_short_name(eti_text name);

/* Returns the name for programs: "p50" for "p50 (ms)" in a report whose times are milliseconds, which has the unit itself;
 * any other name stays. */
eti_text eti__column_bare_name(const eti_report *report, const eti_column *column);

/* Appends the name as a heading for people, in words: "share of operators". Times have `unit`; NULL: the unit in the
 * name. */
void eti__column_add_heading(eti_buffer *out, const eti_column *column, const char *unit);

#endif
