/*
 * column_name.h - turns a column's name, as a user types it, into the number of the column.
 */
#ifndef ETI_TABLE_COLUMN_NAME_H
#define ETI_TABLE_COLUMN_NAME_H

#include "table/table.h"

/* Finds the column of exactly this name, or else the one with this name and a unit, or with this
 * heading: "p50" and "p50 (µs)" find "p50 (ms)", "debug handles" finds "debug_handles". False:
 * there is none. */
bool eti__column_find(const eti_table *table, eti_text name, size_t *out);

/* Fails with ETI_ERROR_USAGE; the message names the columns with similar names or, if there are
 * none, all of them. `option` is where the name was given. */
eti_status eti__column_fail(const eti_table *table, const char *option, eti_text name,
                            eti_error *err);

/* Whether a mistyped `name` may mean `column`, or another name of a few: it is part of it, or differs little. */
bool eti__name_is_near(eti_text column, eti_text name);

/* Takes the next name off a list with commas between names, without the blanks around it. False: there is no
 * more; the list "" has one name, "". */
bool eti__column_next_part(eti_text *rest, eti_text *part);

/* Without its unit. */
eti_text eti__column_short_name(eti_text name);

/* Appends the name as a heading for people, in words: "share of operators". Times have `unit` (NULL: that of the
 * name). */
void eti__column_add_heading(eti_buffer *out, const eti_column *column, const char *unit);

#endif
