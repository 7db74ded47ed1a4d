#include "report_fixture.h"

#include "support.h"

#include "view/groups.h"

/* ==== method rows ============================================================================= */

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
    const eti_section *section = &report->sections[4];
    assert_string_equal(section->name, "account");
    assert_int_equal(section->n_sums, 3); /* of each method, and of all */
    assert_int_equal(section->sums[1], last - 1);
    assert_int_equal(section->sums[2], last);
    assert_false(has_row(table_of(report, "facts"), "median run after the warm-up"));
    eti_report_free(report);
    close_methods(&s);
}

/* ==== attributed ============================================================================== */
/* Tests lines of the summary about the attribution of delegated time; times are invented. */

/* An overview, and the report to which the note is added. */
typedef struct noted {
    eti_inspector inspector;
    eti_overview data;
    eti_report *report;
} noted;

/* Sets 1000 ticks, `in_delegates` of which are in calls of delegates. */
static void start(noted *n, uint64_t in_delegates) {
    static const eti_column column = {.name = {"part", 4}, .type = ETI_TYPE_UTF8};
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    *n = (noted){.data.rollup.attributed = {.in_delegates = eti__wide_of(in_delegates),
                                            .whole = eti__wide_of(1000)}};
    assert_ok(eti__report_new(&n->report, "summary", ETI_SCALE_NS, &err));
    assert_ok(eti__table_new(&table, &column, 1, &err));
    assert_ok(eti__report_add(n->report, "account", NULL, table, &err));
}

static void set_time(noted *n, eti_attribution attribution, uint64_t ticks, bool by_program) {
    n->data.rollup.attributed.of[attribution] = eti__wide_of(ticks);
    if (by_program)
        eti__wide_add(&n->data.rollup.attributed.seen_by_program, eti__wide_of(ticks));
}

/* NULL: no note. */
static void end_with(noted *n, const char *note) {
    const eti_section *section = &n->report->sections[0];
    assert_int_equal(section->n_notes, note != NULL);
    if (note)
        assert_text(section->notes[0], note);
    eti_report_free(n->report);
}

static void attribute(noted *n) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__overview_note_attribution(n->report, &n->data, &err));
}

static void ask(noted *n) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__view_note_program(n->report, &n->inspector, &n->data.rollup.attributed, &err));
}

static void shares_stand_in_order_of_certainty(void **state) {
    (void)state;
    noted n;
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_NONE, 50, false);
    set_time(&n, ETI_ATTRIBUTION_EXACT, 600, false);
    set_time(&n, ETI_ATTRIBUTION_ALIGNED, 150, false);
    set_time(&n, ETI_ATTRIBUTION_CALL, 200, false);
    attribute(&n);
    end_with(
        &n,
        "time logged by delegates, by node of the model: 60.0 % exact, 15.0 % matched by order, "
        "20.0 % known only for the call as a whole, 5.0 % unknown");

    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_RECORDED, 1, false);
    set_time(&n, ETI_ATTRIBUTION_INFERRED, 2, false);
    attribute(&n);
    end_with(&n,
             "time logged by delegates, by node of the model: 33.3 % recorded, 66.7 % inferred");
}

static void nothing_is_said_where_nothing_is_known(void **state) {
    (void)state;
    noted n;
    start(&n, 1000);
    attribute(&n);
    end_with(&n, NULL);
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_NONE, 50, true);
    attribute(&n);
    end_with(&n, NULL);
}

/* The note appears from a fifth of the time on, if half of it is uncertain. */
static void the_program_is_asked_for_where_it_helps(void **state) {
    (void)state;
    static const struct {
        uint64_t in_delegates, inferred, exact;
        const char *share; /* NULL: not requested */
    } cases[] = {{200, 100, 100, "20.0"},
                 {199, 199, 0, NULL},
                 {200, 99, 101, NULL},
                 {984, 984, 0, "98.4"},
                 {984, 0, 0, NULL}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        noted n;
        char with[160], without[200];
        snprintf(with, sizeof with,
                 "%s %% of the time is in delegates: give the program too (program_path model.pte) "
                 "to see its layers",
                 cases[i].share ? cases[i].share : "");
        snprintf(without, sizeof without,
                 "%s %% of the time is in delegates: give the ETRecord and the program "
                 "(etrecord_path, program_path) to see its layers",
                 cases[i].share ? cases[i].share : "");
        for (int has_record = 0; has_record < 2; has_record++) {
            start(&n, cases[i].in_delegates);
            /* only its presence is tested */
            n.inspector.record = has_record ? (eti_etrecord *)(void *)&n : NULL;
            set_time(&n, ETI_ATTRIBUTION_INFERRED, cases[i].inferred, true);
            set_time(&n, ETI_ATTRIBUTION_EXACT, cases[i].exact, false);
            ask(&n);
            end_with(&n, !cases[i].share ? NULL : has_record ? with : without);
        }
    }
}

static void nothing_is_asked_for_in_vain(void **state) {
    (void)state;
    noted n;
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_CALL, 500, true);
    n.inspector.n_programs = 1;
    ask(&n);
    end_with(&n, NULL);
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_CALL, 500, true);
    n.inspector.options.no_attribution = true;
    ask(&n);
    end_with(&n, NULL);
    /* of backends whose payloads cannot be read */
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_CALL, 500, false);
    ask(&n);
    end_with(&n, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_of_one_method_each),
        cmocka_unit_test(one_method_has_no_column),
        cmocka_unit_test(the_summary_has_a_line_for_each_method),
        cmocka_unit_test(shares_stand_in_order_of_certainty),
        cmocka_unit_test(nothing_is_said_where_nothing_is_known),
        cmocka_unit_test(the_program_is_asked_for_where_it_helps),
        cmocka_unit_test(nothing_is_asked_for_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
