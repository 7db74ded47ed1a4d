#include "sqlite/sqlite_append.h"

#include "sqlite/sqlite_new.h"
#include "sqlite/sqlite_rows.h"
#include "sqlite/sqlite_schema.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    ETI_TRY(eti__database_fill(d));
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
    eti_status status = eti__sqlite_check_unused(output, d->err);
    *exists = status == ETI_ERROR_WRITE && access(path, F_OK) == 0; /* made with its journal */
    if (status == ETI_OK)
        status = eti__sqlite_write_new(d, output);
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

eti_status eti__sqlite_append(const eti_report *report, const eti_write_options *options,
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
