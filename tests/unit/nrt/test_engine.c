#include "nrt_fixture.h"

#include <pthread.h>

/* ---- the runtime ----------------------------------------------------------------------------- */

/* Makes every call that returns a status, except those that free, with options that were made before. */
static void assert_all_return(NRT_STATUS expected, nrt_inspect_config_t *config,
                              nrt_profile_continuous_options_t *options) {
    const char **names;
    size_t count;
    nrt_model_t *model;
    nrt_inspect_config_t *new_config;
    nrt_profile_continuous_options_t *new_options;
    const NRT_STATUS statuses[] = {
        nrt_profile_start(NULL, "x"),
        nrt_profile_stop("x"),
        nrt_profile_continuous_options_allocate(&new_options),
        nrt_profile_continuous_options_set_output_dir(options, "x"),
        nrt_profile_continuous_start(options),
        nrt_profile_continuous_save(0, options),
        nrt_profile_continuous_stop(),
        nrt_inspect_begin(),
        nrt_inspect_stop(),
        nrt_inspect_config_allocate(&new_config),
        nrt_inspect_config_set_defaults(config),
        nrt_inspect_config_set_session_id(config, 1),
        nrt_inspect_config_set_output_dir(config, "x"),
        nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 1),
        nrt_inspect_config_set_capture_enabled_for_nc(config, 0, true),
        nrt_inspect_config_set_capture_enabled_for_event_type_string(config, "nrt_load", true),
        nrt_inspect_config_set_enable_inspect(config, true),
        nrt_inspect_config_set_enable_inspect_on_fail(config, true),
        nrt_inspect_begin_with_options(config),
        nrt_inspect_config_get_all_activity_types(&names, &count),
        nrt_inspect_config_get_enabled_activity_types(config, &names, &count),
        nrt_inspect_config_set_activity(config, "all", true),
        nrt_sys_trace_get_event_types(&names, &count),
        etc_nrt_model_loaded("x", 0, &model),
        etc_nrt_model_unloaded(NULL),
        etc_nrt_event(0, "nrt_load", 0, 1),
    };
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        if (statuses[i] != expected)
            fail_msg("call %zu returns %s", i, nrt_get_status_as_str(statuses[i]));
    }
}

static void calls_outside_of_an_open_runtime_are_refused(void **state) {
    (void)state;
    nrt_inspect_config_t *config;
    nrt_profile_continuous_options_t *options;
    assert_int_equal(nrt_inspect_config_allocate(&config), NRT_SUCCESS);
    assert_int_equal(nrt_profile_continuous_options_allocate(&options), NRT_SUCCESS);
    etc_nrt_expect_opened();
    assert_all_return(NRT_UNINITIALIZED, config, options);
    assert_int_equal(etc_nrt_closed(), NRT_UNINITIALIZED);
    assert_null(etc_nrt_execute_begin(NULL));
    assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
    etc_nrt_expect_opened(); /* too late: the runtime is already open */
    nrt_model_t *model = load("cnn", 0);
    assert_int_equal(etc_nrt_closed(), NRT_SUCCESS);
    assert_all_return(NRT_CLOSED, config, options);
    assert_int_equal(etc_nrt_closed(), NRT_CLOSED);
    assert_null(etc_nrt_execute_begin(model)); /* closing has unloaded it */
    assert_int_equal(etc_nrt_execute_end(model, NRT_SUCCESS), NRT_INVALID_HANDLE);
    assert_int_equal(nrt_inspect_config_free(config), NRT_SUCCESS);
    assert_int_equal(nrt_profile_continuous_options_free(options), NRT_SUCCESS);
    assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
}

static void closing_writes_what_is_on(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    begin_with(make_config());
    assert_true(execute(cnn));
    assert_int_equal(etc_nrt_closed(), NRT_SUCCESS);
    assert_executions(in_folder("a"), 1, "cnn", 2);
    assert_int_equal(find_files("session_*/nc_0.etdp", NULL), 1);
    assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_start(NULL), NRT_SUCCESS);
    assert_int_equal(etc_nrt_closed(), NRT_SUCCESS);
    assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
    assert_int_equal(nrt_profile_continuous_stop(), NRT_INVALID);
}

/* ---- models ---------------------------------------------------------------------------------- */

