#include "sqlite/database.h"

#include "table/table.h"

#include <sqlite3.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ==== sqlite database ========================================================================= */

/* Number of seconds for which another program may keep the database locked. */
#define ETI_DATABASE_WAIT_SECONDS 60

/* Largest number of bytes of a statement, far more than the schema of a real database needs. */
#define MOST_SQL (1 << 20)
/* Thousands of operations of SQLite's virtual machine for reading a schema: an object takes 8 or 9 operations, and time that
 * grows with the square of the number of objects. */
#define MOST_SCHEMA_STEPS 50

/* ---- failing --------------------------------------------------------------------------------- */

/* Returns the reason of a failure, in clearer words than SQLite's own. */
static const char *reason_of(const eti_database *d, int code) {
    switch (code) {
    case SQLITE_INTERRUPT:
        return "its schema has too many objects";
    case SQLITE_READONLY: /* which SQLite also answers for a header that forbids writing */
        return access(d->path, W_OK) != 0
                   ? "the file is read-only"
                   : "its header forbids writing: it is damaged, or a newer SQLite wrote it";
    case SQLITE_READONLY_DIRECTORY:
        return "no journal can be created in its folder";
    case SQLITE_READONLY_DBMOVED:
        return "the file was replaced in the meantime: try again";
    default:
        return d->connection ? d->sqlite.errmsg(d->connection) : d->sqlite.errstr(code);
    }
}

static bool is_of_memory(const eti_database *d, int code, const char *reason) {
    return (code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM ||
           /* SQLite's parser may return SQLITE_ERROR when out of memory. */
           strcmp(reason, d->sqlite.errstr(SQLITE_NOMEM)) == 0;
}

static eti_status fail_new(eti_database *d, int code, const char *reason) {
    bool is_large = code == SQLITE_FULL || code == SQLITE_TOOBIG;
    return eti_fail(d->err, is_large ? ETI_ERROR_LIMIT : ETI_ERROR_USAGE,
                    "cannot write a SQLite database: %s", reason);
}

static eti_status fail_locked(const eti_database *d) {
    if (d->is_cancelled)
        return eti_fail(d->err, ETI_ERROR_CANCELLED, "%s: cancelled by the caller while waiting",
                        d->path);
    return eti_fail(d->err, ETI_ERROR_WRITE,
                    "%s: nothing was appended: another program has locked the database for more "
                    "than %d s: try again when it has finished",
                    d->path, ETI_DATABASE_WAIT_SECONDS);
}

/* Returns the status of a failure, which is that of the system, of the report, or of the file. */
static eti_status status_of(int code) {
    switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_PROTOCOL:
    case SQLITE_NOLFS:
        return ETI_ERROR_WRITE;
    case SQLITE_TOOBIG:
    case SQLITE_INTERRUPT:
        return ETI_ERROR_LIMIT;
    default:
        return ETI_ERROR_MALFORMED;
    }
}

eti_status eti__database_fail(eti_database *d, int code) {
    int extended = d->connection ? d->sqlite.extended_errcode(d->connection) : code;
    if ((extended & 0xff) == (code & 0xff))
        code = extended;
    const char *reason = reason_of(d, code);
    if (is_of_memory(d, code, reason))
        return eti_fail_memory(d->err);
    if (!d->path)
        return fail_new(d, code, reason);
    if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED)
        return fail_locked(d);
    int of_system = d->connection ? d->sqlite.system_errno(d->connection) : 0;
    bool has_cause = of_system != 0 && status_of(code) == ETI_ERROR_WRITE;
    return eti_fail(d->err, status_of(code), "%s: nothing was appended: %s%s%s", d->path, reason,
                    has_cause ? ": " : "", has_cause ? strerror(of_system) : "");
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Waits for a lock, a little longer each time; returns 0 to give up. */
static int wait_for_lock(void *context, int n_before) {
    eti_database *d = context;
    unsigned pause_ms = n_before < 20 ? 1 + (unsigned)n_before : 20;
    if (n_before == 0)
        d->waited_ms = 0;
    d->is_cancelled =
        eti__tell(&d->options->progress, "waiting for another program", 0, 0, NULL) != ETI_OK;
    if (d->is_cancelled || d->waited_ms >= ETI_DATABASE_WAIT_SECONDS * 1000)
        return 0;
    d->waited_ms += pause_ms;
    nanosleep(&(struct timespec){.tv_nsec = (long)pause_ms * 1000000}, NULL);
    return 1;
}

