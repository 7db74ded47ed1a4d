#include "base/find_files.h"

#include "base/array.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define DEEPEST 64

typedef struct search {
    const char *const *suffixes;
    eti_file_function take;
    void *context;
    eti_error *err;
} search;

/* Paths of the entries of a folder. */
typedef struct listing {
    char **paths;
    size_t n, capacity;
} listing;

static eti_status fail_folder(const search *s, const char *folder, int reason) {
    return reason == ENOMEM ? eti_fail_memory(s->err)
                            : eti_fail(s->err, ETI_ERROR_READ, "%s: cannot read the folder: %s",
                                       folder, strerror(reason));
}

static bool has_suffix(const search *s, const char *path) {
    size_t size = strlen(path);
    for (size_t i = 0; s->suffixes[i]; i++) {
        size_t n = strlen(s->suffixes[i]);
        if (size > n && strcmp(path + size - n, s->suffixes[i]) == 0)
            return true;
    }
    return false;
}

/* Adds a path to the listing. False: out of memory. */
static bool add_path(listing *list, const char *folder, const char *name) {
    size_t n = strlen(folder), size = n + strlen(name) + 2;
    char *path = malloc(size);
    if (!path || !ETI_GROW(list->paths, list->capacity, list->n + 1)) {
        free(path);
        return false;
    }
    bool has_slash = n > 0 && folder[n - 1] == '/';
    snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    list->paths[list->n++] = path;
    return true;
}

static eti_status list_folder(listing *list, const search *s, const char *folder) {
    DIR *directory = opendir(folder);
    int reason = directory ? 0 : errno;
    while (directory && reason == 0) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        reason = entry ? 0 : errno;
        if (!entry)
            break;
        if (entry->d_name[0] != '.' && !add_path(list, folder, entry->d_name))
            reason = ENOMEM;
    }
    if (directory)
        closedir(directory);
    return reason == 0 ? ETI_OK : fail_folder(s, folder, reason);
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static eti_status search_folder(const search *s, const char *folder, int depth);

/* Passes a file on, or searches a folder. Skips files that no longer exist, and pipes and devices, which may have no end.
 * A path in a folder that may be listed but not searched could be a folder itself, so it is an error. A link that cannot
 * be followed, or that names a file that does not exist, is passed on, so that its reader reports it. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as `depth` allows */
static eti_status take_path(const search *s, const char *path, int depth) {
    struct stat is;
    if (lstat(path, &is) != 0)
        return errno == ENOENT
                   ? ETI_OK
                   : eti_fail(s->err, ETI_ERROR_READ, "%s: cannot read: %s", path, strerror(errno));
    if (S_ISDIR(is.st_mode))
        return search_folder(s, path, depth + 1);
    if (!has_suffix(s, path))
        return ETI_OK;
    bool is_link = S_ISLNK(is.st_mode);
    bool is_found = stat(path, &is) == 0;
    if (is_found ? !S_ISREG(is.st_mode) : errno == ENOENT && !is_link)
        return ETI_OK;
    return s->take(s->context, path, s->err);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as `depth` allows */
static eti_status search_folder(const search *s, const char *folder, int depth) {
    listing list = {0};
    if (depth > DEEPEST)
        return eti_fail(s->err, ETI_ERROR_LIMIT, "%s: folders are more than %d deep", folder,
                        DEEPEST);
    eti_status status = list_folder(&list, s, folder);
    if (status == ETI_OK && list.n > 0)
        qsort((void *)list.paths, list.n, sizeof *list.paths, compare_paths);
    for (size_t i = 0; i < list.n; i++) {
        if (status == ETI_OK)
            status = take_path(s, list.paths[i], depth);
        free(list.paths[i]);
    }
    free((void *)list.paths);
    return status;
}

eti_status eti__find_files(const char *folder, const char *const *suffixes, eti_file_function take,
                           void *context, eti_error *err) {
    const search s = {.suffixes = suffixes, .take = take, .context = context, .err = err};
    return search_folder(&s, folder, 0);
}
