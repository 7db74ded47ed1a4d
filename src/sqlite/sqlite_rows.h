/*
 * sqlite_rows.h - writes a report into an open database: its tables, views, rows and provenance.
 */
#ifndef ETI_SQLITE_SQLITE_ROWS_H
#define ETI_SQLITE_SQLITE_ROWS_H

#include "etinspect.h"
#include "sqlite/sqlite_database.h"

/* Writes d->report as one more dump, inside the caller's transaction. */
eti_status eti__database_fill(eti_database *d) ETI_WARN_UNUSED;

#endif
