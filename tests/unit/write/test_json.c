#include "report_text.h"

/* ==== json ==================================================================================== */
/* The expected documents were written by hand. */

static const eti_column columns[] = {
    {.name = {"name", 4}},
    {.name = {"p50 (ms)", 8}, .kind = ETI_COLUMN_TIME},
    {.name = {"own (us)", 8}, .kind = ETI_COLUMN_TIME},
    {.name = {"id (ms)", 7}, .kind = ETI_COLUMN_NUMBER, .is_extra = true},
};
static const eti_cell cells[] = {
    TEXT("a"), DOUBLE(1.5), DOUBLE(2), INT(3), TEXT("b"), NO_CELL, NAN_CELL, INT(4),
};

static eti_report *example(void) {
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    static char name[] = "run \"1\".etdp";
    const struct eti_file file = {.name = name, .data = (const uint8_t *)"abc", .size = 3};
    assert_ok(eti__report_add_source(report, "etdump", &file, &err));
    return report;
}

/* SHA-256 of "abc": FIPS 180-2, appendix B.1. */
#define SOURCE                                                                                     \
    "{\"kind\": \"etdump\", \"path\": \"run \\\"1\\\".etdp\", \"size\": 3, \"sha256\": "           \
    "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"}"

static void test_document(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = example();
    assert_ok(eti__report_note(report, &err, "all is well"));
    assert_ok(eti__report_add(report, "none", NULL, make_typed_table(columns, 1, NULL, 0), &err));
    assert_ok(eti__report_note(report, &err, "nothing"));
    const eti_label labels[] = {{"board", "a\"b"}, {"build", ""}};
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    options.labels = labels;
    options.n_labels = 2;
    assert_report(report, "json", &options,
                  "{\n"
                  "\"schema\": \"etinspect/1\",\n"
                  "\"version\": \"" ETI_VERSION "\",\n"
                  "\"view\": \"example\",\n"
                  "\"time_scale\": \"ms\",\n"
                  "\"sources\": [" SOURCE "],\n"
                  "\"labels\": {\"board\": \"a\\\"b\", \"build\": \"\"},\n"
                  "\"tables\": {\n"
                  "\"things\": [\n"
                  "{\"name\": \"a\", \"p50\": 1.5, \"own (us)\": 2.0, \"id (ms)\": 3},\n"
                  "{\"name\": \"b\", \"p50\": null, \"own (us)\": null, \"id (ms)\": 4}],\n"
                  "\"none\": []},\n"
                  "\"notes\": [\n"
                  "{\"table\": \"things\", \"text\": \"all is well\"},\n"
                  "{\"table\": \"none\", \"text\": \"nothing\"}]\n"
                  "}\n");
    eti_report_free(report);
}

static void test_lines(void **state) {
    (void)state;
    eti_report *report = example();
#define PROVENANCE                                                                                 \
    ", \"provenance\": {\"schema\": \"etinspect/1\", \"version\": \"" ETI_VERSION                  \
    "\", \"view\": \"example\", \"time_scale\": \"ms\", \"sources\": [" SOURCE                     \
    "], \"labels\": {}}}\n"
    assert_report(report, "ndjson", NULL,
                  "{\"table\": \"things\", \"name\": \"a\", \"p50\": 1.5, \"own (us)\": 2.0, "
                  "\"id (ms)\": 3" PROVENANCE
                  "{\"table\": \"things\", \"name\": \"b\", \"p50\": null, \"own (us)\": null, "
                  "\"id (ms)\": 4" PROVENANCE);
    eti_report_free(report);
}

/* The units of a table without a report are unknown. */
static void test_a_table(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer out = {0};
    eti_table *table = make_typed_table(columns + 1, 1, &(const eti_cell)DOUBLE(1), 1);
    assert_ok(eti_table_write(table, "json", keep_output, &out, &err));
    eti_text text = eti__buffer_text(&out);
    assert_true(
        eti__text_contains(text, eti__text_of("\"time_scale\": null,\n\"sources\": [],\n")));
    assert_true(eti__text_contains(text, eti__text_of("\"rows\": [\n{\"p50 (ms)\": 1.0}]")));
    eti__buffer_free(&out);
    eti_table_free(table);
}

