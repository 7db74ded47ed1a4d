#include "nrt_fixture.h"

#include "capture/nrt/nrt.h"

static nrt_inspect_config_t *config;

static int allocate(void **state) {
    (void)state;
    return nrt_inspect_config_allocate(&config) != NRT_SUCCESS;
}

static int release(void **state) {
    (void)state;
    return nrt_inspect_config_free(config) != NRT_SUCCESS;
}

/* ---- defaults and setters -------------------------------------------------------------------- */

static void assert_defaults(void) {
    const char **names;
    size_t count;
    assert_int_equal(config->session_id, 1);
    assert_null(config->output_dir); /* ./output */
    assert_int_equal(config->events.max_events, 1000000);
    assert_int_equal(config->events.event_types, NRT_ALL_EVENT_TYPES);
    for (uint32_t i = 0; i < 1024; i++)
        assert_true(etc__nrt_has_core(&config->events, i));
    assert_true(etc__nrt_keeps_all(config));
    assert_int_equal(nrt_inspect_config_get_enabled_activity_types(config, &names, &count),
                     NRT_SUCCESS);
    assert_int_equal(count, 4);
    nrt_inspect_config_free_activity_types(names, count);
}

static void options_begin_with_defaults_and_get_them_back(void **state) {
    (void)state;
    assert_defaults();
    assert_int_equal(nrt_inspect_config_set_session_id(config, -5), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_config_set_output_dir(config, "here"), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_config_set_output_dir(config, "there"), NRT_SUCCESS);
    assert_string_equal(config->output_dir, "there");
    assert_int_equal(nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 7), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_config_set_capture_enabled_for_nc(config, 1023, false),
                     NRT_SUCCESS);
    assert_false(etc__nrt_has_core(&config->events, 1023));
    assert_true(etc__nrt_has_core(&config->events, 1022));
    assert_int_equal(nrt_inspect_config_set_capture_enabled_for_event_type_string(
                         config, "nrt_tensor_read", false),
                     NRT_SUCCESS);
    assert_int_equal(nrt_inspect_config_set_enable_inspect(config, false), NRT_SUCCESS);
    assert_true(etc__nrt_is_off(config));
    assert_int_equal(nrt_inspect_config_set_activity(config, "cpu_util", false), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_config_set_defaults(config), NRT_SUCCESS);
    assert_defaults();
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    const char **names;
    size_t count;
    static const NRT_STATUS wrong = NRT_INVALID;
    assert_int_equal(nrt_inspect_config_allocate(NULL), wrong);
    assert_int_equal(nrt_inspect_config_set_defaults(NULL), wrong);
    assert_int_equal(nrt_inspect_config_free(NULL), wrong);
    assert_int_equal(nrt_inspect_config_set_session_id(NULL, 1), wrong);
    assert_int_equal(nrt_inspect_config_set_output_dir(NULL, "x"), wrong);
    assert_int_equal(nrt_inspect_config_set_output_dir(config, NULL), wrong);
    assert_int_equal(nrt_inspect_config_set_output_dir(config, ""), wrong);
    assert_int_equal(nrt_inspect_config_set_sys_trace_max_events_per_nc(NULL, 1), wrong);
    assert_int_equal(nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 0), wrong);
    assert_int_equal(nrt_inspect_config_set_capture_enabled_for_nc(NULL, 0, true), wrong);
    assert_int_equal(nrt_inspect_config_set_capture_enabled_for_nc(config, 1024, true), wrong);
    assert_int_equal(
        nrt_inspect_config_set_capture_enabled_for_event_type_string(NULL, "nrt_load", true),
        wrong);
    assert_int_equal(
        nrt_inspect_config_set_capture_enabled_for_event_type_string(config, NULL, true), wrong);
    assert_int_equal(
        nrt_inspect_config_set_capture_enabled_for_event_type_string(config, "hardware", true),
        wrong);
    assert_int_equal(nrt_inspect_config_set_enable_inspect(NULL, true), wrong);
    assert_int_equal(nrt_inspect_config_set_enable_inspect_on_fail(NULL, true), wrong);
    assert_int_equal(nrt_inspect_config_get_all_activity_types(NULL, &count), wrong);
    assert_int_equal(nrt_inspect_config_get_all_activity_types(&names, NULL), wrong);
    assert_int_equal(nrt_inspect_config_get_enabled_activity_types(NULL, &names, &count), wrong);
    assert_int_equal(nrt_inspect_config_get_enabled_activity_types(config, NULL, &count), wrong);
    assert_int_equal(nrt_inspect_config_get_enabled_activity_types(config, &names, NULL), wrong);
    assert_int_equal(nrt_inspect_config_set_activity(NULL, "all", true), wrong);
    assert_int_equal(nrt_inspect_config_set_activity(config, NULL, true), wrong);
    assert_int_equal(nrt_inspect_config_set_activity(config, "device", true), wrong);
    assert_int_equal(nrt_sys_trace_get_event_types(NULL, &count), wrong);
    assert_int_equal(nrt_sys_trace_get_event_types(&names, NULL), wrong);
    nrt_inspect_config_free_activity_types(NULL, 3);
    nrt_sys_trace_free_event_types(NULL, 3);
}

