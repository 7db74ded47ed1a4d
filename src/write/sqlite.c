/*
 * SQLite: each table of a report becomes one of the database, its columns without units, lists as JSON arrays.
 * Rows of one report have the same dump_id, by which the tables dumps, sources, labels and notes tell where
 * they come from; several reports can be appended to one another.
 *
 * The database is made in memory and written as a whole, so that a file is either the old one or complete. An
 * old file is somebody else's data: nothing in it is run.
 */
#include "base/file.h"
#include "base/progress.h"
#include "table/provenance.h"
#include "write/bare_name.h"
#include "write/sqlite_cell.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define APPLICATION_ID 0x45544931 /* "ETI1"; changes with ETI_OUTPUT_SCHEMA */
#define TYPED_ROWS 100            /* rows that are looked at to find out what is a flag */
#define GROUP_ROWS 20      /* that one statement inserts: three times as fast as one by one */
#define MAX_PARAMETERS 999 /* of a statement, in whichever version of SQLite */

typedef struct database {
    eti_sqlite sqlite;
    sqlite3 *connection;
    const eti_report *report;
    const eti_write_options *options;
    const char *old_path; /* what is appended to; NULL: nothing */
    sqlite3_int64 dump_id;
    eti_buffer sql;  /* with a NUL at its end when it is run */
    eti_buffer text; /* of a cell */
    eti_error *err;
} database;

/* ---- errors ---------------------------------------------------------------------------------- */

/* Whose fault it is: that of an old file, if there is one. */
static eti_status fail_sqlite(database *d, int code) {
    const char *reason = d->connection ? d->sqlite.errmsg(d->connection) : d->sqlite.errstr(code);
    /* Where its parser finds no memory it may say SQLITE_ERROR. */
    if ((code & 0xff) == SQLITE_NOMEM || strcmp(reason, d->sqlite.errstr(SQLITE_NOMEM)) == 0)
        return eti_fail_memory(d->err);
    if (d->old_path)
        return eti_fail(d->err, ETI_ERROR_MALFORMED, "%s: cannot append to this database: %s",
                        d->old_path, reason);
    return eti_fail(
        d->err, code == SQLITE_FULL || code == SQLITE_TOOBIG ? ETI_ERROR_LIMIT : ETI_ERROR_USAGE,
        "cannot make a SQLite database of this: %s", reason);
}

#define TRY_SQLITE(call)                                                                           \
    do {                                                                                           \
        int try_code_ = (call);                                                                    \
        if (try_code_ != SQLITE_OK && try_code_ != SQLITE_DONE && try_code_ != SQLITE_ROW)         \
            return fail_sqlite(d, try_code_);                                                      \
    } while (0)

static eti_status run(database *d, const char *sql) {
    TRY_SQLITE(d->sqlite.exec(d->connection, sql, NULL, NULL, NULL));
    return ETI_OK;
}

