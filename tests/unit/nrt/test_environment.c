#include "nrt_fixture.h"

#include "capture/nrt/nrt.h"

#define PREFIX "NEURON_RT_INSPECT_"

static const char *const variables[] = {
    "ENABLE",
    "OUTPUT_DIR",
    "SYSTEM_PROFILE",
    "DEVICE_PROFILE",
    "DEVICE_PROFILE_NUM_WARMUP",
    "HOST_MEMORY",
    "CPU_UTIL",
    "ON_FAIL",
    "EVENT_FILTER_NC",
    "EVENT_FILTER_TYPE",
    "SYS_TRACE_MAX_EVENTS_PER_NC",
};

static void set(const char *name, const char *value) {
    char full[80];
    snprintf(full, sizeof full, PREFIX "%s", name);
    if (value)
        setenv(full, value, 1);
    else
        unsetenv(full);
}

static int clear(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        set(variables[i], NULL);
    return 0;
}

static int make_folder_and_clear(void **state) {
    return clear(state) + make_folder(state);
}

/* Reads the environment with one variable set. */
static NRT_STATUS read_with(nrt_inspect_config_t *config, const char *name, const char *value) {
    set(name, value);
    NRT_STATUS status = etc__nrt_read_environment(config);
    set(name, NULL);
    return status;
}

static NRT_STATUS status_with(const char *name, const char *value) {
    nrt_inspect_config_t config;
    NRT_STATUS status = read_with(&config, name, value);
    etc__nrt_free_config(&config);
    return status;
}

static void an_empty_environment_captures_everything(void **state) {
    (void)state;
    nrt_inspect_config_t config;
    assert_int_equal(etc__nrt_read_environment(&config), NRT_SUCCESS);
    assert_true(etc__nrt_keeps_all(&config));
    assert_false(config.devices == NRT_INSPECT_DEVICE_PROFILE_MODE_MODEL);
    assert_true(etc__nrt_has_activity(&config, NRT_SYSTEM_PROFILE));
    assert_true(etc__nrt_has_activity(&config, NRT_DEVICE_PROFILE));
    assert_int_equal(config.events.max_events, 1000000);
    assert_null(config.output_dir);
    assert_int_equal(config.session_id, 1);
    assert_false(etc__nrt_environment_enables());
}

static void empty_variables_are_as_if_not_set(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        assert_int_equal(status_with(variables[i], ""), NRT_SUCCESS);
}

static void values_that_are_wrong_are_refused(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"ENABLE", "2"},
        {"ENABLE", "yes"},
        {"ENABLE", "10"},
        {"SYSTEM_PROFILE", "on"},
        {"DEVICE_PROFILE", "2"},
        {"DEVICE_PROFILE", "Session"},
        {"ON_FAIL", "-1"},
        {"EVENT_FILTER_NC", "a"},
        {"EVENT_FILTER_NC", "1,"},
        {"EVENT_FILTER_NC", ",1"},
        {"EVENT_FILTER_NC", "3-1"},
        {"EVENT_FILTER_NC", "1-"},
        {"EVENT_FILTER_NC", "1024"},
        {"EVENT_FILTER_NC", "0-1024"},
        {"EVENT_FILTER_NC", "1 2"},
        {"EVENT_FILTER_NC", "99999999999999999999999"},
        {"DEVICE_PROFILE_NUM_WARMUP", "-1"},
        {"DEVICE_PROFILE_NUM_WARMUP", "5x"},
        {"HOST_MEMORY", "yes"},
        {"CPU_UTIL", "2"},
        {"EVENT_FILTER_TYPE", "nrt_load,"},
        {"EVENT_FILTER_TYPE", "^"},
        {"EVENT_FILTER_TYPE", "nrt_load,,nrt_unload"},
        {"SYS_TRACE_MAX_EVENTS_PER_NC", "0"},
        {"SYS_TRACE_MAX_EVENTS_PER_NC", "-1"},
        {"SYS_TRACE_MAX_EVENTS_PER_NC", "1e6"},
        {"SYS_TRACE_MAX_EVENTS_PER_NC", "99999999999999999999999"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        if (status_with(wrong[i][0], wrong[i][1]) != NRT_INVALID)
            fail_msg("%s=%s is accepted", wrong[i][0], wrong[i][1]);
        set(wrong[i][0], wrong[i][1]);
        assert_int_equal(nrt_inspect_begin(), NRT_INVALID);
        set(wrong[i][0], NULL);
    }
}

