/* The tables of a database; what SQL answers of them is asked by tests/cli/formats. */
#include "report_fixture.h"
#include "rollup_fixture.h"

static void assert_op_type(const eti_table *events, size_t row, const char *name, const char *op) {
    eti_text found = cell_at(events, row, "name").as_text;
    if (!eti__text_is(found, name))
        fail_msg("row %zu is not %s", row, name);
    eti_cell cell = cell_at(events, row, "op_type");
    assert_int_equal(cell.kind, op ? ETI_CELL_TEXT : ETI_CELL_NONE);
    if (op)
        assert_text(cell.as_text, op);
}

static void events_have_the_operators_of_op_list(void **state) {
    (void)state;
    static const char *const expected[][2] = {
        {"native_call_permute.out", "aten.permute.default"},
        {"OPERATOR_CALL", "(framework)"},
        {"native_call_mm.out", "aten.mm.default"},
        {"OPERATOR_CALL", "(framework)"},
        {"conv #1", "conv"},
        {"conv #2", "conv"},
        {"DELEGATE_CALL", "(delegate, not logged)"},
        {"native_call_tan.out", "aten.tan.default"},
        {"OPERATOR_CALL", "(framework)"},
        {"Method::execute", "(framework)"},
    };
    session s = {0};
    open_two_runs(&s);
    eti_report *report = report_of(&s, "database", NULL);
    const eti_table *events = table_of(report, "events");
    size_t n_before =
        eti_table_row_count(events) - COUNT_OF(expected); /* of the block that loads */
    assert_op_type(events, 0, "Method::init", "(framework)");
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_op_type(events, n_before + i, expected[i][0], expected[i][1]);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        bool is_listed = false;
        const eti_table *ops = table_of(report, "op_list");
        for (size_t row = 0; row < eti_table_row_count(ops); row++)
            is_listed |= eti__text_is(cell_at(ops, row, "op").as_text, expected[i][1]);
        assert_true(is_listed);
    }
    eti_report_free(report);
    close_session(&s);
}

static void events_without_times_have_no_operator(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Debug",
                             LOGGED(b, .name = "native_call_add.out", .value = INT_VALUE(b, 1)))),
                 NULL);
    eti_report *report = report_of(&s, "database", NULL);
    const eti_table *events = table_of(report, "events");
    assert_int_equal(eti_table_row_count(events), 1);
    assert_op_type(events, 0, "native_call_add.out", NULL);
    eti_report_free(report);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_have_the_operators_of_op_list),
        cmocka_unit_test(events_without_times_have_no_operator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
