/*
 * schema.h - tables of the database, made from tables of a report, and tables of others in the same file.
 */
#ifndef ETI_SQLITE_SCHEMA_H
#define ETI_SQLITE_SCHEMA_H

#include "base/text.h"
#include "etinspect.h"
#include "sqlite/database.h"
#include "table/table.h"

/* ==== sqlite foreign ========================================================================== */
/* Checks a table of a database that others may have changed, before rows are added to it.
 *
 * Inserting a row evaluates parts of the table's definition: CHECK constraints, defaults,
 * generated columns, the expressions and conditions of indexes. SQLite can be interrupted between
 * two steps of a statement, but not inside a function, so no expression that calls one is
 * evaluated, and the others are limited in size. */

/* Returns whether evaluating an expression, or all CHECK constraints of a definition, calls no function and compares no
 * patterns. Both add the number of bytes to *n_bytes. */
bool eti__sql_is_plain(eti_text expression, size_t *n_bytes);
bool eti__sql_checks_are_plain(eti_text definition, size_t *n_bytes);

/* ==== sqlite schema =========================================================================== */
/* Prepares the tables, columns and views of a database for a report. The database may be new, have
 * rows of reports with other columns, or be extended by others. */

#define ETI_DATABASE_APPLICATION_ID 0x45544931 /* "ETI1"; changes with ETI_OUTPUT_SCHEMA */
/* PRAGMA user_version; databases of other versions are not appended to. */
#define ETI_DATABASE_VERSION 3

/* Makes missing tables, adds missing columns to others, and sets the version. */
eti_status eti__database_make_tables(eti_database *d) ETI_WARN_UNUSED;

/* Makes the views of the report. A view of ours with another text is replaced; a view that others made or changed is left alone,
 * with a row in the table notes. */
eti_status eti__database_make_views(eti_database *d) ETI_WARN_UNUSED;

/* Adds the name of a column, quoted, with the column's number if an earlier column has the same name. */
void eti__database_add_column(eti_database *d, eti_buffer *out, const eti_column *columns,
                              size_t column);

/* Adds a row to the table notes. */
eti_status eti__database_add_note(eti_database *d, const char *table,
                                  eti_text note) ETI_WARN_UNUSED;

/* Runs `sql` with d->dump_id and these texts in place of its question marks; absent texts are NULL. */
eti_status eti__database_insert_texts(eti_database *d, const char *sql, const eti_text *texts,
                                      size_t n) ETI_WARN_UNUSED;

#endif
