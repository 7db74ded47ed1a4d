/* Tests the readable list of events; tests/golden/screens shows it as people see it. */
#include "report_fixture.h"
#include "rollup_fixture.h"

/* Rows of the events of "Execute" follow the row of the block that loads. */
static size_t row_of(const eti_table *table, const char *event) {
    for (size_t row = 0; row < eti_table_row_count(table); row++) {
        if (eti__text_is(cell_at(table, row, "event_name").as_text, event))
            return row;
    }
    fail_msg("there is no event %s", event);
    return 0;
}

static double number(const eti_table *table, const char *event, const char *column) {
    return cell_at(table, row_of(table, event), column).as_double;
}

static void own_times_are_means(void **state) {
    (void)state;
    session s = {0};
    open_two_runs(&s);
    eti_report *report = report_of(&s, "event_list", NULL);
    const eti_table *events = table_of(report, "events");
    assert_near(number(events, "Method::execute", "self_time"),
                129 - 93); /* 17 + 8 + 64 + 4 inside */
    assert_near(number(events, "DELEGATE_CALL", "self_time"), 32);
    assert_near(number(events, "native_call_tan.out", "self_time"), 4);
    assert_near(number(events, "(around operators)", "self_time"), 1);
    double sum = 0;
    for (size_t row = 0; row < eti_table_row_count(events); row++) {
        if (eti__text_is(cell_at(events, row, "block").as_text, "Execute"))
            sum += cell_at(events, row, "share").as_double;
    }
    assert_near(sum, 1);
    eti_report_free(report);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(own_times_are_means)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
