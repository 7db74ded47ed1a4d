/*
 * sqlite_append.h - adds a report to a database file, through SQLite, which locks it, keeps its journal mode, and recovers
 * it if a program died while writing.
 */
#ifndef ETI_SQLITE_SQLITE_APPEND_H
#define ETI_SQLITE_SQLITE_APPEND_H

#include "table/table.h"
#include "write/write.h"

/* Appends in one transaction, or makes the file if there is none. ETI_ERROR_WRITE: the file stays locked, or cannot be
 * written; ETI_ERROR_MALFORMED: it is not a database of ours; ETI_ERROR_LIMIT; ETI_ERROR_USAGE: `path` is not a file;
 * ETI_ERROR_CANCELLED; ETI_ERROR_MEMORY. After a failure nothing was appended, unless the message says that only the sync of
 * the folder failed. */
eti_status eti__sqlite_append(const eti_report *report, const eti_write_options *options,
                              const char *path, eti_error *err) ETI_WARN_UNUSED;

#endif
