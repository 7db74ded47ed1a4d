#include "measure/dump_folder.h"

#include "base/leftovers.h"
#include "base/random.h"
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_NAMES 100    /* that turn out to exist, which none of 2^64 should */
#define MOST_ENTRIES 4096 /* of a parent, and of a folder */
#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

bool eti__is_dump_name(const char *name) {
    return fnmatch("base-[0-9]*.etdp", name, 0) == 0 || fnmatch("new-[0-9]*.etdp", name, 0) == 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Opens and locks a new folder. Returns its descriptor or -1 with errno; EEXIST: another name may do. */
static int claim(const char *path, bool *has_locks) {
    int descriptor = open(path, FOLDER);
    int reason = descriptor < 0 ? errno : *has_locks ? eti__temporary_lock(descriptor, path) : 0;
    if (reason == 0)
        return descriptor;
    if (descriptor >= 0) {
        *has_locks = reason == EWOULDBLOCK;
        close(descriptor);
        reason = EEXIST;
    }
    rmdir(path);
    errno = reason;
    return -1;
}

/* Makes a folder of this name, and puts it on the list of leftovers. */
static int make_one(const char *path, bool *has_locks) {
    eti__leftover_add_folder(path);
    int descriptor = mkdir(path, 0700) == 0 ? claim(path, has_locks) : -1, reason = errno;
    if (descriptor < 0)
        eti__leftover_drop_folder(path);
    errno = reason;
    return descriptor;
}

int eti__dump_folder_make(char **path, const char *parent) {
    bool has_locks = true;
    *path = NULL;
    eti__dump_folder_sweep(parent);
    for (int i = 0; i < MOST_NAMES; i++) {
        uint64_t number;
        if (!eti__random_bytes(&number, sizeof number))
            return -1;
        if (asprintf(path, "%s/etinspect%c%016" PRIx64, parent, has_locks ? '-' : '_', number) <
            0) {
            *path = NULL;
            errno = ENOMEM;
            return -1;
        }
        int descriptor = make_one(*path, &has_locks);
        if (descriptor >= 0)
            return descriptor;
        int reason = errno;
        free(*path);
        *path = NULL;
        errno = reason;
        if (reason != EEXIST)
            return -1;
    }
    return -1;
}

/* ---- sweeping -------------------------------------------------------------------------------- */

static bool is_folder_name(const char *name) {
    static const char prefix[] = "etinspect-";
    size_t length = sizeof prefix - 1;
    return strncmp(name, prefix, length) == 0 && strspn(name + length, "0123456789abcdef") == 16 &&
           name[length + 16] == '\0';
}

static void remove_dumps(DIR *folder) {
    const struct dirent *entry;
    struct stat status;
    for (int i = 0; i < MOST_ENTRIES && (entry = readdir(folder)); i++) {
        if (eti__is_dump_name(entry->d_name) &&
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode))
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
}

/* Removes the folder if nobody has a lock on it. */
static void remove_stale(int parent, const char *name) {
    struct stat status;
    int descriptor = openat(parent, name, FOLDER);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &status) != 0 || status.st_uid != geteuid() ||
        flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor);
        return;
    }
    DIR *folder = fdopendir(descriptor);
    if (!folder) {
        close(descriptor);
        return;
    }
    remove_dumps(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
    closedir(folder);
}

void eti__dump_folder_sweep(const char *parent) {
    DIR *directory = opendir(parent);
    if (!directory)
        return;
    const struct dirent *entry;
    for (int i = 0; i < MOST_ENTRIES && (entry = readdir(directory)); i++) {
        if (is_folder_name(entry->d_name))
            remove_stale(dirfd(directory), entry->d_name);
    }
    closedir(directory);
}
