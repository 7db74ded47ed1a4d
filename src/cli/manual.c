#include "cli/manual.h"

#include "base/process.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PAGE_BYTES 64                 /* of the name of a page */
#define PATH_BYTES 4096               /* of the path of a page */
#define MOST_SECONDS 10               /* that man(1) may take to find a page */
#define THIS_PROGRAM "/proc/self/exe" /* on Linux; elsewhere man(1) alone searches */

/* Folders of pages, relative to the folder of the program: as installed by make, as in distributions, and as in the source
 * tree. */
static const struct {
    const char *folder; /* the number of the section follows if it ends in "man" */
    const char *suffix; /* after the number of the section */
} places[] = {
    {"../share/man/man", ""},
    {"../share/man/man", ".gz"},
    {"../man/", ""},
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
static bool find_installed(char out[PATH_BYTES], const char *page, int section) {
    char folder[PATH_BYTES];
    if (!find_folder(folder))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *in = places[i].folder;
        char of_section[8] = "";
        if (in[strlen(in) - 1] != '/')
            snprintf(of_section, sizeof of_section, "%d/", section);
        int n = snprintf(out, PATH_BYTES, "%s%s%s%s.%d%s", folder, in, of_section, page, section,
                         places[i].suffix);
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
static bool is_found_by_man(char *page, char *section) {
    char *const arguments[] = {"man", "-w", section, page, NULL};
    eti_process_result result;
    return eti__process_run(&result, arguments, MOST_SECONDS, wait_on, NULL);
}

void cli_manual_show(const char *name, int section) {
    char page[PAGE_BYTES], path[PATH_BYTES], number[8];
    if (!isatty(STDOUT_FILENO))
        return;
    snprintf(page, sizeof page, "etinspect-%s", name);
    snprintf(number, sizeof number, "%d", section);
    if (find_installed(path, page, section))
        execlp("man", "man", path, (char *)NULL);
    else if (is_found_by_man(page, number))
        execlp("man", "man", number, page, (char *)NULL);
}
