#include "nrt_fixture.h"

#include <sys/resource.h>

#include "capture/nrt/nrt.h"

static nrt_profile_continuous_options_t *options;

static int set_up(void **state) {
    return make_folder(state) + (int)nrt_profile_continuous_options_allocate(&options) +
           (int)nrt_profile_continuous_options_set_output_dir(options, folder);
}

static int tear_down(void **state) {
    etc_nrt_continuous_runs(1);
    return (int)nrt_profile_continuous_options_free(options) + remove_folder(state);
}

static void start(void) {
    assert_int_equal(nrt_profile_continuous_start(options), NRT_SUCCESS);
}

static void stop(void) {
    assert_int_equal(nrt_profile_continuous_stop(), NRT_SUCCESS);
}

static void each_save_writes_the_latest_execution_to_a_new_file(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 0), *other = load("other", 1);
    start();
    assert_int_equal(find_files("*", NULL), 0); /* nothing before a save */
    for (unsigned i = 0; i < 20; i++)
        assert_true(execute_with(cnn, i, NRT_SUCCESS));
    assert_true(execute_with(other, 3, NRT_SUCCESS));
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    assert_executions(in_folder("cnn_vnc0_0.etdp"), 1, "cnn", 19);
    assert_executions(in_folder("cnn_vnc0_1.etdp"), 1, "cnn", 19);
    assert_true(execute_with(mlp, 7, NRT_SUCCESS));
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    assert_executions(in_folder("mlp_vnc0_0.etdp"), 1, "mlp", 7);
    assert_int_equal(remove(in_folder("cnn_vnc0_0.etdp")), 0);
    assert_true(execute_with(cnn, 4, NRT_EXEC_OOB));
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    assert_executions(in_folder("cnn_vnc0_0.etdp"), 1, "cnn", 4); /* the first unused name */
    assert_int_equal(nrt_profile_continuous_save(1, options), NRT_SUCCESS);
    assert_executions(in_folder("other_vnc1_0.etdp"), 1, "other", 3);
    stop();
    assert_false(execute(cnn));
    assert_int_equal(find_files("*", NULL), 4); /* stop saves nothing */
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
    etc_nrt_model_unloaded(other);
}

static void more_executions_are_saved_if_asked_for(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    start();
    etc_nrt_continuous_runs(5);
    for (unsigned i = 0; i < 20; i++)
        assert_true(execute(cnn));
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    assert_executions(in_folder("cnn_vnc0_0.etdp"), 5, "cnn", 2);
    etc_nrt_continuous_runs(0); /* from now on; the five stay */
    for (unsigned i = 0; i < 20; i++)
        assert_true(execute(cnn));
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    assert_executions(in_folder("cnn_vnc0_1.etdp"), 25, "cnn", 2);
    etc_nrt_continuous_runs(3);
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    assert_executions(in_folder("cnn_vnc0_2.etdp"), 3, "cnn", 2);
    stop();
    etc_nrt_model_unloaded(cnn);
}

static void calls_at_the_wrong_time_are_refused(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 8);
    assert_int_equal(nrt_profile_continuous_stop(), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_save(8, options), NRT_INVALID);
    start();
    assert_int_equal(nrt_profile_continuous_start(options), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_start(NULL), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_save(9, options), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_save(1024, options), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_save(UINT32_MAX, options), NRT_INVALID);
    assert_int_equal(nrt_profile_continuous_save(8, options), NRT_QUEUE_EMPTY);
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_continuous_save(8, options), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_begin(), NRT_INVALID);
    assert_int_equal(nrt_inspect_begin_with_options(NULL), NRT_INVALID);
    stop();
    assert_int_equal(nrt_profile_continuous_stop(), NRT_INVALID);
    start(); /* earlier executions are forgotten */
    assert_int_equal(nrt_profile_continuous_save(8, options), NRT_QUEUE_EMPTY);
    stop();
    etc_nrt_model_unloaded(cnn);
}

static void inspection_of_devices_and_it_exclude_each_other(void **state) {
    (void)state;
    begin_with(make_config());
    assert_int_equal(nrt_profile_continuous_start(options), NRT_INVALID);
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    nrt_inspect_config_t *config = make_config();
    nrt_inspect_config_set_activity(config, "device_profile", false);
    begin_with(config);
    start();
    stop();
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
}

static void a_folder_or_file_that_cannot_be_written_is_a_failure(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    start();
    assert_true(execute(cnn));
    FILE *file = fopen(in_folder("file"), "w");
    assert_non_null(file);
    fclose(file);
    nrt_profile_continuous_options_set_output_dir(options, in_folder("file/below"));
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_FAILURE);
    nrt_profile_continuous_options_set_output_dir(options, in_folder("file"));
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_FAILURE);
    nrt_profile_continuous_options_set_output_dir(options, in_folder("a//b/c/"));
    /* all missing folders are made */
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    assert_executions(in_folder("a/b/c/cnn_vnc0_0.etdp"), 1, "cnn", 2);
    stop();
    etc_nrt_model_unloaded(cnn);
}

