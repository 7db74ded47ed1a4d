/* Tests the order of rows, and the number of rows that people see. */
#include "compare/diff_parts.h"
#include "support.h"

#include <math.h>

static eti_diff_row make_row(const char *name, eti_verdict verdict, double base, double ratio) {
    return (eti_diff_row){.name = eti__text_of(name),
                          .verdict = (uint8_t)verdict,
                          .base.location = base,
                          .new_side.location = base * ratio,
                          .delta = base * (ratio - 1),
                          .ratio = ratio};
}

static void assert_order(eti_diff_row *rows, size_t n, const char *expected, size_t n_changed) {
    eti_diff_rows all = {.rows = rows, .n = n};
    eti_buffer found = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_sort_rows(&all, &err));
    for (size_t i = 0; i < n; i++)
        eti__buffer_printf(&found, "%s%.*s", i > 0 ? " " : "", ETI_TEXT_ARGS(rows[i].name));
    assert_text(eti__buffer_text(&found), expected);
    assert_int_equal(all.n_changed, n_changed);
    eti__buffer_free(&found);
}

static void changed_rows_come_first(void **state) {
    (void)state;
    eti_diff_row rows[] = {
        make_row("noise", ETI_VERDICT_NOISE, 1000, 1.04),
        make_row("untested", ETI_VERDICT_UNTESTED, 1000, 9),
        make_row("removed", ETI_VERDICT_REMOVED, 500, 0),
        make_row("undecided", ETI_VERDICT_UNDECIDED, 1, 1.001),
        make_row("slower", ETI_VERDICT_SLOWER, 100, 1.2),
        make_row("faster", ETI_VERDICT_FASTER, 100, 0.7),
        make_row("renamed", ETI_VERDICT_NOISE, 10, 1),
        make_row("moved", ETI_VERDICT_NOISE, 10, 1),
    };
    rows[2].ratio = NAN;
    rows[2].match = ETI_MATCH_REMOVED;
    rows[6].match = ETI_MATCH_RENAMED;
    rows[7].match = ETI_MATCH_MOVED;
    assert_order(rows, COUNT_OF(rows),
                 "faster slower undecided removed renamed untested noise moved", 5);
}

/* A large event that followed the level changed less than a small one that is slower than the level. */
static void changes_are_relative_to_the_level(void **state) {
    (void)state;
    eti_diff_row rows[] = {make_row("large", ETI_VERDICT_SLOWER, 1000, 1.06),
                           make_row("small", ETI_VERDICT_SLOWER, 500, 1.3)};
    rows[0].delta = 400;
    rows[1].delta = 200;
    assert_order(rows, 2, "small large", 2);
}

static void undecided_rows_are_in_the_order_of_their_ratios(void **state) {
    (void)state;
    eti_diff_row rows[] = {make_row("a", ETI_VERDICT_UNDECIDED, 1000, 1.1),
                           make_row("b", ETI_VERDICT_UNDECIDED, 1, 3),
                           make_row("c", ETI_VERDICT_UNDECIDED, 10, 0.25),
                           make_row("d", ETI_VERDICT_UNDECIDED, 10, NAN)};
    assert_order(rows, 4, "c b a d", 4);
}

static void equal_changes_stay_in_their_order(void **state) {
    (void)state;
    eti_diff_row rows[] = {make_row("a", ETI_VERDICT_NOISE, 1, 1),
                           make_row("b", ETI_VERDICT_NOISE, 1, 1),
                           make_row("c", ETI_VERDICT_NOISE, 1, 1)};
    assert_order(rows, 3, "a b c", 0);
    assert_order(rows, 0, "", 0);
}

/* All slower rows are shown, and twenty of the others. */
static void of_many_rows_the_first_are_seen(void **state) {
    (void)state;
    enum { N = 60 };
    static eti_diff_row storage[N];
    for (size_t i = 0; i < N; i++)
        storage[i] = make_row("", i < 25 ? ETI_VERDICT_SLOWER : ETI_VERDICT_ADDED, 1, 2);
    eti_diff_rows rows = {.rows = storage, .n = N};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_sort_rows(&rows, &err));
    assert_int_equal(rows.n_changed, 45);
    rows.n = 40;
    assert_ok(eti__diff_sort_rows(&rows, &err));
    assert_int_equal(rows.n_changed, 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_rows_come_first),
        cmocka_unit_test(changes_are_relative_to_the_level),
        cmocka_unit_test(undecided_rows_are_in_the_order_of_their_ratios),
        cmocka_unit_test(equal_changes_stay_in_their_order),
        cmocka_unit_test(of_many_rows_the_first_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