static void wrong_models_are_refused(void **state) {
    (void)state;
    nrt_model_t *model;
    assert_int_equal(etc_nrt_model_loaded("cnn", 0, NULL), NRT_INVALID);
    assert_int_equal(etc_nrt_model_loaded("cnn", 1024, &model), NRT_INVALID);
    assert_int_equal(etc_nrt_model_unloaded(NULL), NRT_INVALID_HANDLE);
    model = load(NULL, 1023);
    assert_int_equal(etc_nrt_model_unloaded(model), NRT_SUCCESS);
    assert_int_equal(etc_nrt_model_unloaded(model), NRT_INVALID_HANDLE);
    assert_null(etc_nrt_execute_begin(model));
    assert_int_equal(etc_nrt_execute_end(model, NRT_SUCCESS), NRT_INVALID_HANDLE);
}

static void a_model_may_be_unloaded_while_it_executes(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    begin_with(make_config());
    etc_capture *c = etc_nrt_execute_begin(cnn);
    assert_non_null(c);
    assert_int_equal(etc_nrt_model_unloaded(cnn), NRT_SUCCESS);
    assert_int_equal(etc_nrt_model_unloaded(cnn), NRT_INVALID_HANDLE);
    etc_span span = etc_start_text(c, "native_call_conv"); /* still there */
    etc_end(c, &span);
    assert_null(etc_nrt_execute_begin(cnn));
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_INVALID_HANDLE);
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    char path[300];
    assert_int_equal(find_files("session_*/nc_0.etdp", path), 1);
    assert_executions(path, 1, "cnn", 1);
}

static void names_stay_valid_while_a_model_is_loaded(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    etc_capture *first = NULL;
    etc_name name = 0;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
        etc_capture *c = etc_nrt_execute_begin(cnn);
        if (!first) {
            first = c;
            etc_intern(c, "something else");
            name = etc_intern(c, "native_call_conv");
        }
        assert_ptr_equal(c, first);
        etc_log(c, name, etc_nrt_now(), etc_nrt_now());
        assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
        assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
        assert_executions(in_folder("a"), 1, "cnn", 1);
    }
    etc_nrt_model_unloaded(cnn);
}

static void an_execution_begins_as_if_it_was_the_first(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    etc_capture *c = etc_nrt_execute_begin(cnn);
    etc_set_instruction(c, 7, 8);
    etc_set_bundled_input(c, 3);
    etc_run(c, "of the engine's own");
    etc_reset(c);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_RESOURCE); /* its run is gone */
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_RESOURCE); /* one is missing */
    assert_executions(in_folder("a"), 1, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
}

/* ---- overlapping executions ------------------------------------------------------------------ */

static void an_execution_belongs_to_profiles_that_were_on_when_it_began(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    assert_null(etc_nrt_execute_begin(cnn));
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
    assert_non_null(etc_nrt_execute_begin(cnn));
    assert_int_equal(nrt_profile_start(cnn, in_folder("b")), NRT_SUCCESS);
    begin_with(make_config());
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
    assert_non_null(etc_nrt_execute_begin(cnn));
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
    assert_int_equal(nrt_profile_stop(in_folder("b")), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    assert_executions(in_folder("a"), 1, "cnn", 0);
    assert_executions(in_folder("b"), 1, "cnn", 0);
    char path[300];
    assert_int_equal(find_files("session_*/nc_0.etdp", path), 1);
    assert_executions(path, 1, "cnn", 0);
    etc_nrt_model_unloaded(cnn);
}

static void one_inside_another_has_a_capture_of_its_own(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 0);
    etc_nrt_stats before = ETC_NRT_STATS_INIT, after = ETC_NRT_STATS_INIT;
    etc_nrt_get_stats(&before);
    begin_with(make_config());
    etc_capture *c = etc_nrt_execute_begin(cnn);
    assert_non_null(c);
    etc_capture *inner = etc_nrt_execute_begin(cnn);
    assert_non_null(inner);
    assert_ptr_not_equal(inner, c);
    etc_span span = etc_start_text(inner, "native_call_conv");
    etc_end(inner, &span);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_FAILURE), NRT_SUCCESS);
    assert_true(execute(mlp)); /* another model may be */
    span = etc_start_text(c, "native_call_conv");
    etc_end(c, &span);
    span = etc_start_text(c, "native_call_conv");
    etc_end(c, &span);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    etc_nrt_get_stats(&after);
    assert_int_equal(after.executions, before.executions + 3);
    assert_int_equal(after.executions_lost, before.executions_lost);
    profile p;
    char path[300];
    assert_int_equal(find_files("session_*/nc_0.etdp", path), 1);
    open_profile(&p, path);
    assert_int_equal(p.n_runs, 3);
    assert_execution(&p, 0, "cnn", 1);
    assert_execution(&p, 1, "mlp", 2);
    assert_execution(&p, 2, "cnn", 2);
    close_profile(&p);
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
}

