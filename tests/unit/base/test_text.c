#include "support.h"

static eti_text sized(const char *data, size_t size) {
    return (eti_text){data, size};
}

static void absent_text_differs_from_empty_text(void **state) {
    (void)state;
    eti_text absent = eti__text_of(NULL), empty = eti__text_of("");
    assert_null(absent.data);
    assert_int_equal(absent.size, 0);
    assert_false(eti__text_equal(absent, empty));
    assert_true(eti__text_equal(absent, absent));
    assert_true(eti__text_equal(empty, sized("x", 0)));
    assert_false(eti__text_is(absent, ""));
    assert_true(eti__text_is(empty, ""));
    assert_true(eti__text_hash(absent, 1) != eti__text_hash(empty, 1));
}

static void text_is_equal_by_its_bytes(void **state) {
    (void)state;
    assert_true(eti__text_equal(sized("a\0b", 3), sized("a\0b", 3)));
    assert_false(eti__text_equal(sized("a\0b", 3), sized("a\0c", 3)));
    assert_false(eti__text_is(sized("abc", 2), "abc"));
    assert_true(eti__text_is(sized("abc", 2), "ab"));
}

static void text_is_ordered_by_its_bytes(void **state) {
    (void)state;
    const eti_text ordered[] = {sized("", 0),   sized("\0", 1), sized("a", 1),   sized("a\0", 2),
                                sized("ab", 2), sized("b", 1),  sized("\xff", 1)};
    for (size_t i = 0; i < COUNT_OF(ordered); i++) {
        for (size_t k = 0; k < COUNT_OF(ordered); k++) {
            int order = eti__text_compare(ordered[i], ordered[k]);
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
    }
    assert_int_equal(eti__text_compare(sized(NULL, 0), sized("", 0)), 0);
    assert_true(eti__text_compare(sized(NULL, 0), sized("a", 1)) < 0);
    assert_int_equal(eti__text_compare(sized("xa", 1), sized("xb", 1)), 0);
}

static void contains_finds_parts_and_the_empty_text(void **state) {
    (void)state;
    eti_text text = eti__text_of("abcabd");
    assert_true(eti__text_contains(text, eti__text_of("abd")));
    assert_true(eti__text_contains(text, eti__text_of("abcabd")));
    assert_true(eti__text_contains(text, eti__text_of("")));
    assert_true(eti__text_contains(eti__text_of(""), eti__text_of("")));
    assert_true(eti__text_contains(eti__text_of(NULL), eti__text_of("")));
    assert_false(eti__text_contains(text, eti__text_of("abe")));
    assert_false(eti__text_contains(text, eti__text_of("abcabde")));
    assert_false(eti__text_contains(eti__text_of(NULL), eti__text_of("a")));
    assert_true(eti__text_contains(sized("a\0b", 3), sized("\0b", 2)));
}

static void contains_finds_parts_of_any_text(void **state) {
    (void)state;
    char text[300];
    memset(text, 'a', sizeof text);
    for (size_t size = 2; size <= sizeof text; size++) {
        text[size - 1] = 'b';
        assert_true(eti__text_contains(sized(text, size), eti__text_of("ab")));
        assert_false(eti__text_contains(sized(text, size - 1), eti__text_of("ab")));
        assert_false(eti__text_contains(sized(text, size), eti__text_of("ba")));
        text[size - 1] = 'a';
    }
}

static void any_of_four_bytes_is_found_at_any_place(void **state) {
    (void)state;
    static const char wanted[] = "\t\n\"\xff", others[] = "\x08\x0b\x21\x23\x7f\x80\xfe a";
    for (size_t size = 0; size <= 40; size++) {
        char text[40];
        for (size_t i = 0; i < size; i++)
            text[i] = others[(i * 7 + size) % (sizeof others - 1)];
        assert_false(eti__text_has_any(sized(text, size), wanted));
        for (size_t i = 0; i < size; i++) {
            char kept = text[i];
            text[i] = wanted[i % 4];
            assert_true(eti__text_has_any(sized(text, size), wanted));
            assert_false(eti__text_has_any(sized(text, i), wanted));
            text[i] = kept;
        }
    }
    assert_false(eti__text_has_any(eti__text_of(NULL), wanted));
}

static void ascii_is_known_by_looking_at_eight_bytes(void **state) {
    (void)state;
    for (size_t size = 1; size <= 24; size++) {
        char text[24];
        memset(text, 'a', size);
        for (size_t at = 0; at < size; at++) {
            size_t left = size - at;
            size_t expected = size < 8 ? 0 : left < 8 ? left : 8;
            assert_int_equal(eti__text_count_ascii(sized(text, size), at), expected);
        }
        for (size_t bad = 0; bad < size; bad++) {
            text[bad] = '\x80';
            assert_int_equal(eti__text_valid_utf8(sized(text, size)), bad);
            for (size_t at = 0; at < size; at++) {
                size_t n = eti__text_count_ascii(sized(text, size), at);
                assert_true(n == 0 || bad < at || bad >= at + n);
            }
            text[bad] = 'a';
        }
    }
}

static void numbers_are_written_in_decimal(void **state) {
    (void)state;
    const uint64_t numbers[] = {0,   1,    9,          10,         99,         100,
                                101, 9999, 4294967295, 4294967296, UINT64_MAX, UINT64_MAX / 10};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char expected[32], written[32] = "";
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)numbers[i]);
        char *end = written + sizeof written - 1;
        assert_string_equal(eti__write_u64(end, numbers[i]), expected);
    }
}

