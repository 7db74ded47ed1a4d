/*
 * database.h - an open database of SQLite, the library that is loaded for it, and cells in it.
 */
#ifndef ETI_SQLITE_DATABASE_H
#define ETI_SQLITE_DATABASE_H

#include "base/text.h"
#include "etinspect.h"
#include "write/write.h"

#include <sqlite3.h>

/* ==== sqlite library ========================================================================== */
/* Loads the SQLite library when a database is requested.
 *
 * It is neither part of the program nor loaded at its start: loading would make every run a fifth
 * longer (a twentieth if it were linked statically, because it needs the mathematics library),
 * although few runs write databases. */

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

/* ==== sqlite cell ============================================================================= */
/* Turns cells into parameters of a SQLite statement: lists as JSON arrays. */

/* Bind a copy of a text, which must be UTF-8, and return a code of SQLite. An absent text becomes NULL. */
int eti__sqlite_bind_text(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                          eti_text text);
/* Does the same for a cell; JSON is made in `scratch`. */
int eti__sqlite_bind_cell(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                          const eti_cell *cell, eti_buffer *scratch);

/* ==== sqlite database ========================================================================= */
/* A database into which a report is written: the connection and its state. A failure of SQLite
 * becomes one sentence here. */

typedef struct eti_database {
    eti_sqlite sqlite;
    sqlite3 *connection;
    const eti_report *report;
    const eti_write_options *options;
    const char *path; /* of the file to append to; NULL: a new database, in memory */
    unsigned waited_ms;
    unsigned n_steps;  /* see eti__database_limit_steps() */
    bool is_cancelled; /* while waiting */
    sqlite3_int64 dump_id;
    eti_buffer sql;  /* a statement */
    eti_buffer text; /* of a cell or a name */
    eti_error *err;
} eti_database;

/* Opens the existing file `path`, or, if `path` is NULL, a new database in memory, with the limits
 * and settings that untrusted files need. Call eti__database_close() in any case. */
eti_status eti__database_open(eti_database *d, const char *path) ETI_WARN_UNUSED;

/* Limits the steps of the following statements to those needed to read a large schema, or removes
 * this limit. */
void eti__database_limit_steps(eti_database *d, bool is_limited);

/* Closes the database; rolls back uncommitted changes. */
void eti__database_close(eti_database *d);

/* Fills d->err with what SQLite says about `code`, or about the last failure on the connection. */
eti_status eti__database_fail(eti_database *d, int code) ETI_WARN_UNUSED;

#define ETI_TRY_SQLITE(d, call)                                                                    \
    do {                                                                                           \
        int try_code_ = (call);                                                                    \
        if (try_code_ != SQLITE_OK && try_code_ != SQLITE_DONE && try_code_ != SQLITE_ROW)         \
            return eti__database_fail((d), try_code_);                                             \
    } while (0)

eti_status eti__database_run(eti_database *d, const char *sql) ETI_WARN_UNUSED;
/* Runs the statement in d->sql, and empties it. */
eti_status eti__database_run_built(eti_database *d) ETI_WARN_UNUSED;

/* Prepares a statement, which is NULL on failure. */
eti_status eti__database_prepare(eti_database *d, const char *sql,
                                 sqlite3_stmt **out) ETI_WARN_UNUSED;
eti_status eti__database_prepare_built(eti_database *d, sqlite3_stmt **out) ETI_WARN_UNUSED;

/* Reads one integer; 0 if there is no row or the value is NULL. */
eti_status eti__database_ask(eti_database *d, const char *sql, sqlite3_int64 *out) ETI_WARN_UNUSED;

/* Steps to the next row; *has_row is false at the end. */
eti_status eti__database_step(eti_database *d, sqlite3_stmt *statement,
                              bool *has_row) ETI_WARN_UNUSED;

/* Returns the text of a cell, which lives until the next step; absent for NULL. */
eti_text eti__database_text(const eti_database *d, sqlite3_stmt *statement, int column);

/* Adds a name as a quoted identifier, without characters that could end the statement or the
 * line. */
void eti__database_add_quoted(eti_buffer *out, eti_text name);

#endif
