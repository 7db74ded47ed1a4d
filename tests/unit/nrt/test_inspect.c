#include "nrt_fixture.h"

/* Returns a file of the only session that was written. */
static const char *session_file(const char *name) {
    static char path[300];
    char pattern[100];
    snprintf(pattern, sizeof pattern, "session_*/%s", name);
    assert_int_equal(find_files(pattern, path), 1);
    return path;
}

static void stop(void) {
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void a_session_has_a_file_for_each_core_and_one_for_calls(void **state) {
    (void)state;
    char expected[100];
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 1023), *idle = load("idle", 5);
    begin_with(make_config());
    for (int i = 0; i < 3; i++) {
        assert_true(execute(cnn));
        assert_true(execute_with(mlp, 4, NRT_SUCCESS));
    }
    assert_int_equal(find_files("session_*", NULL), 1);
    assert_int_equal(find_files("session_*/*", NULL), 0);
    stop();
    assert_int_equal(find_files("session_*/*", NULL), 3);
    snprintf(expected, sizeof expected, "session_1_pid_%ld/nc_0.etdp", (long)getpid());
    assert_executions(in_folder(expected), 3, "cnn", 2);
    assert_executions(session_file("nc_1023.etdp"), 3, "mlp", 4);
    assert_int_equal(count_runs(session_file("system.etdp"), "nrt_execute"), 6);
    assert_false(execute(cnn));
    stop(); /* does nothing */
    assert_int_equal(find_files("*", NULL), 1);
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
    etc_nrt_model_unloaded(idle);
}

static void no_session_overwrites_another(void **state) {
    (void)state;
    char second[100];
    nrt_model_t *cnn = load("cnn", 0);
    for (unsigned i = 0; i < 3; i++) {
        nrt_inspect_config_t *config = make_config();
        nrt_inspect_config_set_session_id(config, 77);
        begin_with(config);
        assert_true(execute_with(cnn, i, NRT_SUCCESS));
        stop();
    }
    assert_int_equal(find_files("session_77_pid_*/nc_0.etdp", NULL), 3);
    snprintf(second, sizeof second, "session_77_pid_%ld_2/nc_0.etdp", (long)getpid());
    assert_executions(in_folder(second), 1, "cnn", 1);
    etc_nrt_model_unloaded(cnn);
}

static void the_default_folder_is_output(void **state) {
    (void)state;
    char before[300];
    nrt_model_t *cnn = load("cnn", 0);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(nrt_inspect_begin_with_options(NULL), NRT_SUCCESS);
    assert_true(execute(cnn));
    stop();
    assert_int_equal(nrt_inspect_begin(), NRT_SUCCESS);
    assert_true(execute(cnn));
    stop();
    assert_int_equal(chdir(before), 0);
    assert_int_equal(find_files("output/session_1_pid_*/nc_0.etdp", NULL), 2);
    etc_nrt_model_unloaded(cnn);
}

static void a_folder_that_cannot_be_made_is_a_failure(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    FILE *file = fopen(in_folder("file"), "w");
    assert_non_null(file);
    fclose(file);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_output_dir(config, in_folder("file/x"));
    assert_int_equal(nrt_inspect_begin_with_options(config),
                     NRT_FAILURE); /* before an hour of work */
    assert_false(execute(cnn));
    stop();
    nrt_inspect_config_set_output_dir(config, in_folder("new/x"));
    begin_with(config);
    stop(); /* something was recorded: samples of the process */
    assert_int_equal(find_files("new/x/session_*/system.etdp", NULL), 1);
    etc_nrt_model_unloaded(cnn);
}

/* The folder is there while the session lasts; it may be removed, and the current folder may change. */
static void the_folder_of_a_session_is_made_when_it_begins(void **state) {
    (void)state;
    char before[300], command[400];
    nrt_model_t *cnn = load("cnn", 0);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_output_dir(config, "here");
    begin_with(config);
    assert_int_equal(find_files("here/session_*", NULL), 1);
    assert_int_equal(chdir(before), 0);
    snprintf(command, sizeof command, "rm -r '%s'", in_folder("here"));
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): of ours */
    assert_true(execute(cnn));
    stop();
    assert_int_equal(find_files("here/session_*/nc_0.etdp", NULL), 1);
    etc_nrt_model_unloaded(cnn);
}