static void equal_text_has_equal_hashes(void **state) {
    (void)state;
    char a[40] = "0123456789012345678901234567890", b[41];
    memcpy(b + 1, a, sizeof a);
    for (size_t n = 0; n <= 31; n++) {
        assert_true(eti__text_hash(sized(a, n), 5) == eti__text_hash(sized(b + 1, n), 5));
        assert_true(eti__text_hash(sized(a, n), 5) != eti__text_hash(sized(a, n), 6));
        assert_true(n == 0 || eti__text_hash(sized(a, n), 5) != eti__text_hash(sized(a, n - 1), 5));
    }
    assert_true(eti__text_hash(sized("\0", 1), 5) != eti__text_hash(sized("\0\0", 2), 5));
}

static void utf8_is_valid_up_to_the_first_wrong_byte(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t size, valid;
    } cases[] = {
        {"", 0, 0},
        {"abc", 3, 3},
        {"12345678901234567", 17, 17},
        {"1234567\xc3\xa4", 9, 9},
        {"\0\x7f", 2, 2},
        {"\xc2\x80\xdf\xbf", 4, 4},
        {"\xe0\xa0\x80\xef\xbf\xbf", 6, 6},
        {"\xed\x9f\xbf\xee\x80\x80", 6, 6},
        {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8, 8},
        {"ab\x80", 3, 2},
        {"\xc0\x80", 2, 0},         /* overlong */
        {"\xc1\xbf", 2, 0},         /* overlong */
        {"\xe0\x9f\xbf", 3, 0},     /* overlong */
        {"\xf0\x8f\xbf\xbf", 4, 0}, /* overlong */
        {"\xed\xa0\x80", 3, 0},     /* surrogate */
        {"\xed\xbf\xbf", 3, 0},     /* surrogate */
        {"\xf4\x90\x80\x80", 4, 0}, /* above U+10FFFF */
        {"\xf5\x80\x80\x80", 4, 0},
        {"\xff", 1, 0},
        {"a\xc3", 2, 1}, /* cut */
        {"a\xe2\x82", 3, 1},
        {"a\xf0\x9f\x98", 4, 1},
        {"a\xe2\x28\xa1", 4, 1},
        {"1234567890123456\x80", 17, 16},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(eti__text_valid_utf8(sized(cases[i].text, cases[i].size)), cases[i].valid);
}

static void decode_gives_code_points(void **state) {
    (void)state;
    eti_text text = eti__text_of("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xff");
    static const uint32_t expected[] = {'a', 0xe4, 0x20ac, 0x1f600, 0xfffd};
    static const size_t lengths[] = {1, 2, 3, 4, 1};
    size_t at = 0;
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        uint32_t code_point;
        assert_int_equal(eti__text_decode(text, at, &code_point), lengths[i]);
        assert_int_equal(code_point, expected[i]);
        at += lengths[i];
    }
    assert_int_equal(at, text.size);
}