static int count_step(void *context) {
    eti_database *d = context;
    return ++d->n_steps > MOST_SCHEMA_STEPS;
}

void eti__database_limit_steps(eti_database *d, bool is_limited) {
    d->n_steps = 0;
    d->sqlite.progress_handler(d->connection, is_limited ? 1000 : 0, count_step, d);
}

/* Configures the connection so that nothing in the file is executed when rows are added to it. */
static eti_status configure(eti_database *d) {
    static const int settings[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_FKEY, 0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        ETI_TRY_SQLITE(d, d->sqlite.db_config(d->connection, settings[i][0], settings[i][1], NULL));
    d->sqlite.limit(d->connection, SQLITE_LIMIT_ATTACHED, 0);
    d->sqlite.limit(d->connection, SQLITE_LIMIT_SQL_LENGTH, MOST_SQL);
    return ETI_OK;
}

/* Returns a name that SQLite takes as the name of a file, whatever its beginning. */
static const char *spell_path(eti_database *d, const char *path) {
    d->text.size = 0;
    if (*path != '/')
        eti__buffer_add_string(&d->text, "./");
    eti__buffer_add_string(&d->text, path);
    eti__buffer_add_char(&d->text, '\0');
    return d->text.failed ? NULL : d->text.data;
}

eti_status eti__database_open(eti_database *d, const char *path) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    d->path = path;
    d->connection = NULL;
    const char *name = path ? spell_path(d, path) : ":memory:";
    if (!name)
        return eti_fail_memory(d->err);
    ETI_TRY_SQLITE(d, d->sqlite.open_v2(name, &d->connection,
                                        path ? flags : flags | SQLITE_OPEN_CREATE, NULL));
    ETI_TRY_SQLITE(d, d->sqlite.busy_handler(d->connection, wait_for_lock, d));
    return configure(d);
}

void eti__database_close(eti_database *d) {
    (void)d->sqlite.close(d->connection);
    d->connection = NULL;
    eti__buffer_free(&d->sql);
    eti__buffer_free(&d->text);
}

/* ---- statements ------------------------------------------------------------------------------ */

eti_status eti__database_run(eti_database *d, const char *sql) {
    ETI_TRY_SQLITE(d, d->sqlite.exec(d->connection, sql, NULL, NULL, NULL));
    return ETI_OK;
}

/* Returns the statement in d->sql, and empties the buffer for the next one. */
static const char *finish_sql(eti_database *d) {
    eti__buffer_add_char(&d->sql, '\0');
    d->sql.size = 0;
    return d->sql.failed || d->text.failed ? NULL : d->sql.data;
}

eti_status eti__database_run_built(eti_database *d) {
    const char *sql = finish_sql(d);
    return sql ? eti__database_run(d, sql) : eti_fail_memory(d->err);
}

eti_status eti__database_prepare(eti_database *d, const char *sql, sqlite3_stmt **out) {
    *out = NULL;
    ETI_TRY_SQLITE(d, d->sqlite.prepare_v2(d->connection, sql, -1, out, NULL));
    return ETI_OK;
}

eti_status eti__database_prepare_built(eti_database *d, sqlite3_stmt **out) {
    const char *sql = finish_sql(d);
    *out = NULL;
    return sql ? eti__database_prepare(d, sql, out) : eti_fail_memory(d->err);
}

eti_status eti__database_step(eti_database *d, sqlite3_stmt *statement, bool *has_row) {
    int code = d->sqlite.step(statement);
    *has_row = code == SQLITE_ROW;
    ETI_TRY_SQLITE(d, code);
    return ETI_OK;
}

eti_status eti__database_ask(eti_database *d, const char *sql, sqlite3_int64 *out) {
    sqlite3_stmt *statement;
    bool has_row = false;
    *out = 0;
    ETI_TRY(eti__database_prepare(d, sql, &statement));
    eti_status status = eti__database_step(d, statement, &has_row);
    if (status == ETI_OK && has_row)
        *out = d->sqlite.column_int64(statement, 0);
    (void)d->sqlite.finalize(statement);
    return status;
}

