#include "support.h"

#include "base/leftovers.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/etinspect-leftovers-XXXXXX";
static char path[64];

static int make_folder(void **state) {
    (void)state;
    bool done = mkdtemp(folder) != NULL;
    snprintf(path, sizeof path, "%s/file", folder);
    return done ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    rmdir(folder);
    return 0;
}

static void make_file(void) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static bool is_there(const char *name) {
    return access(name, F_OK) == 0;
}

static void folder_goes_with_its_files(void **state) {
    (void)state;
    make_file();
    eti__leftover_add_folder(folder);
    eti__leftover_add_file(path);
    eti_remove_temporary_files();
    assert_false(is_there(path));
    assert_false(is_there(folder));
    eti__leftover_drop_file(path);
    eti__leftover_drop_folder(folder);
    assert_int_equal(mkdir(folder, 0700), 0);
}

static void dropped_runs_stay_dropped(void **state) {
    (void)state;
    make_file();
    eti__leftover_add_file(path);
    eti__leftover_add_folder(folder);
    eti__leftover_drop_file(path);
    eti__leftover_drop_folder(folder);
    eti_remove_temporary_files();
    assert_true(is_there(path));
}

/* Files of another user are not removed with it. */
static void folder_that_is_not_empty_stays(void **state) {
    (void)state;
    make_file();
    eti__leftover_add_folder(folder);
    eti_remove_temporary_files();
    eti__leftover_drop_folder(folder);
    assert_true(is_there(path));
}

static void groups_are_killed(void **state) {
    (void)state;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        pause();
        _exit(0);
    }
    setpgid(pid, pid);
    eti__leftover_add_group(pid);
    eti_remove_temporary_files();
    eti__leftover_drop_group(pid);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
}

/* More than the maximum are forgotten, and none of the others is lost. */
static void full_lists_take_no_more(void **state) {
    (void)state;
    static char names[100][96];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(names[i], sizeof names[i], "%s/%zu", folder, i);
        assert_int_equal(fclose(fopen(names[i], "w")), 0);
        eti__leftover_add_file(names[i]);
    }
    eti_remove_temporary_files();
    assert_false(is_there(names[0]));
    assert_false(is_there(names[60]));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        eti__leftover_drop_file(names[i]);
        unlink(names[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folder_goes_with_its_files),
        cmocka_unit_test(dropped_runs_stay_dropped),
        cmocka_unit_test(folder_that_is_not_empty_stays),
        cmocka_unit_test(groups_are_killed),
        cmocka_unit_test(full_lists_take_no_more),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
