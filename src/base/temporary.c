#include "base/temporary.h"

#include "base/leftovers.h"
#include "base/random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_NAMES 100    /* that turn out to exist, which none of 2^64 should */
#define MOST_ENTRIES 4096 /* of a folder; a millisecond or two */
#define PREFIX ".etinspect-"
#define PREFIX_SIZE (sizeof PREFIX - 1)
#define N_DIGITS 16
#define UNLOCKED '_' /* the last character of the prefix */

/* ---- making ---------------------------------------------------------------------------------- */

int eti__temporary_lock(int descriptor, const char *path) {
    struct stat status;
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR)
            return errno;
    }
    return lstat(path, &status) != 0 && errno == ENOENT ? EWOULDBLOCK : 0;
}

/* Makes a file whose name ends in digits that are drawn now. Returns its descriptor or -1 with errno; EEXIST: another name may
 * do. */
static int make_one(char *path, char *digits, mode_t mode) {
    uint64_t number;
    if (!eti__random_bytes(&number, sizeof number))
        return -1;
    snprintf(digits, N_DIGITS + 1, "%0*" PRIx64, N_DIGITS, number);
    eti__leftover_add_file(path);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    int reason = descriptor < 0           ? errno
                 : digits[-1] == UNLOCKED ? 0
                                          : eti__temporary_lock(descriptor, path);
    if (reason == 0)
        return descriptor;
    if (descriptor >= 0)
        unlink(path);
    eti__leftover_drop_file(path);
    if (descriptor >= 0) {
        close(descriptor);
        if (reason != EWOULDBLOCK)
            digits[-1] = UNLOCKED;
        reason = EEXIST;
    }
    errno = reason;
    return -1;
}

int eti__temporary_make(char **path, const char *target, mode_t mode) {
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash - target) + 1 : 0;
    if (asprintf(path, "%.*s" PREFIX "%0*d", folder, target, N_DIGITS, 0) < 0) {
        *path = NULL;
        errno = ENOMEM;
        return -1;
    }
    char *name = *path + folder, *digits = name + PREFIX_SIZE;
    *name = '\0';
    eti__temporary_sweep(folder > 0 ? *path : ".");
    *name = PREFIX[0];
    for (int i = 0; i < MOST_NAMES; i++) {
        int descriptor = make_one(*path, digits, mode);
        if (descriptor >= 0)
            return descriptor;
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    free(*path);
    *path = NULL;
    return -1;
}

/* ---- sweeping -------------------------------------------------------------------------------- */

static bool is_temporary_name(const char *name) {
    return strncmp(name, PREFIX, PREFIX_SIZE) == 0 &&
           strspn(name + PREFIX_SIZE, "0123456789abcdef") == N_DIGITS &&
           name[PREFIX_SIZE + N_DIGITS] == '\0';
}

/* Whether it may be a file that this user's processes made. */
static bool is_own_file(int folder, const char *name) {
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == geteuid() && status.st_nlink == 1;
}

/* Removes the file if nobody has a lock on it. */
static void remove_stale(int folder, const char *name) {
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

void eti__temporary_sweep(const char *folder) {
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    const struct dirent *entry;
    for (int i = 0; i < MOST_ENTRIES && (entry = readdir(directory)); i++) {
        if (is_temporary_name(entry->d_name))
            remove_stale(dirfd(directory), entry->d_name);
    }
    closedir(directory);
}
