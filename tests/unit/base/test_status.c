#include "support.h"

#include "base/status.h"
#include "base/text.h"

static void every_status_has_a_sentence(void **state) {
    (void)state;
    assert_string_equal(eti_status_text(ETI_OK), "success");
    assert_string_equal(eti_status_text(ETI_ERROR_MEMORY), "out of memory");
    for (int i = ETI_OK; i <= ETI_ERROR_MEMORY; i++)
        assert_true(strlen(eti_status_text((eti_status)i)) > 0);
    assert_string_equal(eti_status_text((eti_status)99), "unknown status");
}

static void version_is_that_of_the_header(void **state) {
    (void)state;
    assert_string_equal(eti_version(), ETI_VERSION);
}

static void fail_fills_the_error_and_returns_the_status(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti_fail(&err, ETI_ERROR_DATA, "run %d: %s", 3, "odd"), ETI_ERROR_DATA);
    assert_int_equal(err.status, ETI_ERROR_DATA);
    assert_string_equal(err.message, "run 3: odd");
}

static void no_error_may_be_asked_for(void **state) {
    (void)state;
    assert_int_equal(eti_fail(NULL, ETI_ERROR_READ, "x"), ETI_ERROR_READ);
    assert_int_equal(eti_fail_memory(NULL), ETI_ERROR_MEMORY);
    eti__error_prefix(NULL, "x");
}

static void out_of_memory_has_its_message(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti_fail_memory(&err), ETI_ERROR_MEMORY, "out of memory");
}

static void control_characters_become_question_marks(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    (void)eti_fail(&err, ETI_ERROR_READ, "a\nb\tc\033d\177e\x1f");
    assert_string_equal(err.message, "a?b?c?d?e?");
}

static void prefix_goes_in_front(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    (void)eti_fail(&err, ETI_ERROR_MALFORMED, "byte 7");
    eti__error_prefix(&err, "%s: run %u", "a\nb", 2u);
    assert_string_equal(err.message, "a?b: run 2: byte 7");
    assert_int_equal(err.status, ETI_ERROR_MALFORMED);
}

static void out_of_memory_has_no_place(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    (void)eti_fail_memory(&err);
    eti__error_prefix(&err, "%s: run %u", "file", 2u);
    assert_string_equal(err.message, "out of memory");
    assert_int_equal(err.status, ETI_ERROR_MEMORY);
}

static void long_messages_are_cut(void **state) {
    (void)state;
    char longer[sizeof((eti_error){0}).message + 2000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    eti_error err = ETI_ERROR_INIT;
    (void)eti_fail(&err, ETI_ERROR_READ, "%s", longer);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
    eti__error_prefix(&err, "front");
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
    assert_memory_equal(err.message, "front: xxx", 10);
    eti__error_prefix(&err, "%s", longer);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

/* Tests prefixes of every length around the end of the buffer. */
static void prefixes_of_any_length_fit(void **state) {
    (void)state;
    char prefix[1100];
    for (size_t n = 1000; n < 1060; n++) {
        memset(prefix, 'p', n);
        prefix[n] = '\0';
        eti_error err = ETI_ERROR_INIT;
        (void)eti_fail(&err, ETI_ERROR_READ, "inner");
        eti__error_prefix(&err, "%s", prefix);
        size_t whole = n + strlen(": inner");
        size_t room = sizeof err.message - 1;
        assert_true(strlen(err.message) <= room);
        assert_true(strlen(err.message) >= (whole < room ? whole : room - 2));
    }
}

static void cut_messages_end_with_whole_characters(void **state) {
    (void)state;
    static const char *const characters[] = {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    for (size_t c = 0; c < COUNT_OF(characters); c++) {
        for (size_t pad = 0; pad < 4; pad++) {
            char text[sizeof((eti_error){0}).message + 1024] = "abcd";
            text[pad] = '\0';
            while (strlen(text) < sizeof text - 8)
                strcat(text, characters[c]);
            eti_error err = ETI_ERROR_INIT;
            (void)eti_fail(&err, ETI_ERROR_READ, "%s", text);
            eti_text cut = eti__text_of(err.message);
            assert_int_equal(eti__text_valid_utf8(cut), cut.size);
            assert_true(cut.size >= sizeof err.message - 4);
        }
    }
}

static void whole_characters_at_the_end_stay(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    (void)eti_fail(&err, ETI_ERROR_READ, "caf\xc3\xa9");
    assert_string_equal(err.message, "caf\xc3\xa9");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_sentence),
        cmocka_unit_test(version_is_that_of_the_header),
        cmocka_unit_test(fail_fills_the_error_and_returns_the_status),
        cmocka_unit_test(no_error_may_be_asked_for),
        cmocka_unit_test(out_of_memory_has_its_message),
        cmocka_unit_test(control_characters_become_question_marks),
        cmocka_unit_test(prefix_goes_in_front),
        cmocka_unit_test(out_of_memory_has_no_place),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(prefixes_of_any_length_fit),
        cmocka_unit_test(cut_messages_end_with_whole_characters),
        cmocka_unit_test(whole_characters_at_the_end_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
