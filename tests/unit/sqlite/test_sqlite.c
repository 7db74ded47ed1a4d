#include "database_fixture.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

/* ==== sqlite ================================================================================== */
/* Databases are read back with SQLite itself; expected values were written by hand. */

static void test_rows(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, false, "x", &err));
    assert_query("PRAGMA integrity_check", "ok\n");
    assert_query("SELECT * FROM things", "1|a\"b|0.1|-9223372036854775808|-1|1|[1.5, 2.0]\n"
                                         "1|bad\xef\xbf\xbd|NULL|NULL|2.5|0|[\"x\"]\n");
    assert_query(
        "SELECT name, type FROM pragma_table_info('things')",
        "dump_id|INTEGER\nname|TEXT\np50|REAL\nn|INTEGER\nid|NUMERIC\nis_it|BOOLEAN\nraw|TEXT\n");
    assert_query("SELECT value FROM things, json_each(raw) WHERE is_it", "1.5\n2.0\n");
    assert_query("SELECT * FROM dumps", "1|example|" ETI_VERSION "|ms\n");
    assert_query(
        "SELECT * FROM sources",
        "1|etdump|run.etdp|3|ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n");
    assert_query("SELECT * FROM labels", "1|board|x\n");
    assert_query("SELECT * FROM notes", "1|things|a note\n");
    eti_report_free(report);
}

static void test_queries(void **state) {
    (void)state;
    static const eti_report_query queries[] = {{"named", "SELECT name FROM things WHERE p50 > 0"}};
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    report->queries = queries;
    report->n_queries = 1;
    assert_ok(save(report, false, "x", &err));
    assert_ok(save(report, true, "y", &err));
    assert_query("SELECT * FROM named", "a\"b\na\"b\n");
    eti_report_free(report);
}

static bool cancel_at(void *context, const char *step, uint64_t done, uint64_t total) {
    (void)done, (void)total;
    return strcmp(step, context) != 0;
}

static void test_cancelling(void **state) {
    (void)state;
    static char things[] = "things", writing[] = "writing";
    char *const steps[] = {things, writing};
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    for (size_t i = 0; i < 2 * COUNT_OF(steps); i++) {
        eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
        options.append = i >= COUNT_OF(steps); /* the existing file stays unchanged */
        options.progress = (eti_progress){cancel_at, steps[i % COUNT_OF(steps)]};
        if (i == COUNT_OF(steps))
            assert_ok(save(report, false, "a", &err));
        assert_fails(eti__report_save(report, "sqlite", FILE_NAME, &options, &err),
                     ETI_ERROR_CANCELLED, "cancelled by the caller while ");
        assert_int_equal(access(FILE_NAME, F_OK) == 0, options.append);
    }
    assert_query("SELECT count(*) FROM dumps", "1\n");
    eti_report_free(report);
}

static void test_usage(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    options.append = true;
    eti_buffer out = {0};
    assert_fails(eti__report_write(report, "sqlite", &options, keep_output, &out, &err),
                 ETI_ERROR_USAGE, "with output");
    assert_fails(eti__report_write(report, "json", &options, keep_output, &out, &err),
                 ETI_ERROR_USAGE, "only with format sqlite");
    assert_int_equal(out.size, 0);
    eti_report_free(report);
}

/* Tests names that SQL cannot have: two columns with one name, in any case; quotes and NULs in names. */
static void test_odd_names(void **state) {
    (void)state;
    static const eti_column odd[] = {{.name = {"a", 1}},       {.name = {"A", 1}},
                                     {.name = {"dump_id", 7}}, {.name = {"x\"; y", 6}},
                                     {.name = {"n\0m", 3}},    {.name = {"", 0}}};
    const eti_cell numbers[] = {TEXT("1"), TEXT("2"), TEXT("3"), TEXT("4"), TEXT("5"), TEXT("6")};
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(odd, COUNT_OF(odd), numbers, COUNT_OF(numbers));
    assert_ok(save(report, false, "x", &err));
    assert_query("SELECT a, a_2, dump_id_3, \"x\"\"; y\", nm, \"\" FROM things", "1|2|3|4|5|6\n");
    eti_report_free(report);
}

/* ==== sqlite append =========================================================================== */
/* Tests databases that others changed, lock, replace, or left in the middle of a change. */

/* ---- waiting --------------------------------------------------------------------------------- */

static unsigned n_pauses;      /* number of times that the library waited */
static void (*at_pause)(void); /* called meanwhile; NULL: nothing */

/* Replaces the call, so that no test waits as long as the library does. */
int nanosleep(const struct timespec *time, struct timespec *left) {
    (void)time, (void)left;
    n_pauses++;
    if (at_pause)
        at_pause();
    return 0;
}

