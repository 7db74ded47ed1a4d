/* Makes every allocation of each call fail once: the call returns NRT_RESOURCE, and nothing is lost or leaked. */
#include "nrt_fixture.h"

#include <errno.h>

/* The linker redirects the library's calls to the __wrap functions (see mk/tests.mk). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
char *__real_strdup(const char *text);
etc_status __real_etc_open(etc_capture **out, const etc_config *config);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
char *__wrap_strdup(const char *text);
etc_status __wrap_etc_open(etc_capture **out, const etc_config *config);

static int n_left = -1; /* number of allocations that succeed before one fails; -1: all do */

static bool fails(void) {
    bool is_last = n_left >= 0 && n_left-- == 0;
    if (is_last)
        errno = ENOMEM;
    return is_last;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size) {
    return fails() ? NULL : __real_calloc(n, size);
}

char *__wrap_strdup(const char *text) {
    return fails() ? NULL : __real_strdup(text);
}

etc_status __wrap_etc_open(etc_capture **out, const etc_config *config) {
    return fails() ? ETC_MEMORY : __real_etc_open(out, config);
}

static nrt_model_t *cnn;
static nrt_inspect_config_t *config;
static nrt_profile_continuous_options_t *options;
static const char **names;
static size_t n_names;

static int set_up(void **state) {
    return make_folder(state) + (int)etc_nrt_model_loaded("cnn", 0, &cnn) +
           (int)nrt_inspect_config_allocate(&config) +
           (int)nrt_inspect_config_set_output_dir(config, folder) +
           (int)nrt_profile_continuous_options_allocate(&options) +
           (int)nrt_profile_continuous_options_set_output_dir(options, folder);
}

static int tear_down(void **state) {
    return (int)etc_nrt_model_unloaded(cnn) + (int)nrt_inspect_config_free(config) +
           (int)nrt_profile_continuous_options_free(options) + remove_folder(state);
}

