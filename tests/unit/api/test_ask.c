/* Tests the other direction of a comparison, which pages ask for. */
#include "files_fixture.h"
#include "table/table.h"
#include "write/write.h"

static const uint64_t before[] = {100, 101, 102, 100, 101, 200, 202, 204, 200, 202};
static const uint64_t after[] = {150, 151, 152, 150, 151, 200, 202, 204, 200, 202};

static eti_profile *side_of(const uint64_t *ticks) {
    return profile_of_files(ticks, 2, 5, 10);
}

static eti_request *request_of(const char *name, const char *value) {
    eti_request *request;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_request_new(&request, &err));
    assert_ok(eti_request_set(request, "allow_unlike", "true", &err));
    if (name)
        assert_ok(eti_request_set(request, name, value, &err));
    return request;
}

static bool take_output(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

/* Frees the report; both reports must have the same tables and notes. */
static void assert_like(eti_report *report, const eti_report *expected) {
    const eti_write_options options = {.no_sha256 = true};
    eti_buffer found = {0}, wanted = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__report_write(report, "json", &options, take_output, &found, &err));
    assert_ok(eti__report_write(expected, "json", &options, take_output, &wanted, &err));
    eti__buffer_add_char(&found, '\0');
    eti__buffer_add_char(&wanted, '\0');
    assert_string_equal(found.data, wanted.data);
    eti__buffer_free(&found);
    eti__buffer_free(&wanted);
    eti_report_free(report);
}

static eti_report *swapped(const eti_report *report) {
    eti_report *out;
    eti_error err = ETI_ERROR_INIT;
    assert_non_null(report->swap.make);
    assert_ok(report->swap.make(&out, report->swap.context, &err));
    return out;
}

/* Whoever asks has freed the sides and the request by then. */
static void the_other_direction_is_that_of_exchanged_sides(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_request *request = request_of("group", "op");
    eti_profile *base = side_of(before), *new_side = side_of(after);
    eti_report *report, *expected;
    assert_ok(eti_diff_report(&report, base, new_side, request, &err));
    assert_ok(eti_diff_report(&expected, new_side, base, request, &err));
    eti_request_free(request);
    eti_profile_free(base);
    eti_profile_free(new_side);
    eti_report *other = swapped(report);
    assert_null(other->swap.make);
    assert_like(other, expected);
    eti_report_free(expected);
    eti_report_free(report);
}

static void a_selection_applies_to_both_directions(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_request *selection = request_of("filter", "event_name = \"e1\"");
    eti_profile *base = side_of(before), *new_side = side_of(after);
    eti_report *report, *expected;
    assert_ok(eti_diff_report(&report, base, new_side, NULL, &err));
    assert_ok(eti_diff_report(&expected, new_side, base, NULL, &err));
    assert_ok(eti_report_select(report, selection, &err));
    assert_ok(eti_report_select(expected, selection, &err));
    eti_request_free(selection);
    eti_report *other = swapped(report);
    assert_int_equal(eti_table_row_count(other->sections[other->selected].table), 1);
    assert_like(other, expected);
    selection = request_of("columns", "event_name");
    assert_ok(eti_report_select(report, selection, &err));
    assert_null(report->swap.make); /* after a second selection */
    eti_request_free(selection);
    eti_report_free(expected);
    eti_report_free(report);
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static void gates_have_one_direction(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_profile *base = side_of(before), *new_side = side_of(after);
    eti_gate_outcome outcome;
    eti_report *report;
    assert_ok(eti_gate_report(&report, &outcome, base, new_side, NULL, &err));
    assert_null(report->swap.make);
    eti_report_free(report);
    eti_profile_free(base);
    eti_profile_free(new_side);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_direction_is_that_of_exchanged_sides),
        cmocka_unit_test(a_selection_applies_to_both_directions),
        cmocka_unit_test(gates_have_one_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