/* ---- a missing file -------------------------------------------------------------------------- */

static const char *hidden; /* path of a file that the first look does not find; NULL: none */

int stat(const char *path, struct stat *status) {
    if (hidden && strcmp(path, hidden) == 0) {
        hidden = NULL;
        errno = ENOENT;
        return -1;
    }
    return fstatat(AT_FDCWD, path, status, 0);
}

/* ---- ordinary files -------------------------------------------------------------------------- */

static void rows_of_several_reports_are_told_apart(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, true, "first", &err)); /* to nothing */
    assert_ok(save(report, true, "second", &err));
    assert_ok(save(report, true, "third", &err));
    assert_query(
        "SELECT dump_id, count(*), (SELECT value FROM labels l WHERE l.dump_id = t.dump_id) "
        "FROM things t GROUP BY dump_id",
        "1|2|first\n2|2|second\n3|2|third\n");
    assert_query("PRAGMA integrity_check", "ok\n");
    assert_int_equal(count_files(), 1);
    assert_ok(save(report, false, "anew", &err));
    assert_query("SELECT dump_id, value FROM labels", "1|anew\n");
    eti_report_free(report);
}

static void an_empty_file_or_database_becomes_one_of_ours(void **state) {
    (void)state;
    static const char *const makers[] = {
        "SELECT 1", "PRAGMA journal_mode = WAL",
        "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a); DROP TABLE t"};
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    for (size_t i = 0; i < COUNT_OF(makers); i++) {
        change_file(makers[i]);
        assert_ok(save(report, true, "x", &err));
        assert_ok(save(report, true, "y", &err));
        assert_query("SELECT dump_id, name FROM things",
                     "1|a\"b\n1|bad\xef\xbf\xbd\n2|a\"b\n2|bad\xef\xbf\xbd\n");
        assert_query("PRAGMA journal_mode", i == 1 ? "wal\n" : "delete\n");
        remove_files(NULL);
    }
    eti_report_free(report);
}

/* Tables of one name differ between views, so rows of two views never get into one table. */
static void a_table_has_rows_of_one_view(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    report->view = "first";
    assert_ok(save(report, true, "x", &err));
    report->view = "second";
    assert_fails(
        save(report, true, "y", &err), ETI_ERROR_USAGE,
        "test.db: nothing was appended: its table things has rows of the view first, which "
        "has other columns than the view second: write to another file");
    report->sections[0].name = "others";
    assert_ok(save(report, true, "z", &err));
    assert_query("SELECT dump_id, \"view\" FROM dumps", "1|first\n2|second\n");
    report->sections[0].name = "things";
    change_file("DELETE FROM things");
    assert_ok(save(report, true, "z", &err));
    report->view = "first";
    assert_fails(save(report, true, "y", &err), ETI_ERROR_USAGE, "of the view second, which");
    change_file("DELETE FROM dumps WHERE dump_id = 3"); /* nobody knows whose rows they are */
    assert_ok(save(report, true, "z", &err));
    eti_report_free(report);
}

static void names_are_not_interpreted(void **state) {
    (void)state;
    static const char *const names[] = {":memory:", "file:x?mode=memory", "a?b#c%20", " "};
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_ok(save_as(names[i], report, true, "x", &err));
        assert_ok(save_as(names[i], report, true, "y", &err));
        assert_int_equal(rename(names[i], FILE_NAME), 0);
        assert_query("SELECT count(*) FROM dumps", "2\n");
        remove_files(NULL);
    }
    eti_report_free(report);
}

static void links_are_followed(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_int_equal(symlink(FILE_NAME, "link"), 0);
    assert_ok(save_as("link", report, true, "x", &err)); /* its target does not exist yet */
    assert_ok(save_as("link", report, true, "y", &err));
    assert_query("SELECT count(*) FROM dumps", "2\n");
    assert_int_equal(count_files(), 2);
    eti_report_free(report);
}

static void only_files_are_appended_to(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_fails(save_as("pipe", report, true, "x", &err), ETI_ERROR_USAGE, "only a regular file");
    assert_fails(save_as(".", report, true, "x", &err), ETI_ERROR_USAGE, "only a regular file");
    assert_fails(save_as("-", report, true, "x", &err), ETI_ERROR_USAGE,
                 "needs a file to append to");
    assert_fails(save_as("missing/x", report, true, "x", &err), ETI_ERROR_WRITE, "missing/x");
    eti_report_free(report);
}

/* ---- additions by others --------------------------------------------------------------------- */