static void test_digests(void **state) {
    (void)state;
    char digest[ETI_SHA256_DIGITS + 1];
    const eti_report_source empty = {.data = "", .size = 0};
    assert_text(eti__source_sha256(&empty, true, digest),
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_absent(eti__source_sha256(&empty, false, digest));

    const size_t size = ((size_t)4 << 20) + 1; /* more than one piece */
    void *zeros = calloc(1, size);
    assert_non_null(zeros);
    eti__sha256(zeros, size, digest);
    assert_string_equal(digest, "95e441ca65cd41fa01b2a71799e79fd60db59ed34f13af32a91e85f90378676c");
    free(zeros);
}

/* ==== json provenance ========================================================================= */

static const eti_column provenance_columns[] = {{.name = {"op", 2}, .help = "name"}};
static const eti_cell provenance_cells[] = {TEXT("add")};

/* Makes a report of one input, whose path needs escapes, and one label. The caller frees it. */
static eti_report *make_sourced(void) {
    static const char bytes[] = "abc";
    const eti_report_source source = {"etdump", {"a\"b/run.etdp", 12}, bytes, 3};
    eti_report *report = make_report(provenance_columns, COUNT_OF(provenance_columns),
                                     provenance_cells, COUNT_OF(provenance_cells));
    eti_error err = ETI_ERROR_INIT;
    report->sources = malloc(sizeof source);
    assert_non_null(report->sources);
    report->sources[0] = source;
    report->n_sources = 1;
    assert_ok(eti__report_add_label(report, "board", "a<b>", &err));
    return report;
}

static void assert_provenance(const eti_write_options *options, const char *sha256,
                              const char *labels) {
    eti_report *report = make_sourced();
    eti_buffer out = {0}, expected = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    eti__json_add_provenance(&json, report, options, true);
    eti__buffer_printf(&expected,
                       "\"schema\": \"etinspect/1\",\n\"version\": \"%s\",\n\"view\": \"%s\",\n"
                       "\"time_scale\": ",
                       eti_version(), report->view);
    assert_true(out.size > expected.size);
    assert_memory_equal(out.data, expected.data, expected.size);
    expected.size = 0;
    eti__buffer_printf(&expected,
                       ",\n\"sources\": [{\"kind\": \"etdump\", \"path\": \"a\\\"b/run.etdp\", "
                       "\"size\": 3, \"sha256\": %s}],\n\"labels\": {%s}",
                       sha256, labels);
    assert_true(out.size > expected.size);
    assert_memory_equal(out.data + out.size - expected.size, expected.data, expected.size);
    eti__buffer_free(&expected);
    eti__buffer_free(&out);
    eti_report_free(report);
}

static void inputs_are_hashed(void **state) {
    (void)state;
    const eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    assert_provenance(&options,
                      "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"",
                      "\"board\": \"a<b>\"");
}

static void hashes_are_left_out(void **state) {
    (void)state;
    const eti_write_options options = {.no_sha256 = true};
    assert_provenance(&options, "null", "\"board\": \"a<b>\"");
}

/* Labels of the report come first, then those of the user. */
static void labels_of_both_are_there(void **state) {
    (void)state;
    const eti_label label = {.key = "commit", .value = "\n"};
    const eti_write_options options = {.no_sha256 = true, .labels = &label, .n_labels = 1};
    assert_provenance(&options, "null", "\"board\": \"a<b>\", \"commit\": \"\\n\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_a_table),
        cmocka_unit_test(test_digests),
        cmocka_unit_test(inputs_are_hashed),
        cmocka_unit_test(hashes_are_left_out),
        cmocka_unit_test(labels_of_both_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
