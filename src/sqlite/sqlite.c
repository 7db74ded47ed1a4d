#include "base/output.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"
#include "sqlite/database.h"
#include "sqlite/schema.h"
#include "table/table.h"
#include "write/write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== sqlite rows ============================================================================= */
/* Writes a report into an open database: its tables, views, rows and provenance. */

#define GROUP_ROWS 20      /* rows inserted by one statement: three times as fast as one by one */
#define MAX_PARAMETERS 999 /* of a statement, in all versions of SQLite */

/* ---- rows ------------------------------------------------------------------------------------ */

/* Inserts n rows, beginning with `row`, at once. */
static int insert_group(eti_database *d, sqlite3_stmt *statement, eti_row_reader *rows, size_t row,
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
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Prepares a statement that inserts this number of rows. It names the columns, so that an old table may have more of them or
 * another order. If a constraint that others added fails, the whole statement fails, whatever the constraint specifies. */
static eti_status prepare_insert(eti_database *d, const eti_section *section, size_t n_rows,
                                 sqlite3_stmt **out) {
    const eti_table *table = section->table;
    eti__buffer_add_string(&d->sql, "INSERT OR ABORT INTO main.");
    eti__database_add_quoted(&d->sql, eti__text_of(section->name));
    eti__buffer_add_string(&d->sql, " (dump_id");
    for (size_t i = 0; i < table->n_columns; i++) {
        eti__buffer_add_string(&d->sql, ", ");
        eti__database_add_column(d, &d->sql, table->columns, i);
    }
    eti__buffer_add_string(&d->sql, ") VALUES ");
    for (size_t row = 0; row < n_rows; row++) {
        eti__buffer_add_string(&d->sql, row > 0 ? ", (?" : "(?");
        for (size_t i = 0; i < table->n_columns; i++)
            eti__buffer_add_string(&d->sql, ", ?");
        eti__buffer_add_char(&d->sql, ')');
    }
    return eti__database_prepare_built(d, out);
}

/* Inserts groups of rows, starting at *row, while enough rows for a statement are left. */
static eti_status insert_groups(eti_database *d, const eti_section *section, eti_row_reader *rows,
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
            status = eti__database_fail(d, code);
        (void)d->sqlite.reset(statement);
    }
    (void)d->sqlite.finalize(statement);
    return status;
}