eti_text eti__database_text(const eti_database *d, sqlite3_stmt *statement, int column) {
    const char *text = (const char *)d->sqlite.column_text(statement, column);
    return (eti_text){text, text ? (size_t)d->sqlite.column_bytes(statement, column) : 0};
}

/* ---- names ----------------------------------------------------------------------------------- */

void eti__database_add_quoted(eti_buffer *out, eti_text name) {
    eti__buffer_add_char(out, '"');
    for (size_t at = 0; at < name.size;) {
        uint32_t character;
        size_t size = eti__text_decode(name, at, &character);
        if (character == '"')
            eti__buffer_add(out, "\"\"", 2);
        else if (character == 0xfffd)
            eti__buffer_add(out, "\xef\xbf\xbd", 3);
        else if (!eti__is_control(character))
            eti__buffer_add(out, name.data + at, size);
        at += size;
    }
    eti__buffer_add_char(out, '"');
}

/* ==== sqlite library ========================================================================== */

#ifdef ETI_STATIC

eti_status eti__sqlite_load(eti_sqlite *out, eti_error *err) {
    *out = (eti_sqlite){0};
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%sformat sqlite needs the SQLite library, which this static program cannot "
                    "load; use the program from the wheel or the Debian package",
                    eti__option_prefix());
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#ifdef __APPLE__
#define LIBRARY "libsqlite3.dylib"
#else
#define LIBRARY "libsqlite3.so.0"
#endif

/* Finds a function; false: the library has no such function. Object pointers can hold those of functions, as POSIX requires
 * for dlsym(). */
static bool find_function(void *library, const char *name, void *out) {
    void *found = dlsym(library, name);
    memcpy(out, &found, sizeof found);
    return found != NULL;
}

eti_status eti__sqlite_load(eti_sqlite *out, eti_error *err) {
    errno = 0;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library && errno == ENOMEM)
        return eti_fail_memory(err);
    if (!library)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%sformat sqlite needs the SQLite library (apt-get install libsqlite3-0): %s",
            eti__option_prefix(), dlerror());
    bool has_all = true;
#define FIND(name)                                                                                 \
    if (!find_function(library, "sqlite3_" #name, &out->name))                                     \
        has_all = false;
    ETI_SQLITE_FUNCTIONS(FIND)
#undef FIND
    if (has_all)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%sformat sqlite needs " LIBRARY " of SQLite 3.36 or newer",
                    eti__option_prefix());
}

#endif

/* ==== sqlite cell ============================================================================= */

int eti__sqlite_bind_text(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                          eti_text text) {
    ETI_EXPECT_UTF8(text);
    if (!text.data)
        return sqlite->bind_null(statement, place);
    return sqlite->bind_text64(statement, place, text.data, text.size, SQLITE_TRANSIENT,
                               SQLITE_UTF8);
}

static int bind_list(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                     const eti_cell *cell, eti_buffer *scratch) {
    scratch->size = 0;
    eti__cell_add_json(scratch, cell);
    return scratch->failed
               ? SQLITE_NOMEM
               : eti__sqlite_bind_text(sqlite, statement, place, eti__buffer_text(scratch));
}

int eti__sqlite_bind_cell(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                          const eti_cell *cell, eti_buffer *scratch) {
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        return sqlite->bind_int(statement, place, cell->as_bool);
    case ETI_CELL_INT:
        return sqlite->bind_int64(statement, place, cell->as_int);
    case ETI_CELL_DOUBLE:
        return sqlite->bind_double(statement, place, cell->as_double);
    case ETI_CELL_LIST:
        if (cell->items)
            return bind_list(sqlite, statement, place, cell, scratch);
        return eti__sqlite_bind_text(sqlite, statement, place, cell->as_text);
    case ETI_CELL_TEXT:
        return eti__sqlite_bind_text(sqlite, statement, place, cell->as_text);
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
    case ETI_CELL_INT_LISTS:
        return bind_list(sqlite, statement, place, cell, scratch);
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
        break;
    }
    return sqlite->bind_null(statement, place);
}