static void beginning_twice_is_refused_and_changes_nothing(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    begin_with(make_config());
    assert_true(execute(cnn));
    nrt_inspect_config_t *config = make_config();
    assert_int_equal(nrt_inspect_begin_with_options(config), NRT_INVALID);
    assert_int_equal(nrt_inspect_begin_with_options(NULL), NRT_INVALID);
    assert_int_equal(nrt_inspect_begin(), NRT_INVALID);
    nrt_inspect_config_free(config);
    assert_true(execute(cnn));
    stop();
    assert_executions(session_file("nc_0.etdp"), 2, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
}

static void options_are_copied(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    assert_int_equal(nrt_inspect_begin_with_options(config), NRT_SUCCESS);
    nrt_inspect_config_set_output_dir(config, "/nowhere");
    nrt_inspect_config_set_enable_inspect(config, false);
    nrt_inspect_config_free(config);
    assert_true(execute(cnn));
    stop();
    assert_executions(session_file("nc_0.etdp"), 1, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
}

static void the_environment_is_ignored_with_options(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    setenv("NEURON_RT_INSPECT_ENABLE", "0", 1);
    setenv("NEURON_RT_INSPECT_EVENT_FILTER_NC", "nonsense", 1);
    begin_with(make_config());
    assert_true(execute(cnn));
    stop();
    unsetenv("NEURON_RT_INSPECT_ENABLE");
    unsetenv("NEURON_RT_INSPECT_EVENT_FILTER_NC");
    assert_executions(session_file("nc_0.etdp"), 1, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
}

/* ---- captured events ------------------------------------------------------------------------- */

static void cores_that_are_disabled_have_no_events(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 1);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_capture_enabled_for_nc(config, 1, false);
    begin_with(config);
    assert_true(execute(cnn));
    assert_false(execute(mlp));
    assert_int_equal(etc_nrt_event(1, "nrt_load", 1, 2), NRT_SUCCESS);
    stop();
    assert_int_equal(find_files("session_*/nc_*.etdp", NULL), 1);
    assert_executions(session_file("nc_0.etdp"), 1, "cnn", 2);
    assert_int_equal(count_runs(session_file("system.etdp"), "nrt_execute"), 1);
    assert_int_equal(count_runs(session_file("system.etdp"), "nrt_load"), 0);
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
}

/* Readers would reject the whole file for one event that ends before it starts. */
static void calls_that_end_before_they_start_are_refused(void **state) {
    (void)state;
    const uint64_t late = (uint64_t)UINT32_MAX + 1;
    begin_with(make_config());
    assert_int_equal(etc_nrt_event(0, "nrt_load", 2, 1), NRT_INVALID);
    assert_int_equal(etc_nrt_event(0, "nrt_load", late, late - 1), NRT_INVALID);
    assert_int_equal(etc_nrt_event(0, "nrt_load", late, late), NRT_SUCCESS);
    stop();
    assert_int_equal(count_runs(session_file("system.etdp"), "nrt_load"), 1);
}

static void types_that_are_disabled_are_not_recorded(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_capture_enabled_for_event_type_string(config, "nrt_execute", false);
    nrt_inspect_config_set_capture_enabled_for_event_type_string(config, "hw_notify", false);
    begin_with(config);
    assert_true(execute(cnn)); /* executions themselves are not events of the runtime */
    assert_int_equal(etc_nrt_event(3, "nrt_tensor_write", 100, 250), NRT_SUCCESS);
    assert_int_equal(etc_nrt_event(3, "hw_notify", 100, 250), NRT_SUCCESS);
    assert_int_equal(etc_nrt_event(3, "nonsense", 100, 250), NRT_INVALID);
    assert_int_equal(etc_nrt_event(3, NULL, 100, 250), NRT_INVALID);
    assert_int_equal(etc_nrt_event(1024, "nrt_load", 100, 250), NRT_INVALID);
    stop();
    assert_executions(session_file("nc_0.etdp"), 1, "cnn", 2);
    assert_int_equal(count_runs(session_file("system.etdp"), "nrt_execute"), 0);
    assert_int_equal(count_runs(session_file("system.etdp"), "hw_notify"), 0);
    profile p;
    open_profile(&p, session_file("system.etdp"));
    uint32_t n = 0;
    for (uint32_t i = 0; i < p.n_runs; i++) {
        eti_text name = eti__etdump_read_run(&p.dump, i).name;
        if (name.size != strlen("nrt_tensor_write"))
            continue;
        n++;
        assert_text(event_of(&p, i, 0).name, "nrt_tensor_write");
        assert_int_equal(event_of(&p, i, 0).key.instruction_id, 3); /* the core */
        assert_int_equal(stamps_of(&p, i, 0).start_time, 100);
        assert_int_equal(stamps_of(&p, i, 0).end_time, 250);
    }
    assert_int_equal(n, 1);
    close_profile(&p);
    etc_nrt_model_unloaded(cnn);
}

/* Checks the runs and files of a session with one activity. */
static void check_activity(const char *activity, size_t n_core_files, uint32_t n_executes,
                           uint32_t n_samples) {
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_activity(config, "all", false);
    if (activity)
        nrt_inspect_config_set_activity(config, activity, true);
    begin_with(config);
    assert_int_equal(execute(cnn), n_core_files > 0);
    assert_int_equal(execute(cnn), n_core_files > 0);
    stop();
    assert_int_equal(find_files("session_*/nc_*.etdp", NULL), n_core_files);
    size_t n_system = find_files("session_*/system.etdp", NULL);
    assert_int_equal(n_system, n_executes + n_samples > 0);
    if (n_system) {
        assert_int_equal(count_runs(session_file("system.etdp"), "nrt_execute"), n_executes);
        assert_int_equal(count_runs(session_file("system.etdp"), "host"), n_samples);
    }
    etc_nrt_model_unloaded(cnn);
}

static void system_profile_alone(void **state) {
    (void)state;
    check_activity("system_profile", 0, 2, 0);
}

static void device_profile_alone(void **state) {
    (void)state;
    check_activity("device_profile", 1, 0, 0);
}

static void host_memory_alone(void **state) {
    (void)state;
    check_activity("host_memory", 0, 0, 4);
}

static void cpu_util_alone(void **state) {
    (void)state;
    check_activity("cpu_util", 0, 0, 4);
}

static void no_activity_writes_nothing(void **state) {
    (void)state;
    check_activity(NULL, 0, 0, 0);
    assert_int_equal(find_files("*", NULL), 0);
}

static uint64_t number_behind(const char *json, const char *key) {
    const char *at = strstr(json, key);
    assert_non_null(at);
    return strtoull(at + strlen(key), NULL, 10);
}

static void samples_are_events_of_delegates_with_json(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    profile p;
    char json[200];
    begin_with(make_config());
    for (uint64_t end = etc_nrt_now() + 20000000; etc_nrt_now() < end;)
        continue;
    assert_true(execute(cnn));
    stop();
    open_profile(&p, session_file("system.etdp"));
    assert_int_equal(p.n_runs, 4); /* host, nrt_execute, host, host */
    for (uint32_t run = 0; run < 4; run += run == 0 ? 2 : 1) {
        assert_text(eti__etdump_read_run(&p.dump, run).name, "host");
        eti_etdump_event memory = event_of(&p, run, 0), cpu = event_of(&p, run, 1);
        assert_text(memory.key.delegate_id_str, "host_memory");
        assert_text(cpu.key.delegate_id_str, "cpu_util");
        eti_text text = stamps_of(&p, run, 0).metadata;
        snprintf(json, sizeof json, "%.*s", (int)text.size, text.data);
        assert_true(number_behind(json, "\"peak_bytes\":") > 100000);
        assert_true(number_behind(json, "{\"resident_bytes\":") > 100000);
        text = stamps_of(&p, run, 1).metadata;
        snprintf(json, sizeof json, "%.*s", (int)text.size, text.data);
        uint64_t cpu_ns = number_behind(json, "{\"cpu_ns\":");
        uint64_t elapsed_ns = number_behind(json, "\"elapsed_ns\":");
        if (run == 0) {
            assert_int_equal(cpu_ns + elapsed_ns, 0);
        } else if (run == 2) {
            assert_true(elapsed_ns >= 20000000);
            assert_int_equal(number_behind(json, "\"percent\":"), cpu_ns * 100 / elapsed_ns);
        }
    }
    close_profile(&p);
    etc_nrt_model_unloaded(cnn);
}

static void executions_that_fail_are_kept_alone(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_enable_inspect_on_fail(config, true);
    begin_with(config);
    for (unsigned i = 0; i < 20; i++)
        assert_true(
            execute_with(cnn, i, i % 7 == 3 ? NRT_EXEC_COMPLETED_WITH_NUM_ERR : NRT_SUCCESS));
    stop();
    profile p;
    open_profile(&p, session_file("nc_0.etdp"));
    assert_int_equal(p.n_runs, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_execution(&p, i, "cnn", 3 + 7 * i);
    close_profile(&p);
    assert_int_equal(count_runs(session_file("system.etdp"), "nrt_execute"), 20);
    etc_nrt_model_unloaded(cnn);
}

static void all_executions_are_kept_if_both_are_asked_for(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_enable_inspect_on_fail(config, true);
    nrt_inspect_config_set_enable_inspect(config, true);
    begin_with(config);
    for (unsigned i = 0; i < 20; i++)
        assert_true(execute_with(cnn, 2, i % 2 ? NRT_FAILURE : NRT_SUCCESS));
    stop();
    assert_executions(session_file("nc_0.etdp"), 20, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
}

static void neither_captures_anything(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_enable_inspect(config, false);
    begin_with(config);
    assert_false(execute_with(cnn, 2, NRT_FAILURE));
    assert_int_equal(etc_nrt_event(0, "nrt_load", 1, 2), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_begin(), NRT_INVALID);
    stop();
    assert_int_equal(find_files("*", NULL), 0);
    etc_nrt_model_unloaded(cnn);
}

static void rings_keep_so_many_events(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 1000);
    begin_with(config);
    for (unsigned i = 0; i < 500; i++)
        assert_true(execute_with(cnn, 9, NRT_SUCCESS));
    etc_nrt_stats before = ETC_NRT_STATS_INIT, after = ETC_NRT_STATS_INIT;
    etc_nrt_get_stats(&before);
    etc_capture *c = etc_nrt_execute_begin(cnn);
    for (unsigned i = 0; i < 2000; i++)
        etc_log(c, etc_intern(c, "event"), 1, 2);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_RESOURCE);
    etc_nrt_get_stats(&after);
    assert_int_equal(after.executions_lost, before.executions_lost + 1);
    assert_true(execute_with(cnn, 9, NRT_SUCCESS)); /* later executions are recorded */
    stop();
    uint32_t n_runs = count_runs(session_file("nc_0.etdp"), "cnn");
    assert_in_range(n_runs, 90, 105); /* executions of 10 events; the large one drops none */
    assert_executions(session_file("nc_0.etdp"), n_runs, "cnn", 9);
    etc_nrt_model_unloaded(cnn);
}

static void a_ring_of_a_thousand_events(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 1000);
    begin_with(config);
    for (unsigned i = 0; i < 500; i++)
        assert_true(execute_with(cnn, 9, NRT_SUCCESS));
    stop();
    assert_in_range(count_runs(session_file("nc_0.etdp"), "cnn"), 90, 105);
    etc_nrt_model_unloaded(cnn);
}

/* Executes a model whose operators have names of their own. */
static NRT_STATUS execute_named(nrt_model_t *model, unsigned first, unsigned n) {
    char name[64];
    etc_capture *c = etc_nrt_execute_begin(model);
    for (unsigned i = first; i < first + n; i++) {
        snprintf(name, sizeof name, "native_call_convolution_with_bias_%u", i);
        etc_span span = etc_start_text(c, name);
        etc_end(c, &span);
    }
    return etc_nrt_execute_end(model, NRT_SUCCESS);
}

static uint64_t count_lost_executions(void) {
    etc_nrt_stats stats = ETC_NRT_STATS_INIT;
    etc_nrt_get_stats(&stats);
    return stats.executions_lost;
}

/* Names have memory of their own, even in small rings. Where it is full, executions with new names are missing, and only
 * these. */
static void small_rings_have_memory_for_names(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 100);
    begin_with(config);
    uint64_t n_lost = count_lost_executions();
    for (int i = 0; i < 3; i++)
        assert_int_equal(execute_named(cnn, 0, 60), NRT_SUCCESS);
    unsigned first = 60;
    while (execute_named(cnn, first, 60) == NRT_SUCCESS)
        first += 60;
    assert_in_range(first, 600, 1800);
    assert_int_equal(count_lost_executions(), n_lost + 1);
    stop();
    profile p;
    open_profile(&p, session_file("nc_0.etdp"));
    assert_int_equal(p.n_runs, 1);
    for (uint32_t i = 0; i < 60; i++)
        assert_int_equal(event_of(&p, 0, i).name.size > 0, 1);
    close_profile(&p);
    etc_nrt_model_unloaded(cnn);
}