/* None of these is an obstacle, and each is unchanged afterwards. */
static void what_others_added_stays(void **state) {
    (void)state;
    static const char *const additions[] = {
        "CREATE INDEX mine ON things(name, p50)",
        "CREATE INDEX mine ON things(name) WHERE is_it AND (n > 3 OR n IN (1, 2))",
        "CREATE UNIQUE INDEX mine ON things(dump_id, name)",
        "CREATE VIEW mine AS SELECT upper(name) FROM things",
        "ALTER TABLE things ADD COLUMN mine TEXT DEFAULT 'a (b) LIKE c'",
        ("DROP TABLE labels; CREATE TABLE labels(dump_id, \"key\", value, mine DEFAULT "
         "CURRENT_TIMESTAMP)"),
        "ALTER TABLE things ADD COLUMN mine REAL DEFAULT -1.5e-3 CHECK (mine < 0 AND (mine > -5))",
        "ALTER TABLE labels ADD COLUMN \"check (f(x))\" TEXT",
        "ALTER TABLE dumps ADD COLUMN mine VARCHAR(20) COLLATE NOCASE /* CHECK (f(x)) */",
        "CREATE TABLE mine(a PRIMARY KEY, b CHECK (length(b) > 3))",
        "CREATE VIRTUAL TABLE mine USING fts5(a)",
        "PRAGMA journal_mode = WAL",
        "PRAGMA journal_mode = PERSIST",
        "PRAGMA auto_vacuum = FULL; VACUUM",
    };
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    for (size_t i = 0; i < COUNT_OF(additions); i++) {
        eti_buffer before = {0}, after = {0};
        assert_ok(save(report, true, "x", &err));
        change_file(additions[i]);
        sqlite3 *database = open_database();
        run_sql(database, "SELECT sql FROM sqlite_schema; PRAGMA journal_mode", &before);
        sqlite3_close(database);
        assert_ok(save(report, true, "y", &err));
        database = open_database();
        run_sql(database, "SELECT sql FROM sqlite_schema; PRAGMA journal_mode", &after);
        sqlite3_close(database);
        assert_true(eti__text_equal(eti__buffer_text(&before), eti__buffer_text(&after)));
        assert_query("SELECT dump_id, count(*) FROM things GROUP BY dump_id", "1|2\n2|2\n");
        assert_query("PRAGMA integrity_check", "ok\n");
        eti__buffer_free(&before);
        eti__buffer_free(&after);
        remove_files(NULL);
    }
    eti_report_free(report);
}

static void defaults_fill_added_columns(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, true, "x", &err));
    change_file("ALTER TABLE things ADD COLUMN mine TEXT DEFAULT 'mine'");
    assert_ok(save(report, true, "y", &err));
    assert_query("SELECT DISTINCT mine FROM things WHERE dump_id = 2", "mine\n");
    eti_report_free(report);
}

static void triggers_do_not_run(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, true, "x", &err));
    change_file("CREATE TRIGGER t AFTER INSERT ON things BEGIN DELETE FROM things; END");
    assert_ok(save(report, true, "y", &err));
    assert_query("SELECT count(*) FROM things", "4\n");
    assert_query("SELECT name FROM sqlite_schema WHERE type = 'trigger'", "t\n");
    eti_report_free(report);
}

/* Whatever a constraint would do with rows that violate it, either all rows are added or none. */
static void constraints_refuse_the_whole(void **state) {
    (void)state;
    static const char *const clauses[] = {"IGNORE", "REPLACE", "ROLLBACK", "FAIL"};
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    for (size_t i = 0; i < COUNT_OF(clauses); i++) {
        char sql[300];
        snprintf(sql, sizeof sql,
                 "DROP TABLE things; CREATE TABLE things(dump_id, name UNIQUE ON CONFLICT %s, p50, "
                 "n, id, is_it, raw)",
                 clauses[i]);
        assert_ok(save(report, false, "x", &err));
        change_file(sql);
        assert_ok(save(report, true, "y", &err));
        assert_fails(save(report, true, "z", &err), ETI_ERROR_MALFORMED,
                     "test.db: nothing was appended: UNIQUE constraint failed: things.name");
        assert_query("SELECT max(dump_id), count(*) FROM things", "2|2\n");
        assert_query("SELECT count(*) FROM dumps", "2\n");
    }
    eti_report_free(report);
}

static const char long_default[] = "%s ADD COLUMN x DEFAULT '%05000d'";

