#include "base/open_below.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#ifdef O_PATH /* O_PATH also works for a folder that cannot be listed */
#define FOLDER_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#else
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif
#define FILE_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

#define MOST_FOLDERS 64
#define MOST_LINKS 40 /* as on Linux */

/* The state of a walk along a path. */
typedef struct walk {
    int folders[MOST_FOLDERS]; /* each one is in the one before; the first is the root */
    size_t n_folders;
    char rest[PATH_MAX]; /* part of the name that is left */
    unsigned n_links;
} walk;

/* Removes the first part from the rest of the name; returns false if nothing is left. */
static bool take_part(walk *w, char part[PATH_MAX]) {
    const char *at = w->rest + strspn(w->rest, "/");
    size_t size = strcspn(at, "/");
    memcpy(part, at, size);
    part[size] = '\0';
    at += size;
    at += strspn(at, "/");
    memmove(w->rest, at, strlen(at) + 1);
    return size > 0;
}

static bool leave(walk *w) {
    if (w->n_folders == 1)
        return false;
    close(w->folders[--w->n_folders]);
    return true;
}

static bool enter(walk *w, const char *part) {
    if (w->n_folders == MOST_FOLDERS)
        return false;
    int folder = openat(w->folders[w->n_folders - 1], part, FOLDER_FLAGS | O_NOFOLLOW);
    if (folder < 0)
        return false;
    w->folders[w->n_folders++] = folder;
    return true;
}

/* Prepends the `size` bytes of a link to the rest of the name. */
static bool follow(walk *w, const char *link, size_t size) {
    size_t rest = strlen(w->rest);
    if (link[0] == '/' || size + 1 + rest >= sizeof w->rest || ++w->n_links > MOST_LINKS)
        return false;
    memmove(w->rest + size + 1, w->rest, rest + 1);
    memcpy(w->rest, link, size);
    w->rest[size] = '/';
    return true;
}

/* Follows one part of the name; returns false on failure. `*file` is set when the last part was opened. */
static bool step(walk *w, int *file) {
    char part[PATH_MAX], link[PATH_MAX];
    int folder = w->folders[w->n_folders - 1];
    if (!take_part(w, part))
        return false;
    if (strcmp(part, ".") == 0)
        return true;
    if (strcmp(part, "..") == 0)
        return leave(w);
    ssize_t size = readlinkat(folder, part, link, sizeof link);
    if (size > 0)
        return follow(w, link, (size_t)size);
    if (w->rest[0] != '\0')
        return enter(w, part);
    *file = openat(folder, part, FILE_FLAGS | O_NOFOLLOW);
    return *file >= 0;
}

int eti__open_below(const char *root, const char *name) {
    walk w = {.n_folders = 0};
    int file = -1;
    if (strlen(name) >= sizeof w.rest)
        return -1;
    memcpy(w.rest, name, strlen(name) + 1);
    w.folders[0] = open(root, FOLDER_FLAGS);
    if (w.folders[0] < 0)
        return -1;
    w.n_folders = 1;
    while (file < 0 && step(&w, &file))
        ;
    while (w.n_folders > 0)
        close(w.folders[--w.n_folders]);
    return file;
}