static void failing_executions_alone_are_asked_for_by_their_option_alone(void **state) {
    (void)state;
    assert_int_equal(nrt_inspect_config_set_enable_inspect_on_fail(config, true), NRT_SUCCESS);
    assert_false(etc__nrt_keeps_all(config));
    assert_false(etc__nrt_is_off(config));
    assert_int_equal(nrt_inspect_config_set_enable_inspect(config, true), NRT_SUCCESS);
    assert_true(etc__nrt_keeps_all(config));
    assert_int_equal(nrt_inspect_config_set_enable_inspect(config, false), NRT_SUCCESS);
    assert_false(etc__nrt_keeps_all(config));
    assert_false(etc__nrt_is_off(config));
    assert_int_equal(nrt_inspect_config_set_enable_inspect_on_fail(config, false), NRT_SUCCESS);
    assert_true(etc__nrt_is_off(config));
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void activities_are_four_and_belong_to_the_caller(void **state) {
    (void)state;
    static const char *const expected[] = {"system_profile", "device_profile", "host_memory",
                                           "cpu_util"};
    const char **names;
    size_t count;
    assert_int_equal(nrt_inspect_config_get_all_activity_types(&names, &count), NRT_SUCCESS);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(names[i], expected[i]);
        free((void *)names[i]); /* the vendor's documentation permits this */
    }
    free((void *)names);
}

static void activities_are_set_and_cleared(void **state) {
    (void)state;
    const char **names;
    size_t count;
    assert_int_equal(nrt_inspect_config_set_activity(config, "all", false), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_config_get_enabled_activity_types(config, &names, &count),
                     NRT_SUCCESS);
    assert_int_equal(count, 0);
    assert_non_null(names);
    nrt_inspect_config_free_activity_types(names, count);
    assert_int_equal(nrt_inspect_config_set_activity(config, "host_memory", true), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_config_get_enabled_activity_types(config, &names, &count),
                     NRT_SUCCESS);
    assert_int_equal(count, 1);
    assert_string_equal(names[0], "host_memory");
    nrt_inspect_config_free_activity_types(names, count);
    assert_int_equal(nrt_inspect_config_set_activity(config, "all", true), NRT_SUCCESS);
    assert_defaults();
}

static void types_of_events_are_those_that_options_take(void **state) {
    (void)state;
    const char **names;
    size_t count;
    assert_int_equal(nrt_sys_trace_get_event_types(&names, &count), NRT_SUCCESS);
    assert_true(count >= 10);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(
            nrt_inspect_config_set_capture_enabled_for_event_type_string(config, names[i], false),
            NRT_SUCCESS);
    assert_int_equal(config->events.event_types, 0);
    nrt_sys_trace_free_event_types(names, count);
}

static void options_of_continuous_profiling(void **state) {
    (void)state;
    nrt_profile_continuous_options_t *options;
    assert_int_equal(nrt_profile_continuous_options_allocate(NULL), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_options_allocate(&options), NRT_SUCCESS);
    assert_int_equal(nrt_profile_continuous_options_set_output_dir(NULL, "x"), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_options_set_output_dir(options, NULL), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_options_set_output_dir(options, ""), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_options_set_output_dir(options, "a"), NRT_SUCCESS);
    assert_int_equal(nrt_profile_continuous_options_set_output_dir(options, "b"), NRT_SUCCESS);
    assert_string_equal(options->output_dir, "b");
    assert_int_equal(nrt_profile_continuous_options_free(options), NRT_SUCCESS);
    assert_int_equal(nrt_profile_continuous_options_free(NULL), NRT_SUCCESS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(options_begin_with_defaults_and_get_them_back, allocate,
                                        release),
        cmocka_unit_test_setup_teardown(wrong_arguments_are_refused, allocate, release),
        cmocka_unit_test_setup_teardown(
            failing_executions_alone_are_asked_for_by_their_option_alone, allocate, release),
        cmocka_unit_test(activities_are_four_and_belong_to_the_caller),
        cmocka_unit_test_setup_teardown(activities_are_set_and_cleared, allocate, release),
        cmocka_unit_test_setup_teardown(types_of_events_are_those_that_options_take, allocate,
                                        release),
        cmocka_unit_test(options_of_continuous_profiling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