static eti_status insert_rows(eti_database *d, const eti_section *section) {
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

/* Finds the greatest number in use; rows of a dump that was deleted only from `dumps` keep theirs. */
static const char greatest_id[] =
    "SELECT max(dump_id) FROM (SELECT max(dump_id) AS dump_id FROM main.dumps UNION ALL "
    "SELECT max(dump_id) FROM main.sources UNION ALL SELECT max(dump_id) FROM main.labels UNION "
    "ALL "
    "SELECT max(dump_id) FROM main.notes)";

/* Chooses the number after the greatest. */
static eti_status choose_dump_id(eti_database *d) {
    sqlite3_stmt *row;
    bool has_row = false;
    ETI_TRY(eti__database_prepare(d, greatest_id, &row));
    eti_status status = eti__database_step(d, row, &has_row);
    int type = status == ETI_OK ? d->sqlite.column_type(row, 0) : SQLITE_NULL;
    sqlite3_int64 last = type == SQLITE_INTEGER ? d->sqlite.column_int64(row, 0) : 0;
    (void)d->sqlite.finalize(row);
    ETI_TRY(status);
    if (type != SQLITE_INTEGER && type != SQLITE_NULL)
        return eti_fail(d->err, ETI_ERROR_MALFORMED,
                        "%s: nothing was appended: the largest dump_id is not a number: correct "
                        "it, or write to another file",
                        d->path);
    if (last == INT64_MAX)
        return eti_fail(d->err, ETI_ERROR_LIMIT,
                        "%s: nothing was appended: the largest dump_id is %" PRId64
                        ", so there is no number left: write to another file",
                        d->path, (int64_t)last);
    d->dump_id = last < 0 ? 1 : last + 1;
    return ETI_OK;
}

static eti_status insert_source(eti_database *d, const eti_report_source *source) {
    char sha256[ETI_SHA256_DIGITS + 1], digits[24];
    char *end = digits + sizeof digits;
    const char *size = eti__write_u64(end, source->size);
    const eti_text texts[] = {eti__text_of(source->kind),
                              source->path,
                              {size, (size_t)(end - size)},
                              eti__source_sha256(source, !d->options->no_sha256, sha256)};
    return eti__database_insert_texts(d,
                                      "INSERT OR ABORT INTO main.sources (dump_id, kind, path, "
                                      "size, sha256) VALUES (?, ?, ?, ?, ?)",
                                      texts, 4);
}

static eti_status insert_notes(eti_database *d, const eti_section *section) {
    for (size_t i = 0; i < section->n_notes; i++)
        ETI_TRY(eti__database_add_note(d, section->name, section->notes[i]));
    return ETI_OK;
}

/* Returns whether the user gave a label with this key, which replaces one of the report. */
static bool is_given(const eti_database *d, const char *key) {
    for (size_t i = 0; i < d->options->n_labels; i++) {
        if (strcmp(d->options->labels[i].key, key) == 0)
            return true;
    }
    return false;
}

static eti_status insert_labels(eti_database *d, const eti_label *labels, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (labels != d->options->labels && is_given(d, labels[i].key))
            continue;
        const eti_text label[] = {eti__text_of(labels[i].key), eti__text_of(labels[i].value)};
        ETI_TRY(eti__database_insert_texts(
            d, "INSERT OR ABORT INTO main.labels (dump_id, \"key\", value) VALUES (?, ?, ?)", label,
            2));
    }
    return ETI_OK;
}

static eti_status insert_provenance(eti_database *d) {
    const eti_report *report = d->report;
    const eti_text texts[] = {eti__text_of(report->view), eti__text_of(eti_version()),
                              eti__report_time_scale(report)};
    ETI_TRY(eti__database_insert_texts(d,
                                       "INSERT OR ABORT INTO main.dumps (dump_id, \"view\", "
                                       "version, time_scale) VALUES (?, ?, ?, ?)",
                                       texts, 3));
    for (size_t i = 0; i < report->n_sources; i++)
        ETI_TRY(insert_source(d, &report->sources[i]));
    ETI_TRY(insert_labels(d, report->labels, report->n_labels));
    ETI_TRY(insert_labels(d, d->options->labels, d->options->n_labels));
    for (size_t i = 0; i < report->n_sections; i++)
        ETI_TRY(insert_notes(d, &report->sections[i]));
    return ETI_OK;
}

/* Writes d->report as one more dump, inside the caller's transaction. */
static eti_status fill_database(eti_database *d) {
    ETI_TRY(eti__database_make_tables(d));
    ETI_TRY(choose_dump_id(d));
    ETI_TRY(insert_provenance(d));
    for (size_t i = 0; i < d->report->n_sections; i++)
        ETI_TRY(insert_rows(d, &d->report->sections[i]));
    return eti__database_make_views(d);
}

/* ==== sqlite new ============================================================================== */
/* Makes a new database from a report. */

/* Returns whether the file begins with a byte that is not NUL: a finished journal is empty or begins with zeros. */
static bool is_in_use(const char *path) {
    char first = 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0)
        return errno != ENOENT;
    bool is_read = read(descriptor, &first, 1) == 1;
    close(descriptor);
    return is_read && first != 0;
}

static eti_status check_journal(const char *target, const char *suffix, eti_error *err) {
    char *path;
    if (asprintf(&path, "%s%s", target, suffix) < 0)
        return eti_fail_memory(err);
    bool found = is_in_use(path);
    free(path);
    if (!found)
        return ETI_OK;
    return eti_fail(
        err, ETI_ERROR_WRITE,
        "%s: not replaced: there is also a file %s%s, so a program has the database open, or ended "
        "while writing: end the program, open the database once with sqlite3, or remove both files",
        target, target, suffix);
}

