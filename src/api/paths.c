#include "api/api.h"
#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== one file twice ========================================================================== */

/* Returns whether the path leads to a regular file; "-" is the standard stream `descriptor`. */
static bool find_regular(const char *path, int descriptor, struct stat *out) {
    bool found = (strcmp(path, "-") == 0 ? fstat(descriptor, out) : stat(path, out)) == 0;
    return found && S_ISREG(out->st_mode);
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool eti__is_same_input(const char *output, const char *input) {
    struct stat target, source;
    return find_regular(output, STDOUT_FILENO, &target) &&
           find_regular(input, STDIN_FILENO, &source) && is_same(&target, &source);
}

/* Finds the folder of a file. Returns false if its path is too long. */
static bool find_folder(const char *path, char out[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    if (slash && slash - path >= PATH_MAX - 1) {
        errno = ENAMETOOLONG;
        return false;
    }
    snprintf(out, PATH_MAX, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return true;
}

/* Finds the path of a file that does not exist yet, with links followed and without "." and "..". Returns false if its
 * directory does not exist either, so that the file cannot be written anyway. */
static bool find_new(const char *path, char out[PATH_MAX]) {
    char folder[PATH_MAX];
    if (!find_folder(path, folder))
        return false;
    /* On ENOENT glibc gives the path up to the missing part; other C libraries leave it empty. */
    out[0] = '\0';
    return access(folder, F_OK) == 0 && !realpath(path, out) && errno == ENOENT && out[0];
}

/* Returns whether two outputs would replace each other. A standard stream takes one output after the other; in a file only
 * the last would be left. */
static bool is_same_output(const char *a, const char *b) {
    struct stat of_a, of_b, stream;
    char new_a[PATH_MAX], new_b[PATH_MAX];
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    if (!find_regular(a, -1, &of_a))
        return find_new(a, new_a) && find_new(b, new_b) && strcmp(new_a, new_b) == 0;
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fstat(descriptor, &stream) == 0 && is_same(&of_a, &stream))
            return false;
    }
    return find_regular(b, -1, &of_b) && is_same(&of_a, &of_b);
}

eti_status eti__check_outputs(const char *const outputs[], size_t n,
                              eti__is_input_function is_input, const void *context,
                              eti_error *err) {
    for (size_t i = 0; i < n; i++) {
        if (!outputs[i] || !*outputs[i])
            continue;
        if (is_input(context, outputs[i]))
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%s is both an input and an output: write to another file",
                            strcmp(outputs[i], "-") == 0 ? "(standard output)" : outputs[i]);
        for (size_t k = 0; k < i; k++) {
            if (outputs[k] && *outputs[k] && is_same_output(outputs[k], outputs[i]))
                return eti_fail(err, ETI_ERROR_USAGE,
                                "%s is given for more than one output: name a file for each",
                                outputs[i]);
        }
    }
    return ETI_OK;
}

eti_status eti__check_writable(const char *path, eti_error *err) {
    char folder[PATH_MAX];
    bool is_there = access(path, F_OK) == 0;
    if ((is_there || find_folder(path, folder)) && access(is_there ? path : folder, W_OK) == 0)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_WRITE, "%s: cannot write: %s%s", path, strerror(errno),
                    errno == ENOENT ? ": create the folder first" : "");
}

/* ==== sessions ================================================================================ */

enum { MOST_CORES = 1024, LONGEST_NAME = 32 };

bool eti__is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Adds a file of the folder, if there is one with this name. Returns false if memory runs out. */
static bool add(char ***paths, size_t *n, const char *folder, const char *name) {
    struct stat status;
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size), **grown = NULL;
    if (!path)
        return false;
    snprintf(path, size, "%s/%s", folder, name);
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        free(path);
        return true;
    }
    grown = realloc(*paths, (*n + 1) * sizeof *grown);
    if (!grown) {
        free(path);
        return false;
    }
    *paths = grown;
    grown[(*n)++] = path;
    return true;
}

eti_status eti__session_find(char ***paths, size_t *n, const char *path, eti_error *err) {
    char name[LONGEST_NAME];
    *paths = NULL;
    *n = 0;
    if (!eti__is_folder(path))
        return ETI_OK;
    bool has_memory = true;
    for (unsigned core = 0; core < MOST_CORES && has_memory; core++) {
        snprintf(name, sizeof name, "nc_%u.etdp", core);
        has_memory = add(paths, n, path, name);
    }
    if (has_memory && *n == 0)
        has_memory = add(paths, n, path, "system.etdp");
    if (has_memory)
        return ETI_OK;
    for (size_t i = 0; i < *n; i++)
        free((*paths)[i]);
    free(*paths);
    return eti_fail_memory(err);
}
