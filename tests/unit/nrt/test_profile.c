#include "nrt_fixture.h"

static void every_execution_between_start_and_stop_is_a_run(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 0);
    assert_false(execute(cnn));
    assert_int_equal(nrt_profile_start(cnn, in_folder("cnn.etdp")), NRT_SUCCESS);
    assert_int_equal(size_of(in_folder("cnn.etdp")), 0); /* made at once */
    for (int i = 0; i < 3; i++) {
        assert_true(execute(cnn));
        assert_false(execute(mlp));
    }
    assert_true(execute_with(cnn, 2, NRT_EXEC_BAD_INPUT));
    assert_int_equal(size_of(in_folder("cnn.etdp")), 0);
    assert_int_equal(nrt_profile_stop(in_folder("cnn.etdp")), NRT_SUCCESS);
    assert_false(execute(cnn));
    assert_executions(in_folder("cnn.etdp"), 4, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
}

static void several_profiles_have_files_of_their_own(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 1);
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_start(mlp, in_folder("b")), NRT_SUCCESS);
    assert_int_equal(nrt_profile_start(cnn, in_folder("c")), NRT_SUCCESS); /* the same model */
    assert_true(execute(cnn));
    assert_true(execute_with(mlp, 5, NRT_SUCCESS));
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_stop(in_folder("c")), NRT_SUCCESS);
    assert_int_equal(nrt_profile_stop(in_folder("b")), NRT_SUCCESS);
    assert_executions(in_folder("a"), 2, "cnn", 2);
    assert_executions(in_folder("b"), 1, "mlp", 5);
    assert_executions(in_folder("c"), 2, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
}

static void wrong_arguments_of_start_are_refused(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0), *gone = load("gone", 0);
    assert_int_equal(etc_nrt_model_unloaded(gone), NRT_SUCCESS);
    assert_int_equal(nrt_profile_start(cnn, NULL), NRT_INVALID);
    assert_int_equal(nrt_profile_start(cnn, ""), NRT_INVALID);
    assert_int_equal(nrt_profile_start(NULL, in_folder("x")), NRT_INVALID_HANDLE);
    assert_int_equal(nrt_profile_start(gone, in_folder("x")), NRT_INVALID_HANDLE);
    assert_int_equal(nrt_profile_start((nrt_model_t *)(void *)&cnn, in_folder("x")),
                     NRT_INVALID_HANDLE);
    assert_false(is_there(in_folder("x")));
    assert_int_equal(nrt_profile_start(cnn, in_folder("no/x")), NRT_FAILURE);
    assert_int_equal(nrt_profile_start(cnn, folder), NRT_FAILURE);
    assert_int_equal(nrt_profile_start(cnn, "/dev/null"), NRT_FAILURE);
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_int_equal(nrt_profile_start(cnn, in_folder("pipe")), NRT_FAILURE); /* without waiting */
    etc_nrt_model_unloaded(cnn);
}

static void a_file_has_one_profile_by_whatever_name(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 1);
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_FAILURE);
    assert_int_equal(nrt_profile_start(mlp, in_folder("a")), NRT_FAILURE);
    assert_int_equal(nrt_profile_start(mlp, in_folder("./a")), NRT_FAILURE);
    assert_int_equal(link(in_folder("a"), in_folder("b")), 0);
    assert_int_equal(nrt_profile_start(mlp, in_folder("b")), NRT_FAILURE);
    /* only the name given to start matches */
    assert_int_equal(nrt_profile_stop(in_folder("./a")), NRT_INVALID);
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_executions(in_folder("a"), 1, "cnn", 2);
    /* available again, empty */
    assert_int_equal(nrt_profile_start(mlp, in_folder("a")), NRT_SUCCESS);
    assert_int_equal(size_of(in_folder("a")), 0);
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
}

/* A new file may get the inode of a file that was deleted. */
static void the_file_of_a_profile_may_be_deleted(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0), *mlp = load("mlp", 0);
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    assert_int_equal(unlink(in_folder("a")), 0);
    assert_int_equal(nrt_profile_start(mlp, in_folder("b")), NRT_SUCCESS);
    assert_int_equal(nrt_profile_start(mlp, in_folder("./a")), NRT_FAILURE);
    assert_false(is_there(in_folder("a"))); /* the refused call left no file */
    assert_true(execute(cnn));
    assert_true(execute(mlp));
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_int_equal(nrt_profile_stop(in_folder("b")), NRT_SUCCESS);
    assert_executions(in_folder("a"), 1, "cnn", 2);
    assert_executions(in_folder("b"), 1, "mlp", 2);
    etc_nrt_model_unloaded(cnn);
    etc_nrt_model_unloaded(mlp);
}

