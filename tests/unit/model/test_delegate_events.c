/* Tests which events lie inside delegate calls, and what they mean there. */
#include "support.h"

#include "inspector_fixture.h"
#include "timed_events.h"

static void events_of_the_instruction_of_a_call_may_lie_inside(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", DELEGATED(b, "conv", 1, 2, 3),
                             CALL(b, "my wait", 1, 3, 4), CALL(b, "native_call_add.out", 1, 4, 5),
                             CALL(b, "DELEGATE_CALL", 1, 1, 6), CALL(b, "elsewhere", 2, 6, 7),
                             DELEGATED(b, "lost", 3, 7, 8), EVENT(b, "Method::execute", 0, 9))),
                 NULL);
    assert_non_null(event_named(s.inspector, "conv")->logged);
    assert_non_null(event_named(s.inspector, "my wait")->logged);
    assert_non_null(event_named(s.inspector, "lost")->logged);
    assert_null(event_named(s.inspector, "native_call_add.out")->logged);
    assert_null(event_named(s.inspector, "DELEGATE_CALL")->logged);
    assert_null(event_named(s.inspector, "elsewhere")->logged);
    assert_null(event_named(s.inspector, "Method::execute")->logged);
    /* events of a backend without an adapter share a meaning, and keep their names */
    assert_ptr_equal(event_named(s.inspector, "conv")->logged,
                     event_named(s.inspector, "my wait")->logged);
    assert_text(eti__event_label(event_named(s.inspector, "conv")), "conv");
    assert_text(eti__event_label(event_named(s.inspector, "elsewhere")), "elsewhere");
    close_session(&s);
}

/* One event whose name only one backend logs decides for all events of its call, but not for those of other calls. */
static void names_show_the_backend_of_a_call(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", DELEGATED(b, "ETVK_COPY_INPUTS", 1, 2, 3),
                             DELEGATED(b, "conv_0", 1, 1, 2), DELEGATED(b, "conv_1", 1, 2, 3),
                             DELEGATED(b, "ETVK_EXECUTE", 1, 2, 4),
                             CALL(b, "DELEGATE_CALL", 1, 1, 6), DELEGATED(b, "conv_0", 2, 1, 2),
                             CALL(b, "DELEGATE_CALL", 2, 6, 7), EVENT(b, "Method::execute", 0, 9))),
                 NULL);
    assert_int_equal(event_named(s.inspector, "ETVK_EXECUTE")->logged->role, ETI_DELEGATE_WRAPPER);
    assert_int_equal(event_named(s.inspector, "ETVK_EXECUTE")->logged->backend, ETI_BACKEND_VULKAN);
    assert_int_equal(event_named(s.inspector, "conv_1")->logged->backend, ETI_BACKEND_VULKAN);
    const eti_event_block *block = eti_inspector_block(s.inspector, 0);
    assert_int_equal(block->events[5].logged->backend, ETI_BACKEND_OTHER);
    close_session(&s);
}

#define DISPATCH(operator_id, dispatch)                                                            \
    "{\"kernel_name\": \"conv2d\", \"operator_id\": " #operator_id ", \"dispatch_id\": " #dispatch \
    "}"

/* The k-th event with a label is numbered in its call. */
static void labels_are_numbered_in_each_call(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, DISPATCH(7, 0), 1, 1, 2),
                    DELEGATED(b, DISPATCH(8, 1), 1, 2, 3), CALL(b, "DELEGATE_CALL", 1, 1, 6),
                    DELEGATED(b, DISPATCH(9, 0), 2, 1, 2), CALL(b, "DELEGATE_CALL", 2, 6, 7),
                    EVENT(b, "Method::execute", 0, 9))),
        NULL);
    const eti_event_block *block = eti_inspector_block(s.inspector, 0);
    assert_text(eti__event_label(&block->events[0]), "conv2d #1");
    assert_text(eti__event_label(&block->events[1]), "conv2d #2");
    assert_text(eti__event_label(&block->events[3]), "conv2d #1");
    close_session(&s);
}

/* Without the option, each run with other ids is a block, as in the Inspector. */
static void runs_that_differ_in_ids_are_one_block_if_asked(void **state) {
    (void)state;
    for (int merges = 0; merges < 2; merges++) {
        eti_options options = ETI_OPTIONS_DEFAULT;
        options.merges_ids = merges;
        session s = {.options = &options};
        builder *b = &s.b;
        open_session(
            &s,
            DUMP(b,
                 RUN(b, "Execute", DELEGATED(b, DISPATCH(7, 0), 1, 1, 2),
                     CALL(b, "DELEGATE_CALL", 1, 1, 6), EVENT(b, "Method::execute", 0, 9)),
                 RUN(b, "Execute", DELEGATED(b, DISPATCH(8, 0), 1, 1, 2),
                     CALL(b, "DELEGATE_CALL", 1, 1, 6), EVENT(b, "Method::execute", 0, 9)),
                 RUN(b, "Execute", DELEGATED(b, DISPATCH(8, 1), 1, 1, 2),
                     CALL(b, "DELEGATE_CALL", 1, 1, 6), EVENT(b, "Method::execute", 0, 9))),
            NULL);
        assert_int_equal(s.inspector->blocks.n_blocks, merges ? 2 : 3);
        close_session(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_the_instruction_of_a_call_may_lie_inside),
        cmocka_unit_test(names_show_the_backend_of_a_call),
        cmocka_unit_test(labels_are_numbered_in_each_call),
        cmocka_unit_test(runs_that_differ_in_ids_are_one_block_if_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
