/* Databases are read back with SQLite itself; expected values were written by hand. */
#include "database_fixture.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_rows, remove_files),
        cmocka_unit_test_setup(test_queries, remove_files),
        cmocka_unit_test_setup(test_cancelling, remove_files),
        cmocka_unit_test_setup(test_usage, remove_files),
        cmocka_unit_test_setup(test_odd_names, remove_files),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
