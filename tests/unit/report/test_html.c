#include "inspector_fixture.h"
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

/* Measured values surround the comparison, whose text is for readers without scripts. */
static void comparisons_are_on_the_page_of_the_new_side(void **state) {
    (void)state;
    const eti_write_options options = {.no_sha256 = true};
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute",
                    TIMED(b, .name = "native_call_a.out", .start_time = 10, .end_time = 20))),
        NULL);
    eti_report *report = make_page_report();
    report->measured = s.inspector;
    eti_buffer out = write_to_buffer(report, "html", &options);
    assert_has(&out, "\"tables\": {\n\"example\": {");
    assert_has(&out, "\"events\": {\n\"events\": [\n{\"block\": \"Execute\"");
    assert_has(&out, "\"slices\": {\"n_runs\": 1");
    assert_has(&out, "\"tree\": \"needs the ETRecord of the export\"");
    assert_has(&out, " against example \xc2\xb7 etinspect</title>");
    eti__buffer_free(&out);
    eti_report_free(report);
    close_session(&s);
}

static eti_status swap_sides(eti_report **out, const void *context, eti_error *err) {
    const eti_status *status = context;
    if (*status != ETI_OK)
        return eti_fail(err, *status, "the sides cannot be exchanged");
    *out = make_page_report();
    return ETI_OK;
}

static void a_comparison_is_there_in_both_directions(void **state) {
    (void)state;
    const eti_write_options options = {.no_sha256 = true};
    eti_status status = ETI_OK;
    eti_report *report = make_page_report();
    report->swap = (eti_swap){swap_sides, &status};
    eti_buffer out = write_to_buffer(report, "html", &options);
    assert_has(&out, "\"example\": {\n\"things\": [\n{\"op\": \"add\", ");
    assert_has(&out, "\"diff_swapped\": {\n\"things\": [\n{\"op\": \"add\", ");
    assert_has(&out,
               "\"diff_swapped\": [\n{\"table\": \"things\", \"text\": \"remark of things\"}");
    eti__buffer_free(&out);
    eti_report_free(report);
}

static void without_the_other_direction_the_page_says_why(void **state) {
    (void)state;
    const eti_write_options options = {.no_sha256 = true};
    eti_status status = ETI_ERROR_DATA;
    eti_report *report = make_page_report();
    report->swap = (eti_swap){swap_sides, &status};
    eti_buffer out = write_to_buffer(report, "html", &options);
    assert_has_no(&out, "\"diff_swapped\": {");
    assert_has(&out, "\"absent\": {\"diff_swapped\": \"the sides cannot be exchanged\"}");
    eti__buffer_free(&out);
    eti_report_free(report);
}

static bool ignore(void *context, const void *data, size_t size) {
    (void)context, (void)data, (void)size;
    return true;
}

static void other_failures_of_the_other_direction_are_failures(void **state) {
    (void)state;
    eti_status status = ETI_ERROR_MEMORY;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_page_report();
    report->swap = (eti_swap){swap_sides, &status};
    assert_int_equal(eti__report_write(report, "html", NULL, ignore, NULL, &err), ETI_ERROR_MEMORY);
    assert_string_equal(err.message, "the sides cannot be exchanged");
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
        cmocka_unit_test(comparisons_are_on_the_page_of_the_new_side),
        cmocka_unit_test(a_comparison_is_there_in_both_directions),
        cmocka_unit_test(without_the_other_direction_the_page_says_why),
        cmocka_unit_test(other_failures_of_the_other_direction_are_failures),
        cmocka_unit_test(html_files_are_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