/* Bytes of a database that SQLite locks while a transaction is open, or, with a write-ahead log, while a connection is open:
 * https://www.sqlite.org/src/file/src/os.h. */
#define LOCKED_FROM 0x40000000
#define LOCKED_BYTES 512

static bool is_locked(int descriptor) {
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCKED_FROM, .l_len = LOCKED_BYTES};
    return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* Returns whether a database has a write-ahead log according to its header: https://www.sqlite.org/fileformat.html. */
static bool has_write_ahead_log(int descriptor) {
    static const char magic[] = "SQLite format 3";
    char header[20];
    return pread(descriptor, header, sizeof header, 0) == sizeof header &&
           memcmp(header, magic, sizeof magic) == 0 && (header[18] == 2 || header[19] == 2);
}

static eti_status check_target(const char *target, eti_error *err) {
    int descriptor = open(target, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0)
        return ETI_OK;
    bool locked = is_locked(descriptor), has_log = has_write_ahead_log(descriptor);
    close(descriptor);
    if (locked)
        return eti_fail(err, ETI_ERROR_WRITE,
                        "%s: not replaced: another program has the database open: try again when "
                        "it has ended, or write to another file",
                        target);
    if (has_log)
        return eti_fail(
            err, ETI_ERROR_WRITE,
            "%s: not replaced: the database is in WAL mode, and a program that has it open would "
            "write its log next to the new one: remove it first, or append to it with %sappend",
            target, eti__option_prefix());
    return ETI_OK;
}

/* Checks that the database can be replaced: changes that a program writes to the old file, or has written to its journal,
 * would be played back into the new one. ETI_ERROR_WRITE: a program uses it, or there is a journal beside it. */
static eti_status check_unused(const eti_output *output, eti_error *err) {
    const char *target = eti__output_target(output);
    if (!target)
        return ETI_OK;
    ETI_TRY(check_journal(target, "-journal", err));
    ETI_TRY(check_journal(target, "-wal", err));
    return eti__output_replaces(output) ? check_target(target, err) : ETI_OK;
}

/* Opens an empty database in one piece of memory, which is written to the output at the end. */
static eti_status open_in_memory(eti_database *d) {
    ETI_TRY(eti__database_open(d, NULL));
    ETI_TRY_SQLITE(
        d, d->sqlite.deserialize(d->connection, "main", NULL, 0, 0,
                                 SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE));
    sqlite3_int64 limit = INT64_MAX / 2;
    (void)d->sqlite.file_control(d->connection, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit);
    return eti__database_run(d, "PRAGMA journal_mode = OFF");
}

static eti_status make(eti_database *d, eti_output *output) {
    sqlite3_int64 size;
    ETI_TRY(open_in_memory(d));
    ETI_TRY(eti__database_run(d, "BEGIN"));
    ETI_TRY(fill_database(d));
    ETI_TRY(eti__database_run(d, "COMMIT"));
    const unsigned char *bytes =
        d->sqlite.serialize(d->connection, "main", &size, SQLITE_SERIALIZE_NOCOPY);
    if (!bytes)
        return eti_fail_memory(d->err);
    eti__output_add(output, bytes, (size_t)size);
    return ETI_OK;
}

/* Makes the database in memory and adds its bytes to `output`. */
static eti_status write_new_sqlite(eti_database *d, eti_output *output) {
    eti_status status = make(d, output);
    eti__database_close(d);
    return status;
}

/* ==== sqlite append =========================================================================== */
/* Adds a report to a database file, through SQLite, which locks it, keeps its journal mode, and
 * recovers it if a program died while writing. */

#define MOST_TRIES 100 /* to open a file that others keep replacing */

/* ---- an open file ---------------------------------------------------------------------------- */

/* Rejects a journal that names another file, a list of the databases of one transaction, which SQLite would remove after
 * playing back the last of them. An input must not cause the removal of another file. */