static void enable_and_on_fail(void **state) {
    (void)state;
    nrt_inspect_config_t config;
    assert_int_equal(read_with(&config, "ENABLE", "0"), NRT_SUCCESS);
    assert_true(etc__nrt_is_off(&config));
    assert_int_equal(read_with(&config, "ENABLE", "1"), NRT_SUCCESS);
    assert_true(etc__nrt_keeps_all(&config));
    assert_int_equal(read_with(&config, "ON_FAIL", "0"), NRT_SUCCESS);
    assert_true(etc__nrt_keeps_all(&config));
    assert_int_equal(read_with(&config, "ON_FAIL", "1"), NRT_SUCCESS);
    assert_false(etc__nrt_keeps_all(&config));
    assert_false(etc__nrt_is_off(&config));
    set("ENABLE", "1");
    assert_int_equal(read_with(&config, "ON_FAIL", "1"), NRT_SUCCESS);
    assert_true(etc__nrt_keeps_all(&config));
    assert_true(etc__nrt_environment_enables());
    set("ENABLE", "0");
    assert_int_equal(read_with(&config, "ON_FAIL", "1"), NRT_SUCCESS);
    assert_false(etc__nrt_keeps_all(&config));
    assert_false(etc__nrt_is_off(&config));
    assert_false(etc__nrt_environment_enables());
}

static void profiles_of_system_and_device(void **state) {
    (void)state;
    nrt_inspect_config_t config;
    assert_int_equal(read_with(&config, "SYSTEM_PROFILE", "0"), NRT_SUCCESS);
    assert_false(etc__nrt_has_activity(&config, NRT_SYSTEM_PROFILE));
    assert_true(etc__nrt_has_activity(&config, NRT_DEVICE_PROFILE));
    assert_int_equal(read_with(&config, "DEVICE_PROFILE", "0"), NRT_SUCCESS);
    assert_true(etc__nrt_has_activity(&config, NRT_SYSTEM_PROFILE));
    assert_false(etc__nrt_has_activity(&config, NRT_DEVICE_PROFILE));
    static const struct {
        const char *value;
        bool first_only;
    } modes[] = {{"1", true}, {"model", true}, {"session", false}};
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        assert_int_equal(read_with(&config, "DEVICE_PROFILE", modes[i].value), NRT_SUCCESS);
        assert_true(etc__nrt_has_activity(&config, NRT_DEVICE_PROFILE));
        assert_int_equal(config.devices == NRT_INSPECT_DEVICE_PROFILE_MODE_MODEL,
                         modes[i].first_only);
    }
}

/* Returns the cores below 8 as bits. */
static unsigned cores_with(const char *value) {
    nrt_inspect_config_t config;
    unsigned cores = 0;
    assert_int_equal(read_with(&config, "EVENT_FILTER_NC", value), NRT_SUCCESS);
    for (uint32_t i = 0; i < 8; i++)
        cores |= (unsigned)etc__nrt_has_core(&config.events, i) << i;
    return cores;
}

static void filters_of_cores(void **state) {
    (void)state;
    assert_int_equal(cores_with("0"), 0x01);
    assert_int_equal(cores_with("0,2,4"), 0x15);
    assert_int_equal(cores_with("0-3"), 0x0f);
    assert_int_equal(cores_with("0-1,5-6,2"), 0x67);
    assert_int_equal(cores_with("7-1023"), 0x80);
    assert_int_equal(cores_with(""), 0xff);
}

static uint32_t types_with(const char *value) {
    nrt_inspect_config_t config;
    assert_int_equal(read_with(&config, "EVENT_FILTER_TYPE", value), NRT_SUCCESS);
    return config.events.event_types;
}

static uint32_t bit(const char *type) {
    return (uint32_t)1 << etc__nrt_find_event_type(type);
}