/* As in Python, the part that could have begun a character counts as one bad character. */
static void decode_takes_a_broken_character_as_one(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t size, length;
    } cases[] = {
        {"\x80"
         "a",
         2, 1},
        {"\xc3"
         "a",
         2, 1},
        {"\xc3", 1, 1},
        {"\xe2\x82"
         "a",
         3, 2},
        {"\xe2\x82", 2, 2},
        {"\xe0\x9f\xbf", 3, 1},
        {"\xed\xa0\x80", 3, 1},
        {"\xf0\x9f\x98"
         "a",
         4, 3},
        {"\xf0\x8f\xbf\xbf", 4, 1},
        {"\xf4\x90\x80\x80", 4, 1},
        {"\xff\xff", 2, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t code_point;
        eti_text text = sized(cases[i].text, cases[i].size);
        assert_int_equal(eti__text_decode(text, 0, &code_point), cases[i].length);
        assert_int_equal(code_point, 0xfffd);
    }
}

static void buffer_grows_with_what_is_added(void **state) {
    (void)state;
    eti_buffer buffer = {0};
    assert_text(eti__buffer_text(&buffer), "");
    eti__buffer_add_string(&buffer, "ab");
    eti__buffer_add_char(&buffer, 'c');
    eti__buffer_add_text(&buffer, sized("de", 1));
    eti__buffer_add_text(&buffer, sized(NULL, 0));
    eti__buffer_add_repeated(&buffer, "-=", 3);
    eti__buffer_printf(&buffer, "%d|%s", 42, "x");
    assert_text(eti__buffer_text(&buffer), "abcd-=-=-=42|x");
    for (int i = 0; i < 5000; i++)
        eti__buffer_printf(&buffer, "%d,", i);
    assert_false(buffer.failed);
    assert_memory_equal(buffer.data + buffer.size - 10, "4998,4999,", 10);
    eti__buffer_free(&buffer);
    assert_null(buffer.data);
}

static void text_arguments_are_cut_for_messages(void **state) {
    (void)state;
    char longer[1000];
    memset(longer, 'x', sizeof longer);
    char out[600];
    assert_int_equal(snprintf(out, sizeof out, "%.*s", ETI_TEXT_ARGS(sized(longer, 1000))), 200);
    assert_int_equal(snprintf(out, sizeof out, "%.*s", ETI_TEXT_ARGS(sized(NULL, 0))), 0);
}

static void file_names_stand_behind_the_last_slash(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"/a/b.etdp", "b.etdp"}, {"b.etdp", "b.etdp"}, {"a/", ""}, {"/", ""}, {"", ""}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_text(eti__text_file_name(eti__text_of(cases[i][0])), cases[i][1]);
    assert_absent(eti__text_file_name((eti_text){NULL, 0}));
}

static void assert_cut(const char *text, size_t most, const char *expected) {
    eti_buffer out = {0};
    eti__buffer_add_cut(&out, eti__text_of(text), most);
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

static void a_cut_goes_through_no_character(void **state) {
    (void)state;
    assert_cut("", 3, "");
    assert_cut("abc", 3, "abc");
    assert_cut("abcd", 3, "abc...");
    assert_cut("abcd", 0, "...");
    assert_cut("a\xc3\xa4"
               "b",
               2, "a...");
    assert_cut("a\xc3\xa4"
               "b",
               3, "a\xc3\xa4...");
    assert_cut("a\xf0\x9f\x98\x80z", 4, "a...");
    assert_cut("\xf0\x9f\x98\x80z", 3, "...");
    /* bytes that are no characters */
    assert_cut("\x80\x80\x80\x80\x80\x80", 5, "\x80\x80...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_text_differs_from_empty_text),
        cmocka_unit_test(text_is_equal_by_its_bytes),
        cmocka_unit_test(text_is_ordered_by_its_bytes),
        cmocka_unit_test(contains_finds_parts_and_the_empty_text),
        cmocka_unit_test(contains_finds_parts_of_any_text),
        cmocka_unit_test(any_of_four_bytes_is_found_at_any_place),
        cmocka_unit_test(ascii_is_known_by_looking_at_eight_bytes),
        cmocka_unit_test(numbers_are_written_in_decimal),
        cmocka_unit_test(equal_text_has_equal_hashes),
        cmocka_unit_test(utf8_is_valid_up_to_the_first_wrong_byte),
        cmocka_unit_test(decode_gives_code_points),
        cmocka_unit_test(decode_takes_a_broken_character_as_one),
        cmocka_unit_test(buffer_grows_with_what_is_added),
        cmocka_unit_test(a_cut_goes_through_no_character),
        cmocka_unit_test(text_arguments_are_cut_for_messages),
        cmocka_unit_test(file_names_stand_behind_the_last_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