/* Objects that SQLite would run, or too many objects, are rejected and named; the file stays unchanged. */
static void what_would_be_run_is_refused(void **state) {
    (void)state;
    static const char *const additions[][2] = {
        {"ALTER TABLE things ADD COLUMN x CHECK (x LIKE '%a%a%a%')", "CHECK constraint"},
        {"ALTER TABLE things ADD COLUMN x CHECK (x = 1 OR length(hex(randomblob(3))) > 3)",
         "CHECK"},
        {"ALTER TABLE things ADD COLUMN x check(/* */\"abs\" (x) > 3)", "CHECK constraint"},
        {"ALTER TABLE things ADD COLUMN x CHECK (x || x || x <> '')", "CHECK constraint"},
        {"ALTER TABLE things ADD COLUMN x AS (name || name)", "generated column"},
        {"ALTER TABLE dumps ADD COLUMN x GENERATED ALWAYS AS (dump_id + 1) VIRTUAL", "generated"},
        {"DROP TABLE things; CREATE TABLE things(dump_id, x DEFAULT (randomblob(10)))",
         "a default"},
        {"CREATE INDEX i ON things(lower(name))", "index on an expression"},
        {"CREATE INDEX i ON things(name) WHERE lower(name) > 'a'", "a condition that calls"},
        {"CREATE INDEX i ON things(name) WHERE name GLOB '*a*a*'", "a condition that calls"},
        {"CREATE INDEX \"i\x07\" ON things(lower(name))", "index on an expression"},
        {"CREATE INDEX \"i\"\"\xff\" ON things(name) WHERE lower(name) > 'a'", "a condition"},
        {"DROP TABLE things; CREATE VIEW things AS SELECT 1", "things is a view"},
        {"DROP TABLE labels; CREATE VIEW labels AS SELECT 1", "labels is a view"},
        {"DROP TABLE things; CREATE VIRTUAL TABLE things USING fts5(name)", "a virtual table"},
        {"DROP TABLE dumps; CREATE TABLE dumps(dump_id TEXT); INSERT INTO dumps VALUES ('a')",
         "not a number"},
        {"ALTER TABLE things ADD COLUMN x NOT NULL DEFAULT 3; DROP TABLE things; CREATE TABLE "
         "things(dump_id, x NOT NULL)",
         "NOT NULL constraint failed: things.x"},
        {"DROP TABLE things; CREATE TABLE things(x)", "no such column: dump_id"},
        {"PRAGMA user_version = 4", "the database is of version 4, but only version 3 is"},
        {"PRAGMA user_version = 2", "is of version 2, but"},
        {"PRAGMA user_version = 1", "is of version 1, but"},
        {"PRAGMA user_version = 0", "is of version 0, but"},
        {"PRAGMA user_version = -1", "is of version -1, but"},
        {"PRAGMA application_id = 0", "not a database of etinspect"},
    };
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    for (size_t i = 0; i < COUNT_OF(additions); i++) {
        size_t size, size_after;
        assert_ok(save(report, false, "x", &err));
        change_file(additions[i][0]);
        uint8_t *before = read_whole_file(FILE_NAME, &size);
        assert_fails(save(report, true, "y", &err), ETI_ERROR_MALFORMED, additions[i][1]);
        assert_non_null(strstr(err.message, "test.db: nothing was appended: "));
        uint8_t *after = read_whole_file(FILE_NAME, &size_after);
        assert_int_equal(size_after, size);
        assert_memory_equal(after, before, size);
        free(before);
        free(after);
    }
    eti_report_free(report);
}

static void amounts_are_limited(void **state) {
    (void)state;
    char sql[6000];
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, false, "x", &err));
    snprintf(sql, sizeof sql, long_default, "ALTER TABLE things", 1);
    change_file(sql);
    assert_fails(save(report, true, "y", &err), ETI_ERROR_MALFORMED, "too many defaults");
    assert_ok(save(report, false, "x", &err));
    for (int i = 0; i < 37; i++) { /* each index contains the rowid, too */
        if (i == 36)
            assert_ok(save(report, true, "y", &err));
        snprintf(sql, sizeof sql, "CREATE INDEX i%d ON things(name, p50, n, id, is_it, raw)", i);
        change_file(sql);
    }
    assert_fails(save(report, true, "y", &err), ETI_ERROR_MALFORMED, "too many indexes");
    eti_report_free(report);
}

static void schemas_are_limited(void **state) {
    (void)state;
    static const char *const n_objects[] = {"5000", "8000"};
    char sql[400];
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    for (size_t i = 0; i < 2; i++) {
        assert_ok(save(report, false, "x", &err));
        snprintf(sql, sizeof sql,
                 "PRAGMA writable_schema = ON; WITH c(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM "
                 "c WHERE i < %s) INSERT INTO sqlite_schema SELECT 'view', 'v' || i, 'v' || i, 0, "
                 "'CREATE VIEW v' || i || ' AS SELECT 1' FROM c",
                 n_objects[i]);
        change_file(sql);
        if (i == 0)
            assert_ok(save(report, true, "y", &err));
        else
            assert_fails(save(report, true, "y", &err), ETI_ERROR_LIMIT, "too many objects");
    }
    eti_report_free(report);
}

