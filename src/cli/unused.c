/*
 * unused.c - rejects options that would change nothing. Options that may precede the command are never rejected: an alias
 * may hold them.
 */
#include "cli/request.h"

#include <string.h>

/* Returns whether a list such as "csv,tsv" has `name`. */
static bool lists(const char *formats, const char *name) {
    size_t length = strlen(name);
    for (const char *at = formats; *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL)) {
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    }
    return false;
}

static bool is_for_output(const cli_request *request, const eti__option *option) {
    bool is_used = !option->formats || lists(option->formats, cli_format(request));
    for (size_t i = 0; i < request->n_other_formats && !is_used; i++)
        is_used = lists(option->formats, request->other_formats[i]);
    return is_used;
}

/* Writes formats as "csv or tsv". */
static void print_formats(char out[128], const char *formats) {
    size_t used = 0;
    for (const char *at = formats; *at && used < 100;) {
        size_t length = strcspn(at, ",");
        bool is_last = at[length] == '\0';
        used += (size_t)snprintf(out + used, 128 - used, "%s%.*s",
                                 at == formats ? ""
                                 : is_last     ? " or "
                                               : ", ",
                                 (int)length, at);
        at += length + !is_last;
    }
}

static int fail_format(const cli_request *request, const eti__option *option) {
    char formats[128] = "";
    print_formats(formats, option->formats);
    return cli_fail_usage("--%s has no effect in the format %s: leave it out, or choose %s",
                          option->name, cli_format(request), formats);
}

static bool is_given(const cli_request *request, const char *name) {
    return strcmp(name, "format") == 0 ? request->is_format_given : cli_has(request, name);
}

static int fail_action(const cli_request *request, const eti__option *option) {
    bool shows = request->bit == ETI__FOR_BASELINE_SHOW;
    return cli_fail_usage(
        "--%s applies to baseline %s and has no effect in baseline %s: leave it out", option->name,
        shows ? "save" : "show", shows ? "show" : "save or merge");
}

int cli_check_unused(const cli_request *request) {
    const eti__option *option;
    for (size_t i = 0; (option = cli_next_option(request->command, &i));) {
        if (option->is_global || !is_given(request, option->name))
            continue;
        if (!(option->commands & request->bit))
            return fail_action(request, option);
        if (!is_for_output(request, option))
            return fail_format(request, option);
    }
    return CLI_OK;
}
