/*
 * sqlite_new.h - makes a new database of a report.
 */
#ifndef ETI_WRITE_SQLITE_NEW_H
#define ETI_WRITE_SQLITE_NEW_H

#include "base/atomic_file.h"
#include "write/sqlite_database.h"

/* Makes the database in memory and adds its bytes to `output`. ETI_ERROR_WRITE: a journal lies beside its target, which
 * SQLite would take for the new file's. */
eti_status eti__sqlite_write_new(eti_database *d, eti_output *output) ETI_WARN_UNUSED;

#endif
