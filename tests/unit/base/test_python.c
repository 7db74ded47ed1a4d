#include "base/python.h"
#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ==== python text ============================================================================= */
/*
 * The expected texts were printed by Python 3.11: repr(text), text.strip().
 */
/* cmocka.h needs these */

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

/* ==== python number =========================================================================== */
/*
 * Expected results come from Python 3.11: whether int(text) and float(text) succeed, and the result of float().
 */
/* cmocka.h needs these */

typedef struct number_example {
    const char *text;
    bool is_int;
    bool is_float;
    double value;
} number_example;

static const number_example number_examples[] = {
    {"0", true, true, 0.0},
    {"12", true, true, 12.0},
    {"-3", true, true, -3.0},
    {"+3", true, true, 3.0},
    {"00012", true, true, 12.0},
    {"1_000", true, true, 1000.0},
    {"1__0", false, false, 0},
    {"_1", false, false, 0},
    {"1_", false, false, 0},
    {"- 3", false, false, 0},
    {"--3", false, false, 0},
    {"", false, false, 0},
    {" ", false, false, 0},
    {"-", false, false, 0},
    {"\302\24012\342\200\203", true, true, 12.0},
    {"\03412", false, false, 0},
    {" 7\012", true, true, 7.0},
    {"1.5", false, true, 1.5},
    {"1.", false, true, 1.0},
    {"..", false, false, 0},
    {".5", false, true, 0.5},
    {".", false, false, 0},
    {"1e5", false, true, 100000.0},
    {"1E+05", false, true, 100000.0},
    {"1e", false, false, 0},
    {"e5", false, false, 0},
    {"1e+", false, false, 0},
    {"1_0.5_1e1_0", false, true, 105100000000.0},
    {"1_.5", false, false, 0},
    {"1._5", false, false, 0},
    {"1_e5", false, false, 0},
    {"inf", false, true, INFINITY},
    {"-INF", false, true, -INFINITY},
    {"+nan", false, true, NAN},
    {"NaN", false, true, NAN},
    {"infinity", false, true, INFINITY},
    {"-Infinity", false, true, -INFINITY},
    {"infinit", false, false, 0},
    {"in", false, false, 0},
    {"nanx", false, false, 0},
    {"1e999", false, true, INFINITY},
    {"-1e999", false, true, -INFINITY},
    {"1e-999", false, true, 0.0},
    {"-0", true, true, -0.0},
    {"0x10", false, false, 0},
    {"12a", false, false, 0},
    {"1,000", false, false, 0},
    {"0.1", false, true, 0.1},
    {"123456789012345678901234567890", true, true, 1.2345678901234568e+29},
    {"0e99999999999999999999", false, true, 0.0},
    {"1e-99999999999999999999", false, true, 0.0},
};

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static void test_examples(void **state) {
    (void)state;
    eti_buffer scratch = {0};
    for (size_t i = 0; i < sizeof number_examples / sizeof *number_examples; i++) {
        const number_example *e = &number_examples[i];
        double value = 0;
        assert_int_equal(eti__python_is_int(eti__text_of(e->text)), e->is_int);
        assert_int_equal(eti__python_float(eti__text_of(e->text), &value, &scratch), e->is_float);
        assert_true(same(value, e->value));
    }
    assert_false(scratch.failed);
    eti__buffer_free(&scratch);
}

/* Returns a text of `n` times `c`. */
static eti_text repeated(eti_buffer *buffer, char c, size_t n) {
    buffer->size = 0;
    for (size_t i = 0; i < n; i++)
        eti__buffer_add_char(buffer, c);
    return eti__buffer_text(buffer);
}

static void test_int_takes_4300_digits(void **state) {
    (void)state;
    eti_buffer digits = {0};
    assert_true(eti__python_is_int(repeated(&digits, '0', 4300)));
    assert_false(eti__python_is_int(repeated(&digits, '0', 4301)));
    eti__buffer_free(&digits);
}

static void test_float_takes_any_number_of_digits(void **state) {
    (void)state;
    eti_buffer digits = {0};
    eti_buffer scratch = {0};
    double value = 1;
    assert_true(eti__python_float(repeated(&digits, '0', 100000), &value, &scratch));
    assert_true(value == 0);
    assert_true(eti__python_float(repeated(&digits, '9', 100000), &value, &scratch));
    assert_true(isinf(value));
    /* 0.000...1e100001 */
    repeated(&digits, '0', 100000);
    digits.data[1] = '.';
    eti__buffer_add_string(&digits, "1e99999");
    assert_true(eti__python_float(eti__buffer_text(&digits), &value, &scratch));
    assert_true(value == 1);
    eti__buffer_free(&digits);
    eti__buffer_free(&scratch);
}

static void test_nul_and_absent_text(void **state) {
    (void)state;
    eti_buffer scratch = {0};
    double value;
    assert_false(eti__python_is_int((eti_text){"1", 2}));
    assert_false(eti__python_float((eti_text){"1", 2}, &value, &scratch));
    assert_false(eti__python_is_int((eti_text){NULL, 0}));
    assert_false(eti__python_float((eti_text){NULL, 0}, &value, &scratch));
    eti__buffer_free(&scratch);
}

static void test_other_locales_change_nothing(void **state) {
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
        skip();
    test_examples(state);
    setlocale(LC_ALL, "C");
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
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_int_takes_4300_digits),
        cmocka_unit_test(test_float_takes_any_number_of_digits),
        cmocka_unit_test(test_nul_and_absent_text),
        cmocka_unit_test(test_other_locales_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