static void stop_without_start_is_refused(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    assert_int_equal(nrt_profile_stop(NULL), NRT_INVALID);
    assert_int_equal(nrt_profile_stop(""), NRT_INVALID);
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_INVALID);
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_INVALID);
    assert_int_equal(size_of(in_folder("a")), 0); /* nothing was executed */
    etc_nrt_model_unloaded(cnn);
}

static void a_file_that_cannot_be_written_stays_as_it_was(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    assert_int_equal(mkdir(in_folder("sub"), 0700), 0);
    assert_int_equal(nrt_profile_start(cnn, in_folder("sub/a")), NRT_SUCCESS);
    assert_true(execute(cnn));
    assert_int_equal(rename(in_folder("sub"), in_folder("moved")), 0);
    assert_int_equal(nrt_profile_stop(in_folder("sub/a")), NRT_FAILURE);
    assert_int_equal(size_of(in_folder("moved/a")), 0);
    assert_int_equal(find_files("moved/*", NULL), 1); /* no partial file beside it */
    assert_false(execute(cnn));                       /* the profile has ended */
    assert_int_equal(nrt_profile_stop(in_folder("sub/a")), NRT_INVALID);
    etc_nrt_model_unloaded(cnn);
}

static void the_file_is_that_of_start_whatever_folder_is_current(void **state) {
    (void)state;
    char before[300];
    nrt_model_t *cnn = load("cnn", 0);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(nrt_profile_start(cnn, "relative.etdp"), NRT_SUCCESS);
    assert_int_equal(chdir(before), 0);
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_stop("relative.etdp"), NRT_SUCCESS);
    assert_false(is_there("relative.etdp"));
    assert_executions(in_folder("relative.etdp"), 1, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
}

static void a_link_stays_one_and_its_target_is_written(void **state) {
    (void)state;
    struct stat status;
    nrt_model_t *cnn = load("cnn", 0);
    assert_int_equal(symlink(in_folder("target"), in_folder("link")), 0);
    assert_int_equal(nrt_profile_start(cnn, in_folder("link")), NRT_SUCCESS);
    assert_true(execute(cnn));
    assert_int_equal(nrt_profile_stop(in_folder("link")), NRT_SUCCESS);
    assert_int_equal(lstat(in_folder("link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_executions(in_folder("target"), 1, "cnn", 2);
    etc_nrt_model_unloaded(cnn);
}

static void a_model_that_is_unloaded_keeps_its_profile(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    assert_true(execute(cnn));
    assert_int_equal(etc_nrt_model_unloaded(cnn), NRT_SUCCESS);
    nrt_model_t *other = load("other", 0); /* perhaps at the same address */
    assert_false(execute(other));
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_executions(in_folder("a"), 1, "cnn", 2);
    etc_nrt_model_unloaded(other);
}

static void starting_and_stopping_often_leaves_nothing(void **state) {
    (void)state;
    skip_under_emulator("memory that is in use is that of the emulator");
    long before = 0;
    for (int i = 0; i < 300; i++) {
        if (i == 20)
            before = count_addresses();
        nrt_model_t *cnn = load("cnn", 0);
        assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
        assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_FAILURE);
        assert_true(execute(cnn));
        assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
        etc_nrt_model_unloaded(cnn);
    }
    assert_true(count_addresses() < before + 500);
    assert_executions(in_folder("a"), 1, "cnn", 2);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(every_execution_between_start_and_stop_is_a_run),
        TEST(several_profiles_have_files_of_their_own),
        TEST(wrong_arguments_of_start_are_refused),
        TEST(a_file_has_one_profile_by_whatever_name),
        TEST(the_file_of_a_profile_may_be_deleted),
        TEST(stop_without_start_is_refused),
        TEST(a_file_that_cannot_be_written_stays_as_it_was),
        TEST(the_file_is_that_of_start_whatever_folder_is_current),
        TEST(a_link_stays_one_and_its_target_is_written),
        TEST(a_model_that_is_unloaded_keeps_its_profile),
        TEST(starting_and_stopping_often_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
