#include "rollup_fixture.h"

#include "rollup/op_type.h"
#include "rollup/overview.h"

static void assert_backend(const eti_overview *overview, size_t i, const char *name,
                           uint64_t n_operators, uint64_t ms) {
    const eti_overview_backend *backend = &overview->backends.items[i];
    assert_text(backend->name, name);
    assert_int_equal(backend->n_operators, n_operators);
    assert_int_equal(backend->ticks.low, ms * 1000000);
}

static void assert_op(const eti_overview *overview, size_t group, const char *name, uint64_t ms) {
    assert_text(eti__op_type_name(&overview->names, overview->ops.items[group].op), name);
    assert_int_equal(overview->rollup.groups[group].total.low, ms * 1000000);
}

/* Operators are listed in the order in which they ran; a delegate's call counts as a whole, though two of its operators are
 * known. */
static void operators_are_counted_where_they_ran(void **state) {
    (void)state;
    session s = {0};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_overview overview;
    eti_error err = ETI_ERROR_INIT;
    open_two_runs(&s);
    assert_ok(eti__overview_make(&overview, s.inspector, &options, &err));
    assert_int_equal(overview.backends.count, 2);
    assert_backend(&overview, 0, ETI_GROUP_NOT_DELEGATED, 3, 56);
    assert_backend(&overview, 1, "Npu", 2, 128);
    assert_int_equal(overview.list.n_runs, 2);
    /* permute and mm of one handle, conv, the time that the delegate did not log, tan, the framework */
    assert_int_equal(overview.ops.count, 6);
    assert_int_equal(overview.rollup.n_groups, 6);
    assert_op(&overview, 0, "aten.permute.default", 2 * 16);
    assert_op(&overview, 1, ETI_GROUP_FRAMEWORK, 74);
    assert_op(&overview, 2, "aten.mm.default", 2 * 8);
    assert_op(&overview, 4, ETI_GROUP_NOT_LOGGED, 64);
    /* The payloads of Npu cannot be read, so no program would help. */
    assert_int_equal(overview.rollup.attributed.of[ETI_ATTRIBUTION_NONE].low, 64 * 1000000);
    assert_int_equal(overview.rollup.attributed.seen_by_program.low, 0);
    /* its 128 ms and 64 of these as logged, beside 56 of operators and 74 of the framework */
    assert_int_equal(overview.rollup.attributed.in_delegates.low, 128 * 1000000);
    assert_int_equal(overview.rollup.attributed.whole.low, (128 + 56 + 74) * 1000000);
    eti__overview_free(&overview);
    options.split_variants = true;
    assert_ok(eti__overview_make(&overview, s.inspector, &options, &err));
    assert_int_equal(overview.ops.count, 6);
    assert_op(&overview, 2, "aten.mm.default", 2 * 8);
    assert_text(overview.names.texts.texts[overview.ops.items[2].kernel], "native_call_mm.out");
    eti__overview_free(&overview);
    close_session(&s);
}

static void delegates_without_a_record_are_unknown(void **state) {
    (void)state;
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    session s = {0};
    builder *b = &s.b;
    eti_overview overview;
    eti_error err = ETI_ERROR_INIT;
    open_session(&s, DUMP(b, put_one_run(b, 0)), NULL);
    assert_ok(eti__overview_make(&overview, s.inspector, &options, &err));
    assert_int_equal(overview.backends.count, 2);
    assert_backend(&overview, 1, ETI_GROUP_UNKNOWN, 2, 64);
    eti__overview_free(&overview);
    close_session(&s);
}

/* Two blocks of one method took different branches; its other operators count once, but their time twice. Without a known
 * method, the blocks are not known to have anything in common. */
static void operators_of_several_blocks_are_counted_once(void **state) {
    (void)state;
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    for (int with_record = 0; with_record < 2; with_record++) {
        session s = {0};
        builder *b = &s.b;
        eti_overview overview;
        eti_error err = ETI_ERROR_INIT;
        open_session(
            &s,
            DUMP(b,
                 RUN(b, "Execute", MS_CALL(b, "native_call_add.out", 0, 0, 1),
                     MS_CALL(b, "native_call_sin.out", 1, 1, 3), MS_DELEGATED(b, "conv", 3, 3, 4),
                     MS_CALL(b, "DELEGATE_CALL", 3, 3, 4)),
                 RUN(b, "Execute", MS_CALL(b, "native_call_add.out", 0, 10, 11),
                     MS_CALL(b, "native_call_add.out", 2, 11, 15),
                     MS_DELEGATED(b, "conv", 3, 15, 16), MS_DELEGATED(b, "tan", 3, 16, 18),
                     MS_CALL(b, "DELEGATE_CALL", 3, 15, 18))),
            with_record ? &(record_spec){.handles = HANDLES, .delegates = DELEGATES, .edge = EDGE}
                        : NULL);
        assert_ok(eti__overview_make(&overview, s.inspector, &options, &err));
        assert_int_equal(overview.rollup.runs.n_blocks, 2);
        assert_backend(&overview, 0, ETI_GROUP_NOT_DELEGATED, with_record ? 3 : 4, 3 + 5);
        assert_backend(&overview, 1, ETI_GROUP_UNKNOWN, with_record ? 2 : 3, 1 + 3);
        eti__overview_free(&overview);
        close_session(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_counted_where_they_ran),
        cmocka_unit_test(delegates_without_a_record_are_unknown),
        cmocka_unit_test(operators_of_several_blocks_are_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
