#include "support.h"

#include "locale_fixture.h"

#include "base/status.h"
#include "base/text.h"

/* ==== text ==================================================================================== */

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
    memcpy(longer + 198, "\xef\xbf\xbd", 3); /* a character must not be cut in two */
    assert_int_equal(snprintf(out, sizeof out, "%.*s", ETI_TEXT_ARGS(sized(longer, 1000))), 198);
    assert_int_equal(snprintf(out, sizeof out, "%.*s", ETI_TEXT_ARGS(sized(longer, 201))), 198);
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

/* ==== c locale ================================================================================ */
/* Tests that numbers are formatted and read with a decimal point in a process whose locale has a comma, and that patterns match bytes. */

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

/* ==== text width ============================================================================== */

/* Expected widths come from the Unicode Standard, Annex 11, and from the C library's wcwidth(). */
static void test_characters(void **state) {
    (void)state;
    static const struct {
        uint32_t character;
        size_t width;
    } examples[] = {
        {'a', 1},     {' ', 1},     {0xe9, 1},     {0xad, 1}, /* soft hyphen */
        {0x300, 0},   {0x36f, 0},   {0x370, 1},    {0x200b, 0}, /* combining grave, zero width space */
        {0x200d, 0},  {0xfe0f, 0},  {0xfffd, 1},   {0x2026, 1}, {0x2501, 1},
        {0x1100, 2},  {0x1160, 0},  {0x11a8, 0},   {0xac00, 2}, /* Hangul */
        {0x3042, 2},  {0x4e2d, 2},  {0xff21, 2},   {0xff71, 1}, /* fullwidth, halfwidth */
        {0x1f600, 2}, {0x20000, 2}, {0x10ffff, 1}, {0x20d0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(examples); i++)
        assert_int_equal(eti__character_width(examples[i].character), examples[i].width);
}

static void test_texts(void **state) {
    (void)state;
    assert_int_equal(eti__text_width((eti_text){NULL, 0}), 0);
    assert_int_equal(eti__text_width(eti__text_of("addmm.out")), 9);
    assert_int_equal(eti__text_width(eti__text_of("e\u0301")), 1);
    assert_int_equal(eti__text_width(eti__text_of("中文a")), 5);
    /* two characters are U+FFFD */
    assert_int_equal(eti__text_width(eti__text_of("a\xff\xe4\xb8z")), 4);
}

static void assert_folded(const char *text, size_t width, const char *gap, const char *expected) {
    eti_buffer out = {0};
    eti__add_folded(&out, eti__text_of(text), width, gap);
    assert_text(eti__buffer_text(&out), expected);
    assert_true(eti__text_width(eti__buffer_text(&out)) <= width);
    eti__buffer_free(&out);
}

static void test_folding(void **state) {
    (void)state;
    const char *name = "native_call_convolution.out";
    assert_folded(name, 27, "…", "native_call_convolution.out");
    assert_folded(name, 26, "…", "native_call_c…volution.out");
    assert_folded(name, 10, "…", "nativ….out");
    assert_folded(name, 10, "...", "nati...out");
    assert_folded(name, 4, "...", "n...");
    assert_folded(name, 3, "...", "nat");
    assert_folded(name, 2, "…", "n…");
    assert_folded(name, 1, "…", "n");
}

static void the_number_of_a_call_is_kept(void **state) {
    (void)state;
    assert_folded("Convolution (NHWC, F32) IGEMM #19", 12, "…", "Convol…M #19");
    assert_folded("Convolution (NHWC, F32) IGEMM #1234", 9, "…", "Con…#1234");
    assert_folded("Convolution (NHWC, F32) IGEMM #1234", 9, "...", "C...#1234");
    assert_folded("Convolution (NHWC, F32) IGEMM #1234", 6, "…", "Con…34"); /* no room for it */
    assert_folded("name#", 4, "…", "na…#");
}

static void paths_are_cut_on_the_left(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t width;
        const char *gap, *expected;
    } cases[] = {
        {"/home/user/net/block.py:28", 26, "…", "/home/user/net/block.py:28"},
        {"/home/user/net/block.py:28", 16, "…", "…net/block.py:28"},
        {"/home/user/net/block.py:28", 16, "...", "...t/block.py:28"},
        {"/home/user/net/block.py:28", 2, "...", "28"},
        {"/ä中文/x.py:1", 8, "…", "…/x.py:1"},
        {"", 3, "…", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        eti_buffer out = {0};
        eti__add_folded_path(&out, eti__text_of(cases[i].text), cases[i].width, cases[i].gap);
        assert_text(eti__buffer_text(&out), cases[i].expected);
        eti__buffer_free(&out);
    }
}

/* Cutting off a wide character leaves a column free; a combining mark stays with its character. */
static void test_folding_odd_widths(void **state) {
    (void)state;
    assert_folded("中文字符宽度", 8, "…", "中文…度");
    assert_folded("中文字符宽度", 7, "…", "中…度");
    assert_folded("ae\u0301bcde\u0301f", 5, "…", "ae\u0301…e\u0301f");
    assert_folded("ae\u0301bcde\u0301f", 3, "…", "a…f");
    assert_folded("abcde\u0301", 3, "…", "a…e\u0301");
}

static void test_every_width(void **state) {
    (void)state;
    const char *text = "L__self___中文__layers_e\u0301_0.attention_한글.q";
    for (size_t width = 1; width < 60; width++) {
        eti_buffer out = {0};
        eti__add_folded(&out, eti__text_of(text), width, "…");
        eti_text folded = eti__buffer_text(&out);
        assert_true(eti__text_width(folded) <= width);
        assert_int_equal(eti__text_valid_utf8(folded), folded.size);
        eti__buffer_free(&out);
    }
}

static void ends_are_compared_by_their_bytes(void **state) {
    (void)state;
    assert_true(eti__text_ends_with(sized("a (us)", 6), " (us)"));
    assert_true(eti__text_ends_with(sized(" (us)", 5), " (us)"));
    assert_false(eti__text_ends_with(sized("a (us)", 5), " (us)"));
    assert_false(eti__text_ends_with(sized("us)", 3), " (us)"));
    assert_false(eti__text_ends_with((eti_text){NULL, 0}, "a"));
}

static void blanks_at_the_ends_are_trimmed(void **state) {
    (void)state;
    assert_text(eti__text_trim(eti__text_of(" \t a b\r ")), "a b");
    assert_text(eti__text_trim(eti__text_of("a")), "a");
    assert_int_equal(eti__text_trim(eti__text_of(" \r\t")).size, 0);
    assert_int_equal(eti__text_trim((eti_text){NULL, 0}).size, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_text_differs_from_empty_text),
        cmocka_unit_test(text_is_equal_by_its_bytes),
        cmocka_unit_test(text_is_ordered_by_its_bytes),
        cmocka_unit_test(ends_are_compared_by_their_bytes),
        cmocka_unit_test(blanks_at_the_ends_are_trimmed),
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
        cmocka_unit_test(numbers_are_formatted_as_in_c),
        cmocka_unit_test(numbers_are_read_as_in_c),
        cmocka_unit_test_teardown(a_comma_changes_nothing, leave_comma_locale),
        cmocka_unit_test_teardown(texts_and_errors_are_formatted_as_in_c, leave_comma_locale),
        cmocka_unit_test_teardown(patterns_match_bytes, leave_comma_locale),
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_folding),
        cmocka_unit_test(the_number_of_a_call_is_kept),
        cmocka_unit_test(paths_are_cut_on_the_left),
        cmocka_unit_test(test_folding_odd_widths),
        cmocka_unit_test(test_every_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
