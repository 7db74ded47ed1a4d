#include "api/api.h"
#include "api/request.h"
#include "base/status.h"
#include "locale_fixture.h"
#include "model/model.h"
#include "numerics/numerics.h"
#include "profile/profile.h"
#include "table/table.h"

#include <string.h>

static eti_error err;

static eti_request *new_request(void) {
    eti_request *request;
    assert_int_equal(eti_request_new(&request, &err), ETI_OK);
    return request;
}

static void set(eti_request *request, const char *name, const char *value) {
    if (eti_request_set(request, name, value, &err) != ETI_OK)
        fail_msg("%s: %s", name, err.message);
}

/* A refused value leaves the request as it was. */
static void assert_refused(const char *name, const char *value, const char *message) {
    eti_request *request = new_request();
    assert_int_equal(eti_request_set(request, name, value, &err), ETI_ERROR_USAGE);
    assert_string_equal(err.message, message);
    assert_null(eti_request_get(request, name));
    eti_request_free(request);
}

static void numbers_are_set_to_their_extremes(void **state) {
    (void)state;
    eti_request *request = new_request();
    const eti__meaning *meaning = &request->meaning;
    set(request, "threads", "1");
    assert_int_equal(meaning->opening.n_threads, 1);
    set(request, "threads", "64");
    assert_int_equal(eti__request_opening(request).n_threads, 64);
    set(request, "skip_first", "0");
    assert_int_equal(eti__request_profile(request).skip_first, 0);
    set(request, "width", "10000");
    assert_int_equal(eti__request_write(request).width, 10000);
    set(request, "context", "0");
    assert_int_equal(meaning->view.context, 0);
    set(request, "fold", "100");
    assert_true(meaning->view.fold == 1);
    set(request, "alpha", "5%");
    assert_true(meaning->diff.alpha == 0.05);
    set(request, "least_effect", ".5");
    assert_true(meaning->diff.least_effect == 0.5);
    set(request, "clock_hz", "1000000GHz");
    assert_true(meaning->opening.clock_hz == 1e15);
    eti_request_free(request);
}

static void numbers_have_a_decimal_point_in_any_locale(void **state) {
    (void)state;
    enter_comma_locale();
    eti_request *request = new_request();
    const eti__meaning *meaning = &request->meaning;
    set(request, "alpha", "0.05");
    assert_true(meaning->diff.alpha == 0.05);
    set(request, "atol", "1e7");
    assert_true(meaning->numerics.tolerances.atol == 1e7);
    set(request, "fold", "0.5%");
    assert_true(meaning->view.fold == 0.005);
    set(request, "clock_hz", "1.5GHz");
    assert_true(meaning->opening.clock_hz == 1.5e9);
    eti_request_free(request);
    assert_refused("alpha", "0,05", "alpha: '0,05' is not a share such as 5% or 0.05");
}

static void errors_name_the_range_of_values(void **state) {
    (void)state;
    assert_refused("threads", "0", "threads: '0' is not a whole number from 1 to 64");
    assert_refused("threads", "65", "threads: '65' is not a whole number from 1 to 64");
    assert_refused("threads", " 1", "threads: ' 1' is not a whole number from 1 to 64");
    assert_refused("width", "10001", "width: '10001' is not a whole number from 1 to 10000");
    assert_refused("depth", "", "depth: '' is not a whole number of at least 1, such as 10");
    assert_refused("fold", "100.1", "fold: '100.1' is not a percentage from 0 to 100");
    assert_refused("alpha", "-1", "alpha: '-1' is not a share such as 5% or 0.05");
    assert_refused("rtol", "-1", "rtol: '-1' is not a number of at least 0");
    assert_refused("atol", "1e400", "atol: '1e400' is not a number of at least 0");
    assert_refused("atol", "abc", "atol: 'abc' is not a number of at least 0");
    assert_refused("atol", "1%", "atol: '1%' is not a number of at least 0");
    assert_refused("clock_hz", "1.8", "clock_hz: 1.8 Hz: did you mean 1.8GHz?");
    assert_refused("clock_hz", "400", "clock_hz: 400 Hz: did you mean 400MHz?");
    assert_refused("clock_hz", "0.5kHz", "clock_hz: 500 Hz: did you mean 500MHz?");
    assert_refused("clock_hz", "1THz",
                   "clock_hz: '1THz' is not a frequency such as 400e6 or 400MHz");
    assert_refused("clock_hz", "1000001GHz",
                   "clock_hz: '1000001GHz' is not a frequency such as 400e6 or 400MHz");
    assert_refused("peak_flops", "2TB",
                   "peak_flops: '2TB' is not a number per second such as 2T, 50G or 1.5e12");
    assert_refused("peak_bandwidth", "0",
                   "peak_bandwidth: '0' is not a number per second such as 2T, 50G or 1.5e12");
    assert_refused("target_time_scale", "m",
                   "target_time_scale: 'm' is not one of ns,us,ms,s,cycles");
    assert_refused("exact_time", "yes", "exact_time: expected true or false, found 'yes'");
    assert_refused("label", "=x", "label: expected KEY=VALUE, found '=x'");
    assert_refused("delegate_time_scale", "=us",
                   "delegate_time_scale: expected [BACKEND=]SCALE with a scale of "
                   "ns,us,ms,s,cycles, or a frequency such as 600MHz, found '=us'");
}

