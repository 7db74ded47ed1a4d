#include "report_fixture.h"
#include "timed_events.h"

#include <glob.h>

#define MS UINT64_C(1000000)

/* Adds a run of `length` ms in which a portable kernel takes 2 ms of 3, and a delegate call 10 ms, of which two events take
 * 4 and 3. */
static place put_one_run(builder *b, uint64_t start, uint64_t length) {
    start *= MS;
    return RUN(
        b, "Execute", CALL(b, "native_call_add.out", 1, start + 1 * MS, start + 3 * MS),
        CALL(b, "OPERATOR_CALL", 1, start + 1 * MS, start + 4 * MS),
        DELEGATED(b, "Conv #1", 2, 0, 4 * MS), DELEGATED(b, "Conv #2", 2, 4 * MS, 7 * MS),
        CALL(b, "DELEGATE_CALL", 2, start + 5 * MS, start + 15 * MS),
        TIMED(b, .name = "Method::execute", .start_time = start, .end_time = start + length * MS));
}

static void the_account_adds_up(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, put_one_run(b, 100, 20), put_one_run(b, 200, 30)), NULL);
    eti_report *report = report_of(&s, "summary", NULL);
    const eti_table *account = table_of(report, "account");
    const struct {
        const char *part;
        double avg, p50;
        int64_t events;
    } parts[] = {
        {"operators outside delegates", 2, 2, 1},       {"delegate calls: logged", 7, 7, 2},
        {"delegate calls: not logged", 3, 3, 1},        {"framework: around operators", 1, 1, 1},
        {"framework: between instructions", 12, 12, 1}, {"Method::execute", 25, 25, 6},
    };
    assert_int_equal(eti_table_row_count(account), COUNT_OF(parts));
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        assert_near(cell_of(account, parts[i].part, "avg").as_double, parts[i].avg);
        assert_near(cell_of(account, parts[i].part, "p50").as_double, parts[i].p50);
        assert_near(cell_of(account, parts[i].part, "share").as_double, parts[i].avg / 25);
        assert_int_equal(cell_of(account, parts[i].part, "events").as_int, parts[i].events);
    }
    const eti_section *section = &report->sections[3];
    assert_string_equal(section->name, "account");
    assert_int_equal(section->n_sums, 1);
    assert_int_equal(section->sums[0], COUNT_OF(parts) - 1);
    const eti_table *backends = table_of(report, "backends");
    assert_near(cell_of(backends, "(unknown)", "share").as_double, 10.0 / 25);
    assert_near(cell_of(backends, "(unknown)", "share_of_operators").as_double, 2.0 / 3);
    assert_near(cell_of(backends, "(not delegated)", "share").as_double, 2.0 / 25);
    assert_near(cell_of(backends, "(framework)", "avg").as_double, 13);
    eti_report_free(report);
    close_session(&s);
}

/* With one run, no layer is clear of another. The names outlive the making of the table. */
static void layers_that_may_be_slower_are_listed(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, put_one_run(b, 100, 20)), NULL);
    eti_report *report = report_of(&s, "summary", NULL);
    const eti_cell close = cell_at(table_of(report, "headline"), 0, "close");
    assert_int_equal(close.n_items, 2);
    assert_text(((const eti_text *)close.items)[0], "Conv #2");
    assert_text(((const eti_text *)close.items)[1], "native_call_add.out");
    eti_report_free(report);
    close_session(&s);
}

static void operators_are_folded_and_ordered_by_time(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, put_one_run(b, 100, 20), put_one_run(b, 200, 30)), NULL);
    eti_report *report = report_of(&s, "summary", NULL);
    const eti_table *ops = table_of(report, "operators");
    assert_int_equal(eti_table_row_count(ops), 4);
    assert_text(table_cell(ops, 0, 0).as_text, "(framework)");
    assert_text(table_cell(ops, 1, 0).as_text, "Conv");
    assert_int_equal(cell_at(ops, 1, "count").as_int, 2);
    assert_int_equal(cell_at(ops, 1, "calls").as_int, 4);
    assert_near(cell_at(ops, 1, "total").as_double, 14);
    assert_near(cell_at(ops, 1, "p50").as_double, 7);
    assert_near(cell_at(ops, 1, "cumulative").as_double, 20.0 / 25);
    assert_text(table_cell(ops, 2, 0).as_text, "(delegate, not logged)");
    assert_text(table_cell(ops, 3, 0).as_text, "native_call_add.out");
    assert_near(cell_at(ops, 3, "cumulative").as_double, 1);
    assert_int_equal(eti_report_selected_table(report), 5);
    eti_report_free(report);

    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    options.top = 1;
    report = report_of(&s, "summary", &options);
    ops = table_of(report, "operators");
    assert_int_equal(eti_table_row_count(ops), 2);
    assert_near(cell_of(ops, "(3 more)", "total").as_double, 24);
    assert_near(cell_of(ops, "(3 more)", "share").as_double, 12.0 / 25);
    assert_near(cell_of(ops, "(3 more)", "cumulative").as_double, 1);
    assert_int_equal(cell_of(ops, "(3 more)", "p50").kind, ETI_CELL_NONE);
    assert_true(has_note(report, "operators", "and 3 more"));
    eti_report_free(report);
    close_session(&s);
}

