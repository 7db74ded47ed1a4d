#include "report_fixture.h"
#include "rollup_fixture.h"
#include "timed_events.h"

#include <string.h>

#define MS UINT64_C(1000000)

/* Adds a run of two kernels that take this time. */
static place put_two(builder *b, uint64_t first, uint64_t second) {
    return RUN(b, "Execute", CALL(b, "native_call_a.out", 1, 0, first * MS),
               CALL(b, "native_call_b.out", 2, 100 * MS, (100 + second) * MS));
}

static void rows_are_layers_and_the_rest(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place calls[9];
    for (uint64_t i = 0; i < COUNT_OF(calls); i++) {
        char name[32];
        snprintf(name, sizeof name, "native_call_op%d.out", (int)i);
        calls[i] = CALL(b, name, (int)i + 1, i * 20 * MS, (i * 20 + i + 1) * MS);
    }
    place run = put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, calls, 9)});
    open_session(&s, DUMP(b, run), NULL);
    eti_report *report = report_of(&s, "layers", NULL);
    const eti_table *all = table_of(report, "layers");
    assert_int_equal(eti_table_row_count(all), 9);
    assert_text(table_cell(all, 0, 0).as_text, "native_call_op8.out");
    assert_near(cell_at(all, 0, "typical").as_double, 9);
    assert_near(cell_at(all, 0, "share").as_double, 9.0 / 45);
    assert_true(has_note(report, "layers", "layers and lines are known only with the ETRecord") ||
                has_note(report, "layers", "ETRecord"));
    eti_report_free(report);
    report = report_of(&s, "answer", NULL);
    const eti_table *five = table_of(report, "layers");
    assert_int_equal(eti_table_row_count(five), 6);
    assert_text(table_cell(five, 5, 0).as_text, "(4 more)");
    assert_near(cell_at(five, 5, "typical").as_double, 1 + 2 + 3 + 4);
    assert_near(cell_at(five, 5, "share").as_double, 10.0 / 45);
    assert_int_equal(cell_at(five, 5, "backend").kind, ETI_CELL_NONE);
    eti_report_free(report);
    close_session(&s);
}

static void the_headline_says_how_long_a_run_takes(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, put_two(b, 30, 10)), NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    assert_true(has_note(report, "headline", "A run takes 40.00 ms (one run)."));
    assert_true(has_note(report, "headline", "Slowest kernel: native_call_a.out, 75.0 %."));
    assert_false(has_note(report, "headline", "Too close"));
    const eti_table *headline = table_of(report, "headline");
    assert_near(cell_at(headline, 0, "typical").as_double, 40);
    assert_int_equal(cell_at(headline, 0, "runs").as_int, 1);
    assert_true(has_note(report, "actions", "No single change") ==
                (eti_table_row_count(table_of(report, "actions")) == 0));
    eti_report_free(report);
    close_session(&s);
}

/* The text of the table has both sentences, whole, however long a name is. */
static void names_of_any_length_are_whole(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    char name[400], wanted[600];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    open_session(&s, DUMP(b, RUN(b, "Execute", CALL(b, name, 1, 0, 10 * MS))), NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    snprintf(wanted, sizeof wanted, "A run takes 10.00 ms (one run). Slowest kernel: %s, 100.0 %%.",
             name);
    assert_text(cell_at(table_of(report, "headline"), 0, "text").as_text, wanted);
    eti_report_free(report);
    close_session(&s);
}

/* Operators of XNNPACK have whole microseconds: what is lost of each may be all of the overhead. */
static void overhead_may_be_rounding(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place run = RUN(b, "Execute", DELEGATED(b, "Convolution (NHWC) #1", 1, 0, 1000),
                    DELEGATED(b, "Add (ND) #1", 1, 1000, 2000),
                    CALL(b, "DELEGATE_CALL", 1, 0, 5000), CALL(b, "Method::execute", 2, 0, 6000));
    open_session(&s, DUMP(b, run), NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    assert_true(has_note(report, "headline", "Largest part: delegate overhead, 50.0 %. Slowest "));
    assert_true(has_note(report, "headline",
                         "Up to 66.7 % of the delegate overhead may be time of operators, which "
                         "the delegate rounded down."));
    eti_report_free(report);
    close_session(&s);
}

static void layers_too_close_are_named(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, put_two(b, 12, 10), put_two(b, 10, 11), put_two(b, 12, 10)), NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    assert_true(has_note(report, "headline",
                         "Slowest kernel: native_call_a.out, 54.5 %. Too close "
                         "to tell: native_call_b.out."));
    const eti_table *headline = table_of(report, "headline");
    assert_int_equal(cell_at(headline, 0, "close").n_items, 1);
    eti_report_free(report);
    close_session(&s);
}

/* Kernels of one layer: the slowest is on one line, but two others have more time together on another line. */
static void the_line_of_a_layer_is_the_one_with_the_most_time(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", MS_CALL(b, "native_call_z.out", 4, 0, 5),
                             MS_CALL(b, "native_call_a.out", 1, 10, 20),
                             MS_CALL(b, "native_call_b.out", 2, 20, 27),
                             MS_CALL(b, "native_call_c.out", 3, 27, 35))),
                 &(record_spec){
                     .handles = "{\"1\": 1, \"2\": 2, \"3\": 3, \"4\": 4}",
                     .edge = EDGE_PROGRAM(
                         OP("a", "a.default", "1", LINEAR, FRAME("/m/a.py", 7, "a(x)"), "x") "," OP(
                             "b", "b.default", "2", LINEAR, FRAME("/m/a.py", 8, "b(x)"),
                             "x") "," OP("c", "c.default", "3", LINEAR, FRAME("/m/a.py", 8, "c(x)"),
                                         "x") "," OP("z", "z.default", "4", LINEAR, "", "x"))});
    eti_report *report = report_of(&s, "answer", NULL);
    const eti_table *layers = table_of(report, "layers"), *headline = table_of(report, "headline");
    assert_text(cell_at(layers, 0, "layer").as_text, "a.fc");
    assert_text(cell_at(layers, 0, "kernel").as_text, "native_call_a.out");
    assert_text(cell_at(layers, 0, "source").as_text, "/m/a.py:8");
    assert_text(cell_at(headline, 0, "source").as_text, "/m/a.py:8");
    assert_true(has_note(report, "headline", "Slowest layer: a.fc, 100.0 %, a.py:8."));
    eti_report_free(report);
    close_session(&s);
}

static void a_dump_without_times_has_an_answer(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "Execute", ALLOCATED(b))), NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    assert_true(has_note(report, "headline", "no run has a time"));
    assert_int_equal(eti_table_row_count(table_of(report, "headline")), 0);
    eti_report_free(report);
    report = report_of(&s, "layers", NULL);
    assert_int_equal(eti_table_row_count(table_of(report, "layers")), 0);
    eti_report_free(report);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_layers_and_the_rest),
        cmocka_unit_test(the_headline_says_how_long_a_run_takes),
        cmocka_unit_test(names_of_any_length_are_whole),
        cmocka_unit_test(overhead_may_be_rounding),
        cmocka_unit_test(layers_too_close_are_named),
        cmocka_unit_test(the_line_of_a_layer_is_the_one_with_the_most_time),
        cmocka_unit_test(a_dump_without_times_has_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
