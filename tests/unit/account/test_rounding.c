#include "rollup_fixture.h"

#include "account/account.h"

/* Of nanoseconds. Sums of one run have twice as many half ticks. */
#define NS(b, event_name, start, end)                                                              \
    TIMED(b, .name = (event_name), .instruction_id = SOME(2), .start_time = (start),               \
          .end_time = (end))
#define OPERATOR(b, debug_id, start, end)                                                          \
    TIMED(b, .delegate_id_str = (debug_id), .instruction_id = SOME(2), .start_time = (start),      \
          .end_time = (end))

static eti_rounding rounding_of(session *s, double microsecond) {
    const eti_options options = ETI_OPTIONS_DEFAULT;
    eti_rounding rounding = {.n_events = 0};
    eti_account account;
    assert_int_equal(
        eti__account_new(&account, eti_inspector_block(s->inspector, 0), &options, &s->err),
        ETI_OK);
    assert_true(eti__rounding_add(&rounding, &account, microsecond));
    eti__account_free(&account);
    return rounding;
}

static void each_event_may_last_a_microsecond_longer(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", OPERATOR(b, "conv #1", 1000, 3000),
                             OPERATOR(b, "add #1", 3000, 3000), NS(b, "DELEGATE_CALL", 500, 9700))),
                 NULL);
    eti_rounding rounding = rounding_of(&s, 1000);
    assert_true(rounding.is_known);
    assert_int_equal(rounding.n_events, 2);
    assert_bits(eti__wide_as_double(rounding.not_logged), 2 * 7200);
    assert_bits(eti__wide_as_double(rounding.most), 2 * 2000);
    /* where a tick is a microsecond, all numbers are whole */
    assert_int_equal(rounding_of(&s, 1).n_events, 0);
    close_session(&s);
}

static void no_more_than_is_not_logged(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", OPERATOR(b, "conv #1", 1000, 3000),
                             OPERATOR(b, "add #1", 3000, 3000), NS(b, "DELEGATE_CALL", 500, 2800))),
                 NULL);
    assert_bits(eti__wide_as_double(rounding_of(&s, 1000).most), 2 * 300);
    close_session(&s);
}

static void other_clocks_are_not_rounded(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", OPERATOR(b, "conv #1", 1000, 3000),
                             OPERATOR(b, "add #1", 3000, 3001), NS(b, "DELEGATE_CALL", 500, 9700))),
                 NULL);
    eti_rounding rounding = rounding_of(&s, 1000);
    assert_false(rounding.is_known);
    assert_int_equal(rounding.n_events, 0);
    close_session(&s);
}

static void nothing_is_known_of_events_without_time(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", OPERATOR(b, "add #1", 3000, 3000),
                             NS(b, "DELEGATE_CALL", 500, 9700))),
                 NULL);
    assert_false(rounding_of(&s, 1000).is_known);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_may_last_a_microsecond_longer),
        cmocka_unit_test(no_more_than_is_not_logged),
        cmocka_unit_test(other_clocks_are_not_rounded),
        cmocka_unit_test(nothing_is_known_of_events_without_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
