#include "support.h"

#include "base/folder.h"

#include <errno.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/etinspect-lock-XXXXXX";
static char path[64], link_path[64];

static int reason_of_flock; /* 0: the system's result */

int flock(int descriptor, int operation) {
    errno = reason_of_flock;
    return reason_of_flock ? -1 : (int)syscall(SYS_flock, descriptor, operation);
}

static int make_folder(void **state) {
    (void)state;
    bool done = mkdtemp(folder) != NULL;
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(link_path, sizeof link_path, "%s-link", folder);
    return done && symlink(path, link_path) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(link_path);
    return rmdir(folder);
}

static int n_waits;

static void count_waits(const char *name) {
    assert_string_equal(name, path);
    n_waits++;
}

/* Returns once a child holds the lock, which it took through a link and releases after a while. */
static pid_t lock_in_child(int milliseconds) {
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        (void)!eti__folder_lock(link_path, count_waits);
        (void)!write(ends[1], "x", 1);
        (void)poll(NULL, 0, milliseconds);
        _exit(0);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    return pid;
}

static void one_waits_for_the_other(void **state) {
    (void)state;
    pid_t child = lock_in_child(100);
    int lock = eti__folder_lock(path, count_waits);
    assert_true(lock >= 0);
    close(lock);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(n_waits, 0);
}

static void a_long_wait_is_said_once(void **state) {
    (void)state;
    pid_t child = lock_in_child(2500);
    int lock = eti__folder_lock(path, count_waits);
    assert_true(lock >= 0);
    close(lock);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(n_waits, 1);
}

static void failing_locks_have_a_reason(void **state) {
    (void)state;
    assert_int_equal(eti__folder_lock("/nosuch/file", count_waits), -1);
    assert_int_equal(errno, ENOENT);
    reason_of_flock = ENOLCK;
    assert_int_equal(eti__folder_lock(path, count_waits), -1);
    assert_int_equal(errno, ENOLCK);
    reason_of_flock = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_waits_for_the_other),
        cmocka_unit_test(a_long_wait_is_said_once),
        cmocka_unit_test(failing_locks_have_a_reason),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
