#include "temporary_fixture.h"

#include "support.h"

#include "base/temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ==== temporary =============================================================================== */

static int make_temporary(char **path) {
    return eti__temporary_make(path, in_folder("target"), 0600);
}

static void drop(char *path, int descriptor) {
    eti__leftover_drop_file(path);
    unlink(path);
    free(path);
    close(descriptor);
}

static void stale_files_are_swept(void **state) {
    (void)state;
    const char *first = make_file(".etinspect-0123456789abcdef"),
               *second = make_file(".etinspect-ffffffffffffffff");
    eti__temporary_sweep(folder);
    assert_false(is_there(first));
    assert_false(is_there(second));
}

static void making_one_sweeps(void **state) {
    (void)state;
    const char *stale = make_file(".etinspect-0123456789abcdef");
    char *path;
    int descriptor = make_temporary(&path);
    assert_true(descriptor >= 0);
    assert_false(is_there(stale));
    assert_true(is_there(path));
    drop(path, descriptor);
}

static void files_of_this_process_stay(void **state) {
    (void)state;
    char *path;
    int descriptor = make_temporary(&path);
    eti__temporary_sweep(folder);
    assert_true(is_there(path));
    drop(path, descriptor);
}

/* The sweep removes them as soon as their process is dead. */
static void files_of_a_live_process_stay(void **state) {
    (void)state;
    check_life(make_temporary, eti__temporary_sweep);
}

static void files_of_others_stay(void **state) {
    (void)state;
    static const char *const names[] = {
        ".etinspect-",
        ".etinspect-0123456789abcde",
        ".etinspect-0123456789abcdef0",
        ".etinspect-0123456789abcdeF",
        ".etinspect-0123456789abcdef.csv",
        ".etinspect_0123456789abcdef",
        "etinspect-0123456789abcdef",
        "x.etinspect-0123456789abcdef",
        "target",
    };
    for (size_t i = 0; i < COUNT_OF(names); i++)
        make_file(names[i]);
    eti__temporary_sweep(folder);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_true(is_there(in_folder(names[i])));
        unlink(in_folder(names[i]));
    }
}

static void links_and_other_things_stay(void **state) {
    (void)state;
    const char *own = make_file("own"), *hard = in_folder(".etinspect-0000000000000001"),
               *soft = in_folder(".etinspect-0000000000000002");
    assert_int_equal(link(own, hard), 0);
    assert_int_equal(symlink("own", soft), 0);
    eti__temporary_sweep(folder);
    assert_true(is_there(own) && is_there(hard) && is_there(soft));
    unlink(hard);
    unlink(soft);
    unlink(own);
    const char *directory = in_folder(".etinspect-0000000000000003"),
               *fifo = in_folder(".etinspect-0000000000000004");
    assert_int_equal(mkdir(directory, 0700), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    eti__temporary_sweep(folder);
    assert_true(is_there(directory) && is_there(fifo));
    rmdir(directory);
    unlink(fifo);
}

static void files_of_other_users_stay(void **state) {
    (void)state;
    const char *path = make_file(".etinspect-0123456789abcdef");
    if (geteuid() != 0 || chown(path, 1234, (gid_t)-1) != 0) {
        unlink(path);
        skip();
    }
    eti__temporary_sweep(folder);
    assert_true(is_there(path));
    unlink(path);
}

/* Its process may be alive or not. */
static void file_without_a_lock_is_never_swept(void **state) {
    (void)state;
    char *path;
    reason_of_flock = ENOLCK;
    int descriptor = make_temporary(&path);
    reason_of_flock = 0;
    assert_true(descriptor >= 0);
    assert_non_null(strstr(path, "/.etinspect_"));
    close(open(path, O_RDONLY | O_CLOEXEC));
    eti__temporary_sweep(folder);
    assert_true(is_there(path));
    drop(path, descriptor);
}

static void nothing_is_swept_where_there_are_no_locks(void **state) {
    (void)state;
    const char *path = make_file(".etinspect-0123456789abcdef");
    reason_of_flock = ENOLCK;
    eti__temporary_sweep(folder);
    reason_of_flock = 0;
    assert_true(is_there(path));
    unlink(path);
}

/* The sweep does bounded work in a folder of any size. */
static void large_folders_are_looked_at_in_part(void **state) {
    (void)state;
    enum { MANY = 6000, STALE = 5000 };
    char name[40];
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, ".etinspect-%016x", (unsigned)i);
        make_file(name);
    }
    eti__temporary_sweep(folder);
    size_t n = 0;
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, ".etinspect-%016x", (unsigned)i);
        n += unlink(in_folder(name)) == 0;
    }
    assert_true(n > MANY - STALE && n < MANY);
}