static void the_last_number_has_none_after_it(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, false, "x", &err));
    change_file("UPDATE dumps SET dump_id = 9223372036854775806");
    assert_ok(save(report, true, "y", &err));
    assert_fails(save(report, true, "z", &err), ETI_ERROR_LIMIT, "is 9223372036854775807, so");
    assert_query("SELECT max(dump_id) FROM things", "9223372036854775807\n");
    change_file("UPDATE dumps SET dump_id = -dump_id; UPDATE sources SET dump_id = -dump_id;"
                "UPDATE labels SET dump_id = -dump_id; UPDATE notes SET dump_id = -dump_id");
    assert_ok(save(report, true, "z", &err));
    assert_query("SELECT max(dump_id) FROM dumps", "1\n");
    eti_report_free(report);
}

static void the_number_of_a_deleted_dump_is_not_used_again(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, true, "x", &err));
    assert_ok(save(report, true, "y", &err));
    change_file("DELETE FROM dumps WHERE dump_id = 2");
    assert_ok(save(report, true, "z", &err));
    assert_query("SELECT dump_id, value FROM labels JOIN dumps USING (dump_id)", "1|x\n3|z\n");
    eti_report_free(report);
}

static void foreign_files_stay(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    change_file("CREATE TABLE things(a)");
    assert_fails(save(report, true, "x", &err), ETI_ERROR_MALFORMED, "not a database of etinspect");
    assert_query("SELECT count(*) FROM things", "0\n");
    FILE *file = fopen(FILE_NAME, "w");
    fputs("This is no database, but a text that is longer than the header of one, which has 100 "
          "bytes, so that it is read.\n",
          file);
    fclose(file);
    assert_fails(save(report, true, "x", &err), ETI_ERROR_MALFORMED, "not a database");
    eti_report_free(report);
}

/* Flips every byte of the first pages, and cuts at every length: the result is an error or a database, nothing worse. */
static void damaged_files_are_appended_to_or_refused(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, false, "x", &err));
    size_t size;
    uint8_t *bytes = read_whole_file(FILE_NAME, &size);
    for (size_t at = 0; at < size; at += at < 100 ? 3 : 211) {
        for (int cut = 0; cut < 2; cut++) {
            FILE *file = fopen(FILE_NAME, "wb");
            bytes[at] ^= cut ? 0 : 0x55;
            fwrite(bytes, 1, cut ? at : size, file);
            bytes[at] ^= cut ? 0 : 0x55;
            fclose(file);
            eti_status status = save(report, true, "y", &err);
            /* 18 is the version of the format for writing. */
            assert_true(status == ETI_OK || status == ETI_ERROR_MALFORMED ||
                        (status == ETI_ERROR_WRITE && at == 18));
        }
    }
    free(bytes);
    eti_report_free(report);
}

/* ---- columns and views -------------------------------------------------------------------------- */

static const eti_report_query sqlite_append_queries[] = {{"named", "SELECT name FROM things"},
                                                         {"run_times", "SELECT 'new'"}};

static eti_report *example_with_views(void) {
    eti_report *report = example();
    report->queries = sqlite_append_queries;
    report->n_queries = COUNT_OF(sqlite_append_queries);
    return report;
}

static void missing_columns_are_added(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, false, "x", &err));
    change_file("ALTER TABLE things DROP COLUMN n; ALTER TABLE things RENAME p50 TO P50;"
                "ALTER TABLE sources DROP COLUMN sha256; DROP TABLE notes");
    assert_ok(save(report, true, "y", &err));
    assert_query("SELECT dump_id, P50, n FROM things",
                 "1|0.1|NULL\n1|NULL|NULL\n2|0.1|-9223372036854775808\n2|NULL|NULL\n");
    assert_query("SELECT dump_id, substr(sha256, 1, 4) FROM sources", "1|NULL\n2|ba78\n");
    assert_query("SELECT dump_id, text FROM notes", "2|a note\n");
    eti_report_free(report);
}

static void other_columns_join_those_of_a_table(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, false, "x", &err));
    const eti_column other = {.name = {"other", 5}};
    eti_report *second = make_report(&other, 1, &(const eti_cell)TEXT("a"), 1);
    assert_ok(save(second, true, "y", &err));
    assert_query("SELECT dump_id, n, other FROM things WHERE dump_id = 2", "2|NULL|a\n");
    eti_report_free(second);
    eti_report_free(report);
}