static eti_status check_joint_journal(eti_database *d) {
    static const unsigned char mark[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char last[sizeof mark] = {0};
    char *path;
    if (asprintf(&path, "%s-journal", d->sqlite.db_filename(d->connection, "main")) < 0)
        return eti_fail_memory(d->err);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    free(path);
    if (descriptor < 0)
        return ETI_OK;
    if (lseek(descriptor, -(off_t)sizeof last, SEEK_END) > 0)
        (void)!read(descriptor, last, sizeof last);
    close(descriptor);
    if (memcmp(last, mark, sizeof mark) == 0)
        return eti_fail(d->err, ETI_ERROR_WRITE,
                        "%s: nothing was appended: its journal belongs to an incomplete change of "
                        "several databases: open the database once with sqlite3",
                        d->path);
    return ETI_OK;
}

/* Opens the file and locks it against other writers. */
static eti_status begin(eti_database *d, const char *path) {
    ETI_TRY(eti__database_open(d, path));
    if (d->sqlite.db_readonly(d->connection, "main") != 0)
        return eti__database_fail(d, SQLITE_READONLY);
    ETI_TRY(check_joint_journal(d));
    eti__database_limit_steps(d, true); /* the schema is read with the first statement */
    /* Pages are written at the end, so that other programs can read until then. EXTRA also makes the removal of the journal
     * durable. */
    ETI_TRY(eti__database_run(d, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
                                 "PRAGMA cache_spill = OFF"));
    ETI_TRY(eti__database_run(d, d->options->no_sync ? "PRAGMA synchronous = OFF"
                                                     : "PRAGMA synchronous = EXTRA"));
    return eti__database_run(d, "BEGIN IMMEDIATE");
}

/* Returns whether the path now leads to another file, or to none. */
static bool has_moved(const eti_database *d) {
    int moved = 0;
    if (d->connection)
        (void)d->sqlite.file_control(d->connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved != 0;
}

/* Checks whether the database is one of ours; an empty one becomes ours. */
static eti_status check_kind(eti_database *d) {
    sqlite3_int64 id, version, n_objects;
    ETI_TRY(eti__database_ask(d, "PRAGMA main.application_id", &id));
    ETI_TRY(eti__database_ask(d, "PRAGMA main.user_version", &version));
    ETI_TRY(eti__database_ask(d, "SELECT count(*) FROM main.sqlite_schema", &n_objects));
    if (id == 0 && version == 0 && n_objects == 0)
        return ETI_OK;
    if (id != ETI_DATABASE_APPLICATION_ID)
        return eti_fail(
            d->err, ETI_ERROR_MALFORMED,
            "%s: nothing was appended: this is not a database of etinspect: write to another file",
            d->path);
    if (version != ETI_DATABASE_VERSION)
        return eti_fail(
            d->err, ETI_ERROR_MALFORMED,
            "%s: nothing was appended: the database is of version %lld, but only version %d is "
            "supported: write to another file",
            d->path, (long long)version, ETI_DATABASE_VERSION);
    return ETI_OK;
}

/* Commits. Removing the journal commits the transaction, and only one failure can come after that. */
static eti_status commit(eti_database *d) {
    int code = d->sqlite.exec(d->connection, "COMMIT", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        return ETI_OK;
    if (d->sqlite.extended_errcode(d->connection) != SQLITE_IOERR_DIR_FSYNC)
        return eti__database_fail(d, code);
    return eti_fail(d->err, ETI_ERROR_WRITE,
                    "%s: cannot sync its folder: %s: the rows are appended, but may be lost after "
                    "a power failure: check the disk",
                    d->path, strerror(d->sqlite.system_errno(d->connection)));
}

static eti_status append_rows(eti_database *d) {
    ETI_TRY(check_kind(d));
    eti__database_limit_steps(d, false); /* the file is locked: it will not change */
    ETI_TRY(fill_database(d));
    ETI_TRY(eti__tell(&d->options->progress, "writing", 0, 0, d->err));
    return commit(d);
}

/* Appends to the file. Sets *is_other if the path leads to another file by now, which must then be opened. */
static eti_status append_to_file(eti_database *d, const char *path, bool *is_other) {
    eti_status status = begin(d, path);
    *is_other = status == ETI_OK && has_moved(d);
    if (status == ETI_OK && !*is_other)
        status = append_rows(d);
    if (!*is_other && (status == ETI_OK || status == ETI_ERROR_WRITE) && has_moved(d))
        status = eti_fail(
            d->err, ETI_ERROR_WRITE,
            "%s: nothing was appended: the file was replaced in the meantime: try again", path);
    eti__database_close(d);
    return status;
}

/* ---- whichever file the path leads to -------------------------------------------------------- */

/* Makes the file unless another program makes it first. */
static eti_status make_file(eti_database *d, const char *path, bool *exists) {
    eti_output *output;
    ETI_TRY(eti__output_open(&output, path, d->err));
    eti__output_tell(output, d->options->progress);
    if (d->options->no_sync)
        eti__output_leave_unsynced(output);
    eti_status status = check_unused(output, d->err);
    *exists = status == ETI_ERROR_WRITE && access(path, F_OK) == 0; /* made with its journal */
    if (status == ETI_OK)
        status = write_new_sqlite(d, output);
    if (status == ETI_OK)
        return eti__output_commit_new(output, exists, d->err);
    eti__output_discard(output);
    return *exists ? ETI_OK : status;
}

static eti_status append_once(eti_database *d, const char *path, bool *is_other) {
    struct stat file;
    if (stat(path, &file) == 0) {
        if (S_ISREG(file.st_mode))
            return append_to_file(d, path, is_other);
        return eti_fail(d->err, ETI_ERROR_USAGE,
                        "%s: only a regular file can be appended to: name one with %soutput", path,
                        eti__option_prefix());
    }
    if (errno == ENOENT)
        return make_file(d, path, is_other);
    if (errno == ENOMEM)
        return eti_fail_memory(d->err);
    return eti_fail(d->err, ETI_ERROR_WRITE, "%s: cannot write: %s", path, strerror(errno));
}

/* Appends in one transaction, or makes the file if there is none. ETI_ERROR_WRITE: the file stays locked, or cannot be
 * written; ETI_ERROR_MALFORMED: it is not a database of ours; ETI_ERROR_LIMIT; ETI_ERROR_USAGE: `path` is not a file;
 * ETI_ERROR_CANCELLED; ETI_ERROR_MEMORY. After a failure nothing was appended, unless the message says that only the sync of
 * the folder failed. */
static eti_status append_to_database(const eti_report *report, const eti_write_options *options,
                                     const char *path, eti_error *err) {
    eti_database d = {.report = report, .options = options, .err = err};
    ETI_TRY(eti__sqlite_load(&d.sqlite, err));
    for (int i = 0; i < MOST_TRIES; i++) {
        bool is_other = false;
        eti_status status = append_once(&d, path, &is_other);
        if (status != ETI_OK || !is_other)
            return status;
    }
    return eti_fail(
        err, ETI_ERROR_WRITE,
        "%s: nothing was appended: the file is being replaced again and again: try later", path);
}

/* ==== sqlite ================================================================================== */

/*
 * SQLite: each table of a report becomes one of the database, its columns without units, lists as JSON arrays. Rows of one
 * report have the same dump_id, which refers to the tables dumps, sources, labels and notes with their provenance; several
 * reports can be appended to one file.
 */

static eti_status write_sqlite(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    eti_database d = {.report = report, .options = options, .err = err};
    ETI_TRY(check_unused(output, err));
    ETI_TRY(eti__sqlite_load(&d.sqlite, err));
    ETI_TRY(write_new_sqlite(&d, output));
    return check_unused(output, err); /* again, because writing may have taken long */
}

const eti_writer eti__writer_sqlite = {
    .name = "sqlite",
    .summary = "SQLite database with one table for each of these",
    .suffixes = "sqlite,sqlite3,db",
    .takes = ETI_TAKES_TABLES,
    .write_report = write_sqlite,
    .is_for_programs = true,
    .is_file = true,
    .append_report = append_to_database,
};
