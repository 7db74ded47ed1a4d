#include "base/leftovers.h"

#include "etinspect.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_LEFTOVERS 64 /* entries per list */

/* Paths or process groups; NULL and 0 are free entries. A signal may be handled between any two instructions. */
static _Atomic(const char *) files[MOST_LEFTOVERS], folders[MOST_LEFTOVERS];
static _Atomic(pid_t) groups[MOST_LEFTOVERS];

static void replace_path(_Atomic(const char *) *list, const char *from, const char *to) {
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        const char *expected = from;
        if (atomic_compare_exchange_strong(&list[i], &expected, to))
            return;
    }
}

static void replace_group(pid_t from, pid_t to) {
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        pid_t expected = from;
        if (atomic_compare_exchange_strong(&groups[i], &expected, to))
            return;
    }
}

void eti__leftover_add_file(const char *path) {
    replace_path(files, NULL, path);
}

void eti__leftover_drop_file(const char *path) {
    replace_path(files, path, NULL);
}

void eti__leftover_add_folder(const char *path) {
    replace_path(folders, NULL, path);
}

void eti__leftover_drop_folder(const char *path) {
    replace_path(folders, path, NULL);
}

void eti__leftover_add_group(pid_t group) {
    replace_group(0, group);
}

void eti__leftover_drop_group(pid_t group) {
    replace_group(group, 0);
}

/* Waits for the leader of a killed group to end, for at most a second: it may be creating a file. Calls only functions
 * that are safe in signal handlers. */
static void wait_for_leader(pid_t leader) {
    for (int i = 0; i < 1000; i++) {
        siginfo_t how = {0};
        if (waitid(P_PID, (id_t)leader, &how, WEXITED | WNOHANG | WNOWAIT) != 0 || how.si_pid != 0)
            return;
        (void)poll(NULL, 0, 1);
    }
}

/* Kills processes first, because they may still write the files. */
void eti_remove_temporary_files(void) {
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        pid_t group = atomic_load(&groups[i]);
        if (group > 0)
            kill(-group, SIGKILL);
    }
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        pid_t group = atomic_load(&groups[i]);
        if (group > 0)
            wait_for_leader(group);
    }
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        const char *path = atomic_load(&files[i]);
        if (path)
            unlink(path);
    }
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        const char *path = atomic_load(&folders[i]);
        if (path)
            rmdir(path);
    }
}