static void filters_of_types(void **state) {
    (void)state;
    uint32_t hardware = bit("nc_exec_running") | bit("cc_running") | bit("cc_exec_barrier") |
                        bit("numerical_err") | bit("nrt_model_switch") |
                        bit("timestamp_sync_point") | bit("hw_notify");
    uint32_t software = NRT_ALL_EVENT_TYPES & ~hardware;
    assert_int_equal(types_with("nrt_load,nrt_execute,nc_exec_running"),
                     bit("nrt_load") | bit("nrt_execute") | bit("nc_exec_running"));
    assert_int_equal(types_with("hardware"), hardware);
    assert_int_equal(types_with("software"), software);
    assert_int_equal(types_with("hardware,software"), NRT_ALL_EVENT_TYPES);
    assert_int_equal(types_with("hardware,^cc_running"), hardware & ~bit("cc_running"));
    assert_int_equal(types_with("^nrt_load,software"), software & ~bit("nrt_load"));
    assert_int_equal(types_with("hardware,nrt_tensor_write,nrt_tensor_read"),
                     hardware | bit("nrt_tensor_write") | bit("nrt_tensor_read"));
    assert_int_equal(types_with("^hardware"), software);
    assert_int_equal(types_with("nrt_load,^nrt_load"), 0);
    assert_int_equal(types_with(""), NRT_ALL_EVENT_TYPES);
}

/* Reads types, and what is written to stderr meanwhile. */
static uint32_t types_and_message(const char *value, char message[400]) {
    int pipe_ends[2], before = dup(STDERR_FILENO);
    assert_int_equal(pipe(pipe_ends), 0);
    fflush(stderr);
    dup2(pipe_ends[1], STDERR_FILENO);
    uint32_t types = types_with(value);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    close(pipe_ends[1]);
    ssize_t size = read(pipe_ends[0], message, 399);
    message[size > 0 ? size : 0] = '\0';
    close(pipe_ends[0]);
    return types;
}

static void unknown_types_are_skipped_with_a_line(void **state) {
    (void)state;
    char message[400];
    uint32_t hardware = types_with("hardware");
    assert_int_equal(types_and_message("hardware,^cc_running", message),
                     hardware & ~bit("cc_running"));
    assert_string_equal(message, "");
    assert_int_equal(types_and_message("hardware,^cc_exec", message), hardware);
    assert_non_null(strstr(message, "unknown type \"cc_exec\""));
    assert_ptr_equal(strchr(message, '\n'), message + strlen(message) - 1); /* one line */
    assert_int_equal(types_and_message("nrt_load,tensor_read", message), bit("nrt_load"));
    assert_non_null(strstr(message, "unknown type \"tensor_read\""));
    /* Only unknown types: none of those that are known was asked for. */
    assert_int_equal(types_and_message("tensor_read", message), 0);
    assert_int_equal(types_and_message("^tensor_read", message), NRT_ALL_EVENT_TYPES);
    assert_int_equal(
        types_and_message("a_type_whose_name_is_longer_than_any_that_there_is", message), 0);
}

static void samples_of_the_process(void **state) {
    (void)state;
    nrt_inspect_config_t config;
    assert_int_equal(read_with(&config, "HOST_MEMORY", "0"), NRT_SUCCESS);
    assert_false(etc__nrt_has_activity(&config, NRT_HOST_MEMORY));
    assert_true(etc__nrt_has_activity(&config, NRT_CPU_UTIL));
    assert_int_equal(read_with(&config, "CPU_UTIL", "0"), NRT_SUCCESS);
    assert_true(etc__nrt_has_activity(&config, NRT_HOST_MEMORY));
    assert_false(etc__nrt_has_activity(&config, NRT_CPU_UTIL));
    assert_int_equal(read_with(&config, "CPU_UTIL", "1"), NRT_SUCCESS);
    assert_true(etc__nrt_has_activity(&config, NRT_CPU_UTIL));
}

static void number_of_events_and_folder(void **state) {
    (void)state;
    nrt_inspect_config_t config;
    assert_int_equal(read_with(&config, "SYS_TRACE_MAX_EVENTS_PER_NC", "0042"), NRT_SUCCESS);
    assert_int_equal(config.events.max_events, 42);
    assert_int_equal(read_with(&config, "OUTPUT_DIR", "some where"), NRT_SUCCESS);
    assert_string_equal(config.output_dir, "some where");
    etc__nrt_free_config(&config);
}

/* ---- sessions begun by the environment ------------------------------------------------------- */