static void kernels_are_kept_apart_on_request(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", CALL(b, "native_call_a", 1, 1, 2),
                             CALL(b, "native_call_b", 1, 3, 5))),
                 &(record_spec){.handles = "{\"1\": 1}",
                                .edge = EDGE_PROGRAM(NODE("a", "1", "L__self__,,M"))});
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_report *report = report_of(&s, "summary", &options);
    assert_int_equal(eti_table_row_count(table_of(report, "operators")), 1);
    eti_report_free(report);
    options.split_variants = true;
    report = report_of(&s, "summary", &options);
    const eti_table *ops = table_of(report, "operators");
    assert_int_equal(eti_table_row_count(ops), 2);
    assert_text(cell_at(ops, 0, "kernel").as_text, "native_call_b");
    assert_near(cell_at(ops, 0, "share").as_double, 2.0 / 3);
    eti_report_free(report);
    close_session(&s);
}

/* If no kernel is logged at all, the calls are the only record of operators. */
static void calls_are_operators_where_no_kernel_is_logged(void **state) {
    (void)state;
    for (int has_kernels = 0; has_kernels < 2; has_kernels++) {
        session s = {0};
        builder *b = &s.b;
        open_session(
            &s,
            DUMP(b, RUN(b, "Execute", CALL(b, has_kernels ? "native_call_a" : "JF_CALL", 1, 1, 2),
                        CALL(b, "OPERATOR_CALL", 2, 3, 6))),
            NULL);
        eti_report *report = report_of(&s, "summary", NULL);
        const eti_table *account = table_of(report, "account");
        assert_true(has_row(account, "framework: around operators") == (has_kernels == 1));
        assert_near(cell_of(account, "operators outside delegates", "share").as_double,
                    has_kernels ? 0.25 : 0.75);
        assert_int_equal(report->sections[3].n_sums, 1);
        assert_int_equal(report->sections[3].sums[0], eti_table_row_count(account) - 1);
        assert_near(cell_of(table_of(report, "backends"), "(not delegated)", "share").as_double,
                    has_kernels ? 0.25 : 0.75);
        eti_report_free(report);
        close_session(&s);
    }
}

static void facts_name_rate_first_run_and_loading(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Default", TIMED(b, .name = "Program::load_method", .end_time = 5 * MS)),
             put_one_run(b, 100, 20), put_one_run(b, 200, 30)),
        NULL);
    eti_report *report = report_of(&s, "summary", NULL);
    const eti_table *facts = table_of(report, "facts");
    assert_int_equal(cell_of(facts, "runs", "value").as_int, 2);
    assert_near(cell_of(facts, "first run", "value").as_double, 20);
    assert_near(cell_of(facts, "inferences per second (avg)", "value").as_double, 40);
    assert_near(cell_of(facts, "loading the method", "value").as_double, 5);
    assert_text(cell_of(facts, "loading the method", "unit").as_text, "ms");
    assert_false(has_row(facts, "Method::init"));
    assert_false(has_row(facts, "method"));
    eti_report_free(report);
    close_session(&s);
}

static void nothing_is_said_of_dumps_without_times(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s, DUMP(b, put_run(b, &(run_spec){.name = "e", .events = put_tables(b, NULL, 0)})), NULL);
    eti_report *report = report_of(&s, "summary", NULL);
    assert_int_equal(cell_of(table_of(report, "facts"), "runs", "value").as_int, 0);
    assert_int_equal(eti_table_row_count(table_of(report, "account")), 0);
    assert_int_equal(eti_table_row_count(table_of(report, "operators")), 0);
    assert_true(has_note(report, "account", "no run has a time"));
    assert_null(section_of(report, "noisiest"));
    assert_null(section_of(report, "outliers"));
    eti_report_free(report);
    close_session(&s);
}

static void misfits_are_reported(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "a", 2, 0, 40), DELEGATED(b, "b", 2, 0, 2),
                    CALL(b, "DELEGATE_CALL", 2, 105, 115), CALL(b, "MOVE_CALL", 4, 112, 118),
                    CALL(b, "JF_CALL", 3, 116, 117), CALL(b, "JF_CALL", 3, 118, 119),
                    CALL(b, "outside", 5, 300, 301),
                    TIMED(b, .name = "Method::execute", .start_time = 100, .end_time = 120))),
        NULL);
    eti_report *report = report_of(&s, "summary", NULL);
    assert_true(has_note(report, "account", "which share the time of the call: 1"));
    assert_true(has_note(report, "account", "1 event of an instruction ends after its"));
    assert_true(has_note(report, "account", "1 event partly overlaps another"));
    assert_true(has_note(
        report, "account",
        "calls in loops that are counted here, though the Inspector shows only the last: 1"));
    assert_true(has_row(table_of(report, "account"), "all events, 1 outside Method::execute"));
    eti_report_free(report);
    close_session(&s);
}