static void a_missing_folder_is_passed_over(void **state) {
    (void)state;
    char *path;
    eti__temporary_sweep(in_folder("none"));
    assert_int_equal(eti__temporary_make(&path, in_folder("none/target"), 0600), -1);
    assert_int_equal(errno, ENOENT);
    assert_null(path);
}

/* ==== leftovers =============================================================================== */

static char leftover_folder[] = "/tmp/etinspect-leftovers-XXXXXX";
static char leftover_path[64];

static int make_leftover_folder(void **state) {
    (void)state;
    bool done = mkdtemp(leftover_folder) != NULL;
    snprintf(leftover_path, sizeof leftover_path, "%s/file", leftover_folder);
    return done ? 0 : -1;
}

static int remove_leftover_folder(void **state) {
    (void)state;
    unlink(leftover_path);
    rmdir(leftover_folder);
    return 0;
}

static void make_leftover_file(void) {
    FILE *file = fopen(leftover_path, "w");
    assert_non_null(file);
    fclose(file);
}

static bool leftover_is_there(const char *name) {
    return access(name, F_OK) == 0;
}

static void folder_goes_with_its_files(void **state) {
    (void)state;
    make_leftover_file();
    eti__leftover_add_folder(leftover_folder);
    eti__leftover_add_file(leftover_path);
    eti_remove_temporary_files();
    assert_false(leftover_is_there(leftover_path));
    assert_false(leftover_is_there(leftover_folder));
    eti__leftover_drop_file(leftover_path);
    eti__leftover_drop_folder(leftover_folder);
    assert_int_equal(mkdir(leftover_folder, 0700), 0);
}

static void dropped_runs_stay_dropped(void **state) {
    (void)state;
    make_leftover_file();
    eti__leftover_add_file(leftover_path);
    eti__leftover_add_folder(leftover_folder);
    eti__leftover_drop_file(leftover_path);
    eti__leftover_drop_folder(leftover_folder);
    eti_remove_temporary_files();
    assert_true(leftover_is_there(leftover_path));
}

/* Files of another user are not removed with it. */
static void folder_that_is_not_empty_stays(void **state) {
    (void)state;
    make_leftover_file();
    eti__leftover_add_folder(leftover_folder);
    eti_remove_temporary_files();
    eti__leftover_drop_folder(leftover_folder);
    assert_true(leftover_is_there(leftover_path));
}

static void processes_are_ended(void **state) {
    (void)state;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    eti__leftover_add_process(pid);
    eti_remove_temporary_files();
    eti__leftover_drop_process(pid);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

/* More than the maximum are forgotten, and none of the others is lost. */
static void full_lists_take_no_more(void **state) {
    (void)state;
    static char names[100][96];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(names[i], sizeof names[i], "%s/%zu", leftover_folder, i);
        assert_int_equal(fclose(fopen(names[i], "w")), 0);
        eti__leftover_add_file(names[i]);
    }
    eti_remove_temporary_files();
    assert_false(leftover_is_there(names[0]));
    assert_false(leftover_is_there(names[60]));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        eti__leftover_drop_file(names[i]);
        unlink(names[i]);
    }
}

static int run_temporary(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_files_are_swept),
        cmocka_unit_test(making_one_sweeps),
        cmocka_unit_test(files_of_this_process_stay),
        cmocka_unit_test(files_of_a_live_process_stay),
        cmocka_unit_test(files_of_others_stay),
        cmocka_unit_test(links_and_other_things_stay),
        cmocka_unit_test(files_of_other_users_stay),
        cmocka_unit_test(file_without_a_lock_is_never_swept),
        cmocka_unit_test(nothing_is_swept_where_there_are_no_locks),
        cmocka_unit_test(large_folders_are_looked_at_in_part),
        cmocka_unit_test(a_missing_folder_is_passed_over),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

static int run_leftovers(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folder_goes_with_its_files),
        cmocka_unit_test(dropped_runs_stay_dropped),
        cmocka_unit_test(folder_that_is_not_empty_stays),
        cmocka_unit_test(processes_are_ended),
        cmocka_unit_test(full_lists_take_no_more),
    };
    return cmocka_run_group_tests(tests, make_leftover_folder, remove_leftover_folder);
}

int main(void) {
    return run_temporary() + run_leftovers();
}
