/*
 * fuzz_database.c - the input is a database to which a small report is appended:
 *
 *     's' SQL                           run on a database that already holds one such report
 *     'd' u8 kind, u32 size, database   followed, with kind 1, by a rollback journal, with kind 2 by a write-ahead log
 *
 * If appending succeeds, the rows are present, and the database is intact if SQLite says so; if it fails, there is one line
 * of message, and only the old rows are present. The file grows only slightly. How SQLite handles damaged pages is not
 * tested here, and its library has no sanitizer.
 */
#include "table/table.h"
#include "write/write.h"

#include "fuzz.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_GROWTH (4 << 20) /* with the largest pages */
#define MOST_STEPS 200        /* each of a thousand operations of SQLite's machine */

static char folder[64];

static const char *file_name(const char *suffix) {
    static char path[128];
    snprintf(path, sizeof path, "%s/runs.db%s", folder, suffix);
    return path;
}

static void remove_files(void) {
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        unlink(file_name(suffixes[i]));
}

static void remove_folder(void) {
    remove_files();
    rmdir(folder);
}

/* Done once per process. In memory, if the system has such a place. */
static void make_folder(void) {
    if (*folder)
        return;
    snprintf(folder, sizeof folder, "%s/etinspect-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    FUZZ_EXPECT(mkdtemp(folder));
    atexit(remove_folder);
}

static void write_file(const char *suffix, eti_text bytes) {
    int descriptor = open(file_name(suffix), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    FUZZ_EXPECT(descriptor >= 0);
    FUZZ_EXPECT(write(descriptor, bytes.data, bytes.size) == (ssize_t)bytes.size);
    close(descriptor);
}

static off_t file_size(const char *suffix) {
    struct stat file;
    return stat(file_name(suffix), &file) == 0 ? file.st_size : 0;
}

/* ---- the report ------------------------------------------------------------------------------ */

#define N_ROWS 3

static eti_report *make_report(void) {
    static const eti_column columns[] = {
        {.name = {"name", 4}, .kind = ETI_COLUMN_TEXT},
        {.name = {"p50", 3}, .kind = ETI_COLUMN_TIME},
        {.name = {"n", 1}, .kind = ETI_COLUMN_COUNT},
    };
    static const eti_report_query queries[] = {{.name = "named", .sql = "SELECT name FROM things"}};
    eti_report *report;
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    FUZZ_EXPECT(eti__report_new(&report, "example", ETI_SCALE_MS, &err) == ETI_OK);
    FUZZ_EXPECT(eti__table_new(&table, columns, 3, NULL) == ETI_OK);
    for (int i = 0; i < N_ROWS; i++) {
        eti_cell *row = eti__table_add_row(table);
        FUZZ_EXPECT(row);
        row[0] = (eti_cell){.kind = ETI_CELL_TEXT, .as_text = {"a'\"b", 4}};
        row[1] = (eti_cell){.kind = ETI_CELL_DOUBLE, .as_double = 0.5 * i};
        row[2] = (eti_cell){.kind = ETI_CELL_INT, .as_int = i};
    }
    FUZZ_EXPECT(eti__report_add(report, "things", NULL, table, &err) == ETI_OK);
    FUZZ_EXPECT(eti__report_note(report, &err, "a note") == ETI_OK);
    report->queries = queries;
    report->n_queries = 1;
    return report;
}

static eti_status append_report(void) {
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report();
    options.append = options.no_sync = true;
    eti_status status = eti__report_save(report, "sqlite", file_name(""), &options, &err);
    /* a table may have rows of another view; SQLite reports too little memory for some damage */
    FUZZ_EXPECT(status == ETI_OK || status == ETI_ERROR_MALFORMED || status == ETI_ERROR_LIMIT ||
                status == ETI_ERROR_WRITE || status == ETI_ERROR_USAGE ||
                status == ETI_ERROR_MEMORY);
    if (status != ETI_OK)
        FUZZ_EXPECT(err.status == status && *err.message != '\0' && !strchr(err.message, '\n'));
    eti_report_free(report);
    return status;
}

/* ---- contents of the database ---------------------------------------------------------------- */

static int stop_late(void *context) {
    int *n_left = context;
    return --*n_left < 0;
}

/* It must not touch other files, and must take little time. */
static sqlite3 *open_database(int *n_steps) { /* changed by it while it is open */
    sqlite3 *database;
    FUZZ_EXPECT(sqlite3_open_v2(file_name(""), &database,
                                SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 100000);
    sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50);
    sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 100);
    sqlite3_progress_handler(database, 1000, stop_late, n_steps);
    return database;
}

/* Returns -1 if it cannot be queried. */
static long long ask(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    long long answer = -1;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        answer = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return answer;
}

static void run_sql(sqlite3 *database, const char *sql) {
    while (*sql) {
        sqlite3_stmt *statement = NULL;
        const char *rest = sql;
        if (sqlite3_prepare_v2(database, sql, -1, &statement, &rest) != SQLITE_OK || !statement) {
            rest = strchr(sql, ';');
            rest = rest ? rest + 1 : sql + strlen(sql);
        }
        for (int i = 0; i < 100 && statement && sqlite3_step(statement) == SQLITE_ROW; i++)
            continue;
        sqlite3_finalize(statement);
        sql = rest;
    }
}

typedef struct counts {
    long long rows, dumps, is_sound;
} counts;

static counts count_rows(int n_steps) {
    sqlite3 *database = open_database(&n_steps);
    counts found = {
        ask(database, "SELECT count(*) FROM main.things NOT INDEXED"),
        ask(database, "SELECT count(*) FROM main.dumps NOT INDEXED"),
        ask(database, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
    };
    sqlite3_close(database);
    return found;
}

static void check(counts before, eti_status status) {
    counts after = count_rows(100 * MOST_STEPS);
    if (before.is_sound != 0 || before.rows < 0 || before.dumps < 0)
        return;
    FUZZ_EXPECT(after.is_sound == 0);
    FUZZ_EXPECT(after.rows == before.rows + (status == ETI_OK ? N_ROWS : 0));
    FUZZ_EXPECT(after.dumps == before.dumps + (status == ETI_OK ? 1 : 0));
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The initial database is always the same. */
static void make_first(void) {
    static eti_buffer first;
    if (first.size == 0) {
        write_file("", (eti_text){"", 0});
        int n_steps = MOST_STEPS;
        sqlite3 *database = open_database(&n_steps);
        run_sql(database, "PRAGMA page_size = 512; CREATE TABLE t(a); DROP TABLE t");
        sqlite3_close(database);
        FUZZ_EXPECT(append_report() == ETI_OK);
        FILE *file = fopen(file_name(""), "rb");
        FUZZ_EXPECT(file);
        for (int c; (c = fgetc(file)) != EOF;)
            eti__buffer_add_char(&first, (char)c);
        fclose(file);
    }
    write_file("", eti__buffer_text(&first));
}

static void change_by_sql(eti_text sql) {
    char *copy = strndup(sql.data, sql.size);
    int n_steps = MOST_STEPS;
    FUZZ_EXPECT(copy);
    make_first();
    sqlite3 *database = open_database(&n_steps);
    run_sql(database, copy);
    sqlite3_close(database);
    free(copy);
}

static void write_files(fuzz_input *input) {
    static const char *const suffixes[] = {NULL, "-journal", "-wal"};
    const char *suffix = suffixes[fuzz_take_number(input, 1) % 3];
    write_file("", fuzz_take(input, (size_t)fuzz_take_number(input, 4)));
    if (suffix)
        write_file(suffix, fuzz_take_rest(input));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    make_folder();
    remove_files();
    if (fuzz_take_number(&input, 1) == 's') {
        change_by_sql(fuzz_take_rest(&input));
        counts before = count_rows(MOST_STEPS);
        off_t size_before = file_size("") + file_size("-wal");
        eti_status status = append_report();
        check(before, status);
        FUZZ_EXPECT(file_size("") <= size_before + MOST_GROWTH);
    } else {
        write_files(&input);
        /* Reading would recover it, so the program comes first. */
        if (append_report() == ETI_OK) {
            counts before = count_rows(MOST_STEPS);
            check(before, append_report());
        }
    }
    remove_files();
    return 0;
}