static void views_with_other_texts_are_replaced(void **state) {
    (void)state;
    static const char get[] = "SELECT sql FROM sqlite_schema WHERE name = 'named'";
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example_with_views();
    assert_ok(save(report, false, "x", &err));
    assert_query(get, "CREATE VIEW \"named\" AS /* etinspect:c5738c351d7d57e2 */ SELECT name FROM "
                      "things\n");
    /* A program with other views could have made it: its text's SHA-256 begins so. */
    change_file(
        "DROP VIEW named; CREATE VIEW \"named\" AS /* etinspect:e004ebd5b5532a4b */ SELECT 1");
    assert_ok(save(report, true, "y", &err));
    assert_query("SELECT count(*) FROM named", "4\n");
    assert_query("SELECT count(*) FROM notes WHERE table_name <> 'things'", "0\n");
    eti_report_free(report);
}

static void views_of_others_are_left_alone(void **state) {
    (void)state;
    static const char *const others[] = {
        "CREATE VIEW named AS SELECT 'mine'",
        "CREATE VIEW \"named\" AS SELECT 'mine'",
        "CREATE VIEW \"named\" AS /* etinspect:c5738c351d7d57e2 */ SELECT 'mine'",
        "CREATE VIEW \"named\" AS /* etinspect: */ SELECT 'mine'",
        "CREATE TABLE NAMED AS SELECT 'mine' AS a",
    };
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example_with_views();
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        assert_ok(save(report, false, "x", &err));
        change_file("DROP VIEW named");
        change_file(others[i]);
        assert_ok(save(report, true, "y", &err));
        assert_query("SELECT * FROM named", "mine\n");
        assert_query("SELECT dump_id, substr(text, 1, 14) FROM notes WHERE table_name = 'named'",
                     "2|another view o\n");
    }
    eti_report_free(report);
}

/* ---- journals -------------------------------------------------------------------------------- */

/* Runs a process that ends in the middle of what `sql` begins. */
static void end_while(const char *sql) {
    pid_t child = fork();
    if (child == 0) {
        sqlite3 *database = open_database();
        int code = sqlite3_exec(database, sql, NULL, NULL, NULL);
        _exit(code == SQLITE_OK ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_hot_journal_is_played_back(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, true, "x", &err));
    change_file("CREATE TABLE much(a); WITH c(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM c WHERE "
                "i < 999) INSERT INTO much SELECT zeroblob(1000) FROM c");
    end_while(
        "PRAGMA cache_size = 1; BEGIN; DELETE FROM things; UPDATE much SET a = randomblob(1000)");
    assert_int_equal(access(FILE_NAME "-journal", F_OK), 0);
    assert_fails(save(report, false, "anew", &err), ETI_ERROR_WRITE,
                 "there is also a file test.db-journal");
    assert_ok(save(report, true, "y", &err));
    assert_query("SELECT dump_id, count(*) FROM things GROUP BY dump_id", "1|2\n2|2\n");
    assert_query("SELECT count(*) FROM much WHERE a = zeroblob(1000)", "999\n");
    assert_query("PRAGMA integrity_check", "ok\n");
    assert_int_equal(count_files(), 1);
    assert_ok(save(report, false, "anew", &err));
    eti_report_free(report);
}

static void what_is_in_a_write_ahead_log_counts(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, true, "x", &err));
    end_while("PRAGMA journal_mode = WAL; INSERT INTO dumps(dump_id) VALUES (7); BEGIN; DELETE "
              "FROM dumps");
    assert_int_equal(access(FILE_NAME "-wal", F_OK), 0);
    assert_fails(save(report, false, "anew", &err), ETI_ERROR_WRITE,
                 "there is also a file test.db-wal");
    assert_ok(save(report, true, "y", &err));
    assert_query("SELECT dump_id FROM dumps", "1\n7\n8\n");
    assert_query("PRAGMA journal_mode; PRAGMA integrity_check", "wal\nok\n");
    eti_report_free(report);
}

/* The journal of a deleted database would be rolled back into the new one. */
static void a_journal_without_its_database_is_named(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    FILE *file = fopen(FILE_NAME "-journal", "w");
    fputs("\xd9\xd5", file);
    fclose(file);
    assert_fails(save(report, false, "x", &err), ETI_ERROR_WRITE,
                 "there is also a file test.db-journal");
    assert_fails(save(report, true, "x", &err), ETI_ERROR_WRITE,
                 "there is also a file test.db-journal");
    assert_int_equal(count_files(), 1);
    eti_report_free(report);
}

/* SQLite would remove the file that it names. */
static void a_journal_that_names_a_file_is_refused(void **state) {
    (void)state;
    static const char mark[] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, true, "x", &err));
    assert_int_equal(symlink(FILE_NAME, "link"), 0);
    FILE *file = fopen(FILE_NAME "-journal", "w");
    fprintf(file, "%s%0600d%s", mark, 7, mark);
    fclose(file);
    assert_fails(
        save_as("link", report, true, "y", &err), ETI_ERROR_WRITE,
        "link: nothing was appended: its journal belongs to an incomplete change of several");
    assert_int_equal(count_files(), 3);
    eti_report_free(report);
}

