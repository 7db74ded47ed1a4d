/* Traces of the runtime's calls in memory: what is recorded, and what is fetched as JSON. */
#include "nrt_fixture.h"

#include "capture/nrt/nrt.h"

static char *fetched;
static size_t fetched_size;

/* Fetches events, and returns their number. */
static size_t fetch(const nrt_sys_trace_fetch_options_t *options) {
    size_t n = 0;
    nrt_sys_trace_buffer_free(fetched);
    fetched = NULL;
    assert_int_equal(nrt_sys_trace_fetch_events(&fetched, &fetched_size, options), NRT_SUCCESS);
    assert_int_equal(strlen(fetched), fetched_size);
    for (const char *at = fetched; (at = strstr(at, "{\"event_type\":")) != NULL; at++)
        n++;
    return n;
}

static size_t count(const char *text) {
    size_t n = 0;
    for (const char *at = fetched; (at = strstr(at, text)) != NULL; at++)
        n++;
    return n;
}

static nrt_sys_trace_config_t *make_trace_config(void) {
    nrt_sys_trace_config_t *config = NULL;
    assert_int_equal(nrt_sys_trace_config_allocate(&config), NRT_SUCCESS);
    assert_non_null(config);
    return config;
}

static void start_with(nrt_sys_trace_config_t *config) {
    assert_int_equal(nrt_sys_trace_start(config), NRT_SUCCESS);
    nrt_sys_trace_config_free(config);
}

static int end_trace(void **state) {
    (void)state;
    nrt_sys_trace_stop();
    nrt_sys_trace_buffer_free(fetched);
    fetched = NULL;
    return 0;
}

static void events_are_json(void **state) {
    (void)state;
    assert_int_equal(nrt_sys_trace_start(NULL), NRT_SUCCESS);
    assert_int_equal(fetch(NULL), 0);
    assert_string_equal(fetched, "{\"events\":[]}");
    uint64_t now = etc_nrt_now();
    assert_int_equal(etc_nrt_event(5, "nrt_load", now, now + 7), NRT_SUCCESS);
    assert_int_equal(fetch(NULL), 2);
    char expected[600];
    snprintf(expected, sizeof expected,
             "{\"events\":[{\"event_type\":\"nrt_load\",\"phase\":\"start\",\"tracking_id\":1,\"nc_"
             "idx\":5,"
             "\"timestamp_ns\":%llu,\"data\":{}},{\"event_type\":\"nrt_load\",\"phase\":\"stop\","
             "\"tracking_id\":1,"
             "\"nc_idx\":5,\"timestamp_ns\":%llu,\"data\":{}}]}",
             (unsigned long long)now, (unsigned long long)now + 7);
    assert_string_equal(fetched, expected);
    assert_int_equal(fetch(NULL), 0); /* they were fetched */
}

static void executions_run_on_their_core(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 3);
    assert_int_equal(nrt_sys_trace_start(NULL), NRT_SUCCESS);
    assert_false(execute(cnn)); /* no capture: a trace has no events of the engine */
    assert_false(execute(cnn));
    assert_int_equal(fetch(NULL), 8);
    assert_int_equal(count("\"event_type\":\"nc_exec_running\",\"phase\":\"start\""), 2);
    assert_int_equal(count("\"event_type\":\"nc_exec_running\",\"phase\":\"stop\""), 2);
    assert_int_equal(count("\"event_type\":\"nrt_execute\""), 4);
    assert_int_equal(count("\"nc_idx\":3"), 8);
    assert_int_equal(count("\"exec_id\":1,\"device_core_idx\":3,\"nc_timestamp_ns\":"), 2);
    assert_int_equal(count("\"exec_id\":2,\"device_core_idx\":3,\"nc_timestamp_ns\":"), 2);
    etc_nrt_model_unloaded(cnn);
}

static void cores_and_types_are_chosen(void **state) {
    (void)state;
    nrt_sys_trace_config_t *config = make_trace_config();
    const char **types;
    size_t n;
    assert_int_equal(nrt_sys_trace_get_event_types(&types, &n), NRT_SUCCESS);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(
            nrt_sys_trace_config_set_capture_enabled_for_event_type(config, types[i], false),
            NRT_SUCCESS);
    nrt_sys_trace_free_event_types(types, n);
    assert_int_equal(nrt_sys_trace_config_get_enabled_event_types(config, &types, &n), NRT_SUCCESS);
    assert_int_equal(n, 0);
    nrt_sys_trace_free_event_types(types, n);
    assert_int_equal(
        nrt_sys_trace_config_set_capture_enabled_for_event_type(config, "nrt_load", true),
        NRT_SUCCESS);
    assert_int_equal(
        nrt_sys_trace_config_set_capture_enabled_for_event_type(config, "device_exec", true),
        NRT_INVALID);
    assert_int_equal(nrt_sys_trace_config_get_enabled_event_types(config, &types, &n), NRT_SUCCESS);
    assert_int_equal(n, 1);
    assert_string_equal(types[0], "nrt_load");
    nrt_sys_trace_free_event_types(types, n);
    nrt_sys_trace_config_set_capture_enabled_for_nc(config, 1, false);
    nrt_sys_trace_config_set_capture_enabled_for_nc(config, 1024, false); /* ignored */
    start_with(config);
    uint64_t now = etc_nrt_now();
    for (uint32_t core = 0; core < 3; core++) {
        assert_int_equal(etc_nrt_event(core, "nrt_load", now, now), NRT_SUCCESS);
        assert_int_equal(etc_nrt_event(core, "nrt_unload", now, now), NRT_SUCCESS);
    }
    assert_int_equal(fetch(NULL), 4);
    assert_int_equal(count("\"nc_idx\":0"), 2);
    assert_int_equal(count("\"nc_idx\":2"), 2);
}

