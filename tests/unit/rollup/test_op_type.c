#include "rollup_fixture.h"

#include "rollup/grouping.h"
#include "rollup/op_type.h"

/* Checks the types of the last block's events. */
static void assert_op_types(const session *s, const char *const *expected, size_t n) {
    eti_account account;
    eti_error err = ETI_ERROR_INIT;
    const eti_event_block *block =
        eti_inspector_block(s->inspector, eti_inspector_block_count(s->inspector) - 1);
    assert_ok(eti__account_new(&account, block, &s->inspector->options, &err));
    assert_int_equal(block->n_events, n);
    for (size_t i = 0; i < n; i++) {
        eti_op_type op = eti__op_type_of(&account, i);
        assert_text(op.name, expected[i]);
        assert_int_equal(op.kind == ETI_OP_TYPE_NAMED, expected[i][0] != '(');
    }
    eti__account_free(&account);
}

/* Of the nodes that an instruction stands for, the kernel gets the one that it computes. */
static void kernels_are_the_operators_that_they_compute(void **state) {
    (void)state;
    static const char *const expected[] = {"aten.permute.default",
                                           ETI_GROUP_FRAMEWORK,
                                           "aten.mm.default",
                                           ETI_GROUP_FRAMEWORK,
                                           "conv",
                                           "conv",
                                           ETI_GROUP_NOT_LOGGED,
                                           "aten.tan.default",
                                           ETI_GROUP_FRAMEWORK,
                                           ETI_GROUP_FRAMEWORK};
    session s = {0};
    open_two_runs(&s);
    assert_op_types(&s, expected, COUNT_OF(expected));
    close_session(&s);
}

static void events_of_several_operators_are_none_of_them(void **state) {
    (void)state;
    static const char *const expected[] = {ETI_GROUP_SEVERAL_OPS, "native_call_unknown"};
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", MS_CALL(b, "DELEGATE_CALL", 2, 0, 1),
                             MS_CALL(b, "native_call_unknown #7", 9, 1, 2))),
                 &(record_spec){.handles = HANDLES, .delegates = DELEGATES, .edge = EDGE});
    assert_op_types(&s, expected, COUNT_OF(expected));
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_the_operators_that_they_compute),
        cmocka_unit_test(events_of_several_operators_are_none_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