static void the_default_folder_is_output(void **state) {
    (void)state;
    char before[300];
    nrt_profile_continuous_options_t *defaults;
    nrt_model_t *cnn = load("cnn", 0);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(nrt_profile_continuous_start(NULL), NRT_SUCCESS);
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_continuous_save(0, NULL), NRT_SUCCESS);
    assert_int_equal(nrt_profile_continuous_options_allocate(&defaults), NRT_SUCCESS);
    assert_int_equal(nrt_profile_continuous_save(0, defaults), NRT_SUCCESS);
    nrt_profile_continuous_options_free(defaults);
    stop();
    assert_int_equal(chdir(before), 0);
    assert_executions(in_folder("output/cnn_vnc0_0.etdp"), 1, "cnn", 2);
    assert_executions(in_folder("output/cnn_vnc0_1.etdp"), 1, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void names_of_models_are_no_paths(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"../../etc/passwd", "_._.._etc_passwd"},
        {"", "model"},
        {".", "_"},
        {"a\nb\tc\x7f", "a_b_c_"},
        {"größer", "größer"},
        {"with space", "with space"},
    };
    char name[NRT_NAME_BYTES];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        etc__nrt_file_name(name, names[i][0]);
        assert_null(strchr(name, '/'));
        assert_string_equal(name, names[i][1]);
    }
    char text[400];
    memset(text, 'x', sizeof text);
    memcpy(text + NRT_NAME_BYTES - 2, "ß", 2); /* only the first byte of the character would fit */
    text[sizeof text - 1] = '\0';
    etc__nrt_file_name(name, text);
    assert_int_equal(strlen(name), NRT_NAME_BYTES - 2);
    nrt_model_t *model = load("../up", 2);
    start();
    assert_true(execute(model));
    assert_int_equal(nrt_profile_continuous_save(2, options), NRT_SUCCESS);
    assert_executions(in_folder("_._up_vnc2_0.etdp"), 1, "../up", 2);
    stop();
    etc_nrt_model_unloaded(model);
}

static void the_oldest_executions_go_first(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    profile p;
    start();
    etc_nrt_continuous_runs(0);
    for (unsigned i = 0; i < 40; i++)
        assert_true(execute_with(cnn, 40000 + i, NRT_SUCCESS));
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    open_profile(&p, in_folder("cnn_vnc0_0.etdp"));
    assert_in_range(p.n_runs, 24, 25); /* a million events */
    for (uint32_t i = 0; i < p.n_runs; i++)
        assert_int_equal(eti__etdump_read_run(&p.dump, i).events.count, 40001 + 40 - p.n_runs + i);
    close_profile(&p);
    stop();
    etc_nrt_model_unloaded(cnn);
}

/* Eight NeuronCores keep an execution each, not a ring of a million events. */
static void the_memory_is_that_of_what_can_be_saved(void **state) {
    (void)state;
    nrt_model_t *models[8];
    struct rusage before, after;
    start();
    for (unsigned i = 0; i < 8; i++)
        models[i] = load("cnn", i);
    for (unsigned i = 0; i < 8 * 100; i++)
        assert_true(execute_with(models[i % 8], 100, NRT_SUCCESS));
    getrusage(RUSAGE_SELF, &before);
    for (unsigned i = 0; i < 8 * 10000; i++)
        assert_true(execute_with(models[i % 8], 100, NRT_SUCCESS));
    getrusage(RUSAGE_SELF, &after);
    assert_in_range(after.ru_minflt - before.ru_minflt, 0, 256); /* 8 million events took no page */
    for (unsigned i = 0; i < 8; i++)
        etc_nrt_model_unloaded(models[i]);
    stop();
}

/* Records an execution that is larger than the ring, and is lost. */
static void execute_too_much(nrt_model_t *model) {
    etc_capture *c = etc_nrt_execute_begin(model);
    etc_name name = etc_intern(c, "op");
    for (uint64_t i = 0; i < 1500000; i++)
        etc_log(c, name, i, i + 1);
    assert_int_equal(etc_nrt_execute_end(model, NRT_SUCCESS), NRT_RESOURCE);
}

static void an_execution_that_is_too_large_leaves_the_others(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    start();
    etc_nrt_continuous_runs(0);
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_QUEUE_EMPTY);
    execute_too_much(cnn);
    assert_int_equal(nrt_profile_continuous_save(0, options),
                     NRT_RESOURCE); /* not "nothing executed" */
    for (unsigned i = 0; i < 40; i++)
        assert_true(execute_with(cnn, 40000, NRT_SUCCESS));
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    execute_too_much(cnn);
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    assert_true(size_of(in_folder("cnn_vnc0_0.etdp")) > 24 * 40000 * 44);
    assert_int_equal(size_of(in_folder("cnn_vnc0_1.etdp")), size_of(in_folder("cnn_vnc0_0.etdp")));
    assert_true(execute_with(cnn, 900000, NRT_SUCCESS)); /* fits, and replaces the others */
    assert_int_equal(nrt_profile_continuous_save(0, options), NRT_SUCCESS);
    profile p;
    open_profile(&p, in_folder("cnn_vnc0_2.etdp"));
    assert_int_equal(eti__etdump_read_run(&p.dump, p.n_runs - 1).events.count, 900001);
    close_profile(&p);
    stop();
    etc_nrt_model_unloaded(cnn);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(each_save_writes_the_latest_execution_to_a_new_file),
        TEST(more_executions_are_saved_if_asked_for),
        TEST(calls_at_the_wrong_time_are_refused),
        TEST(inspection_of_devices_and_it_exclude_each_other),
        TEST(a_folder_or_file_that_cannot_be_written_is_a_failure),
        TEST(the_default_folder_is_output),
        TEST(names_of_models_are_no_paths),
        TEST(the_oldest_executions_go_first),
        TEST(the_memory_is_that_of_what_can_be_saved),
        TEST(an_execution_that_is_too_large_leaves_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
