#include "report_fixture.h"
#include "timed_events.h"

#include "view/tokens.h"

#include <math.h>

#define MS UINT64_C(1000000)

/* Opens runs of 4, 4 and 4 ms. */
static void open_runs(session *s) {
    builder *b = &s->b;
    place runs[3];
    for (uint64_t i = 0; i < COUNT_OF(runs); i++)
        runs[i] = RUN(b, "Execute", EVENT(b, "native_call_a", (10 + i) * MS, (13 + i) * MS),
                      EVENT(b, "Method::execute", (10 + i) * MS, (14 + i) * MS));
    open_session(s, put_dump(b, (optional){0}, put_tables(b, runs, COUNT_OF(runs))), NULL);
}

static void tokens_have_a_column_if_their_number_is_given(void **state) {
    (void)state;
    session s = {0};
    open_runs(&s);
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_report *report = report_of(&s, "runs", &options);
    for (size_t i = 0; i < eti_table_column_count(table_of(report, "runs")); i++)
        assert_false(
            eti__text_is(eti_table_column_name(table_of(report, "runs"), i), "tokens_per_second"));
    eti_report_free(report);
    char tokens[] = "2";
    options.tokens = tokens;
    report = report_of(&s, "runs", &options);
    memset(tokens, '!', sizeof tokens); /* rows are made later */
    for (size_t i = 0; i < 3; i++)
        assert_near(cell_at(table_of(report, "runs"), i, "tokens_per_second").as_double, 500);
    eti_report_free(report);
    close_session(&s);
}

static void tokens_are_divided_by_the_typical_time(void **state) {
    (void)state;
    session s = {0};
    open_runs(&s);
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    options.tokens = "8.4";
    eti_report *report = report_of(&s, "summary", &options);
    assert_near(cell_at(table_of(report, "headline"), 0, "tokens_per_second").as_double, 2100);
    assert_true(has_note(report, "headline", "2,100 tokens per second, by the typical time."));
    eti_report_free(report);
    report = report_of(&s, "layers", &options);
    assert_true(
        has_note(report, "layers", "2,100 tokens per second, by the typical time of a run"));
    eti_report_free(report);
    close_session(&s);
}

static void assert_refused(const eti_inspector *inspector, const char *tokens, const char *part) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    options.tokens = tokens;
    assert_int_equal(eti__tokens_check(inspector, &options, &err), ETI_ERROR_USAGE);
    if (!strstr(err.message, part))
        fail_msg("%s: expected %s, found %s", tokens, part, err.message);
}

static void wrong_numbers_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",     "0",    "-1",         "x",     "1,2",
                                        "a=1,", ",a=1", "a=",         "=1",    "1e400",
                                        "inf",  "nan",  "2000000000", "1,a=1", "a=1,2"};
    session s = {0};
    open_runs(&s);
    eti_method methods[] = {{.name = {"a", 1}}, {.name = {"b", 1}}};
    eti_inspector inspector = *s.inspector;
    assert_refused(&inspector, "a=1", "tokens: give the ETRecord or the program");
    inspector.methods = methods;
    inspector.n_methods = COUNT_OF(methods);
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_refused(&inspector, wrong[i], "is not a number above 0 such as 128");
    assert_refused(&inspector, "a=1,c=1", "tokens: there is no method c: there are a, b");
    inspector.options.target_time_scale = ETI_SCALE_CYCLES;
    assert_refused(&inspector, "1", "tokens: cycles are no time");
    close_session(&s);
}

static void each_method_has_its_tokens(void **state) {
    (void)state;
    session s = {0};
    open_runs(&s);
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    options.tokens = "a=128,b=1";
    assert_near(eti__tokens_per_second(s.inspector, &options, eti__text_of("a"), 4), 32000);
    assert_near(eti__tokens_per_second(s.inspector, &options, eti__text_of("b"), 4), 250);
    assert_true(isnan(eti__tokens_per_second(s.inspector, &options, eti__text_of("c"), 4)));
    assert_true(isnan(eti__tokens_per_second(s.inspector, &options, eti__text_of("a"), 0)));
    options.tokens = NULL;
    assert_true(isnan(eti__tokens_per_second(s.inspector, &options, eti__text_of("a"), 4)));
    close_session(&s);
}

static void numbers_are_readable(void **state) {
    (void)state;
    static const struct {
        double rate;
        const char *text;
    } cases[] = {{0.5, "0.5"},   {12.34, "12.3"},   {99.94, "99.9"},          {99.96, "100"},
                 {999.4, "999"}, {1234.4, "1,234"}, {51748534, "51,748,534"}, {2e15, "2.000e+15"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_buffer found = {0}, expected = {0};
        eti__add_tokens_per_second(&found, cases[i].rate);
        eti__buffer_printf(&expected, "%s tokens per second%c", cases[i].text, '\0');
        assert_text(eti__buffer_text(&found), expected.data);
        eti__buffer_free(&found);
        eti__buffer_free(&expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_have_a_column_if_their_number_is_given),
        cmocka_unit_test(tokens_are_divided_by_the_typical_time),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(each_method_has_its_tokens),
        cmocka_unit_test(numbers_are_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
