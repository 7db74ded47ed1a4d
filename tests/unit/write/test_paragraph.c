#include "support.h"
#include "write/paragraph.h"

static bool take(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

static void assert_lines(const char *text, size_t width, const char *expected) {
    eti_buffer found = {0};
    eti_output *output;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__output_open_function(&output, take, &found, &err));
    eti__add_paragraph(output, eti__text_of(text), width);
    assert_ok(eti__output_commit(output, &err));
    assert_text(eti__buffer_text(&found), expected);
    eti__buffer_free(&found);
}

static void words_are_broken_at_the_edge(void **state) {
    (void)state;
    assert_lines("one two three", 0, "one two three\n");
    assert_lines("one two three", 13, "one two three\n");
    assert_lines("one two three", 12, "one two\nthree\n");
    assert_lines("one two three", 1, "one\ntwo\nthree\n");
    assert_lines("caf\xc3\xa9 ol\xc3\xa9", 8, "caf\xc3\xa9 ol\xc3\xa9\n");
    assert_lines("", 5, "\n");
}

static void a_number_and_its_percent_stay_together(void **state) {
    (void)state;
    assert_lines("one 12.3 % more", 9, "one\n12.3 %\nmore\n");
    assert_lines("one 12.3 %, more", 12, "one 12.3 %,\nmore\n");
    assert_lines("5 %", 3, "5 %\n");
    assert_lines("a %", 2, "a %\n"); /* then the line is too wide */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_broken_at_the_edge),
        cmocka_unit_test(a_number_and_its_percent_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
