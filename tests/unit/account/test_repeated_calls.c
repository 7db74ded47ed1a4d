/* Adds up the calls of Events that a run calls several times. */
#include "account_fixture.h"

static void assert_calls(const accounting *a, size_t event, size_t run, uint64_t n, double elapsed,
                         uint64_t start) {
    assert_int_equal(eti__account_calls(&a->account, event, run), n);
    assert_true(eti__account_elapsed(&a->account, event, run) == elapsed);
    assert_int_equal(eti__account_start(&a->account, event, run), start);
}

static eti_options in_nanoseconds(void) {
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.target_time_scale = ETI_SCALE_NS;
    return options;
}

static void each_run_has_the_sum_of_its_calls(void **state) {
    (void)state;
    const eti_options options = in_nanoseconds();
    accounting a = {.s.options = &options};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, 10, 13), CALL(b, "b", 2, 20, 21)),
                          RUN(b, "Execute", CALL(b, "a", 1, 30, 32), CALL(b, "a", 1, 40, 45),
                              CALL(b, "a", 1, 50, 51), CALL(b, "b", 2, 60, 64)),
                          RUN(b, "Execute", CALL(b, "a", 1, 70, 71), CALL(b, "b", 2, 80, 82),
                              CALL(b, "a", 1, 90, 97))));
    assert_int_equal(a.account.block->n_events, 2);
    assert_int_equal(a.account.repeated.n, 1);
    assert_calls(&a, 0, 0, 1, 3, 10);
    assert_calls(&a, 0, 1, 3, 2 + 5 + 1, 30);
    assert_calls(&a, 0, 2, 2, 1 + 7, 70);
    assert_calls(&a, 1, 0, 1, 1, 20);
    assert_calls(&a, 1, 1, 1, 4, 60);
    assert_calls(&a, 1, 2, 1, 2, 80);
    assert_true(eti_event_raw(&a.account.block->events[0])[1] == 1); /* as in the Inspector */
    close_account(&a);
}

static void calls_contain_what_is_inside_them(void **state) {
    (void)state;
    const eti_options options = in_nanoseconds();
    accounting a = {.s.options = &options};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "inner", 1, 11, 13),
                                 CALL(b, "outer", 1, 10, 20), CALL(b, "inner", 1, 31, 34),
                                 CALL(b, "outer", 1, 30, 35), CALL(b, "whole", 0, 0, 50))));
    assert_calls(&a, 0, 0, 2, 2 + 3, 11);
    assert_calls(&a, 1, 0, 2, 10 + 5, 10);
    assert_calls(&a, 2, 0, 1, 50, 0);
    assert_int_equal(eti__account_self(&a.account, 0)[0], 5);
    assert_int_equal(eti__account_self(&a.account, 1)[0], 10);
    close_account(&a);
}

static void a_delegate_may_have_its_own_scale(void **state) {
    (void)state;
    const eti_delegate_time_scale us = {NULL, ETI_SCALE_US};
    eti_options options = in_nanoseconds();
    options.delegate_time_scales = &us;
    options.n_delegate_time_scales = 1;
    accounting a = {.s.options = &options};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", DELEGATED(b, "d", 1, 3, 5),
                                 CALL(b, "DELEGATE_CALL", 1, 0, 9000), DELEGATED(b, "d", 1, 6, 7),
                                 CALL(b, "DELEGATE_CALL", 1, 10000, 15000))));
    assert_calls(&a, 0, 0, 2, 2000 + 1000, 3);
    assert_calls(&a, 1, 0, 2, 9000 + 5000, 0);
    close_account(&a);
}

static void a_32_bit_clock_wraps_around_as_in_the_samples(void **state) {
    (void)state;
    const eti_options options = in_nanoseconds();
    accounting a = {.s.options = &options};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, UINT32_MAX - 5, 10),
                                 CALL(b, "a", 1, 20, 24))));
    assert_calls(&a, 0, 0, 2, 15 + 4, UINT32_MAX - 5);
    close_account(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_has_the_sum_of_its_calls),
        cmocka_unit_test(calls_contain_what_is_inside_them),
        cmocka_unit_test(a_delegate_may_have_its_own_scale),
        cmocka_unit_test(a_32_bit_clock_wraps_around_as_in_the_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
