#include "base/temporary.h"

#include "base/numbers.h"
#include "etinspect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* ==== leftovers =============================================================================== */

#define MOST_LEFTOVERS 64 /* entries per list */

/* Paths or processes; NULL and 0 are free entries. A signal may be handled between any two instructions. */
static _Atomic(const char *) files[MOST_LEFTOVERS], folders[MOST_LEFTOVERS];
static _Atomic(pid_t) processes[MOST_LEFTOVERS];

static void replace_path(_Atomic(const char *) *list, const char *from, const char *to) {
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        const char *expected = from;
        if (atomic_compare_exchange_strong(&list[i], &expected, to))
            return;
    }
}

static void replace_process(pid_t from, pid_t to) {
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        pid_t expected = from;
        if (atomic_compare_exchange_strong(&processes[i], &expected, to))
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

void eti__leftover_add_process(pid_t process) {
    replace_process(0, process);
}

void eti__leftover_drop_process(pid_t process) {
    replace_process(process, 0);
}

/* Waits for a process to end, for at most a second: the command that it supervises may be creating a file. Calls only
 * functions that are safe in signal handlers. */
static void wait_for_process(pid_t process) {
    for (int i = 0; i < 1000; i++) {
        siginfo_t how = {0};
        if (waitid(P_PID, (id_t)process, &how, WEXITED | WNOHANG | WNOWAIT) != 0 || how.si_pid != 0)
            return;
        (void)poll(NULL, 0, 1);
    }
}

/* Ends processes first, because they may still write the files. */
void eti_remove_temporary_files(void) {
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        pid_t process = atomic_load(&processes[i]);
        if (process > 0)
            kill(process, SIGTERM);
    }
    for (size_t i = 0; i < MOST_LEFTOVERS; i++) {
        pid_t process = atomic_load(&processes[i]);
        if (process > 0)
            wait_for_process(process);
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

/* ==== temporary =============================================================================== */

#define MOST_NAMES 100 /* attempts at a name that does not exist; with 2^64 names, one should do */
#define MOST_ENTRIES 4096 /* of a folder; reading them takes a millisecond or two */
#define PREFIX ".etinspect-"
#define N_DIGITS (sizeof ETI_TEMPORARY_DIGITS - 1)
#define UNLOCKED '_' /* the last character of the prefix */

/* ---- making ---------------------------------------------------------------------------------- */

/* Locks a new file or folder. Returns 0; EWOULDBLOCK if a sweeping process got hold of it first; or the errno that
 * explains why locks are not available. */
static int lock(int descriptor, const char *path) {
    struct stat status;
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR)
            return errno;
    }
    return lstat(path, &status) != 0 && errno == ENOENT ? EWOULDBLOCK : 0;
}

/* Creates an item whose name ends in random digits. Returns its descriptor, or -1 with errno; EEXIST: another name may
 * succeed. */
static int make_one(const eti_temporary_kind *kind, char *path, char *digits, mode_t mode) {
    uint64_t number;
    if (!eti__random_bytes(&number, sizeof number))
        return -1;
    snprintf(digits, N_DIGITS + 1, "%0*" PRIx64, (int)N_DIGITS, number);
    kind->add_leftover(path);
    int descriptor = kind->make(path, mode);
    int reason = descriptor < 0 ? errno : digits[-1] == UNLOCKED ? 0 : lock(descriptor, path);
    if (reason == 0)
        return descriptor;
    if (descriptor >= 0)
        kind->remove(path);
    kind->drop_leftover(path);
    if (descriptor >= 0) {
        close(descriptor);
        if (reason != EWOULDBLOCK)
            digits[-1] = UNLOCKED;
        reason = EEXIST;
    }
    errno = reason;
    return -1;
}

int eti__temporary_make_kind(char **path, const eti_temporary_kind *kind, mode_t mode) {
    char *digits = *path + strlen(*path) - N_DIGITS;
    for (int i = 0; i < MOST_NAMES; i++) {
        int descriptor = make_one(kind, *path, digits, mode);
        if (descriptor >= 0)
            return descriptor;
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    int reason = errno;
    free(*path);
    *path = NULL;
    errno = reason;
    return -1;
}

/* ---- sweeping -------------------------------------------------------------------------------- */

/* Returns whether the name is the prefix followed by digits. */
static bool is_name_of(const eti_temporary_kind *kind, const char *name) {
    size_t size = strlen(kind->prefix);
    return strncmp(name, kind->prefix, size) == 0 &&
           strspn(name + size, "0123456789abcdef") == N_DIGITS && name[size + N_DIGITS] == '\0';
}

void eti__temporary_sweep_kind(const char *folder, const eti_temporary_kind *kind) {
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    const struct dirent *entry;
    for (int i = 0; i < MOST_ENTRIES && (entry = readdir(directory)); i++) {
        if (is_name_of(kind, entry->d_name))
            kind->remove_stale(dirfd(directory), entry->d_name);
    }
    closedir(directory);
}

/* ---- files ----------------------------------------------------------------------------------- */

static int make_file(const char *path, mode_t mode) {
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

/* Returns whether the entry may be a file created by a process of this user. */
static bool is_own_file(int folder, const char *name) {
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == geteuid() && status.st_nlink == 1;
}

static void remove_stale_file(int folder, const char *name) {
    if (!is_own_file(folder, name))
        return;
    int descriptor =
        openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(descriptor);
}

static const eti_temporary_kind temporary_files = {
    .prefix = PREFIX,
    .make = make_file,
    .remove = unlink,
    .remove_stale = remove_stale_file,
    .add_leftover = eti__leftover_add_file,
    .drop_leftover = eti__leftover_drop_file,
};

int eti__temporary_make(char **path, const char *target, mode_t mode) {
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash - target) + 1 : 0;
    if (asprintf(path, "%.*s" PREFIX ETI_TEMPORARY_DIGITS, folder, target) < 0) {
        *path = NULL;
        errno = ENOMEM;
        return -1;
    }
    char *name = *path + folder;
    *name = '\0';
    eti__temporary_sweep(folder > 0 ? *path : ".");
    *name = PREFIX[0];
    return eti__temporary_make_kind(path, &temporary_files, mode);
}

void eti__temporary_sweep(const char *folder) {
    eti__temporary_sweep_kind(folder, &temporary_files);
}