/* What was put together in d->sql. */
static eti_status run_built(database *d) {
    eti__buffer_add_char(&d->sql, '\0');
    if (d->sql.failed || d->text.failed)
        return eti_fail_memory(d->err);
    eti_status status = run(d, d->sql.data);
    d->sql.size = 0;
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* As an identifier; what could end the statement or the line is left out. */
static void add_quoted(eti_buffer *out, eti_text name) {
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

/* To SQLite names are the same in capitals. */
static bool same_name(eti_text a, eti_text b) {
    return a.size == b.size && (a.size == 0 || strncasecmp(a.data, b.data, a.size) == 0);
}

/* Whether one before the column is called as `quoted` is. */
static bool is_taken(database *d, const eti_table *table, size_t column, eti_text quoted) {
    bool taken = same_name(quoted, eti__text_of("\"dump_id\""));
    for (size_t i = 0; i < column && !taken; i++) {
        d->text.size = 0;
        add_quoted(&d->text, eti__column_bare_name(d->report, &table->columns[i]));
        taken = same_name(quoted, eti__buffer_text(&d->text));
    }
    return taken;
}

/* The name of a column, with the column's number where one before it is called the same. */
static void add_column_name(database *d, eti_buffer *out, const eti_table *table, size_t column) {
    size_t start = out->size;
    add_quoted(out, eti__column_bare_name(d->report, &table->columns[column]));
    if (out->failed)
        return;
    if (is_taken(d, table, column, (eti_text){out->data + start, out->size - start})) {
        out->size--; /* the quote */
        eti__buffer_printf(out, "_%zu\"", column + 1);
    }
}

/* ---- the tables ------------------------------------------------------------------------------ */

static const char *declared_type(eti_column_kind kind) {
    switch (kind) {
    case ETI_COLUMN_TIME:
    case ETI_COLUMN_SHARE:
    case ETI_COLUMN_CHANGE:
        return "REAL";
    case ETI_COLUMN_COUNT:
    case ETI_COLUMN_BYTES:
    case ETI_COLUMN_MARK:
        return "INTEGER";
    case ETI_COLUMN_NUMBER:
        return "NUMERIC";
    case ETI_COLUMN_TEXT:
    case ETI_COLUMN_LIST:
    case ETI_COLUMN_SERIES:
        break;
    }
    return "TEXT";
}

/* Which columns hold flags: all that the first rows have there. False when memory is out. */
static bool find_flags(const eti_table *table, bool *is_flag) {
    eti_row_reader rows;
    if (!eti__row_reader_open(&rows, table))
        return false;
    for (size_t row = 0; row < table->n_rows && row < TYPED_ROWS; row++) {
        const eti_cell *cells = eti__row_reader_read(&rows, row);
        for (size_t i = 0; i < table->n_columns; i++) {
            if (cells[i].kind == ETI_CELL_BOOL && row == 0)
                is_flag[i] = true;
            else if (cells[i].kind != ETI_CELL_BOOL)
                is_flag[i] = false;
        }
    }
    bool failed = rows.failed;
    eti__row_reader_close(&rows);
    return !failed;
}

static eti_status create_table(database *d, const eti_section *section) {
    const eti_table *table = section->table;
    bool *is_flag = calloc(table->n_columns + 1, sizeof *is_flag);
    bool found = is_flag && find_flags(table, is_flag);
    eti__buffer_add_string(&d->sql, "CREATE TABLE IF NOT EXISTS ");
    add_quoted(&d->sql, eti__text_of(section->name));
    eti__buffer_add_string(&d->sql, " (dump_id INTEGER NOT NULL REFERENCES dumps");
    for (size_t i = 0; found && i < table->n_columns; i++) {
        eti__buffer_add_string(&d->sql, ", ");
        add_column_name(d, &d->sql, table, i);
        eti__buffer_add_char(&d->sql, ' ');
        eti__buffer_add_string(&d->sql,
                               is_flag[i] ? "BOOLEAN" : declared_type(table->columns[i].kind));
    }
    eti__buffer_add_char(&d->sql, ')');
    free(is_flag);
    return found ? run_built(d) : eti_fail_memory(d->err);
}

/* The n rows from `row` on, at once. */
static int insert_group(database *d, sqlite3_stmt *statement, eti_row_reader *rows, size_t row,
                        size_t n) {
    size_t n_columns = rows->table->n_columns;
    int code = SQLITE_OK, place = 1;
    for (size_t end = row + n; row < end && code == SQLITE_OK; row++) {
        const eti_cell *cells = eti__row_reader_read(rows, row);
        code = rows->failed ? SQLITE_NOMEM : d->sqlite.bind_int64(statement, place++, d->dump_id);
        for (size_t i = 0; code == SQLITE_OK && i < n_columns; i++)
            code = eti__sqlite_bind_cell(&d->sqlite, statement, place++, &cells[i], &d->text);
    }
    if (code == SQLITE_OK)
        code = d->sqlite.step(statement);
    (void)d->sqlite.reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* A statement that inserts this number of rows. Columns are named, so that an old table may have more of them or
 * another order. */
static eti_status prepare_insert(database *d, const eti_section *section, size_t n_rows,
                                 sqlite3_stmt **out) {
    const eti_table *table = section->table;
    eti__buffer_add_string(&d->sql, "INSERT INTO ");
    add_quoted(&d->sql, eti__text_of(section->name));
    eti__buffer_add_string(&d->sql, " (dump_id");
    for (size_t i = 0; i < table->n_columns; i++) {
        eti__buffer_add_string(&d->sql, ", ");
        add_column_name(d, &d->sql, table, i);
    }
    eti__buffer_add_string(&d->sql, ") VALUES ");
    for (size_t row = 0; row < n_rows; row++) {
        eti__buffer_add_string(&d->sql, row > 0 ? ", (?" : "(?");
        for (size_t i = 0; i < table->n_columns; i++)
            eti__buffer_add_string(&d->sql, ", ?");
        eti__buffer_add_char(&d->sql, ')');
    }
    eti__buffer_add_char(&d->sql, '\0');
    if (d->sql.failed || d->text.failed)
        return eti_fail_memory(d->err);
    int code = d->sqlite.prepare_v2(d->connection, d->sql.data, -1, out, NULL);
    d->sql.size = 0;
    TRY_SQLITE(code);
    return ETI_OK;
}

/* Inserts rows from *row on while as many as one statement takes are left. */
static eti_status insert_groups(database *d, const eti_section *section, eti_row_reader *rows,
                                size_t group, size_t *row) {
    sqlite3_stmt *statement;
    int code = SQLITE_OK;
    if (section->table->n_rows - *row < group)
        return ETI_OK;
    ETI_TRY(prepare_insert(d, section, group, &statement));
    eti_status status = ETI_OK;
    for (; section->table->n_rows - *row >= group && status == ETI_OK; *row += group) {
        status =
            eti__tell(&d->options->progress, section->name, *row, section->table->n_rows, d->err);
        if (status == ETI_OK)
            code = insert_group(d, statement, rows, *row, group);
        if (code != SQLITE_OK)
            status = fail_sqlite(d, code);
    }
    d->sqlite.finalize(statement);
    return status;
}

static eti_status fill_table(database *d, const eti_section *section) {
    eti_row_reader rows;
    size_t row = 0, most = MAX_PARAMETERS / (section->table->n_columns + 1);
    if (!eti__row_reader_open(&rows, section->table))
        return eti_fail_memory(d->err);
    eti_status status = ETI_OK;
    if (most > 0)
        status = insert_groups(d, section, &rows, most < GROUP_ROWS ? most : GROUP_ROWS, &row);
    if (status == ETI_OK)
        status = insert_groups(d, section, &rows, 1, &row);
    eti__row_reader_close(&rows);
    return status;
}

/* ---- where rows come from -------------------------------------------------------------------- */

static const char own_tables[] =
    "CREATE TABLE IF NOT EXISTS dumps (dump_id INTEGER PRIMARY KEY, \"view\" TEXT, version TEXT, "
    "time_scale TEXT);"
    "CREATE TABLE IF NOT EXISTS sources (dump_id INTEGER NOT NULL REFERENCES dumps, kind TEXT, "
    "path TEXT, "
    "size INTEGER, sha256 TEXT);"
    "CREATE TABLE IF NOT EXISTS labels (dump_id INTEGER NOT NULL REFERENCES dumps, \"key\" TEXT, "
    "value TEXT);"
    "CREATE TABLE IF NOT EXISTS notes (dump_id INTEGER NOT NULL REFERENCES dumps, table_name TEXT, "
    "text TEXT);";

/* Runs `sql` with texts in place of its question marks; absent ones are NULL. */
static eti_status insert_texts(database *d, const char *sql, const eti_text *texts, size_t n) {
    sqlite3_stmt *statement;
    TRY_SQLITE(d->sqlite.prepare_v2(d->connection, sql, -1, &statement, NULL));
    int code = d->sqlite.bind_int64(statement, 1, d->dump_id);
    for (size_t i = 0; i < n && code == SQLITE_OK; i++)
        code = eti__sqlite_bind_text(&d->sqlite, statement, (int)i + 2, texts[i], &d->text);
    if (code == SQLITE_OK)
        code = d->sqlite.step(statement);
    (void)d->sqlite.finalize(statement);
    TRY_SQLITE(code);
    return ETI_OK;
}

static eti_status insert_source(database *d, const eti_report_source *source) {
    char digest[ETI_SHA256_DIGITS + 1], digits[24];
    eti__source_sha256(source, digest);
    char *end = digits + sizeof digits;
    const char *size = eti__write_u64(end, source->size);
    const eti_text texts[] = {eti__text_of(source->kind),
                              source->path,
                              {size, (size_t)(end - size)},
                              eti__text_of(digest)};
    return insert_texts(d, "INSERT INTO sources VALUES (?, ?, ?, ?, ?)", texts, 4);
}

static eti_status insert_notes(database *d, const eti_section *section) {
    for (size_t i = 0; i < section->n_notes; i++) {
        const eti_text texts[] = {eti__text_of(section->name), section->notes[i]};
        ETI_TRY(insert_texts(d, "INSERT INTO notes VALUES (?, ?, ?)", texts, 2));
    }
    return ETI_OK;
}

static eti_status insert_labels(database *d, const eti_label *labels, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const eti_text label[] = {eti__text_of(labels[i].key), eti__text_of(labels[i].value)};
        ETI_TRY(insert_texts(d, "INSERT INTO labels VALUES (?, ?, ?)", label, 2));
    }
    return ETI_OK;
}

static eti_status insert_provenance(database *d) {
    const eti_report *report = d->report;
    const eti_text texts[] = {eti__text_of(report->view), eti__text_of(eti_version()),
                              eti__report_time_scale(report)};
    ETI_TRY(insert_texts(d, "INSERT INTO dumps VALUES (?, ?, ?, ?)", texts, 3));
    for (size_t i = 0; i < report->n_sources; i++)
        ETI_TRY(insert_source(d, &report->sources[i]));
    ETI_TRY(insert_labels(d, report->labels, report->n_labels));
    ETI_TRY(insert_labels(d, d->options->labels, d->options->n_labels));
    for (size_t i = 0; i < report->n_sections; i++)
        ETI_TRY(insert_notes(d, &report->sections[i]));
    return ETI_OK;
}

/* ---- an old file ----------------------------------------------------------------------------- */

/* The one number that `sql` asks for. */
static eti_status ask_number(database *d, const char *sql, sqlite3_int64 *out) {
    sqlite3_stmt *statement;
    TRY_SQLITE(d->sqlite.prepare_v2(d->connection, sql, -1, &statement, NULL));
    int code = d->sqlite.step(statement);
    *out = code == SQLITE_ROW ? d->sqlite.column_int64(statement, 0) : 0;
    (void)d->sqlite.finalize(statement);
    TRY_SQLITE(code);
    return ETI_OK;
}

/* Nothing that comes with the file acts when rows are added to it. */
static eti_status check_old(database *d) {
    sqlite3_int64 id, n_active, n_damaged;
    ETI_TRY(ask_number(d, "PRAGMA application_id", &id));
    if (id != APPLICATION_ID)
        return eti_fail(d->err, ETI_ERROR_MALFORMED,
                        "%s: this is no database that etinspect of this version can append to",
                        d->old_path);
    ETI_TRY(
        ask_number(d,
                   "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' OR (type = 'index' "
                   "AND sql IS NOT NULL) OR (type = 'table' AND rootpage = 0)",
                   &n_active));
    if (n_active > 0)
        return eti_fail(
            d->err, ETI_ERROR_MALFORMED,
            "%s: this database has triggers, indexes or virtual tables of somebody else's: "
            "drop them to append to it",
            d->old_path);
    ETI_TRY(ask_number(d, "SELECT count(*) FROM pragma_quick_check WHERE quick_check <> 'ok'",
                       &n_damaged));
    if (n_damaged > 0)
        return eti_fail(d->err, ETI_ERROR_MALFORMED, "%s: this database is damaged", d->old_path);
    return ETI_OK;
}

/* `bytes` of an old file; none: a new database. In both cases it lies in one piece of memory, which is what
 * is written in the end. */
static eti_status load(database *d, const uint8_t *bytes, size_t size) {
    static const int settings[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_FKEY, 0},
    };
    unsigned char *copy = NULL;
    TRY_SQLITE(d->sqlite.open_v2(":memory:", &d->connection,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                                 NULL));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        TRY_SQLITE(d->sqlite.db_config(d->connection, settings[i][0], settings[i][1], NULL));
    if (size > 0 && !(copy = d->sqlite.malloc64(size)))
        return eti_fail_memory(d->err);
    if (size > 0)
        memcpy(copy, bytes, size);
    TRY_SQLITE(
        d->sqlite.deserialize(d->connection, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                              SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE));
    sqlite3_int64 limit = INT64_MAX / 2;
    (void)d->sqlite.file_control(d->connection, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit);
    return run(d, "PRAGMA journal_mode = OFF; PRAGMA cell_size_check = ON;");
}

/* What the output replaces, if it is there. */
static eti_status load_old(database *d, const eti_output *output) {
    d->old_path = eti__output_target(output);
    if (!d->old_path)
        return eti_fail(d->err, ETI_ERROR_USAGE,
                        "%sappend: what is appended to is a file: name it with %soutput",
                        eti__option_prefix(), eti__option_prefix());
    if (!eti__output_replaces(output)) {
        d->old_path = NULL;
        return load(d, NULL, 0);
    }
    struct eti_file file;
    ETI_TRY(eti__file_open_source(&file, &(const eti_source){.path = d->old_path}, d->err));
    eti_status status = ETI_OK;
    if (file.size == 0)
        d->old_path = NULL;
    status = load(d, file.data, file.size);
    eti__file_release(&file);
    return status == ETI_OK && d->old_path ? check_old(d) : status;
}

/* ---- putting it together --------------------------------------------------------------------- */

static eti_status create_views(database *d) {
    for (size_t i = 0; i < d->report->n_queries; i++) {
        eti__buffer_add_string(&d->sql, "CREATE VIEW IF NOT EXISTS ");
        add_quoted(&d->sql, eti__text_of(d->report->queries[i].name));
        eti__buffer_add_string(&d->sql, " AS ");
        eti__buffer_add_string(&d->sql, d->report->queries[i].sql);
        ETI_TRY(run_built(d));
    }
    return ETI_OK;
}

static eti_status fill(database *d) {
    sqlite3_int64 last = 0;
    ETI_TRY(run(d, "BEGIN"));
    eti__buffer_printf(&d->sql, "PRAGMA application_id = %d; PRAGMA user_version = 1",
                       APPLICATION_ID);
    ETI_TRY(run_built(d));
    ETI_TRY(run(d, own_tables));
    ETI_TRY(ask_number(d, "SELECT max(dump_id) FROM dumps", &last));
    d->dump_id = last + 1;
    ETI_TRY(insert_provenance(d));
    for (size_t i = 0; i < d->report->n_sections; i++) {
        ETI_TRY(create_table(d, &d->report->sections[i]));
        ETI_TRY(fill_table(d, &d->report->sections[i]));
    }
    ETI_TRY(create_views(d));
    return run(d, "COMMIT");
}

static eti_status write_out(database *d, eti_output *output) {
    sqlite3_int64 size;
    const unsigned char *bytes =
        d->sqlite.serialize(d->connection, "main", &size, SQLITE_SERIALIZE_NOCOPY);
    if (!bytes)
        return eti_fail_memory(d->err);
    eti__output_add(output, bytes, (size_t)size);
    return ETI_OK;
}

static eti_status write_sqlite(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    database d = {.report = report, .options = options, .err = err};
    if (eti__output_is_terminal(output))
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%sformat sqlite: a database is not for a terminal: name a file with %soutput",
            eti__option_prefix(), eti__option_prefix());
    ETI_TRY(eti__sqlite_load(&d.sqlite, err));
    eti_status status = options->append ? load_old(&d, output) : load(&d, NULL, 0);
    if (status == ETI_OK)
        status = fill(&d);
    if (status == ETI_OK)
        status = write_out(&d, output);
    (void)d.sqlite.close(d.connection);
    eti__buffer_free(&d.sql);
    eti__buffer_free(&d.text);
    return status;
}

const eti_writer eti__writer_sqlite = {
    .name = "sqlite",
    .summary = "a SQLite database with a table for each of these",
    .suffixes = "sqlite,sqlite3,db",
    .takes = ETI_TAKES_TABLES,
    .write_report = write_sqlite,
    .is_for_programs = true,
    .can_append = true,
};
