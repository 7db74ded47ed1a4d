#include "page_fixture.h"

static void any_report_becomes_a_page(void **state) {
    (void)state;
    const eti_write_options options = {.no_sha256 = true};
    eti_report *report = make_page_report();
    eti_buffer out = write_to_buffer(report, "html", &options);
    assert_has(&out, "<!doctype html>");
    assert_has(&out, "\"tables\": {\n\"example\": {\n\"things\": [\n{\"op\": \"add\", ");
    assert_has_no(&out, "\"on_request\"");
    eti__buffer_free(&out);
    eti_report_free(report);
}

static void html_files_are_pages(void **state) {
    (void)state;
    const char *format;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__format_choose(&format, NULL, "a/x.HTML", "text", &err));
    assert_string_equal(format, "html");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_report_becomes_a_page),
        cmocka_unit_test(html_files_are_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
