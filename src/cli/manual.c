#include "cli/manual.h"

#include "base/process.h"

#include <string.h>
#include <unistd.h>

#define PAGE_BYTES 64                 /* of the name of a page */
#define PATH_BYTES 4096               /* of the path of a page */
#define MOST_SECONDS 10               /* that man(1) may take to find a page */
#define THIS_PROGRAM "/proc/self/exe" /* on Linux; elsewhere man(1) alone searches */

/* Folders of pages, relative to the folder of the program: as installed by make, as in distributions, and as in the source
 * tree. */
static const struct {
    const char *folder, *suffix;
} places[] = {
    {"../share/man/man1/", ".1"},
    {"../share/man/man1/", ".1.gz"},
    {"../man/", ".1"},
};

/* Writes the folder of the program, with a slash at its end. Returns whether it is known. */
static bool find_folder(char out[PATH_BYTES]) {
    ssize_t size = readlink(THIS_PROGRAM, out, PATH_BYTES - 1);
    if (size <= 0 || size == PATH_BYTES - 1)
        return false;
    out[size] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        slash[1] = '\0';
    return slash != NULL;
}

/* Writes the path of a page that was installed with the program. Returns whether there is one. */
static bool find_installed(char out[PATH_BYTES], const char *page) {
    char folder[PATH_BYTES];
    if (!find_folder(folder))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int n =
            snprintf(out, PATH_BYTES, "%s%s%s%s", folder, places[i].folder, page, places[i].suffix);
        if (n > 0 && n < PATH_BYTES && access(out, R_OK) == 0)
            return true;
    }
    return false;
}

static bool wait_on(void *context) {
    (void)context;
    return true;
}

/* Returns whether man(1) finds a page by its name. */
static bool is_found_by_man(const char *page) {
    char *const arguments[] = {"man", "-w", (char *)page, NULL};
    eti_process_result result;
    return eti__process_run(&result, arguments, MOST_SECONDS, wait_on, NULL);
}

void cli_manual_show(const cli_command *command) {
    char page[PAGE_BYTES], path[PATH_BYTES];
    if (!isatty(STDOUT_FILENO))
        return;
    snprintf(page, sizeof page, "etinspect-%s", command->name);
    bool is_installed = find_installed(path, page);
    if (!is_installed && !is_found_by_man(page))
        return;
    execlp("man", "man", is_installed ? path : page, (char *)NULL);
}
