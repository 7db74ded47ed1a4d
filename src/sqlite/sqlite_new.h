/*
 * sqlite_new.h - makes a new database from a report.
 */
#ifndef ETI_SQLITE_SQLITE_NEW_H
#define ETI_SQLITE_SQLITE_NEW_H

#include "base/output.h"
#include "sqlite/sqlite_database.h"

/* Checks that the database can be replaced. ETI_ERROR_WRITE: a program uses it, or there is a journal beside it, which
 * SQLite would take as that of the new file. */
eti_status eti__sqlite_check_unused(const eti_output *output, eti_error *err) ETI_WARN_UNUSED;

/* Makes the database in memory and adds its bytes to `output`. */
eti_status eti__sqlite_write_new(eti_database *d, eti_output *output) ETI_WARN_UNUSED;

#endif
