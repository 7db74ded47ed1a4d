/*
 * sqlite_library.h - loads the SQLite library when a database is requested.
 *
 * It is neither part of the program nor loaded at its start: loading would make every run a fifth
 * longer (a twentieth if it were linked statically, because it needs the mathematics library),
 * although few runs write databases.
 */
#ifndef ETI_SQLITE_SQLITE_LIBRARY_H
#define ETI_SQLITE_SQLITE_LIBRARY_H

#include "etinspect.h"

#include <sqlite3.h>

/* X(name): sqlite3_name() */
#define ETI_SQLITE_FUNCTIONS(X)                                                                    \
    X(bind_double)                                                                                 \
    X(bind_int)                                                                                    \
    X(bind_int64)                                                                                  \
    X(bind_null)                                                                                   \
    X(bind_text64)                                                                                 \
    X(busy_handler)                                                                                \
    X(close)                                                                                       \
    X(column_bytes)                                                                                \
    X(column_int64)                                                                                \
    X(column_text)                                                                                 \
    X(column_type)                                                                                 \
    X(db_config)                                                                                   \
    X(db_filename)                                                                                 \
    X(db_readonly)                                                                                 \
    X(deserialize)                                                                                 \
    X(errmsg)                                                                                      \
    X(errstr)                                                                                      \
    X(exec)                                                                                        \
    X(extended_errcode)                                                                            \
    X(file_control)                                                                                \
    X(finalize)                                                                                    \
    X(limit)                                                                                       \
    X(open_v2)                                                                                     \
    X(prepare_v2)                                                                                  \
    X(progress_handler)                                                                            \
    X(reset)                                                                                       \
    X(serialize)                                                                                   \
    X(step)                                                                                        \
    X(system_errno)

typedef struct eti_sqlite {
/* NOLINTBEGIN(bugprone-macro-parentheses): the name cannot be in parentheses */
#define ETI_SQLITE_MEMBER(name) __typeof__(sqlite3_##name) *name;
    /* NOLINTEND(bugprone-macro-parentheses) */
    ETI_SQLITE_FUNCTIONS(ETI_SQLITE_MEMBER)
#undef ETI_SQLITE_MEMBER
} eti_sqlite;

/* Loads the library, which stays loaded. ETI_ERROR_USAGE: there is no library, or it is too old;
 * the message says what to install. */
eti_status eti__sqlite_load(eti_sqlite *out, eti_error *err) ETI_WARN_UNUSED;

#endif
