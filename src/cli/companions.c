#include "cli/companions.h"

#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRAM ".pte"

static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

bool cli_may_be_stem(const char *argument) {
    return *argument && strcmp(argument, "-") != 0 && !is_file(argument);
}

bool cli_may_be_program(const char *argument) {
    size_t size = strlen(argument);
    return size > strlen(PROGRAM) && strcmp(argument + size - strlen(PROGRAM), PROGRAM) == 0;
}

/* Returns stem and suffix; NULL: out of memory. */
static char *join(const char *stem, const char *suffix) {
    size_t n = strlen(stem), size = n + strlen(suffix) + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s", stem, suffix);
    return path;
}

/* Sets `*out` to the path of a file of the stem, if there is one. Returns false if memory runs out. */
static bool find(char **out, const char *stem, const char *suffix) {
    *out = join(stem, suffix);
    bool has_memory = *out != NULL;
    if (has_memory && !is_file(*out)) {
        free(*out);
        *out = NULL;
    }
    return has_memory;
}

void cli_companions_free(cli_companions *companions) {
    free(companions->stem);
    free(companions->etdump);
    free(companions->etrecord);
    free(companions->program);
    *companions = (cli_companions){0};
}

/* Finds one ETDump: the suffix .etdump is used, too. */
static int find_etdump(cli_companions *out, char **other) {
    if (!find(&out->etdump, out->stem, ".etdp") || !find(other, out->stem, ".etdump"))
        return cli_fail_memory();
    if (out->etdump && *other)
        return cli_fail_usage("%s and %s both exist: name the one to read", out->etdump, *other);
    if (*other) {
        out->etdump = *other;
        *other = NULL;
    }
    return CLI_OK;
}

int cli_companions_find(cli_companions *out, const char *argument) {
    char *other = NULL;
    *out = (cli_companions){.stem = join(argument, "")};
    if (!out->stem)
        return cli_fail_memory();
    if (cli_may_be_program(argument) && is_file(argument)) {
        out->is_program_named = true;
        out->stem[strlen(argument) - strlen(PROGRAM)] = '\0';
    }
    int exit_status = find_etdump(out, &other);
    free(other);
    if (exit_status == CLI_OK && out->etdump &&
        (!find(&out->etrecord, out->stem, ".etrecord") ||
         !find(&out->program, out->stem, PROGRAM)))
        exit_status = cli_fail_memory();
    if (exit_status != CLI_OK)
        cli_companions_free(out);
    return exit_status;
}

void cli_companions_print(const cli_companions *companions, bool lacks_etrecord,
                          bool lacks_program) {
    const char *etrecord = companions->etrecord, *program = companions->program;
    bool has_etrecord = etrecord && !lacks_etrecord, has_program = program && !lacks_program;
    cli_say("%s: %s%s%s%s%s%s%s%s%s%s", companions->stem, companions->etdump,
            has_etrecord ? ", " : "", has_etrecord ? etrecord : "", has_program ? ", " : "",
            has_program ? program : "", lacks_etrecord || lacks_program ? "; left out: " : "",
            lacks_etrecord ? etrecord : "", lacks_etrecord && lacks_program ? ", " : "",
            lacks_program ? program : "",
            lacks_etrecord || lacks_program ? " (from another export)" : "");
}
