#include "sqlite/sqlite_new.h"

#include "sqlite/sqlite_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Checks that no program uses the old file: changes that it writes to the file, or has written to its journal, would be
 * played back into the new one. */
eti_status eti__sqlite_check_unused(const eti_output *output, eti_error *err) {
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
    ETI_TRY(eti__database_fill(d));
    ETI_TRY(eti__database_run(d, "COMMIT"));
    const unsigned char *bytes =
        d->sqlite.serialize(d->connection, "main", &size, SQLITE_SERIALIZE_NOCOPY);
    if (!bytes)
        return eti_fail_memory(d->err);
    eti__output_add(output, bytes, (size_t)size);
    return ETI_OK;
}

eti_status eti__sqlite_write_new(eti_database *d, eti_output *output) {
    eti_status status = make(d, output);
    eti__database_close(d);
    return status;
}