static void opening_the_runtime_begins_what_the_environment_says(void **state) {
    (void)state;
    char path[300];
    set("ENABLE", "1");
    set("OUTPUT_DIR", folder);
    assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_begin(), NRT_INVALID); /* a session is already on */
    assert_true(execute(load("cnn", 3)));
    assert_int_equal(etc_nrt_closed(), NRT_SUCCESS);
    assert_int_equal(find_files("session_1_pid_*/nc_3.etdp", path), 1);
    assert_executions(path, 1, "cnn", 2);
    set("DEVICE_PROFILE", "maybe");
    assert_int_equal(etc_nrt_opened(), NRT_INVALID);
    set("DEVICE_PROFILE", NULL);
    assert_int_equal(etc_nrt_closed(), NRT_SUCCESS);
    const char *const neither_0_nor_1[] = {"2", "true", "01"};
    for (size_t i = 0; i < COUNT_OF(neither_0_nor_1); i++) {
        set("ENABLE", neither_0_nor_1[i]);
        assert_int_equal(etc_nrt_opened(), NRT_INVALID);
        assert_false(execute(load("cnn", 3)));
        assert_int_equal(etc_nrt_closed(), NRT_SUCCESS); /* it was open nevertheless */
    }
    assert_int_equal(etc_nrt_opened(), NRT_INVALID);
    set("ENABLE", "1");
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    assert_int_equal(find_files("*", NULL), 1);
    set("ENABLE", "0");
    assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
    assert_false(execute(load("cnn", 3)));
    assert_int_equal(nrt_inspect_begin(), NRT_SUCCESS); /* on, but nothing is captured */
    assert_false(execute(load("cnn", 3)));
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    assert_int_equal(find_files("*", NULL), 1);
    assert_int_equal(etc_nrt_closed(), NRT_SUCCESS);
    assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
}

static void the_first_execution_of_each_model(void **state) {
    (void)state;
    char path[300];
    set("OUTPUT_DIR", folder);
    set("DEVICE_PROFILE", "model");
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 0);
    for (int session = 1; session <= 2; session++) {
        assert_int_equal(nrt_inspect_begin(), NRT_SUCCESS);
        assert_true(execute(cnn));
        assert_true(execute(mlp));
        assert_false(execute(cnn));
        assert_false(execute(mlp));
        assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    }
    assert_int_equal(find_files("session_1_pid_*/nc_0.etdp", path), 2);
    assert_int_equal(count_runs(path, "cnn"), 1);
    assert_int_equal(count_runs(path, "mlp"), 1);
    assert_int_equal(find_files("session_1_pid_*/system.etdp", path), 2);
    assert_int_equal(count_runs(path, "nrt_execute"), 4);
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
}

static void executions_before_the_first_are_left_out(void **state) {
    (void)state;
    char path[300];
    set("OUTPUT_DIR", folder);
    set("DEVICE_PROFILE", "model");
    set("DEVICE_PROFILE_NUM_WARMUP", "2");
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 0);
    assert_int_equal(nrt_inspect_begin(), NRT_SUCCESS);
    assert_false(execute(cnn));
    assert_false(execute(cnn));
    assert_false(execute(mlp)); /* each model is counted by itself */
    assert_true(execute_with(cnn, 3, NRT_SUCCESS));
    assert_false(execute(cnn));
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    assert_int_equal(find_files("session_1_pid_*/nc_0.etdp", path), 1);
    assert_executions(path, 1, "cnn", 3);
    set("DEVICE_PROFILE", "session"); /* which has no warm-up */
    assert_int_equal(nrt_inspect_begin(), NRT_SUCCESS);
    assert_true(execute(cnn));
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_environment_captures_everything),
        cmocka_unit_test(empty_variables_are_as_if_not_set),
        cmocka_unit_test(values_that_are_wrong_are_refused),
        cmocka_unit_test(enable_and_on_fail),
        cmocka_unit_test(profiles_of_system_and_device),
        cmocka_unit_test(filters_of_cores),
        cmocka_unit_test(filters_of_types),
        cmocka_unit_test(unknown_types_are_skipped_with_a_line),
        cmocka_unit_test(samples_of_the_process),
        cmocka_unit_test(number_of_events_and_folder),
        cmocka_unit_test_setup_teardown(opening_the_runtime_begins_what_the_environment_says,
                                        make_folder_and_clear, remove_folder),
        cmocka_unit_test_setup_teardown(the_first_execution_of_each_model, make_folder_and_clear,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(executions_before_the_first_are_left_out,
                                        make_folder_and_clear, remove_folder),
    };
    clear(NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