/* ---- concurrent access ----------------------------------------------------------------------- */

static sqlite3 *locker;

static void unlock_at_last(void) {
    if (n_pauses == 50) {
        sqlite3_close(locker);
        locker = NULL;
    }
}

static void locks_are_waited_for(void **state) {
    (void)state;
    /* A writer, and a reader that is in the way only at the end. */
    static const char *const locks[] = {"BEGIN IMMEDIATE", "BEGIN EXCLUSIVE",
                                        "BEGIN; SELECT * FROM things"};
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    for (size_t i = 0; i < COUNT_OF(locks); i++) {
        eti_buffer out = {0};
        assert_ok(save(report, false, "x", &err));
        locker = open_database();
        run_sql(locker, locks[i], &out);
        n_pauses = 0;
        at_pause = NULL;
        assert_fails(save(report, true, "y", &err), ETI_ERROR_WRITE,
                     "test.db: nothing was appended: another program has locked the database for "
                     "more than 60 s");
        assert_in_range(n_pauses, 3000, 4000); /* of 20 ms */
        assert_query("PRAGMA query_only = 1", "");
        n_pauses = 0;
        at_pause = unlock_at_last;
        assert_ok(save(report, true, "z", &err));
        assert_query("SELECT value FROM labels", "x\nz\n");
        assert_int_equal(n_pauses, 50);
        eti__buffer_free(&out);
    }
    at_pause = NULL;
    eti_report_free(report);
}

static bool cancel_waiting(void *context, const char *step, uint64_t done, uint64_t total) {
    int *n_times = context;
    (void)done, (void)total;
    return strcmp(step, "waiting for another program") != 0 || ++*n_times < 50;
}

static void waiting_can_be_cancelled(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    eti_buffer out = {0};
    int n_times = 0;
    options.append = true;
    options.progress = (eti_progress){cancel_waiting, &n_times};
    assert_ok(save(report, false, "x", &err));
    locker = open_database();
    run_sql(locker, "BEGIN IMMEDIATE", &out);
    assert_fails(eti__report_save(report, "sqlite", FILE_NAME, &options, &err), ETI_ERROR_CANCELLED,
                 "while waiting");
    sqlite3_close(locker);
    eti__buffer_free(&out);
    eti_report_free(report);
}

static const eti_report *shared;

/* Replaces the locked file by another one. */
static void replace_locked_file(void) {
    eti_error err = ETI_ERROR_INIT;
    if (n_pauses == 10)
        assert_ok(save(shared, false, "replaced", &err));
    if (n_pauses == 20)
        sqlite3_close(locker);
}

static void rows_go_into_the_file_that_is_there(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    eti_buffer out = {0};
    shared = report;
    assert_ok(save(report, false, "x", &err));
    locker = open_database();
    run_sql(locker, "BEGIN IMMEDIATE", &out);
    n_pauses = 0;
    at_pause = replace_locked_file;
    assert_ok(save(report, true, "y", &err));
    at_pause = NULL;
    assert_query("SELECT value FROM labels", "replaced\ny\n");
    eti__buffer_free(&out);
    eti_report_free(report);
}

/* Makes or replaces the file as another program would while the report is being written. */
static bool make_meanwhile(void *context, const char *step, uint64_t done, uint64_t total) {
    (void)total;
    eti_error err = ETI_ERROR_INIT;
    bool *is_done = context;
    if (strcmp(step, "things") == 0 && done == 0 && !*is_done) {
        *is_done = true;
        assert_ok(save_as("other", shared, false, "meanwhile", &err));
        assert_int_equal(rename("other", FILE_NAME), 0);
    }
    return true;
}

static void a_file_that_appears_is_not_lost(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    bool is_done = false;
    shared = report;
    options.append = true;
    options.progress = (eti_progress){make_meanwhile, &is_done};
    assert_ok(eti__report_save(report, "sqlite", FILE_NAME, &options, &err));
    assert_query("SELECT (SELECT value FROM labels l WHERE l.dump_id = d.dump_id) FROM dumps d",
                 "meanwhile\nNULL\n");
    is_done = false;
    assert_fails(eti__report_save(report, "sqlite", FILE_NAME, &options, &err), ETI_ERROR_WRITE,
                 "the file was replaced in the meantime");
    assert_query("SELECT value FROM labels", "meanwhile\n");
    eti_report_free(report);
}

