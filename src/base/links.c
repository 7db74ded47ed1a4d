#include "base/links.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINKS 40 /* as on Linux */

/* Returns the target of the link `path`, one step away; NULL with errno 0 if `path` is not a link, or with another errno
 * if it cannot be read. */
static char *read_link(const char *path) {
    char link[PATH_MAX];
    ssize_t length = readlink(path, link, sizeof link);
    if (length < 0) {
        if (errno == EINVAL || errno == ENOENT)
            errno = 0;
        return NULL;
    }
    const char *slash = strrchr(path, '/');
    int folder = link[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
    char *target = NULL;
    if (asprintf(&target, "%.*s%.*s", folder, path, (int)length, link) < 0) {
        errno = ENOMEM;
        return NULL;
    }
    return target;
}

char *eti__follow_links(const char *path) {
    char *target = strdup(path);
    for (int links = 0; target; links++) {
        char *next = read_link(target);
        if (!next && errno == 0)
            return target;
        free(target);
        target = next;
        if (links == MAX_LINKS) {
            free(target);
            errno = ELOOP;
            return NULL;
        }
    }
    return NULL;
}
