#include "base/folder_lock.h"

#include "base/links.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PATIENCE_MS 2000 /* without a word */
#define LOOK_MS 20

/* Cuts a path to that of its folder. */
static const char *cut_name(char *path) {
    char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    slash[1] = '\0';
    return path;
}

static int open_folder(const char *path) {
    char *file = eti__follow_links(path);
    if (!file)
        return -1;
    int descriptor;
    do {
        descriptor = open(cut_name(file), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    int reason = errno;
    free(file);
    errno = reason;
    return descriptor;
}

/* Returns 0 or errno. */
static int wait_for_lock(int descriptor, const char *path, eti_folder_lock_waits waits) {
    for (int waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            return 0;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return errno;
        (void)poll(NULL, 0, LOOK_MS);
    }
    waits(path);
    while (flock(descriptor, LOCK_EX) != 0) {
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

int eti__folder_lock(const char *path, eti_folder_lock_waits waits) {
    int descriptor = open_folder(path);
    if (descriptor < 0)
        return -1;
    int reason = wait_for_lock(descriptor, path, waits);
    if (reason == 0)
        return descriptor;
    close(descriptor);
    errno = reason;
    return -1;
}
