#include "base/folder.h"

#include "base/links.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PATIENCE_MS 2000 /* before the caller is notified */
#define LOOK_MS 20

int eti__folder_open(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
    int descriptor;
    if (slash && !folder) {
        errno = ENOMEM;
        return -1;
    }
    do {
        descriptor = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    int reason = errno;
    free(folder);
    errno = reason;
    return descriptor;
}

/* Waits for the lock. Returns 0 or errno. */
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
    char *file = eti__follow_links(path);
    int descriptor = file ? eti__folder_open(file) : -1;
    int reason = descriptor < 0 ? errno : wait_for_lock(descriptor, path, waits);
    free(file);
    if (reason == 0)
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    errno = reason;
    return -1;
}
