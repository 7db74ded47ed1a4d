/*
 * Databases are read back with the library itself, and expected values written by hand.
 */
#include "base/label.h"
#include "base/progress.h"
#include "report_text.h"
#include "write/writer.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "test_sqlite.db"

static char folder[] = "/tmp/etinspect-sqlite-XXXXXX";
static int top;

static int enter_folder(void **state) {
    (void)state;
    top = open(".", O_RDONLY | O_DIRECTORY);
    return top < 0 || !mkdtemp(folder) || chdir(folder) != 0;
}

static int leave_folder(void **state) {
    (void)state;
    unlink(FILE_NAME);
    return fchdir(top) != 0 || close(top) != 0 || rmdir(folder) != 0;
}

static int remove_file(void **state) {
    (void)state;
    unlink(FILE_NAME);
    return 0;
}

static const eti_column columns[] = {
    {.name = {"name", 4}},
    {.name = {"p50 (ms)", 8}, .kind = ETI_COLUMN_TIME},
    {.name = {"n", 1}, .kind = ETI_COLUMN_COUNT},
    {.name = {"id", 2}, .kind = ETI_COLUMN_NUMBER},
    {.name = {"is_it", 5}},
    {.name = {"raw", 3}, .kind = ETI_COLUMN_LIST, .is_extra = true},
};

/* At file scope, where what lists point to lives on. */
static const eti_cell cells[] = {
    TEXT("a\"b"),    DOUBLE(0.1), INT(INT64_MIN), INT(-1),     BOOL(true),  DOUBLES(1.5, 2),
    TEXT("bad\xff"), NAN_CELL,    NO_CELL,        DOUBLE(2.5), BOOL(false), TEXTS({"x", 1}),
};

static eti_report *example(void) {
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    static char name[] = "run.etdp";
    const struct eti_file file = {.name = name, .data = (const uint8_t *)"abc", .size = 3};
    assert_ok(eti__report_add_source(report, "etdump", &file, &err));
    assert_ok(eti__report_note(report, &err, "a note"));
    return report;
}

static eti_status save(const eti_report *report, bool append, const char *label, eti_error *err) {
    const eti_label labels[] = {{"board", label}};
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    options.append = append;
    options.labels = labels;
    options.n_labels = 1;
    return eti__report_save(report, "sqlite", FILE_NAME, &options, err);
}

/* Rows as "a|b\n", the way sqlite3(1) prints them. */
static int add_row(void *out, int n, char **values, char **names) {
    (void)names;
    for (int i = 0; i < n; i++) {
        eti__buffer_add_string(out, i > 0 ? "|" : "");
        eti__buffer_add_string(out, values[i] ? values[i] : "NULL");
    }
    eti__buffer_add_char(out, '\n');
    return 0;
}

static void assert_query(const char *sql, const char *expected) {
    sqlite3 *database;
    eti_buffer out = {0};
    char *message = NULL;
    assert_int_equal(sqlite3_open_v2(FILE_NAME, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_exec(database, sql, add_row, &out, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    eti__buffer_add_char(&out, '\0');
    assert_string_equal(out.data, expected);
    eti__buffer_free(&out);
    sqlite3_close(database);
}

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

static void test_appending(void **state) {
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
    assert_ok(save(report, false, "anew", &err));
    assert_query("SELECT dump_id, value FROM labels", "1|anew\n");
    eti_report_free(report);
}

/* A report with other tables goes into the same file; one with other columns does not. */
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
        options.append = i >= COUNT_OF(steps); /* to what stays as it was */
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

static void test_appending_other_columns(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(save(report, false, "x", &err));
    const eti_column other = {.name = {"other", 5}};
    eti_report *second = make_report(&other, 1, &(const eti_cell)TEXT("a"), 1);
    assert_fails(save(second, true, "y", &err), ETI_ERROR_MALFORMED, "no column named other");
    assert_query("SELECT count(*) FROM dumps", "1\n"); /* the file is the old one */
    second->sections[0].name = "others";
    assert_ok(save(second, true, "y", &err));
    assert_query("SELECT * FROM others", "2|a\n");
    eti_report_free(second);
    eti_report_free(report);
}

static void change_file(const char *sql) {
    sqlite3 *database;
    assert_int_equal(
        sqlite3_open_v2(FILE_NAME, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

static void test_foreign_files(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    change_file("CREATE TABLE things(a)");
    assert_fails(save(report, true, "x", &err), ETI_ERROR_MALFORMED, "no database that etinspect");
    assert_query("SELECT count(*) FROM things", "0\n");
    FILE *file = fopen(FILE_NAME, "w");
    fputs("This is no database, but a text that is longer than the header of one, which has 100 "
          "bytes, so "
          "that it is read.\n",
          file);
    fclose(file);
    assert_fails(save(report, true, "x", &err), ETI_ERROR_MALFORMED, "not a database");
    static const char *const acts[] = {
        "CREATE TRIGGER t AFTER INSERT ON things BEGIN DELETE FROM things; END",
        "CREATE INDEX i ON things(name)",
    };
    for (size_t i = 0; i < COUNT_OF(acts); i++) {
        assert_ok(save(report, false, "x", &err));
        change_file(acts[i]);
        assert_fails(save(report, true, "x", &err), ETI_ERROR_MALFORMED, "somebody else's");
    }
    eti_report_free(report);
}

/* Every byte of the first pages flipped, and every length: an error or a database, never more. */
static void test_damaged_files(void **state) {
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
            assert_true(status == ETI_OK || status == ETI_ERROR_MALFORMED);
        }
    }
    free(bytes);
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
                 ETI_ERROR_USAGE, "only format sqlite");
    assert_int_equal(out.size, 0);
    eti_report_free(report);
}

/* What SQL cannot have: two columns of a name, in any case; quotes and NULs in names. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_rows, remove_file),
        cmocka_unit_test_setup(test_queries, remove_file),
        cmocka_unit_test_setup(test_appending, remove_file),
        cmocka_unit_test_setup(test_appending_other_columns, remove_file),
        cmocka_unit_test_setup(test_cancelling, remove_file),
        cmocka_unit_test_setup(test_foreign_files, remove_file),
        cmocka_unit_test_setup(test_damaged_files, remove_file),
        cmocka_unit_test_setup(test_usage, remove_file),
        cmocka_unit_test_setup(test_odd_names, remove_file),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
