/* temporary_fixture.h - shared by tests of temporary files and folders: failing locks, and processes that die. */
#ifndef ETI_TESTS_UNIT_TEMPORARY_FIXTURE_H
#define ETI_TESTS_UNIT_TEMPORARY_FIXTURE_H

#include "folder_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int reason_of_flock; /* 0: the system's result */

int flock(int descriptor, int operation) {
    errno = reason_of_flock;
    return reason_of_flock ? -1 : (int)syscall(SYS_flock, descriptor, operation);
}

/* Checks that `sweep` keeps files of a live process in the folder, and removes them as soon as the process is dead. */
static inline void check_life(int (*make)(char **path), void (*sweep)(const char *)) {
    int ends[2];
    char name[300] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char *path;
        bool made = make(&path) >= 0;
        (void)!write(ends[1], made ? path : "", made ? strlen(path) : 1);
        pause();
        _exit(0);
    }
    assert_true(read(ends[0], name, sizeof name - 1) > 1);
    sweep(folder);
    assert_true(is_there(name));
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    sweep(folder);
    assert_false(is_there(name));
    close(ends[0]);
    close(ends[1]);
}

#endif
