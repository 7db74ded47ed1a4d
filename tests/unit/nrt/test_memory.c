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
    n_left = 0; /* the execution */
    assert_false(execute(cnn));
    n_left = 1; /* its capture */
    assert_false(execute(cnn));
    n_left = -1;
    etc_nrt_get_stats(&after);
    assert_int_equal(after.executions_lost, before.executions_lost + 2);
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_RESOURCE);
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

/* ---- the calls of nrt.h ---------------------------------------------------------------------- */

static int n_engine_loaded; /* models that the engine has */

static NRT_STATUS load_in_engine(void *context, etc_nrt_loading *loading) {
    static uint32_t shape[] = {2};
    static const nrt_tensor_info_t tensors[] = {
        {"x", NRT_TENSOR_USAGE_INPUT, 8, NRT_DTYPE_FLOAT32, shape, 1}};
    (void)context;
    loading->tensors = tensors;
    loading->n_tensors = 1;
    n_engine_loaded++;
    return NRT_SUCCESS;
}

static void unload_in_engine(void *context, void *model) {
    (void)context;
    (void)model;
    n_engine_loaded--;
}

static NRT_STATUS execute_in_engine(void *context, void *model, etc_capture *capture,
                                    const nrt_tensor_set_t *inputs, nrt_tensor_set_t *outputs) {
    (void)context;
    (void)model;
    (void)capture;
    (void)inputs;
    (void)outputs;
    return NRT_SUCCESS;
}

static nrt_model_t *loaded;
static nrt_tensor_t *tensor;
static nrt_tensor_set_t *set;

static NRT_STATUS load_by_engine(void) {
    NRT_STATUS status = nrt_load("model", 5, 0, 1, &loaded);
    assert_int_equal(n_engine_loaded, status ? 0 : 1);
    return status;
}

static NRT_STATUS describe_model(void) {
    nrt_tensor_info_array_t *array;
    NRT_STATUS status = nrt_get_model_tensor_info(loaded, &array);
    return status ? status : nrt_free_model_tensor_info(array);
}

static NRT_STATUS allocate_tensor(void) {
    return nrt_tensor_allocate(NRT_TENSOR_PLACEMENT_DEVICE, 0, 8, "x", &tensor);
}

static NRT_STATUS allocate_slice(void) {
    nrt_tensor_t *slice;
    NRT_STATUS status = nrt_tensor_allocate_slice(tensor, 0, 4, "slice", &slice);
    if (!status)
        nrt_tensor_free(&slice);
    return status;
}

static NRT_STATUS allocate_empty(void) {
    nrt_tensor_t *empty;
    NRT_STATUS status = nrt_tensor_allocate_empty("empty", &empty);
    if (!status)
        nrt_tensor_free(&empty);
    return status;
}

static NRT_STATUS allocate_set(void) {
    return nrt_allocate_tensor_set(&set);
}

static NRT_STATUS add_to_set(void) {
    return nrt_add_tensor_to_tensor_set(set, "x", tensor);
}

static NRT_STATUS start_trace(void) {
    return nrt_sys_trace_start(NULL);
}

static NRT_STATUS fetch_events(void) {
    char *buffer;
    size_t size;
    NRT_STATUS status = nrt_sys_trace_fetch_events(&buffer, &size, NULL);
    if (!status)
        nrt_sys_trace_buffer_free(buffer);
    return status;
}

static NRT_STATUS allocate_trace_config(void) {
    nrt_sys_trace_config_t *made;
    NRT_STATUS status = nrt_sys_trace_config_allocate(&made);
    if (!status)
        nrt_sys_trace_config_free(made);
    return status;
}

static NRT_STATUS allocate_fetch_options(void) {
    nrt_sys_trace_fetch_options_t *made;
    NRT_STATUS status = nrt_sys_trace_fetch_options_allocate(&made);
    if (!status)
        nrt_sys_trace_fetch_options_free(made);
    return status;
}

static void calls_of_an_engine(void **state) {
    (void)state;
    etc_nrt_engine engine = ETC_NRT_ENGINE_INIT;
    assert_int_equal(etc_nrt_set_engine(&engine), NRT_INVALID);
    engine.n_cores = 1;
    engine.load = load_in_engine;
    engine.unload = unload_in_engine;
    engine.execute = execute_in_engine;
    assert_int_equal(etc_nrt_set_engine(&engine), NRT_SUCCESS);
    assert_int_equal(nrt_init(NRT_FRAMEWORK_TYPE_NO_FW, "", ""), NRT_SUCCESS);
    check(load_by_engine, 2);
    check(describe_model, 1);
    check(allocate_tensor, 3);
    check(allocate_slice, 2);
    check(allocate_empty, 2);
    check(allocate_set, 1);
    check(add_to_set, 1);
    check(allocate_trace_config, 1);
    check(allocate_fetch_options, 1);
    check(start_trace, 1);
    etc_nrt_stats before = ETC_NRT_STATS_INIT, after = ETC_NRT_STATS_INIT;
    etc_nrt_get_stats(&before);
    n_left = 0; /* the ring of the trace */
    assert_int_equal(etc_nrt_event(0, "nrt_load", etc_nrt_now(), UINT64_MAX), NRT_RESOURCE);
    n_left = -1;
    etc_nrt_get_stats(&after);
    assert_int_equal(after.events_lost, before.events_lost + 1);
    for (int i = 0; i < 100; i++) /* JSON of more than one size */
        assert_int_equal(nrt_execute(loaded, set, set), NRT_SUCCESS);
    check(fetch_events, 4);
    assert_int_equal(nrt_sys_trace_stop(), NRT_SUCCESS);
    assert_int_equal(nrt_unload(loaded), NRT_SUCCESS);
    assert_int_equal(n_engine_loaded, 0);
    nrt_destroy_tensor_set(&set);
    nrt_tensor_free(&tensor);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(options_and_lists),
        TEST(a_profile_of_a_model),
        TEST(continuous_profiling),
        TEST(a_session),
        TEST(the_end_of_a_session),
        TEST(a_call_of_the_runtime),
        cmocka_unit_test(calls_of_an_engine), /* the last: the runtime stays open by it */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
