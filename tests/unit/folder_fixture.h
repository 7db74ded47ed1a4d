/* folder_fixture.h - an empty folder for the test, and paths in it. */
#ifndef ETI_TESTS_UNIT_FOLDER_FIXTURE_H
#define ETI_TESTS_UNIT_FOLDER_FIXTURE_H

#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/etinspect-test-XXXXXX";

/* Set up and tear down a group of tests. The folder must be empty at the end. */
static inline int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

/* Returns a path that stays valid for three more calls. */
static inline const char *in_folder(const char *name) {
    static char paths[4][300];
    static size_t turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Makes an empty file in the folder, and returns its path. */
static inline const char *make_file(const char *name) {
    const char *path = in_folder(name);
    FILE *file = fopen(path, "wbx");
    assert_non_null(file);
    fclose(file);
    return path;
}

static inline bool is_there(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

#endif
