#include "support.h"

#include "base/atomic_file.h"
#include "base/terminal.h"

static eti_buffer shown;

static bool receive(void *context, const void *data, size_t size) {
    (void)context;
    eti__buffer_add(&shown, data, size);
    return true;
}

/* Returns the output of a terminal when the text is written `step` bytes at a time. */
static eti_text show(eti_text text, size_t step, bool has_color) {
    eti_output *output;
    shown.size = 0;
    assert_int_equal(eti__output_open_function(&output, receive, NULL, NULL), ETI_OK);
    eti__output_show(output);
    if (has_color)
        eti__output_allow_color(output);
    for (size_t at = 0; at < text.size; at += step)
        eti__output_add(output, text.data + at, text.size - at < step ? text.size - at : step);
    assert_int_equal(eti__output_commit(output, NULL), ETI_OK);
    return eti__buffer_text(&shown);
}

static const struct {
    const char *text, *plain, *colored; /* NULL: the same as `plain` */
} examples[] = {
    {"", "", NULL},
    {"a\tb\nc\r\nd", "a\tb\nc\r\nd", NULL},
    {"\xe2\x94\x80 \xf0\x9f\x98\x80 \xc3\xbc", "\xe2\x94\x80 \xf0\x9f\x98\x80 \xc3\xbc", NULL},
    {"a\rb\r", "a\\x0db\\x0d", NULL},
    {"\a\b\v\f\x7f", "\\x07\\x08\\x0b\\x0c\\x7f", NULL},
    {"\033]0;title\a", "\\x1b]0;title\\x07", NULL},
    {"\033[2J\033[1;1H", "\\x1b[2J\\x1b[1;1H", NULL},
    {"\xc2\x9b"
     "2J",
     "\\x9b2J", NULL},
    {"\xe2\x80\xae\xe2\x81\xa6", "\\u202e\\u2066", NULL},
    {"\x9b"
     "2J \xff \xe2\x94",
     "\xef\xbf\xbd"
     "2J \xef\xbf\xbd \xef\xbf\xbd",
     NULL},
    {"\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m", "\033[31mred\033[0m"},
    {"\033[1;31m", "\\x1b[1;31m", "\033[1;31m"},
    {"\033[m\033[31", "\\x1b[m\\x1b[31", "\033[m\\x1b[31"},
    {"\033[12345678901m", "\\x1b[12345678901m", NULL}, /* longer than any escape of this program */
    {"\033", "\\x1b", NULL},
};

static void what_acts_is_spelled_out(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        assert_text(show(eti__text_of(examples[i].text), SIZE_MAX / 2, false), examples[i].plain);
        assert_text(show(eti__text_of(examples[i].text), SIZE_MAX / 2, true),
                    examples[i].colored ? examples[i].colored : examples[i].plain);
    }
}

/* A buffer of the output may end anywhere. */
static void pieces_make_no_difference(void **state) {
    (void)state;
    static char filler[65600];
    memset(filler, '.', sizeof filler);
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        size_t n = strlen(examples[i].text);
        for (size_t before = 65536 - n; before <= 65536; before++) {
            for (int has_color = 0; has_color < 2; has_color++) {
                const char *expected =
                    has_color && examples[i].colored ? examples[i].colored : examples[i].plain;
                eti_buffer text = {0};
                eti__buffer_add(&text, filler, before);
                eti__buffer_add_string(&text, examples[i].text);
                for (size_t step = 1; step <= text.size; step *= 70) {
                    eti_text all = show(eti__buffer_text(&text), step, has_color);
                    assert_int_equal(all.size, before + strlen(expected));
                    assert_memory_equal(all.data + before, expected, strlen(expected));
                }
                eti__buffer_free(&text);
            }
        }
    }
    eti__buffer_free(&shown);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_acts_is_spelled_out),
        cmocka_unit_test(pieces_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