/* Others are already appending to the file, so that it has a journal. */
static void a_file_that_appears_with_its_journal_is_not_lost(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    eti_buffer out = {0};
    assert_ok(save(report, true, "x", &err));
    locker = open_database();
    run_sql(locker, "BEGIN; INSERT INTO dumps(dump_id) VALUES (7)", &out);
    assert_int_equal(access(FILE_NAME "-journal", F_OK), 0);
    hidden = FILE_NAME;
    n_pauses = 0;
    at_pause = unlock_at_last;
    assert_ok(save(report, true, "y", &err));
    at_pause = NULL;
    assert_int_equal(n_pauses, 50);
    assert_query("SELECT value FROM labels", "x\ny\n");
    eti__buffer_free(&out);
    eti_report_free(report);
}

/* Runs another process, in which `sql` opens the database, and replaces the database meanwhile. */
static eti_status save_while(const char *sql, const eti_report *report, eti_error *err) {
    int ready[2], done[2];
    char byte;
    assert_int_equal(pipe(ready) | pipe(done), 0);
    pid_t other = fork();
    assert_true(other >= 0);
    if (other == 0) {
        eti_buffer out = {0};
        run_sql(open_database(), sql, &out);
        close(done[1]);
        (void)!write(ready[1], "", 1);
        (void)!read(done[0], &byte, 1);
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    eti_status status = save(report, false, "new", err);
    close(done[1]);
    assert_int_equal(waitpid(other, NULL, 0), other);
    close(ready[0]);
    close(ready[1]);
    close(done[0]);
    return status;
}

/* A connection that has not read anything yet holds no lock, and would write its log beside the new file. */
static void a_database_in_wal_mode_is_not_replaced(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, false, "old", &err));
    change_file("PRAGMA journal_mode = WAL");
    sqlite3 *idle = open_database();
    assert_fails(save(report, false, "new", &err), ETI_ERROR_WRITE,
                 "test.db: not replaced: the database is in WAL mode");
    assert_ok(save(report, true, "new", &err));
    sqlite3_close(idle);
    assert_query("SELECT value FROM labels", "old\nnew\n");
    eti_report_free(report);
}

static void a_database_in_use_is_not_replaced(void **state) {
    (void)state;
    /* A writer whose journal was not synced yet, and, in WAL mode, a connection that does nothing. */
    static const char *const uses[] = {"BEGIN; INSERT INTO dumps(dump_id) VALUES (7)",
                                       "PRAGMA journal_mode = WAL; SELECT * FROM dumps"};
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    for (size_t i = 0; i < COUNT_OF(uses); i++) {
        assert_ok(save(report, false, "old", &err));
        assert_fails(save_while(uses[i], report, &err), ETI_ERROR_WRITE,
                     "test.db: not replaced: another program has the database open");
        assert_query("SELECT value FROM labels", "old\n");
        change_file("PRAGMA journal_mode = DELETE");
    }
    eti_report_free(report);
}

#define TEST(name) cmocka_unit_test_setup(name, remove_files)

static int run_sqlite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_rows, remove_files),
        cmocka_unit_test_setup(test_queries, remove_files),
        cmocka_unit_test_setup(test_cancelling, remove_files),
        cmocka_unit_test_setup(test_usage, remove_files),
        cmocka_unit_test_setup(test_odd_names, remove_files),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

static int run_sqlite_append(void) {
    const struct CMUnitTest tests[] = {
        TEST(rows_of_several_reports_are_told_apart),
        TEST(an_empty_file_or_database_becomes_one_of_ours),
        TEST(a_table_has_rows_of_one_view),
        TEST(names_are_not_interpreted),
        TEST(links_are_followed),
        TEST(only_files_are_appended_to),
        TEST(what_others_added_stays),
        TEST(defaults_fill_added_columns),
        TEST(triggers_do_not_run),
        TEST(constraints_refuse_the_whole),
        TEST(what_would_be_run_is_refused),
        TEST(amounts_are_limited),
        TEST(schemas_are_limited),
        TEST(the_last_number_has_none_after_it),
        TEST(the_number_of_a_deleted_dump_is_not_used_again),
        TEST(foreign_files_stay),
        TEST(damaged_files_are_appended_to_or_refused),
        TEST(missing_columns_are_added),
        TEST(other_columns_join_those_of_a_table),
        TEST(views_with_other_texts_are_replaced),
        TEST(views_of_others_are_left_alone),
        TEST(a_hot_journal_is_played_back),
        TEST(what_is_in_a_write_ahead_log_counts),
        TEST(a_journal_without_its_database_is_named),
        TEST(a_journal_that_names_a_file_is_refused),
        TEST(locks_are_waited_for),
        TEST(waiting_can_be_cancelled),
        TEST(rows_go_into_the_file_that_is_there),
        TEST(a_file_that_appears_is_not_lost),
        TEST(a_file_that_appears_with_its_journal_is_not_lost),
        TEST(a_database_in_use_is_not_replaced),
        TEST(a_database_in_wal_mode_is_not_replaced),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

int main(void) {
    return run_sqlite() + run_sqlite_append();
}
