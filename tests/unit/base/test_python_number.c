/*
 * Expected results come from Python 3.11: whether int(text) and float(text) succeed, and the result of float().
 */
/* cmocka.h needs these */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/python_number.h"

#include <locale.h>
#include <math.h>

typedef struct example {
    const char *text;
    bool is_int;
    bool is_float;
    double value;
} example;

static const example examples[] = {
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
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const example *e = &examples[i];
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
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_int_takes_4300_digits),
        cmocka_unit_test(test_float_takes_any_number_of_digits),
        cmocka_unit_test(test_nul_and_absent_text),
        cmocka_unit_test(test_other_locales_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