static void one_inside_another_ends_only_itself_after_a_profile_stopped(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    assert_int_equal(nrt_profile_start(cnn, in_folder("b")), NRT_SUCCESS);
    etc_capture *c = etc_nrt_execute_begin(cnn);
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_int_equal(nrt_profile_stop(in_folder("b")), NRT_SUCCESS);
    assert_null(etc_nrt_execute_begin(cnn));
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
    etc_span span = etc_start_text(c, "native_call_conv"); /* still open */
    etc_end(c, &span);
    etc_stats stats = ETC_STATS_INIT;
    etc_get_stats(c, &stats);
    assert_int_equal(stats.events, 1);
    assert_int_equal(stats.events_lost_state, 0);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
    etc_nrt_model_unloaded(cnn);
}

static void *execute_on_thread(void *model) {
    assert_true(execute(model));
    return NULL;
}

static void *end_on_thread(void *model) {
    assert_int_equal(etc_nrt_execute_end(model, NRT_SUCCESS), NRT_SUCCESS);
    return NULL;
}

static void on_thread(void *(*function)(void *), nrt_model_t *model) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, function, model), 0);
    pthread_join(thread, NULL);
}

static void one_on_another_thread_ends_only_itself(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    /* before any profile is on; it ends on another thread */
    assert_null(etc_nrt_execute_begin(cnn));
    begin_with(make_config());
    etc_capture *c = etc_nrt_execute_begin(cnn);
    assert_non_null(c);
    on_thread(end_on_thread, cnn);
    on_thread(execute_on_thread, cnn);
    etc_span span = etc_start_text(c, "native_call_conv");
    etc_end(c, &span);
    assert_int_equal(etc_nrt_execute_end(cnn, NRT_SUCCESS), NRT_SUCCESS);
    assert_non_null(etc_nrt_execute_begin(cnn)); /* the only one, so it may end on any thread */
    on_thread(end_on_thread, cnn);
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    profile p;
    char path[300];
    assert_int_equal(find_files("session_*/nc_0.etdp", path), 1);
    open_profile(&p, path);
    assert_int_equal(p.n_runs, 3);
    assert_execution(&p, 0, "cnn", 2);
    assert_execution(&p, 1, "cnn", 1);
    assert_execution(&p, 2, "cnn", 0);
    close_profile(&p);
    etc_nrt_model_unloaded(cnn);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { N_ENGINES = 4, N_EXECUTIONS = 200 };

static _Atomic int n_running;

static void *run_engine(void *model) {
    for (int i = 0; i < N_EXECUTIONS; i++) {
        etc_capture *c = etc_nrt_execute_begin(model);
        for (int j = 0; j < 10; j++) {
            etc_span span = etc_start_text(c, "native_call_conv");
            etc_end(c, &span);
        }
        etc_nrt_execute_end(model, NRT_SUCCESS);
        etc_nrt_event(0, "nrt_tensor_read", 1, 2);
    }
    n_running--;
    return NULL;
}

static void executions_of_one_model_on_four_threads_are_all_recorded(void **state) {
    (void)state;
    pthread_t threads[N_ENGINES];
    nrt_model_t *cnn = load("cnn", 0);
    etc_nrt_stats before = ETC_NRT_STATS_INIT, after = ETC_NRT_STATS_INIT;
    etc_nrt_get_stats(&before);
    n_running = N_ENGINES;
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    for (unsigned i = 0; i < N_ENGINES; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_engine, cnn), 0);
    for (unsigned i = 0; i < N_ENGINES; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_executions(in_folder("a"), N_ENGINES * N_EXECUTIONS, "cnn", 10);
    etc_nrt_get_stats(&after);
    assert_int_equal(after.executions, before.executions + N_ENGINES * N_EXECUTIONS);
    assert_int_equal(after.executions_lost, before.executions_lost);
    etc_nrt_model_unloaded(cnn);
}

static void profiles_start_and_stop_while_engines_run(void **state) {
    (void)state;
    pthread_t threads[N_ENGINES];
    nrt_model_t *models[N_ENGINES / 2]; /* two threads for each */
    int n = 0;
    n_running = N_ENGINES;
    for (unsigned i = 0; i < N_ENGINES / 2; i++)
        models[i] = load("cnn", i);
    for (unsigned i = 0; i < N_ENGINES; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_engine, models[i / 2]), 0);
    while (n_running > 0 || n < 3) {
        begin_with(make_config());
        nrt_profile_start(models[0], in_folder("a"));
        nrt_inspect_stop();
        nrt_profile_continuous_start(NULL);
        execute(models[1]);
        nrt_profile_stop(in_folder("a"));
        nrt_profile_continuous_stop();
        n++;
    }
    for (unsigned i = 0; i < N_ENGINES; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(find_files("session_*/system.etdp", NULL), (size_t)n);
    for (unsigned i = 0; i < N_ENGINES / 2; i++)
        assert_int_equal(etc_nrt_model_unloaded(models[i]), NRT_SUCCESS);
}

static void *begin_and_stop(void *n_begun) {
    for (int i = 0; i < 50; i++) {
        nrt_inspect_config_t *config = make_config();
        *(int *)n_begun += nrt_inspect_begin_with_options(config) == NRT_SUCCESS;
        nrt_inspect_config_free(config);
        nrt_inspect_stop();
    }
    return NULL;
}

static void sessions_begun_by_several_threads_are_each_written_once(void **state) {
    (void)state;
    pthread_t threads[4];
    int n_begun[4] = {0};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, begin_and_stop, &n_begun[i]), 0);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(find_files("session_*/system.etdp", NULL),
                     n_begun[0] + n_begun[1] + n_begun[2] + n_begun[3]);
}

