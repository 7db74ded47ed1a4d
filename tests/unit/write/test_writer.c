#include "table_text.h"

#include "write/writer.h"

#include <stdio.h>
#include <string.h>

static void test_order(void **state) {
    (void)state;
    assert_ptr_equal(eti__writer_at(0), &eti__writer_fancy_grid);
    assert_ptr_equal(eti__writer_at(1), &eti__writer_tsv);
    assert_ptr_equal(eti__writer_at(2), &eti__writer_csv);
}

static void test_past_the_end(void **state) {
    (void)state;
    size_t n = 0;
    while (eti__writer_at(n))
        n++;
    assert_null(eti__writer_at(n + 1));
    assert_null(eti__writer_at(SIZE_MAX));
}

static void test_every_writer_is_found_by_its_name(void **state) {
    (void)state;
    for (size_t i = 0; eti__writer_at(i); i++)
        assert_ptr_equal(eti__writer_find(eti__writer_at(i)->name), eti__writer_at(i));
}

static void test_names(void **state) {
    (void)state;
    assert_ptr_equal(eti__writer_find("table"), &eti__writer_fancy_grid);
    assert_ptr_equal(eti__writer_find("tsv"), &eti__writer_tsv);
    assert_ptr_equal(eti__writer_find("csv"), &eti__writer_csv);
    assert_null(eti__writer_find("TSV"));
    assert_null(eti__writer_find(""));
}

/* A form that takes a gate or a graph rejects reports without one, and needs no columns. */
static void test_what_each_takes(void **state) {
    (void)state;
    const eti_report tables = {.view = "x"};
    for (size_t i = 0; eti__writer_at(i); i++) {
        const eti_writer *writer = eti__writer_at(i);
        bool takes_tables = writer->takes == ETI_TAKES_TABLES;
        assert_true(takes_tables || writer->takes == ETI_TAKES_GATE ||
                    writer->takes == ETI_TAKES_GRAPH || writer->takes == ETI_TAKES_SLICES);
        assert_int_equal(eti__writer_check(writer, &tables, NULL),
                         takes_tables ? ETI_OK : ETI_ERROR_USAGE);
        assert_true((writer->write_table != NULL) != (writer->write_report != NULL));
    }
    assert_int_equal(eti__writer_find("junit")->takes, ETI_TAKES_GATE);
    assert_int_equal(eti__writer_find("github")->takes, ETI_TAKES_GATE);
    assert_int_equal(eti__writer_find("benchmark")->takes, ETI_TAKES_GATE);
    assert_int_equal(eti__writer_find("dot")->takes, ETI_TAKES_GRAPH);
    assert_int_equal(eti__writer_find("chrome")->takes, ETI_TAKES_SLICES);
    assert_int_equal(eti__writer_find("json")->takes, ETI_TAKES_TABLES);
}

/* ---- the format of a file -------------------------------------------------------------------- */

static void assert_chosen(const char *path, const char *expected) {
    const char *format;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__format_choose(&format, NULL, path, "standard", &err), ETI_OK);
    assert_string_equal(format, expected);
}

static void test_suffixes(void **state) {
    (void)state;
    assert_chosen("x.csv", "csv");
    assert_chosen("a.tsv/x.CSV", "csv");
    assert_chosen("x.tsv", "tsv");
    assert_chosen("x.tar.json", "json");
    assert_chosen("x.ndjson", "ndjson");
    assert_chosen("x.jsonl", "ndjson");
    assert_chosen("x.md", "markdown");
    assert_chosen("x.markdown", "markdown");
    assert_chosen("x.db", "sqlite");
    assert_chosen("x.sqlite", "sqlite");
    assert_chosen("x.sqlite3", "sqlite");
    assert_chosen("x.dot", "dot");
    assert_chosen("x.gv", "dot");
    assert_chosen("x.xml", "junit");
    assert_chosen("x.prom", "openmetrics");
}

/* Where formats share a suffix, it selects the one that takes the same content as the default format; traces may be
 * compressed. */
static void test_suffixes_of_traces(void **state) {
    (void)state;
    static const char *const paths[][2] = {
        {"x.json", "chrome"},      {"x.JSON.GZ", "chrome"},      {"x.csv.gz", "chrome"},
        {"x.gz", "chrome"},        {".json.gz", "chrome"},       {"x", "chrome"},
        {"x.pftrace", "perfetto"}, {"x.pftrace.gz", "perfetto"},
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const char *format;
        eti_error err = ETI_ERROR_INIT;
        assert_int_equal(eti__format_choose(&format, NULL, paths[i][0], "chrome", &err), ETI_OK);
        assert_string_equal(format, paths[i][1]);
    }
    assert_true(eti__writer_compresses(&eti__writer_chrome, "a/x.json.gz"));
    assert_false(eti__writer_compresses(&eti__writer_chrome, "a.gz/x.json"));
    assert_false(eti__writer_compresses(&eti__writer_chrome, ".gz"));
    assert_false(eti__writer_compresses(&eti__writer_json, "x.json.gz"));
}

