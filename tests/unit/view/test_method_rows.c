#include "report_fixture.h"

#define KERNEL(b, name_of_op, id, length)                                                          \
    TIMED(b, .name = (name_of_op), .instruction_id = SOME(id), .start_time = 0,                    \
          .end_time = (length)*UINT64_C(1000000))

static eti_method two_methods[2];

/* Two runs of "prefill" with 10 ms of add inside 20 of mul, three of "decode" with 2 ms of add. */
static void open_methods(session *s) {
    builder *b = &s->b;
#define PREFILL                                                                                    \
    RUN(b, "Execute", KERNEL(b, "native_call_add.out", 0, 10),                                     \
        KERNEL(b, "native_call_mul.out", 1, 20))
#define DECODE RUN(b, "Execute", KERNEL(b, "native_call_add.out", 7, 2))
    open_session(s, DUMP(b, PREFILL, PREFILL, DECODE, DECODE, DECODE), NULL);
    eti_event_block *blocks = s->inspector->blocks.blocks;
    assert_int_equal(s->inspector->blocks.n_blocks, 2);
    two_methods[0].name = blocks[0].method_name = eti__text_of("prefill");
    two_methods[1].name = blocks[1].method_name = eti__text_of("decode");
    s->inspector->methods = two_methods;
    s->inspector->n_methods = COUNT_OF(two_methods);
}

static void close_methods(session *s) {
    s->inspector->methods = NULL;
    s->inspector->n_methods = 0;
    close_session(s);
}

static void assert_row(const eti_table *table, size_t row, const char *method, const char *op,
                       double p50, double share) {
    assert_true(eti__text_is(cell_at(table, row, "method").as_text, method));
    assert_true(eti__text_is(cell_at(table, row, "op").as_text, op));
    assert_near(cell_at(table, row, "p50").as_double, p50);
    assert_near(cell_at(table, row, "share").as_double, share);
}

/* Rows are read out of order, as in sorting. */
static void rows_are_of_one_method_each(void **state) {
    (void)state;
    static const char *const views[] = {"ops", "groups", "ops"};
    for (size_t i = 0; i < COUNT_OF(views); i++) {
        session s = {0};
        eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
        open_methods(&s);
        options.kernels = i == 2;
        eti_report *report = report_of(&s, views[i], &options);
        const eti_table *table = report->sections[0].table;
        assert_int_equal(eti_table_row_count(table), 3);
        assert_row(table, 2, "decode", "native_call_add.out", 2, 6.0 / 46);
        assert_row(table, 0, "prefill", "native_call_add.out", 10, 20.0 / 46);
        assert_row(table, 1, "prefill", "native_call_mul.out", 10, 20.0 / 46);
        eti_report_free(report);
        close_methods(&s);
    }
}

static void one_method_has_no_column(void **state) {
    (void)state;
    session s = {0};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    open_methods(&s);
    options.block = "prefill";
    eti_report *report = report_of(&s, "ops", &options);
    const eti_table *table = report->sections[0].table;
    assert_true(eti__text_is(eti_table_column_name(table, 0), "op"));
    assert_near(cell_of(table, "native_call_add.out", "share").as_double, 0.5);
    eti_report_free(report);
    close_methods(&s);
}

static void the_summary_has_a_line_for_each_method(void **state) {
    (void)state;
    session s = {0};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    open_methods(&s);
    eti_report *report = report_of(&s, "summary", &options);
    const eti_table *methods = table_of(report, "methods");
    assert_int_equal(cell_of(methods, "prefill", "runs").as_int, 2);
    assert_int_equal(cell_of(methods, "decode", "runs").as_int, 3);
    assert_near(cell_of(methods, "decode", "p50").as_double, 2);
    assert_near(cell_of(methods, "prefill", "first_run").as_double, 20);
    assert_near(cell_of(methods, "prefill", "share").as_double, 40.0 / 46);
    const eti_table *account = table_of(report, "account");
    size_t last = eti_table_row_count(account) - 1;
    assert_int_equal(cell_at(account, last, "p50").kind, ETI_CELL_NONE);
    assert_int_equal(cell_at(account, last, "first_run").kind, ETI_CELL_NONE);
    assert_near(cell_at(account, last, "share").as_double, 1);
    const eti_section *section = &report->sections[2];
    assert_string_equal(section->name, "account");
    assert_int_equal(section->n_sums, 3); /* of each method, and of all */
    assert_int_equal(section->sums[1], last - 1);
    assert_int_equal(section->sums[2], last);
    assert_false(has_row(table_of(report, "facts"), "median run after the warm-up"));
    eti_report_free(report);
    close_methods(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_of_one_method_each),
        cmocka_unit_test(one_method_has_no_column),
        cmocka_unit_test(the_summary_has_a_line_for_each_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