/* Makes the first allocation of `call` fail, then the second, and so on, until the call succeeds. */
static void check(NRT_STATUS (*call)(void), int least_allocations) {
    for (int n = 0;; n++) {
        n_left = n;
        NRT_STATUS status = call();
        bool has_failed = n_left < 0;
        n_left = -1;
        if (!has_failed) {
            assert_int_equal(status, NRT_SUCCESS);
            assert_true(n >= least_allocations);
            return;
        }
        assert_int_equal(status, NRT_RESOURCE);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

static NRT_STATUS allocate_config(void) {
    nrt_inspect_config_t *made;
    NRT_STATUS status = nrt_inspect_config_allocate(&made);
    return status ? status : nrt_inspect_config_free(made);
}

static NRT_STATUS set_folder(void) {
    return nrt_inspect_config_set_output_dir(config, folder);
}

static NRT_STATUS allocate_options(void) {
    nrt_profile_continuous_options_t *made;
    NRT_STATUS status = nrt_profile_continuous_options_allocate(&made);
    return status ? status : nrt_profile_continuous_options_free(made);
}

static NRT_STATUS set_folder_of_options(void) {
    return nrt_profile_continuous_options_set_output_dir(options, folder);
}

static NRT_STATUS get_all_activities(void) {
    NRT_STATUS status = nrt_inspect_config_get_all_activity_types(&names, &n_names);
    if (!status)
        nrt_inspect_config_free_activity_types(names, n_names);
    return status;
}

static NRT_STATUS get_enabled_activities(void) {
    NRT_STATUS status = nrt_inspect_config_get_enabled_activity_types(config, &names, &n_names);
    if (!status)
        nrt_inspect_config_free_activity_types(names, n_names);
    return status;
}

static NRT_STATUS get_event_types(void) {
    NRT_STATUS status = nrt_sys_trace_get_event_types(&names, &n_names);
    if (!status)
        nrt_sys_trace_free_event_types(names, n_names);
    return status;
}

static void options_and_lists(void **state) {
    (void)state;
    check(allocate_config, 1);
    check(set_folder, 1);
    check(allocate_options, 1);
    check(set_folder_of_options, 1);
    check(get_all_activities, 5);
    check(get_enabled_activities, 5);
    check(get_event_types, 10);
}

/* ---- profiles -------------------------------------------------------------------------------- */

static NRT_STATUS load_model(void) {
    nrt_model_t *model;
    NRT_STATUS status = etc_nrt_model_loaded("other", 1, &model);
    return status ? status : etc_nrt_model_unloaded(model);
}

static NRT_STATUS start_profile(void) {
    return nrt_profile_start(cnn, in_folder("a"));
}

static void a_profile_of_a_model(void **state) {
    (void)state;
    check(load_model, 2);
    check(start_profile, 3);
    etc_nrt_stats before = ETC_NRT_STATS_INIT, after = ETC_NRT_STATS_INIT;
    etc_nrt_get_stats(&before);
    n_left = 0; /* capture of the model */
    assert_false(execute(cnn));
    n_left = -1;
    etc_nrt_get_stats(&after);
    assert_int_equal(after.executions_lost, before.executions_lost + 1);
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_executions(in_folder("a"), 1, "cnn", 2);
}

static NRT_STATUS start_continuous(void) {
    return nrt_profile_continuous_start(options);
}

static NRT_STATUS save_continuous(void) {
    return nrt_profile_continuous_save(0, options);
}

/* Loses an execution whose run gets no ring. */
static void lose_execution(void) {
    etc_nrt_stats before = ETC_NRT_STATS_INIT, after = ETC_NRT_STATS_INIT;
    etc_nrt_get_stats(&before);
    assert_non_null(etc_nrt_execute_begin(cnn));
    n_left = 0;
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_RESOURCE);
    n_left = -1;
    etc_nrt_get_stats(&after);
    assert_int_equal(after.executions_lost, before.executions_lost + 1);
}

static void continuous_profiling(void **state) {
    (void)state;
    check(start_continuous, 1);
    assert_int_equal(nrt_profile_continuous_stop(), NRT_SUCCESS);
    check(start_continuous, 1);
    assert_true(etc_nrt_execute_begin(cnn) != NULL);
    etc_nrt_execute_end(cnn, NRT_SUCCESS);
    check(save_continuous, 3);
    assert_int_equal(nrt_profile_continuous_stop(), NRT_SUCCESS);
    check(start_continuous, 1);
    lose_execution();
    assert_int_equal(save_continuous(), NRT_RESOURCE);
    assert_int_equal(nrt_profile_continuous_stop(), NRT_SUCCESS);
    assert_int_equal(find_files("*", NULL), 1);
}

static NRT_STATUS begin(void) {
    return nrt_inspect_begin_with_options(config);
}

static NRT_STATUS begin_by_environment(void) {
    return nrt_inspect_begin();
}

static void a_session(void **state) {
    (void)state;
    setenv("NEURON_RT_INSPECT_OUTPUT_DIR", folder, 1);
    check(begin_by_environment, 3);
    unsetenv("NEURON_RT_INSPECT_OUTPUT_DIR");
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    check(begin, 3);
    lose_execution();
    assert_true(execute(cnn));
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    assert_int_equal(find_files("session_*/nc_0.etdp", NULL), 1);
}

/* Stopping ends a session whatever fails. */
static NRT_STATUS begin_and_stop(void) {
    int n = n_left;
    n_left = -1;
    assert_int_equal(nrt_inspect_begin_with_options(config), NRT_SUCCESS);
    assert_true(execute(cnn));
    n_left = n;
    return nrt_inspect_stop();
}

static void the_end_of_a_session(void **state) {
    (void)state;
    check(begin_and_stop, 3);
    assert_int_equal(find_files("session_*/nc_0.etdp.*", NULL), 0);
}

static void a_call_of_the_runtime(void **state) {
    (void)state;
    etc_nrt_stats before = ETC_NRT_STATS_INIT, after = ETC_NRT_STATS_INIT;
    nrt_inspect_config_set_activity(config, "all", false);
    nrt_inspect_config_set_activity(config, "system_profile", true);
    assert_int_equal(nrt_inspect_begin_with_options(config), NRT_SUCCESS);
    etc_nrt_get_stats(&before);
    n_left = 0;
    assert_int_equal(etc_nrt_event(0, "nrt_load", 1, 2), NRT_RESOURCE);
    n_left = -1;
    etc_nrt_get_stats(&after);
    assert_int_equal(after.events_lost, before.events_lost + 1);
    assert_int_equal(etc_nrt_event(0, "nrt_load", 1, 2), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    assert_int_equal(find_files("session_*/system.etdp", NULL), 1);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(options_and_lists), TEST(a_profile_of_a_model), TEST(continuous_profiling),
        TEST(a_session),         TEST(the_end_of_a_session), TEST(a_call_of_the_runtime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
