#include "report_text.h"

#include "write/json_provenance.h"

static const eti_column columns[] = {{.name = {"op", 2}, .help = "name"}};
static const eti_cell cells[] = {TEXT("add")};

/* Makes a report of one input, whose path needs escapes, and one label. The caller frees it. */
static eti_report *make_sourced(void) {
    static const char bytes[] = "abc";
    const eti_report_source source = {"etdump", {"a\"b/run.etdp", 12}, bytes, 3};
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
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
        cmocka_unit_test(inputs_are_hashed),
        cmocka_unit_test(hashes_are_left_out),
        cmocka_unit_test(labels_of_both_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
