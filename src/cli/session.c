#include "cli/session.h"

#include "cli/main.h"
#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_CORES = 1024, LONGEST_NAME = 32 };

static bool is_folder(const char *path) {
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

int cli_session_find(char ***paths, size_t *n, const char *path) {
    char name[LONGEST_NAME];
    *paths = NULL;
    *n = 0;
    if (!is_folder(path))
        return CLI_OK;
    bool has_memory = true;
    for (unsigned core = 0; core < MOST_CORES && has_memory; core++) {
        snprintf(name, sizeof name, "nc_%u.etdp", core);
        has_memory = add(paths, n, path, name);
    }
    if (has_memory && *n == 0)
        has_memory = add(paths, n, path, "system.etdp");
    if (has_memory)
        return CLI_OK;
    for (size_t i = 0; i < *n; i++)
        free((*paths)[i]);
    free(*paths);
    return cli_fail_memory();
}
