/* Tests that numbers are formatted and read with a decimal point in a process whose locale has a comma, and that patterns match bytes. */
#include "base/c_locale.h"
#include "locale_fixture.h"

static void numbers_are_formatted_as_in_c(void **state) {
    (void)state;
    char text[32];
    assert_int_equal(eti__snprintf(text, sizeof text, "%.2f %s", 0.25, "x"), 6);
    assert_string_equal(text, "0.25 x");
    assert_int_equal(eti__snprintf(text, 3, "%g", 0.25), 4);
    assert_string_equal(text, "0.");
}

static void numbers_are_read_as_in_c(void **state) {
    (void)state;
    static const char text[] = "2.5%", comma[] = "2,5";
    char *end;
    assert_true(eti__strtod(text, &end) == 2.5);
    assert_ptr_equal(end, text + 3);
    assert_true(eti__strtod(comma, &end) == 2);
    assert_ptr_equal(end, comma + 1);
}

static void a_comma_changes_nothing(void **state) {
    char text[32];
    enter_comma_locale();
    numbers_are_formatted_as_in_c(state);
    numbers_are_read_as_in_c(state);
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5"); /* the locale of the process is still the same */
}

static void texts_and_errors_are_formatted_as_in_c(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti_error err = ETI_ERROR_INIT;
    enter_comma_locale();
    eti__buffer_printf(&out, "p = %.2g", 0.012);
    assert_text(eti__buffer_text(&out), "p = 0.012");
    eti__buffer_free(&out);
    eti__error_set(&err, ETI_ERROR_USAGE, "%g is out of range", 1.5);
    eti__error_prefix(&err, "%.1f", 0.5);
    assert_string_equal(err.message, "0.5: 1.5 is out of range");
}

/* In a locale with UTF-8, `.` would match both bytes of a character, and no other byte above 127. */
static void patterns_match_bytes(void **state) {
    (void)state;
    regex_t compiled;
    enter_comma_locale();
    assert_int_equal(eti__regcomp(&compiled, "^.$", REG_EXTENDED | REG_NOSUB), 0);
    assert_int_equal(regexec(&compiled, "\xff", 0, NULL, 0), 0);
    assert_int_equal(regexec(&compiled, "\xc3\xa9", 0, NULL, 0), REG_NOMATCH);
    regfree(&compiled);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_formatted_as_in_c),
        cmocka_unit_test(numbers_are_read_as_in_c),
        cmocka_unit_test_teardown(a_comma_changes_nothing, leave_comma_locale),
        cmocka_unit_test_teardown(texts_and_errors_are_formatted_as_in_c, leave_comma_locale),
        cmocka_unit_test_teardown(patterns_match_bytes, leave_comma_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
