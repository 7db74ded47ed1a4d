#include "account/account.h"
#include "account/calls.h"
#include "inspector_fixture.h"

static void a_block_is_called_by_name_method_or_number(void **state) {
    (void)state;
    const eti_event_block block = {.name = eti__text_of("Execute"),
                                   .label = eti__text_of("decode [1]"),
                                   .method_name = eti__text_of("decode"),
                                   .number = 10};
    static const char *const names[] = {NULL, "all", "Execute", "decode [1]", "decode", "10"};
    static const char *const others[] = {"Exec", "", "decode [0]", "1", "010", " 10", "10 "};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_true(eti__block_is_called(&block, names[i]));
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_false(eti__block_is_called(&block, others[i]));
    const eti_event_block unknown = {.name = eti__text_of("Execute")};
    assert_false(eti__block_is_called(&unknown, ""));
}

/* Loading is left out only where a selected block does more. */
static void loading_is_left_out_where_anything_else_runs(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Load", TIMED(b, .name = "Method::init", .end_time = 1)),
                      RUN(b, "Log", LOGGED(b, .name = "add", .value = INT_VALUE(b, 1))),
                      RUN(b, "Execute", TIMED(b, .name = "Method::init", .end_time = 1),
                          TIMED(b, .name = "JF_CALL", .end_time = 1))),
                 NULL);
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    assert_int_equal(eti_inspector_block_count(s.inspector), 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(eti__block_runs(eti_inspector_block(s.inspector, i)), i == 2);
    for (size_t i = 0; i < 3; i++) {
        const eti_event_block *block = eti_inspector_block(s.inspector, i);
        assert_int_equal(eti__block_is_summed(&options, block, true), i == 2);
        assert_int_equal(eti__block_is_summed(&options, block, false), i != 1); /* no times */
    }
    assert_true(eti__blocks_leave_out_loading(s.inspector, &options));
    options.block = "Load";
    assert_false(eti__blocks_leave_out_loading(s.inspector, &options));
    assert_true(eti__block_is_chosen(&options, eti_inspector_block(s.inspector, 0)));
    assert_false(eti__block_is_chosen(&options, eti_inspector_block(s.inspector, 2)));
    options.block = "Log";
    assert_false(eti__blocks_leave_out_loading(s.inspector, &options));
    options.block = "Execute";
    assert_true(eti__blocks_leave_out_loading(s.inspector, &options));
    close_session(&s);
}

static void check_loading(const eti_event_block *block, bool is_loading) {
    assert_int_equal(block->is_loading, is_loading);
    assert_int_equal(eti__block_runs(block), !is_loading);
    for (size_t i = 0; i < block->n_events; i++)
        assert_int_equal(eti__role_by_name(&block->events[i]) == ETI_ROLE_LOAD, is_loading);
}

/* A run called Default loads, whatever the names of its events outside of inference. */
static void a_block_called_default_loads_for_other_blocks(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Default", TIMED(b, .name = "load weights", .end_time = 9)),
                      RUN(b, "Default", TIMED(b, .name = "JF_CALL", .end_time = 9),
                          TIMED(b, .name = "tables", .delegate_id_str = "tables", .end_time = 3)),
                      RUN(b, "Default", TIMED(b, .name = "Method::execute", .end_time = 9)),
                      RUN(b, "Execute", TIMED(b, .name = "layer", .end_time = 1))),
                 NULL);
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    assert_int_equal(eti_inspector_block_count(s.inspector), 4);
    for (size_t i = 0; i < 4; i++)
        check_loading(eti_inspector_block(s.inspector, i), i < 2);
    assert_true(eti__blocks_leave_out_loading(s.inspector, &options));
    close_session(&s);
}

/* Without times in a block of another name, runs called Default are all that ran. */
static void blocks_called_default_alone_run(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Default", TIMED(b, .name = "first", .end_time = 9)),
                      RUN(b, "Default", TIMED(b, .name = "second", .end_time = 1)),
                      RUN(b, "Log", LOGGED(b, .name = "add", .value = INT_VALUE(b, 1)))),
                 NULL);
    for (size_t i = 0; i < 2; i++)
        check_loading(eti_inspector_block(s.inspector, i), false);
    close_session(&s);
}

/* Runs that are repeated in an ETDump, and those with events of inference, do not load. */
static void runs_of_inference_called_default_run(void **state) {
    (void)state;
    static const char *const names[] = {"native_call_add.out", "OPERATOR_CALL", "DELEGATE_CALL"};
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Default", TIMED(b, .name = "layer", .end_time = 9)),
                      RUN(b, "Default", TIMED(b, .name = "layer", .end_time = 8)),
                      RUN(b, "post", TIMED(b, .name = "softmax", .end_time = 1))),
                 NULL);
    check_loading(eti_inspector_block(s.inspector, 0), false);
    close_session(&s);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        s = (session){0};
        open_session(&s,
                     DUMP(b, RUN(b, "Default", TIMED(b, .name = names[i], .end_time = 9)),
                          RUN(b, "post", TIMED(b, .name = "softmax", .end_time = 1))),
                     NULL);
        assert_false(eti_inspector_block(s.inspector, 0)->is_loading);
        close_session(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_called_by_name_method_or_number),
        cmocka_unit_test(loading_is_left_out_where_anything_else_runs),
        cmocka_unit_test(a_block_called_default_loads_for_other_blocks),
        cmocka_unit_test(blocks_called_default_alone_run),
        cmocka_unit_test(runs_of_inference_called_default_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