static void test_traces_are_no_tables(void **state) {
    (void)state;
    static const char *const asked[][2] = {
        {NULL, "x.csv"}, {"csv", "x.csv"}, {"tsv", "-"}, {"json", "x.json"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char *format;
        eti_error err = ETI_ERROR_INIT;
        assert_int_equal(eti__format_choose(&format, asked[i][0], asked[i][1], "perfetto", &err),
                         ETI_ERROR_USAGE);
        assert_non_null(strstr(err.message, "shows tables, not traces: leave it out, or list"));
        assert_int_equal(eti__format_choose(&format, asked[i][0], asked[i][1], "dot", &err),
                         ETI_OK);
    }
}

static void test_names_without_a_known_suffix(void **state) {
    (void)state;
    static const char *const paths[] = {"-",      "",         "x",      "x.",       "x.txt",
                                        "x.js",   "csv",      "x.csv,", ".csv",     "a/.csv",
                                        "x.csv/", "x.csv.gz", "x,csv",  "x.json.gz"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_chosen(paths[i], "standard");
}

/* The files of other programs are rejected, unless the format is given. */
static void test_foreign_suffixes(void **state) {
    (void)state;
    static const char *const paths[] = {"x.xlsx", "x.XLS", "a/x.parquet", "x.csv.pdf"};
    const char *format;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        eti_error err = ETI_ERROR_INIT;
        assert_int_equal(eti__format_choose(&format, NULL, paths[i], "standard", &err),
                         ETI_ERROR_USAGE);
        assert_non_null(strstr(err.message, "there is no format of this suffix: the known ones are "
                                            ".tsv, .csv, .json, .ndjson, .jsonl, .md, "));
        assert_non_null(strstr(err.message, ".dot, .gv, .xml, .html"));
        assert_null(strstr(err.message, ".pftrace"));
        assert_int_equal(eti__format_choose(&format, NULL, paths[i], "chrome", &err),
                         ETI_ERROR_USAGE);
        assert_non_null(strstr(err.message, ".speedscope.json"));
        assert_null(strstr(err.message, ".ndjson"));
        assert_int_equal(eti__format_choose(&format, "csv", paths[i], "standard", &err), ETI_OK);
        assert_string_equal(format, "csv");
    }
    assert_chosen("xlsx", "standard");
    assert_chosen("a.xlsx/x", "standard");
}

static void assert_asked(const char *format, const char *path, const char *expected_failure) {
    const char *chosen;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__format_choose(&chosen, format, path, "standard", &err);
    assert_int_equal(status, expected_failure ? ETI_ERROR_USAGE : ETI_OK);
    if (expected_failure)
        assert_string_equal(err.message, expected_failure);
    else
        assert_string_equal(chosen, format);
}

static void test_format_and_suffix(void **state) {
    (void)state;
    assert_asked("csv", "x.csv", NULL);
    assert_asked("csv", "x.txt", NULL);
    assert_asked("table", "-", NULL);
    assert_asked("benchmark", "x.json", NULL);
    assert_asked("codequality", "x.json", NULL);
    assert_asked("json", "x.json", NULL);
    assert_asked("model-explorer", "x.json", NULL);
    assert_asked("model-explorer-data", "x.JSON", NULL);
    assert_asked("speedscope", "x.json", NULL);
    assert_asked("json", "a/x.csv",
                 "format json: a/x.csv has the suffix of csv: leave out format, or choose another "
                 "file name");
    assert_asked("ndjson", "x.JSON",
                 "format ndjson: x.JSON has the suffix of json: leave out format, or choose "
                 "another file name");
    assert_asked("yaml", "x.csv", "there is no format yaml");
}

/* A suffix belongs to one writer only, except .json, which stands for the first. */
static void test_suffixes_are_distinguished(void **state) {
    (void)state;
    for (size_t i = 0; eti__writer_at(i); i++) {
        char suffixes[64] = "", path[80];
        const eti_writer *writer = eti__writer_at(i);
        if (!writer->suffixes || writer == &eti__writer_benchmark ||
            writer == &eti__writer_codequality || writer == &eti__writer_chrome)
            continue;
        assert_true(strlen(writer->suffixes) < sizeof suffixes);
        strcpy(suffixes, writer->suffixes);
        for (char *at = strtok(suffixes, ","); at; at = strtok(NULL, ",")) {
            snprintf(path, sizeof path, "x.%s", at);
            assert_chosen(path, writer->name);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_past_the_end),
        cmocka_unit_test(test_every_writer_is_found_by_its_name),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_what_each_takes),
        cmocka_unit_test(test_suffixes),
        cmocka_unit_test(test_suffixes_of_traces),
        cmocka_unit_test(test_traces_are_no_tables),
        cmocka_unit_test(test_names_without_a_known_suffix),
        cmocka_unit_test(test_foreign_suffixes),
        cmocka_unit_test(test_format_and_suffix),
        cmocka_unit_test(test_suffixes_are_distinguished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