static void calls_in_the_smallest_ring_have_names(void **state) {
    (void)state;
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 1);
    begin_with(config);
    size_t n_types;
    const char **types;
    assert_int_equal(nrt_sys_trace_get_event_types(&types, &n_types), NRT_SUCCESS);
    for (size_t i = 0; i < n_types; i++)
        assert_int_equal(etc_nrt_event(0, types[i], 1, 2), NRT_SUCCESS);
    stop();
    assert_int_equal(count_runs(session_file("system.etdp"), ""), 0);
    assert_int_equal(count_runs(session_file("system.etdp"), types[n_types - 1]), 1);
    nrt_sys_trace_free_event_types(types, n_types);
}

/* The ring has memory for about as many events as the header says, not for one. */
static void the_smallest_ring(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    for (uint64_t most = 1; most <= 2; most++) {
        nrt_inspect_config_t *config = make_config();
        nrt_inspect_config_set_session_id(config, (int)most + 1);
        nrt_inspect_config_set_sys_trace_max_events_per_nc(config, most);
        begin_with(config);
        for (unsigned i = 0; i < 100; i++)
            assert_true(execute_with(cnn, 1, NRT_SUCCESS)); /* and nrt_execute */
        stop();
    }
    char path[300];
    for (int session = 2; session <= 3; session++) {
        char pattern[64];
        snprintf(pattern, sizeof pattern, "session_%d_pid_*/nc_0.etdp", session);
        assert_int_equal(find_files(pattern, path), 1);
        assert_in_range(3 * count_runs(path, "cnn"), 18, 24);
    }
    etc_nrt_model_unloaded(cnn);
}

