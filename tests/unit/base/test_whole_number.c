#include "base/text.h"
#include "base/whole_number.h"
#include "support.h"

static void digits_that_fill_the_text_are_a_number(void **state) {
    (void)state;
    uint64_t value;
    assert_true(eti__read_u64(eti__text_of("0"), UINT64_MAX, &value));
    assert_int_equal(value, 0);
    assert_true(eti__read_u64(eti__text_of("0042"), 42, &value));
    assert_int_equal(value, 42);
    assert_true(eti__read_u64(eti__text_of("18446744073709551615"), UINT64_MAX, &value));
    assert_true(value == UINT64_MAX);
}

static void all_else_is_not(void **state) {
    (void)state;
    const char *const texts[] = {"", " 1", "1 ", "+1", "-1", "1.0", "0x1", "a"};
    uint64_t value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(eti__read_u64(eti__text_of(texts[i]), UINT64_MAX, &value));
    assert_false(eti__read_u64((eti_text){NULL, 0}, UINT64_MAX, &value));
}

static void numbers_above_the_limit_are_refused(void **state) {
    (void)state;
    uint64_t value;
    assert_true(eti__read_u64(eti__text_of("99"), 99, &value));
    assert_false(eti__read_u64(eti__text_of("100"), 99, &value));
    assert_false(eti__read_u64(eti__text_of("1"), 0, &value));
    assert_false(eti__read_u64(eti__text_of("18446744073709551616"), UINT64_MAX, &value));
    assert_false(eti__read_u64(eti__text_of("99999999999999999999999"), UINT64_MAX, &value));
}

static void taking_stops_behind_the_digits(void **state) {
    (void)state;
    const char text[] = "12,3";
    const char *at = text;
    uint64_t value;
    assert_true(eti__take_u64(&at, text + 4, UINT64_MAX, &value));
    assert_int_equal(value, 12);
    assert_ptr_equal(at, text + 2);
    assert_false(eti__take_u64(&at, text + 4, UINT64_MAX, &value));
    at = text;
    /* the text ends where the size says */
    assert_true(eti__take_u64(&at, text + 1, UINT64_MAX, &value));
    assert_int_equal(value, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_that_fill_the_text_are_a_number),
        cmocka_unit_test(all_else_is_not),
        cmocka_unit_test(numbers_above_the_limit_are_refused),
        cmocka_unit_test(taking_stops_behind_the_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