static void *begin_and_stop_if_open(void *n_begun) {
    for (int i = 0; i < 200; i++) {
        nrt_inspect_config_t *config;
        if (nrt_inspect_config_allocate(&config) != NRT_SUCCESS)
            continue;
        if (nrt_inspect_config_set_output_dir(config, folder) == NRT_SUCCESS)
            *(int *)n_begun += nrt_inspect_begin_with_options(config) == NRT_SUCCESS;
        nrt_inspect_config_free(config);
        nrt_inspect_stop();
    }
    return NULL;
}

/* Closing waits for threads that are writing, and these may stop a profile that closing was about to end. */
static void the_runtime_closes_while_others_stop(void **state) {
    (void)state;
    pthread_t threads[4];
    int n_begun[4] = {0}, n_closed = 0;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, begin_and_stop_if_open, &n_begun[i]), 0);
    for (; n_closed < 100; n_closed++) {
        assert_int_equal(etc_nrt_closed(), NRT_SUCCESS);
        assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
    }
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(etc_nrt_closed(), NRT_SUCCESS);
    assert_int_equal(etc_nrt_opened(), NRT_SUCCESS);
    assert_int_equal(find_files("session_*/system.etdp", NULL),
                     n_begun[0] + n_begun[1] + n_begun[2] + n_begun[3]);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        /* the first test: nothing is open yet */
        TEST(calls_outside_of_an_open_runtime_are_refused),
        TEST(closing_writes_what_is_on),
        TEST(wrong_models_are_refused),
        TEST(a_model_may_be_unloaded_while_it_executes),
        TEST(names_stay_valid_while_a_model_is_loaded),
        TEST(an_execution_begins_as_if_it_was_the_first),
        TEST(an_execution_belongs_to_profiles_that_were_on_when_it_began),
        TEST(one_inside_another_has_a_capture_of_its_own),
        TEST(one_inside_another_ends_only_itself_after_a_profile_stopped),
        TEST(one_on_another_thread_ends_only_itself),
        TEST(executions_of_one_model_on_four_threads_are_all_recorded),
        TEST(profiles_start_and_stop_while_engines_run),
        TEST(sessions_begun_by_several_threads_are_each_written_once),
        TEST(the_runtime_closes_while_others_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
