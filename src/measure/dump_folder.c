#include "measure/dump_folder.h"

#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_DUMPS 4096 /* in a folder */
#define PREFIX "etinspect-"
#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

bool eti__is_dump_name(const char *name) {
    return fnmatch("base-[0-9]*.etdp", name, 0) == 0 || fnmatch("new-[0-9]*.etdp", name, 0) == 0;
}

static int make_folder(const char *path, mode_t mode) {
    if (mkdir(path, mode) != 0)
        return -1;
    int descriptor = open(path, FOLDER), reason = errno;
    if (descriptor < 0)
        rmdir(path);
    errno = reason;
    return descriptor;
}

static void remove_dumps(DIR *folder) {
    const struct dirent *entry;
    struct stat status;
    for (int i = 0; i < MOST_DUMPS && (entry = readdir(folder)); i++) {
        if (eti__is_dump_name(entry->d_name) &&
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode))
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
}

static void remove_stale_folder(int parent, const char *name) {
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

static const eti_temporary_kind folders = {
    .prefix = PREFIX,
    .make = make_folder,
    .remove = rmdir,
    .remove_stale = remove_stale_folder,
    .add_leftover = eti__leftover_add_folder,
    .drop_leftover = eti__leftover_drop_folder,
};

int eti__dump_folder_make(char **path, const char *parent) {
    eti__dump_folder_sweep(parent);
    if (asprintf(path, "%s/" PREFIX ETI_TEMPORARY_DIGITS, parent) < 0) {
        *path = NULL;
        errno = ENOMEM;
        return -1;
    }
    return eti__temporary_make_kind(path, &folders, 0700);
}

void eti__dump_folder_sweep(const char *parent) {
    eti__temporary_sweep_kind(parent, &folders);
}