static void errors_suggest_the_nearest_option(void **state) {
    (void)state;
    eti_request *request = new_request();
    assert_int_equal(eti_request_set(request, "fromat", "csv", &err), ETI_ERROR_USAGE);
    assert_string_equal(err.message, "there is no option fromat: did you mean format?");
    assert_int_equal(eti_request_set(request, "nothing_like_it", "1", &err), ETI_ERROR_USAGE);
    assert_string_equal(err.message, "there is no option nothing_like_it");
    /* an option of the program only */
    assert_int_equal(eti_request_set(request, "no_pager", "true", &err), ETI_ERROR_USAGE);
    assert_int_equal(eti_request_set(request, "", "true", &err), ETI_ERROR_USAGE);
    eti_request_free(request);
}

static void messages_have_the_prefix_of_the_request(void **state) {
    (void)state;
    eti_request *request = new_request();
    eti_request_set_option_prefix(request, "--");
    assert_int_equal(eti_request_set(request, "top", "x", &err), ETI_ERROR_USAGE);
    assert_int_equal(strncmp(err.message, "--top: ", 7), 0);
    assert_string_equal(eti__option_prefix(), "");
    eti_request_free(request);
}

static void a_rule_says_where_it_goes_wrong(void **state) {
    (void)state;
    eti_request *request = new_request();
    assert_int_equal(eti_request_set(request, "fail_on", "op:p50>", &err), ETI_ERROR_USAGE);
    assert_int_equal(strncmp(err.message, "fail_on: ", 9), 0);
    assert_true(err.position > 0);
    assert_int_equal(eti__request_gate(request).n_rules, 0);
    set(request, "fail-on", "op:p50>+5%");
    set(request, "fail_on", "total:p50>+5%");
    assert_int_equal(eti__request_gate(request).n_rules, 2);
    eti_request_free(request);
}

/* Values of an option to which commands give different meanings apply to all of them. */
static void a_name_counts_for_all_commands(void **state) {
    (void)state;
    eti_request *request = new_request(), *copy;
    set(request, "fail_on", "snr < 30 or status == 'shape'");
    set(request, "fail_on", "op:p50>+5%");
    set(request, "all", "true");
    assert_int_equal(eti_request_copy(&copy, request, &err), ETI_OK);
    const eti_request *const both[] = {request, copy};
    for (size_t i = 0; i < 2; i++) {
        eti_numerics_options numerics = eti__request_numerics(both[i]);
        assert_int_equal(numerics.n_fail_on, 2);
        assert_string_equal(numerics.fail_on[0], "snr < 30 or status == 'shape'");
        assert_int_equal(eti__request_gate(both[i]).n_rules, 2);
        assert_true(eti__request_view(both[i]).lists_all);
        assert_true(eti__request_diff(both[i]).lists_all);
    }
    set(request, "fail_on", NULL);
    assert_int_equal(eti__request_numerics(request).n_fail_on, 0);
    assert_int_equal(eti__request_gate(request).n_rules, 0);
    eti_request_free(copy);
    eti_request_free(request);
}

static void a_gate_refuses_an_expression(void **state) {
    (void)state;
    eti_request *request = new_request();
    eti_inspector *inspector;
    eti_profile *profile;
    eti_report *report;
    eti_gate_outcome outcome;
    set(request, "etdump_path", "testdata/mlp/run.etdp");
    assert_int_equal(eti_inspector_open(&inspector, request, &err), ETI_OK);
    assert_int_equal(eti_profile_from_inspector(&profile, inspector, request, &err), ETI_OK);
    set(request, "fail_on", "snr < 30");
    assert_int_equal(eti_gate_report(&report, &outcome, NULL, profile, request, &err),
                     ETI_ERROR_USAGE);
    assert_non_null(strstr(err.message, "fail_on"));
    eti_profile_free(profile);
    eti_inspector_close(inspector);
    eti_request_free(request);
}

static void hyphens_do_as_well(void **state) {
    (void)state;
    eti_request *request = new_request();
    set(request, "target-time-scale", "us");
    assert_string_equal(eti_request_get(request, "target_time_scale"), "us");
    assert_int_equal(eti__request_opening(request).target_time_scale, ETI_SCALE_US);
    eti_request_free(request);
}

static void null_sets_back(void **state) {
    (void)state;
    eti_request *request = new_request();
    set(request, "module", "a");
    set(request, "top", "5");
    set(request, "module", "b");
    assert_int_equal(eti__request_view(request).n_modules, 2);
    set(request, "module", NULL);
    assert_int_equal(eti__request_view(request).n_modules, 0);
    assert_null(eti_request_get(request, "module"));
    assert_int_equal(eti__request_selection(request).top, 5);
    eti_request_free(request);
}