static void the_largest_ring_takes_no_memory_before_it_is_used(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_sys_trace_max_events_per_nc(config, UINT64_MAX);
    begin_with(config);
    assert_true(execute(cnn));
    stop();
    assert_executions(session_file("nc_0.etdp"), 1, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
}

static void sessions_one_after_another_leave_nothing(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    long before = 0;
    for (int i = 0; i < 200; i++) {
        if (i == 20)
            before = count_addresses();
        begin_with(make_config());
        assert_int_equal(nrt_inspect_begin(), NRT_INVALID);
        assert_true(execute(cnn));
        stop();
    }
    assert_true(count_addresses() < before + 500);
    assert_int_equal(find_files("session_*/nc_0.etdp", NULL), 200);
    etc_nrt_model_unloaded(cnn);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(a_session_has_a_file_for_each_core_and_one_for_calls),
        TEST(no_session_overwrites_another),
        TEST(the_default_folder_is_output),
        TEST(a_folder_that_cannot_be_made_is_a_failure),
        TEST(the_folder_of_a_session_is_made_when_it_begins),
        TEST(beginning_twice_is_refused_and_changes_nothing),
        TEST(options_are_copied),
        TEST(the_environment_is_ignored_with_options),
        TEST(cores_that_are_disabled_have_no_events),
        TEST(calls_that_end_before_they_start_are_refused),
        TEST(types_that_are_disabled_are_not_recorded),
        TEST(system_profile_alone),
        TEST(device_profile_alone),
        TEST(host_memory_alone),
        TEST(cpu_util_alone),
        TEST(no_activity_writes_nothing),
        TEST(samples_are_events_of_delegates_with_json),
        TEST(executions_that_fail_are_kept_alone),
        TEST(all_executions_are_kept_if_both_are_asked_for),
        TEST(neither_captures_anything),
        TEST(rings_keep_so_many_events),
        TEST(a_ring_of_a_thousand_events),
        TEST(the_smallest_ring),
        TEST(small_rings_have_memory_for_names),
        TEST(calls_in_the_smallest_ring_have_names),
        TEST(the_largest_ring_takes_no_memory_before_it_is_used),
        TEST(sessions_one_after_another_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
