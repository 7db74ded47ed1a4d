#include "base/text_width.h"
#include "support.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters),  cmocka_unit_test(test_texts),
        cmocka_unit_test(test_folding),     cmocka_unit_test(test_folding_odd_widths),
        cmocka_unit_test(test_every_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