/* Six settled runs follow a slow one; the fourth stands out; one kernel varies, another does not. */
static void warm_up_noise_and_outliers_are_found(void **state) {
    (void)state;
    static const uint64_t lengths[] = {90, 40, 41, 40, 70, 41, 40, 41, 40};
    session s = {0};
    builder *b = &s.b;
    place runs[COUNT_OF(lengths)];
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        uint64_t start = (i + 1) * 1000 * MS;
        runs[i] =
            RUN(b, "Execute", CALL(b, "native_call_steady", 1, start, start + 10 * MS),
                CALL(b, "native_call_noisy", 2, start + 10 * MS, start + lengths[i] * MS - MS),
                TIMED(b, .name = "Method::execute", .start_time = start,
                      .end_time = start + lengths[i] * MS));
    }
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, COUNT_OF(runs))), NULL);
    eti_report *report = report_of(&s, "summary", NULL);
    const eti_table *facts = table_of(report, "facts"), *account = table_of(report, "account");
    assert_int_equal(cell_of(facts, "warm-up runs", "value").as_int, 1);
    assert_near(cell_of(facts, "first run", "value").as_double, 90);
    assert_near(cell_of(facts, "first run / median run", "value").as_double, 90 / 40.5);
    /* of eight runs of 353 ms */
    assert_near(cell_of(facts, "inferences per second (avg)", "value").as_double, 8 / 0.353);
    assert_near(cell_of(account, "Method::execute", "avg").as_double, 353 / 8.0);
    assert_near(cell_of(account, "Method::execute", "first_run").as_double, 90);
    assert_near(cell_of(account, "operators outside delegates", "first_run").as_double, 89);
    assert_true(has_note(report, "account", "warm-up: first of 9 runs left out (skip_first 0"));
    const eti_table *outliers = table_of(report, "outliers");
    assert_int_equal(eti_table_row_count(outliers), 1);
    assert_int_equal(cell_at(outliers, 0, "run").as_int, 4);
    const eti_table *noisiest = table_of(report, "noisiest");
    assert_int_equal(eti_table_row_count(noisiest), 1);
    assert_text(table_cell(noisiest, 0, 0).as_text, "native_call_noisy");
    eti_report_free(report);
    report = report_of(&s, "runs", NULL);
    const eti_table *table = table_of(report, "runs");
    assert_text(cell_at(table, 0, "flag").as_text, "warm-up");
    assert_int_equal(cell_at(table, 1, "flag").kind, ETI_CELL_NONE);
    assert_text(cell_at(table, 4, "flag").as_text, "outlier");
    assert_true(has_note(report, "runs", "(skip_first 1"));
    assert_true(has_note(report, "runs", "outliers: 1,"));
    eti_report_free(report);
    close_session(&s);
}

static double sum_of_shares(const eti_table *table, size_t n_rows) {
    double sum = 0;
    for (size_t i = 0; i < n_rows; i++)
        sum += cell_at(table, i, "share").as_double;
    return sum;
}

static void shares_of_real_dumps_add_up(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("testdata/*/run.etdp", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const eti_source dump = {.path = found.gl_pathv[i]};
        const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1};
        session s = {0};
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__inspector_open(&s.inspector, &inputs, NULL, &err));
        eti_report *report = report_of(&s, "summary", NULL);
        const eti_table *account = table_of(report, "account");
        size_t n_rows = eti_table_row_count(account);
        assert_near(sum_of_shares(account, n_rows - 1), 1);
        assert_near(cell_at(account, n_rows - 1, "share").as_double, 1);
        const eti_table *backends = table_of(report, "backends");
        assert_near(sum_of_shares(backends, eti_table_row_count(backends)), 1);
        const eti_table *ops = table_of(report, "operators");
        assert_near(sum_of_shares(ops, eti_table_row_count(ops)), 1);
        eti_report_free(report);
        close_session(&s);
    }
    globfree(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_account_adds_up),
        cmocka_unit_test(layers_that_may_be_slower_are_listed),
        cmocka_unit_test(operators_are_folded_and_ordered_by_time),
        cmocka_unit_test(kernels_are_kept_apart_on_request),
        cmocka_unit_test(calls_are_operators_where_no_kernel_is_logged),
        cmocka_unit_test(facts_name_rate_first_run_and_loading),
        cmocka_unit_test(nothing_is_said_of_dumps_without_times),
        cmocka_unit_test(misfits_are_reported),
        cmocka_unit_test(warm_up_noise_and_outliers_are_found),
        cmocka_unit_test(shares_of_real_dumps_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
