/* database_fixture.h - a new folder with a database in it, which is read back with SQLite itself, for tests of database
 * writers. */
#ifndef ETI_TESTS_UNIT_DATABASE_FIXTURE_H
#define ETI_TESTS_UNIT_DATABASE_FIXTURE_H

#include "base/files.h"
#include "base/text.h"
#include "report_text.h"
#include "table/table.h"
#include "write/write.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "test.db"

static char folder[64]; /* in memory if the system has such a file system: each append is synced */
static int top;

static inline int enter_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "%s/etinspect-database-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    top = open(".", O_RDONLY | O_DIRECTORY);
    return top < 0 || !mkdtemp(folder) || chdir(folder) != 0;
}

static inline int remove_files(void **state) {
    (void)state;
    DIR *directory = opendir(".");
    for (struct dirent *entry; (entry = readdir(directory));)
        unlink(entry->d_name);
    return closedir(directory);
}

static inline int leave_folder(void **state) {
    remove_files(state);
    return fchdir(top) != 0 || close(top) != 0 || rmdir(folder) != 0;
}

static inline size_t count_files(void) {
    DIR *directory = opendir(".");
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(directory));)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return n;
}

static const eti_column columns[] = {
    {.name = {"name", 4}},
    {.name = {"p50 (ms)", 8}, .kind = ETI_COLUMN_TIME},
    {.name = {"n", 1}, .kind = ETI_COLUMN_COUNT},
    {.name = {"id", 2}, .kind = ETI_COLUMN_NUMBER},
    {.name = {"is_it", 5}},
    {.name = {"raw", 3}, .kind = ETI_COLUMN_LIST, .is_extra = true},
};

/* At file scope, because lists point to it. */
static const eti_cell cells[] = {
    TEXT("a\"b"),
    DOUBLE(0.1),
    INT(INT64_MIN),
    INT(-1),
    BOOL(true),
    DOUBLES(1.5, 2),
    TEXT("bad\xef\xbf\xbd"),
    NAN_CELL,
    NO_CELL,
    DOUBLE(2.5),
    BOOL(false),
    TEXTS({"x", 1}),
};

/* Makes a report with two rows in its table "things". */
static inline eti_report *example(void) {
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    static char name[] = "run.etdp";
    const struct eti_file file = {.name = name, .data = (const uint8_t *)"abc", .size = 3};
    assert_ok(eti__report_add_source(report, "etdump", &file, &err));
    assert_ok(eti__report_note(report, &err, "a note"));
    return report;
}

static inline eti_status save_as(const char *path, const eti_report *report, bool append,
                                 const char *label, eti_error *err) {
    const eti_label labels[] = {{"board", label}};
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    options.append = append;
    options.labels = labels;
    options.n_labels = 1;
    return eti__report_save(report, "sqlite", path, &options, err);
}

static inline eti_status save(const eti_report *report, bool append, const char *label,
                              eti_error *err) {
    return save_as(FILE_NAME, report, append, label, err);
}

/* Returns rows as "a|b\n", as sqlite3(1) prints them. */
static inline int add_row(void *out, int n, char **values, char **names) {
    (void)names;
    for (int i = 0; i < n; i++) {
        eti__buffer_add_string(out, i > 0 ? "|" : "");
        eti__buffer_add_string(out, values[i] ? values[i] : "NULL");
    }
    eti__buffer_add_char(out, '\n');
    return 0;
}

static inline sqlite3 *open_database(void) {
    sqlite3 *database;
    assert_int_equal(
        sqlite3_open_v2(FILE_NAME, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL),
        SQLITE_OK);
    return database;
}

static inline void run_sql(sqlite3 *database, const char *sql, eti_buffer *out) {
    char *message = NULL;
    if (sqlite3_exec(database, sql, add_row, out, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
}

#define assert_query(sql, expected) assert_query_at((sql), (expected), __FILE__, __LINE__)

static inline void assert_query_at(const char *sql, const char *expected, const char *file,
                                   int line) {
    sqlite3 *database = open_database();
    eti_buffer out = {0};
    run_sql(database, sql, &out);
    eti__buffer_add_char(&out, '\0');
    _assert_string_equal(out.data, expected, file, line);
    eti__buffer_free(&out);
    sqlite3_close(database);
}

static inline void change_file(const char *sql) {
    sqlite3 *database = open_database();
    eti_buffer out = {0};
    run_sql(database, sql, &out);
    eti__buffer_free(&out);
    sqlite3_close(database);
}

#endif
