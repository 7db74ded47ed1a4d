/* Shows shares as bars and colours. */
#include "support.h"
#include "write/share_bar.h"

#include <math.h>

static bool keep(void *context, const void *data, size_t size) {
    eti__buffer_add_text(context, (eti_text){data, size});
    return true;
}

static void assert_bar(double share, size_t width, bool is_ascii, const char *expected,
                       size_t columns) {
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    eti_buffer kept = {0};
    assert_ok(eti__output_open_function(&output, keep, &kept, &err));
    assert_int_equal(eti__add_share_bar(output, share, width, is_ascii), columns);
    assert_ok(eti__output_commit(output, &err));
    assert_text(((eti_text){kept.data ? kept.data : "", kept.size}), expected);
    eti__buffer_free(&kept);
}

static void bars_have_eighths(void **state) {
    (void)state;
    assert_bar(1, 4, false, "████", 4);
    assert_bar(0.5, 4, false, "██", 2);
    assert_bar(0.53125, 4, false, "██▏", 3);
    assert_bar(0.96, 4, false, "███▉", 4);
    assert_bar(0.03125, 4, false, "▏", 1);
    assert_bar(0.01, 4, false, "", 0);
}

static void ascii_bars_are_rounded(void **state) {
    (void)state;
    assert_bar(1, 4, true, "####", 4);
    assert_bar(0.62, 4, true, "##", 2);
    assert_bar(0.63, 4, true, "###", 3);
    assert_bar(0.1, 4, true, "", 0);
}

static void odd_shares_stay_in_the_width(void **state) {
    (void)state;
    assert_bar(7, 2, false, "██", 2);
    assert_bar((double)INFINITY, 2, false, "██", 2);
    assert_bar(-1, 2, false, "", 0);
    assert_bar((double)NAN, 2, false, "", 0);
    assert_bar(1, 0, false, "", 0);
}

static void colors_have_four_steps(void **state) {
    (void)state;
    assert_string_equal(eti__share_color(0.25), "\033[1;31m");
    assert_string_equal(eti__share_color(0.2499), "\033[31m");
    assert_string_equal(eti__share_color(0.1), "\033[31m");
    assert_string_equal(eti__share_color(0.03), "\033[33m");
    assert_string_equal(eti__share_color(0.0299), "");
    assert_string_equal(eti__share_color((double)NAN), "");
}

static void branches_end_where_names_begin(void **state) {
    (void)state;
    assert_int_equal(eti__branches_size(eti__text_of("│  ├─ q")), strlen("│  ├─ "));
    assert_int_equal(eti__branches_size(eti__text_of("   └─ q")), strlen("   └─ "));
    assert_int_equal(eti__branches_size(eti__text_of("|  `- - q")), strlen("|  `- "));
    assert_int_equal(eti__branches_size(eti__text_of("|- ")), 3);
    assert_int_equal(eti__branches_size(eti__text_of("├")), 0);
    assert_int_equal(eti__branches_size(eti__text_of("model")), 0);
    assert_int_equal(eti__branches_size(eti__text_of("")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_have_eighths),
        cmocka_unit_test(ascii_bars_are_rounded),
        cmocka_unit_test(odd_shares_stay_in_the_width),
        cmocka_unit_test(colors_have_four_steps),
        cmocka_unit_test(branches_end_where_names_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
