/*
 * sqlite_cell.h - turns cells into parameters of a SQLite statement: lists as JSON arrays, bytes that are not UTF-8 as
 * U+FFFD.
 */
#ifndef ETI_SQLITE_SQLITE_CELL_H
#define ETI_SQLITE_SQLITE_CELL_H

#include "base/text.h"
#include "sqlite/sqlite_library.h"

/* Bind a copy, which may be made in `scratch`, and return a code of SQLite. An absent text becomes NULL. */
int eti__sqlite_bind_text(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                          eti_text text, eti_buffer *scratch);
int eti__sqlite_bind_cell(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                          const eti_cell *cell, eti_buffer *scratch);

#endif
