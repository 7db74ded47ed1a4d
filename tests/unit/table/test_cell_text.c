#include "table_text.h"

#include "table/cell_text.h"

#include <math.h>

static void assert_text(eti_cell cell, const char *expected) {
    eti_number_text number = {.size = 0};
    eti_text text = eti__cell_text(&cell, &number);
    assert_non_null(text.data);
    assert_true(eti__text_is(text, expected));
}

static void test_every_kind(void **state) {
    (void)state;
    assert_text((eti_cell)NO_CELL, "");
    assert_text((eti_cell)NAN_CELL, "");
    assert_text((eti_cell)BOOL(true), "True");
    assert_text((eti_cell)BOOL(false), "False");
    assert_text((eti_cell)DOUBLE(12), "12.0");
    assert_text((eti_cell)DOUBLE(NAN), "");
    assert_text((eti_cell)DOUBLE(-INFINITY), "-inf");
    assert_text((eti_cell)TEXT(" text "), " text ");
    assert_text((eti_cell)LIST("[5, 5]"), "[5, 5]");
    assert_text((eti_cell){.kind = ETI_CELL_TEXT}, "");
}

static void test_integers(void **state) {
    (void)state;
    assert_text((eti_cell)INT(0), "0");
    assert_text((eti_cell)INT(-10), "-10");
    assert_text((eti_cell)INT(INT64_MAX), "9223372036854775807");
    assert_text((eti_cell)INT(INT64_MIN), "-9223372036854775808");
}

static void test_nan(void **state) {
    (void)state;
    assert_true(eti__cell_is_nan(&(eti_cell)NAN_CELL));
    assert_true(eti__cell_is_nan(&(eti_cell)DOUBLE(NAN)));
    assert_false(eti__cell_is_nan(&(eti_cell)DOUBLE(INFINITY)));
    assert_false(eti__cell_is_nan(&(eti_cell)NO_CELL));
    assert_false(eti__cell_is_nan(&(eti_cell)TEXT("nan")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
