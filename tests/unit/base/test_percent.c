#include "base/percent.h"
#include "support.h"

#include <math.h>

static void assert_change(double change, const char *expected) {
    char out[ETI_PERCENT_MAX];
    assert_text(((eti_text){out, eti__write_change(out, change)}), expected);
}

static void assert_share(double share, const char *expected) {
    char out[ETI_PERCENT_MAX];
    assert_text(((eti_text){out, eti__write_share(out, share)}), expected);
}

static void changes_have_a_sign(void **state) {
    (void)state;
    assert_change(0.1234, "+12.3 %");
    assert_change(-0.05, "-5.0 %");
    assert_change(0, "+0.0 %");
    assert_change(-0.0, "+0.0 %");
    assert_change(-0.0004, "+0.0 %");
    assert_change(-0.0006, "-0.1 %");
    assert_change(1e-9, "+0.0 %");
}

static void large_changes_have_no_decimals(void **state) {
    (void)state;
    assert_change(9.9994, "+999.9 %");
    assert_change(9.9996, "+1000 %");
    assert_change(-31.254, "-3125 %");
    assert_change(1e12, "+100000000000000 %");
    assert_change(1e14, "+1e+16 %");
    assert_change(-1e300, "-1e+302 %");
    assert_change(-1.2345678e300, "-1.23457e+302 %");
}

static void nothing_is_infinite(void **state) {
    (void)state;
    assert_change(INFINITY, "unknown");
    assert_change(-INFINITY, "unknown");
    assert_change(NAN, "unknown");
    assert_change(1e308, "unknown");
    assert_share(NAN, "unknown");
}

static void shares_have_no_plus(void **state) {
    (void)state;
    assert_share(0.971, "97.1 %");
    assert_share(1, "100.0 %");
    assert_share(0, "0.0 %");
    assert_share(-0.5, "-50.0 %");
}

static void both_are_appended(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti__add_change(&out, 0.5);
    eti__add_share(&out, 0.25);
    assert_text(eti__buffer_text(&out), "+50.0 %25.0 %");
    eti__buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_have_a_sign), cmocka_unit_test(large_changes_have_no_decimals),
        cmocka_unit_test(nothing_is_infinite), cmocka_unit_test(shares_have_no_plus),
        cmocka_unit_test(both_are_appended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
