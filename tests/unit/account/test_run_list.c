#include "account/options.h"
#include "inspector_fixture.h"
#include "timed_events.h"

#include "account/run_list.h"

typedef struct listing {
    session s;
    eti_view_options options;
    eti_run_list list;
} listing;

static void open_list(listing *l, place dump) {
    eti_error err = ETI_ERROR_INIT;
    if (dump)
        open_session(&l->s, dump, NULL);
    assert_ok(eti__run_list_make(&l->list, l->s.inspector, &l->options, &err));
}

static void close_list(listing *l) {
    eti__run_list_free(&l->list);
    close_session(&l->s);
}

static void own_times_are_added_by_role(void **state) {
    (void)state;
    static const uint64_t expected[ETI_N_TIMED_ROLES] = {
        [ETI_ROLE_KERNEL] = 6,      [ETI_ROLE_DELEGATED] = 5,     [ETI_ROLE_DELEGATE_CALL] = 3,
        [ETI_ROLE_NOT_LOGGED] = 15, [ETI_ROLE_OPERATOR_CALL] = 4, [ETI_ROLE_INSTRUCTION] = 1,
        [ETI_ROLE_EXECUTE] = 66,
    };
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &l.s.b;
    open_list(&l, DUMP(b, RUN(b, "Load", EVENT(b, "Method::init", 0, 7)),
                       RUN(b, "Execute", CALL(b, "native_call_a", 1, 12, 18),
                           CALL(b, "OPERATOR_CALL", 1, 10, 20),
                           TIMED(b, .delegate_id_str = "conv", .instruction_id = SOME(2),
                                 .start_time = 900, .end_time = 905),
                           CALL(b, "DELEGATE_CALL", 2, 20, 40), CALL(b, "DELEGATE_CALL", 3, 50, 53),
                           CALL(b, "JF_CALL", 4, 60, 61), EVENT(b, "Method::execute", 0, 100))));
    assert_int_equal(l.list.n_blocks, 1);
    assert_int_equal(l.list.n_runs, 1);
    assert_true(l.list.has_execute);
    for (int role = 0; role < ETI_N_TIMED_ROLES; role++) {
        assert_int_equal(l.list.runs[0].ticks[role], expected[role]);
        assert_int_equal(l.list.n_events[role], role != ETI_ROLE_LOAD);
        assert_int_equal(l.list.n_calls[role], role != ETI_ROLE_LOAD);
    }
    assert_int_equal(eti__run_ticks(&l.list.runs[0], ETI_ROLE_KERNEL, ETI_ROLE_LOAD), 100);
    assert_int_equal(eti__run_ticks(&l.list.runs[0], ETI_ROLE_DELEGATE_CALL, ETI_ROLE_NOT_LOGGED),
                     18);
    assert_bits(l.list.runs[0].elapsed, 100 / 1e6); /* ms */
    close_list(&l);
}

static void loading_is_listed_where_there_is_nothing_else(void **state) {
    (void)state;
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &l.s.b;
    l.options.block = "Load";
    open_list(&l, DUMP(b, RUN(b, "Load", EVENT(b, "Method::init", 0, 7)),
                       RUN(b, "Execute", EVENT(b, "Method::execute", 0, 100))));
    assert_int_equal(l.list.n_runs, 1);
    assert_int_equal(l.list.runs[0].ticks[ETI_ROLE_LOAD], 7);
    assert_false(l.list.has_execute);
    eti__run_list_free(&l.list);
    l.options.block = NULL;
    open_list(&l, 0);
    assert_int_equal(l.list.n_runs, 1);
    assert_int_equal(l.list.runs[0].ticks[ETI_ROLE_EXECUTE], 100);
    close_list(&l);
}

static void open_lengths(listing *l, const uint64_t *lengths, size_t n) {
    builder *b = &l->s.b;
    place runs[16];
    for (size_t i = 0; i < n; i++)
        runs[i] = RUN(b, "Execute", EVENT(b, "Method::execute", 0, lengths[i]));
    open_list(l, put_dump(b, (optional){0}, put_tables(b, runs, n)));
}

/* The median is 100, the median absolute deviation 1: the score of the seventh is 0.6745 * 200. */
static void runs_stand_out_among_those_of_their_block(void **state) {
    (void)state;
    const uint64_t lengths[] = {100, 102, 98, 101, 99, 100, 300, 101, 99, 100};
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    open_lengths(&l, lengths, COUNT_OF(lengths));
    assert_int_equal(l.list.blocks[0].n_warm_up, 0);
    assert_bits(l.list.blocks[0].median, 100 / 1e6);
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        assert_int_equal(l.list.runs[i].number, i);
        assert_int_equal(l.list.runs[i].is_outlier, i == 6);
    }
    assert_true(l.list.runs[6].deviation > 1.999 && l.list.runs[6].deviation < 2.001);
    assert_true(l.list.runs[6].z > 134 && l.list.runs[6].z < 135.5);
    close_list(&l);
}

static void among_few_runs_none_stands_out(void **state) {
    (void)state;
    const uint64_t lengths[] = {100, 101, 99, 300};
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    open_lengths(&l, lengths, COUNT_OF(lengths));
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        assert_false(l.list.runs[i].is_outlier);
    close_list(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_times_are_added_by_role),
        cmocka_unit_test(loading_is_listed_where_there_is_nothing_else),
        cmocka_unit_test(runs_stand_out_among_those_of_their_block),
        cmocka_unit_test(among_few_runs_none_stands_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
