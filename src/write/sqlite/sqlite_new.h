/*
 * sqlite_new.h - makes a new database of a report.
 */
#ifndef ETI_WRITE_SQLITE_SQLITE_NEW_H
#define ETI_WRITE_SQLITE_SQLITE_NEW_H

#include "base/files/atomic_file.h"
#include "write/sqlite/sqlite_database.h"

/* ETI_ERROR_WRITE: a program uses the database that would be replaced, or beside it lies a journal, which SQLite would take
 * for the new file's. */
eti_status eti__sqlite_check_unused(const eti_output *output, eti_error *err) ETI_WARN_UNUSED;

/* Makes the database in memory and adds its bytes to `output`. */
eti_status eti__sqlite_write_new(eti_database *d, eti_output *output) ETI_WARN_UNUSED;

#endif