static void the_oldest_are_dropped(void **state) {
    (void)state;
    nrt_sys_trace_config_t *config = make_trace_config();
    nrt_sys_trace_config_set_max_events_per_nc(config, 1); /* ignored: less than a call */
    assert_int_equal(config->max_events, 1000000);
    nrt_sys_trace_config_set_max_events_per_nc(config, 200);
    start_with(config);
    uint64_t now = etc_nrt_now();
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(etc_nrt_event(0, "nrt_load", now + i, now + i), NRT_SUCCESS);
    assert_int_equal(etc_nrt_event(9, "nrt_load", now, now), NRT_SUCCESS);
    nrt_sys_trace_fetch_options_t *options;
    assert_int_equal(nrt_sys_trace_fetch_options_allocate(&options), NRT_SUCCESS);
    nrt_sys_trace_fetch_options_set_nc_idx(options, 0);
    nrt_sys_trace_fetch_options_set_max_events_per_nc(options, 150);
    assert_int_equal(fetch(options), 150); /* calls 901 to 975 */
    assert_non_null(strstr(
        fetched,
        "{\"events\":[{\"event_type\":\"nrt_load\",\"phase\":\"start\",\"tracking_id\":901,"));
    assert_int_equal(fetch(options), 50);
    assert_non_null(strstr(fetched, "\"tracking_id\":1000,"));
    assert_int_equal(fetch(options), 0);
    nrt_sys_trace_fetch_options_set_defaults(options);
    assert_int_equal(fetch(options), 2);
    assert_non_null(strstr(fetched, "\"nc_idx\":9,"));
    nrt_sys_trace_fetch_options_free(options);
}

static void wrong_calls_are_refused(void **state) {
    (void)state;
    char *buffer = NULL;
    size_t size = 0;
    assert_int_equal(nrt_sys_trace_stop(), NRT_INVALID);
    assert_int_equal(nrt_sys_trace_fetch_events(&buffer, &size, NULL), NRT_INVALID);
    assert_int_equal(nrt_sys_trace_start(NULL), NRT_SUCCESS);
    assert_int_equal(nrt_sys_trace_start(NULL), NRT_INVALID);
    assert_int_equal(nrt_sys_trace_fetch_events(NULL, &size, NULL), NRT_INVALID);
    assert_int_equal(nrt_sys_trace_fetch_events(&buffer, NULL, NULL), NRT_INVALID);
    assert_null(buffer);
    assert_int_equal(nrt_sys_trace_config_allocate(NULL), NRT_INVALID);
    assert_int_equal(nrt_sys_trace_fetch_options_allocate(NULL), NRT_INVALID);
    assert_int_equal(nrt_sys_trace_config_get_enabled_event_types(NULL, NULL, NULL), NRT_INVALID);
    nrt_sys_trace_config_set_defaults(NULL);
    nrt_sys_trace_config_set_max_events_per_nc(NULL, 2);
    nrt_sys_trace_config_set_capture_enabled_for_nc(NULL, 0, true);
    nrt_sys_trace_config_free(NULL);
    nrt_sys_trace_fetch_options_set_defaults(NULL);
    nrt_sys_trace_fetch_options_set_max_events_per_nc(NULL, 1);
    nrt_sys_trace_fetch_options_set_nc_idx(NULL, 1);
    nrt_sys_trace_fetch_options_free(NULL);
    nrt_sys_trace_buffer_free(NULL);
    assert_int_equal(nrt_sys_trace_stop(), NRT_SUCCESS);
}

static void a_trace_and_a_session_are_independent(void **state) {
    (void)state;
    char path[300];
    nrt_model_t *cnn = load("cnn", 0);
    begin_with(make_config());
    assert_int_equal(nrt_sys_trace_start(NULL), NRT_SUCCESS);
    assert_true(execute(cnn));
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    assert_false(execute(cnn));
    assert_int_equal(fetch(NULL), 8);
    assert_int_equal(find_files("session_*/nc_0.etdp", path), 1);
    assert_executions(path, 1, "cnn", 2);
    assert_int_equal(find_files("session_*/system.etdp", path), 1);
    assert_int_equal(count_runs(path, "nrt_execute"), 1);
    assert_int_equal(count_runs(path, "nc_exec_running"), 0);
    assert_int_equal(etc_nrt_closed(), NRT_SUCCESS); /* ends the trace */
    assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
    assert_int_equal(nrt_sys_trace_stop(), NRT_INVALID);
}

int main(void) {
#define TEST(name) cmocka_unit_test_teardown(name, end_trace)
    const struct CMUnitTest tests[] = {
        TEST(events_are_json),
        TEST(executions_run_on_their_core),
        TEST(cores_and_types_are_chosen),
        TEST(the_oldest_are_dropped),
        TEST(wrong_calls_are_refused),
        cmocka_unit_test_setup_teardown(a_trace_and_a_session_are_independent, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
