/*
 * The expected texts were printed by Python 3.11: repr(text), text.strip().
 */
/* cmocka.h needs these */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/python_text.h"

typedef struct example {
    eti_text given;
    eti_text expected;
} example;

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_text(eti_text actual, eti_text expected) {
    assert_int_equal(actual.size, expected.size);
    assert_memory_equal(actual.data, expected.data, expected.size);
}

static void assert_examples(const example *examples, size_t n,
                            void (*add)(eti_buffer *out, eti_text text)) {
    for (size_t i = 0; i < n; i++) {
        eti_buffer buffer = {0};
        add(&buffer, examples[i].given);
        assert_text(eti__buffer_text(&buffer), examples[i].expected);
        eti__buffer_free(&buffer);
    }
}

static void test_str(void **state) {
    (void)state;
    static const example examples[] = {
        {{"", 0}, {"''", 2}},
        {{"plain", 5}, {"'plain'", 7}},
        {{"it's", 4}, {"\042it's\042", 6}},
        {{"say \042x\042", 7}, {"'say \042x\042'", 9}},
        {{"it's \042x\042", 8}, {"'it\134's \042x\042'", 11}},
        {{"back\134slash", 10}, {"'back\134\134slash'", 13}},
        {{"\011\012\015", 3}, {"'\134t\134n\134r'", 8}},
        {{"\000\037\177", 3}, {"'\134x00\134x1f\134x7f'", 14}},
        {{"\302\200\302\205\302\240\302\255", 8}, {"'\134x80\134x85\134xa0\134xad'", 18}},
        {{"\303\251\346\274\242\360\237\231\202", 9},
         {"'\303\251\346\274\242\360\237\231\202'", 11}},
        {{"\315\270\342\200\213\342\200\250\343\200\200\357\273\277", 14},
         {"'\134u0378\134u200b\134u2028\134u3000\134ufeff'", 32}},
        {{"\363\240\200\201\364\217\277\277", 8}, {"'\134U000e0001\134U0010ffff'", 22}},
        {{"e\314\201", 3}, {"'e\314\201'", 5}},
        {{"\356\200\200", 3}, {"'\134ue000'", 8}},
    };
    assert_examples(examples, COUNT(examples), eti__python_add_str);
}

static void test_bytes(void **state) {
    (void)state;
    static const example examples[] = {
        {{"", 0}, {"b''", 3}},
        {{"plain", 5}, {"b'plain'", 8}},
        {{"it's", 4}, {"b\042it's\042", 7}},
        {{"say \042x\042", 7}, {"b'say \042x\042'", 10}},
        {{"it's \042x\042", 8}, {"b'it\134's \042x\042'", 12}},
        {{"back\134slash", 10}, {"b'back\134\134slash'", 14}},
        {{"\011\012\015", 3}, {"b'\134t\134n\134r'", 9}},
        {{"\000\037\177\200\377", 5}, {"b'\134x00\134x1f\134x7f\134x80\134xff'", 23}},
        {{" ~", 2}, {"b' ~'", 5}},
    };
    assert_examples(examples, COUNT(examples), eti__python_add_bytes);
}

static void test_absent_text_is_empty(void **state) {
    (void)state;
    static const example str[] = {{{NULL, 0}, {"''", 2}}};
    static const example bytes[] = {{{NULL, 0}, {"b''", 3}}};
    assert_examples(str, 1, eti__python_add_str);
    assert_examples(bytes, 1, eti__python_add_bytes);
}

static void test_bytes_that_are_no_utf8_become_replacement_characters(void **state) {
    (void)state;
    static const example examples[] = {
        /* b"\xffa\xe2\x82".decode(errors="replace"): the beginning of a character counts once */
        {{"\377a\342\202", 4}, {"'\357\277\275a\357\277\275'", 9}},
    };
    assert_examples(examples, COUNT(examples), eti__python_add_str);
}

static void test_strip(void **state) {
    (void)state;
    static const example examples[] = {
        {{"", 0}, {"", 0}},
        {{"  ", 2}, {"", 0}},
        {{"a", 1}, {"a", 1}},
        {{" \011\012\013\014\015\034\037\302\205\302\240a b\342\200\203\343\200\200\342\200\250",
          24},
         {"a b", 3}},
        {{"\342\200\213a\342\200\213", 7}, {"\342\200\213a\342\200\213", 7}},
        {{"\346\274\242 ", 4}, {"\346\274\242", 3}},
        {{"\357\273\277", 3}, {"\357\273\277", 3}},
    };
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_text(eti__python_strip(examples[i].given), examples[i].expected);
}

static void test_numbers_keep_separators(void **state) {
    (void)state;
    assert_text(eti__python_strip_number((eti_text){" \034"
                                                    "1\302\240",
                                                    5}),
                (eti_text){"\034"
                           "1",
                           2});
}

static void test_strip_of_bytes_that_are_no_utf8(void **state) {
    (void)state;
    assert_text(eti__python_strip((eti_text){" \240\200 ", 4}), (eti_text){"\240\200", 2});
}

/* Counted by Python 3.11: sum(chr(c).isprintable() for c in range(0x110000)), and isspace(). */
static void test_every_character(void **state) {
    (void)state;
    size_t printable = 0;
    size_t space = 0;
    for (uint32_t c = 0; c < 0x110000; c++) {
        printable += eti__python_is_printable(c);
        space += eti__python_is_space(c);
    }
    assert_int_equal(printable, 144516);
    assert_int_equal(space, 29);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_str),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_absent_text_is_empty),
        cmocka_unit_test(test_bytes_that_are_no_utf8_become_replacement_characters),
        cmocka_unit_test(test_strip),
        cmocka_unit_test(test_numbers_keep_separators),
        cmocka_unit_test(test_strip_of_bytes_that_are_no_utf8),
        cmocka_unit_test(test_every_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
