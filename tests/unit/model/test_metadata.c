#include "support.h"

#include "model/metadata.h"

/* Returns the list of `n` entries in this form. */
static void assert_list(eti_metadata_form form, const eti_text *entries, size_t n,
                        const char *expected) {
    eti_buffer out = {0};
    eti__buffer_add_char(&out, '[');
    for (size_t i = 0; i < n; i++) {
        eti__buffer_add_string(&out, i ? ", " : "");
        eti__metadata_add(&out, entries[i], form);
    }
    eti__buffer_add_char(&out, ']');
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

#define ASSERT_ONE(form, text, expected)                                                           \
    assert_list((form), &(eti_text){(text), sizeof(text) - 1}, 1, (expected))

static void lists_have_brackets_and_commas(void **state) {
    (void)state;
    const eti_text entries[] = {{"a", 1}, {NULL, 0}, {"b", 1}};
    assert_list(ETI_METADATA_BYTES, entries, 3, "[b'a', '', b'b']");
    assert_list(ETI_METADATA_UTF8, entries, 3, "['a', '', 'b']");
    assert_list(ETI_METADATA_HEX, entries, 3, "['61', '', '62']");
    assert_list(ETI_METADATA_JSON, entries, 3, "[\"a\", null, \"b\"]");
    assert_list(ETI_METADATA_BYTES, entries, 0, "[]");
}

static void bytes_are_written_as_python_does(void **state) {
    (void)state;
    ASSERT_ONE(ETI_METADATA_BYTES, "a\0\n\xff'", "[b\"a\\x00\\n\\xff'\"]");
    ASSERT_ONE(ETI_METADATA_BYTES, "a\\\"", "[b'a\\\\\"']");
}

static void text_is_written_as_python_does(void **state) {
    (void)state;
    ASSERT_ONE(ETI_METADATA_UTF8, "caf\xc3\xa9\t", "['caf\xc3\xa9\\t']");
    ASSERT_ONE(ETI_METADATA_UTF8,
               "a\xff"
               "b",
               "['a\xef\xbf\xbd"
               "b']");
    ASSERT_ONE(ETI_METADATA_UTF8, "it's", "[\"it's\"]");
}

static void hexadecimal_digits_are_lower_case(void **state) {
    (void)state;
    ASSERT_ONE(ETI_METADATA_HEX, "\0\x1f\xab\xff", "['001fabff']");
}

static void json_stays_json_and_other_text_becomes_a_string(void **state) {
    (void)state;
    ASSERT_ONE(ETI_METADATA_JSON, "{\"a\": [1, 2.5]}", "[{\"a\": [1, 2.5]}]");
    ASSERT_ONE(ETI_METADATA_JSON, "17", "[17]");
    ASSERT_ONE(ETI_METADATA_JSON, "1 2", "[\"1 2\"]");
    ASSERT_ONE(ETI_METADATA_JSON, "{", "[\"{\"]");
    ASSERT_ONE(ETI_METADATA_JSON, "a\"b\\c", "[\"a\\\"b\\\\c\"]");
    ASSERT_ONE(ETI_METADATA_JSON, "a\n\x01\xff", "[\"a\\u000a\\u0001\\ufffd\"]");
    ASSERT_ONE(ETI_METADATA_JSON, "caf\xc3\xa9", "[\"caf\xc3\xa9\"]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_have_brackets_and_commas),
        cmocka_unit_test(bytes_are_written_as_python_does),
        cmocka_unit_test(text_is_written_as_python_does),
        cmocka_unit_test(hexadecimal_digits_are_lower_case),
        cmocka_unit_test(json_stays_json_and_other_text_becomes_a_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
