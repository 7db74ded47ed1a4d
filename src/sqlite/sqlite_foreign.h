/*
 * sqlite_foreign.h - checks a table of a database that others may have changed, before rows are
 * added to it.
 *
 * Inserting a row evaluates parts of the table's definition: CHECK constraints, defaults, generated
 * columns, the expressions and conditions of indexes. SQLite can be interrupted between two steps
 * of a statement, but not inside a function, so no expression that calls one is evaluated, and the
 * others are limited in size.
 */
#ifndef ETI_SQLITE_SQLITE_FOREIGN_H
#define ETI_SQLITE_SQLITE_FOREIGN_H

#include "base/text.h"
#include "sqlite/sqlite_database.h"

/* Largest number of bytes of all CHECK constraints, defaults and conditions of a table and its indexes. */
#define ETI_MOST_FOREIGN_SQL 4096
/* Largest number of columns in all indexes of a table. */
#define ETI_MOST_INDEXED_COLUMNS 256

/* Sets *exists, and adds the names of the table's columns to `columns`, quoted, each with a NUL. The message of
 * ETI_ERROR_MALFORMED names the object that must be dropped before rows can be added. */
eti_status eti__database_check_table(eti_database *d, eti_text name, bool *exists,
                                     eti_buffer *columns) ETI_WARN_UNUSED;

/* Returns whether evaluating an expression, or all CHECK constraints of a definition, calls no function and compares no
 * patterns. Both add the number of bytes to *n_bytes. */
bool eti__sql_is_plain(eti_text expression, size_t *n_bytes);
bool eti__sql_checks_are_plain(eti_text definition, size_t *n_bytes);

#endif