static void copies_are_equal_and_independent(void **state) {
    (void)state;
    static const char bytes[] = "bytes";
    const eti_source source = {"run.etdp", bytes, sizeof bytes};
    eti_request *request = new_request(), *copy;
    set(request, "label", "device=board");
    set(request, "delegate_time_scale", "Qnn=cycles");
    assert_int_equal(eti_request_add_input(request, "etdump_path", &source, &err), ETI_OK);
    assert_int_equal(eti_request_add_input(request, "etdump_path", &source, &err), ETI_OK);
    assert_int_equal(eti_request_copy(&copy, request, &err), ETI_OK);
    eti_request_free(request);
    const eti_inputs inputs = eti__request_inputs(copy);
    assert_int_equal(inputs.n_etdumps, 2);
    assert_string_equal(inputs.etdumps[1].path, "run.etdp");
    assert_ptr_equal(inputs.etdumps[1].data, bytes);
    assert_string_equal(eti__request_write(copy).labels[0].key, "device");
    assert_string_equal(eti__request_write(copy).labels[0].value, "board");
    assert_string_equal(eti__request_opening(copy).delegate_time_scales[0].backend, "Qnn");
    assert_int_equal(eti_request_add_input(copy, "threads", &source, &err), ETI_ERROR_USAGE);
    assert_string_equal(err.message, "threads does not take an input");
    eti_request_free(copy);
}

static void options_follow_from_others(void **state) {
    (void)state;
    eti_request *request = new_request();
    set(request, "clock_hz", "1MHz");
    assert_int_equal(eti__request_opening(request).source_time_scale, ETI_SCALE_CYCLES);
    set(request, "source_time_scale", "us");
    assert_int_equal(eti__request_opening(request).source_time_scale, ETI_SCALE_US);
    assert_true(eti__request_profile(request).skip_first == ETI_SKIP_WARM_UP);
    set(request, "delegate_metadata", "hex");
    assert_true(eti__request_view(request).table.include_delegate_debug_data);
    set(request, "format", "text");
    assert_true(eti__request_view(request).lines);
    set(request, "sort", "p50");
    assert_false(eti__request_view(request).lines);
    set(request, "no_include_units", "true");
    assert_false(eti__request_diff(request).include_units);
    set(request, "include_units", "true");
    assert_true(eti__request_diff(request).include_units);
    set(request, "now", "86400");
    assert_int_equal(eti__request_gate(request).now, 86400);
    eti_request_free(request);
}

static void no_request_is_one_in_which_nothing_is_set(void **state) {
    (void)state;
    assert_int_equal(eti__request_opening(NULL).target_time_scale, ETI_SCALE_MS);
    assert_int_equal(eti__request_inputs(NULL).n_etdumps, 0);
    assert_true(eti__request_diff(NULL).alpha == 0.01);
    eti_request_free(NULL);
}

static void groups_of_views_may_be_set(void **state) {
    (void)state;
    static const char *const groups[] = {"op", "module:2", "block", "method"};
    eti_request *request = new_request();
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        set(request, "group", groups[i]);
        assert_string_equal(eti__request_view(request).group, groups[i]);
    }
    eti_request_free(request);
}

static void a_copy_of_no_request_has_nothing_set(void **state) {
    (void)state;
    eti_request *copy;
    assert_int_equal(eti_request_copy(&copy, NULL, &err), ETI_OK);
    assert_null(eti_request_get(copy, "format"));
    eti_request_free(copy);
}

static void an_input_needs_a_path_or_data(void **state) {
    (void)state;
    eti_request *request = new_request();
    const eti_source nothing = {NULL, NULL, 0}, file = {"x", NULL, 0};
    eti_request_set_option_prefix(request, "--");
    assert_int_equal(eti_request_add_input(request, "etdump_path", &nothing, &err),
                     ETI_ERROR_USAGE);
    assert_string_equal(err.message, "--etdump_path: the source has neither a path nor data");
    assert_int_equal(eti__request_inputs(request).n_etdumps, 0);
    assert_int_equal(eti_request_add_input(request, "nix", &file, &err), ETI_ERROR_USAGE);
    assert_string_equal(err.message, "there is no option --nix");
    eti_request_free(request);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_set_to_their_extremes),
        cmocka_unit_test_teardown(numbers_have_a_decimal_point_in_any_locale, leave_comma_locale),
        cmocka_unit_test(errors_name_the_range_of_values),
        cmocka_unit_test(errors_suggest_the_nearest_option),
        cmocka_unit_test(messages_have_the_prefix_of_the_request),
        cmocka_unit_test(a_rule_says_where_it_goes_wrong),
        cmocka_unit_test(a_name_counts_for_all_commands),
        cmocka_unit_test(a_gate_refuses_an_expression),
        cmocka_unit_test(hyphens_do_as_well),
        cmocka_unit_test(null_sets_back),
        cmocka_unit_test(copies_are_equal_and_independent),
        cmocka_unit_test(options_follow_from_others),
        cmocka_unit_test(no_request_is_one_in_which_nothing_is_set),
        cmocka_unit_test(groups_of_views_may_be_set),
        cmocka_unit_test(a_copy_of_no_request_has_nothing_set),
        cmocka_unit_test(an_input_needs_a_path_or_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
