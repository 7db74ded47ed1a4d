/*
 * options.c - turns argv into calls of a command's cli_take, and its option table into help.
 */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 48

static size_t count_options(const cli_command *command) {
    size_t n = 0;
    while (command->options[n].name)
        n++;
    return n;
}

/* How many options start with `prefix`; the last of them in `found`. An exact match is the only
 * one. */
static size_t match_options(const cli_command *command, const char *prefix, size_t length,
                            bool only_inspectors, const cli_option **found) {
    size_t n = 0;
    for (const cli_option *option = command->options; option->name; option++) {
        if (strncmp(option->name, prefix, length) != 0)
            continue;
        if (option->name[length] == '\0') {
            *found = option;
            return 1;
        }
        if (!only_inspectors || option->is_inspectors) {
            *found = option;
            n++;
        }
    }
    return n;
}

static void fail_ambiguous(const cli_command *command, const char *prefix, size_t length) {
    char names[1024] = "";
    size_t used = 0;
    for (const cli_option *option = command->options; option->name; option++) {
        if (strncmp(option->name, prefix, length) == 0 && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, " --%s", option->name);
    }
    cli_fail_usage("--%.*s may be any of%s", (int)length, prefix, names);
}

/* "--Some-prefix=value" becomes "--some_full_name=value": the argument itself, or a new string that
 * is kept until the program ends. NULL after a message. */
static char *complete_name(const cli_command *command, char *argument) {
    char *name = argument + 2;
    size_t length = strcspn(name, "=");
    char *plain = strdup(argument);
    if (!plain)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        if (plain[2 + i] == '-')
            plain[2 + i] = '_';
    }

    const cli_option *found = NULL;
    size_t n = match_options(command, plain + 2, length, true, &found);
    if (n != 1)
        n = match_options(command, plain + 2, length, false, &found);
    char *completed = NULL;
    if (n == 0)
        cli_fail_usage("there is no option --%.*s", (int)length, name);
    else if (n > 1)
        fail_ambiguous(command, plain + 2, length);
    else if (asprintf(&completed, "--%s%s", found->name, name + length) < 0)
        completed = NULL;
    free(plain);
    return completed;
}

/* Completes the names of all options in argv; what follows "--" is left alone. */
static bool complete_names(const cli_command *command, int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--", 2) != 0)
            continue;
        char *completed = complete_name(command, argv[i]);
        if (!completed)
            return false;
        argv[i] = completed;
        /* A value of its own may look like an option. */
        bool is_flag = false;
        for (const cli_option *option = command->options; option->name; option++)
            is_flag = is_flag || (!option->value && strcmp(option->name, completed + 2) == 0);
        if (!is_flag && !strchr(completed, '='))
            i++;
    }
    return true;
}

static bool is_choice(const char *choices, const char *value) {
    size_t length = strlen(value);
    for (const char *choice = choices; *choice;) {
        size_t n = strcspn(choice, ",");
        if (n == length && strncmp(choice, value, n) == 0)
            return true;
        choice += n + (choice[n] == ',');
    }
    return false;
}

static bool take_option(const cli_option *option, const char *value, cli_take take, void *context) {
    if (option->choices && !is_choice(option->choices, value)) {
        cli_fail_usage("--%s: '%s' is not one of %s", option->name, value, option->choices);
        return false;
    }
    return take(context, option->name, value);
}

bool cli_parse(const cli_command *command, int argc, char **argv, cli_take take, void *context) {
    struct option table[MAX_OPTIONS + 1] = {{0}};
    size_t n = count_options(command);
    for (size_t i = 0; i < n && i < MAX_OPTIONS; i++)
        table[i] =
            (struct option){command->options[i].name, command->options[i].value ? 1 : 0, NULL, 0};
    if (!complete_names(command, argc, argv))
        return false;

    opterr = 0;
    int index, result;
    while ((result = getopt_long(argc, argv, "-:h", table, &index)) != -1) {
        bool taken = false;
        if (result == 0)
            taken = take_option(&command->options[index], optarg, take, context);
        else if (result == 1)
            taken = take(context, NULL, optarg);
        else if (result == 'h')
            taken = take(context, "help", NULL);
        else if (result == ':')
            cli_fail_usage("%s needs a value", argv[optind - 1]);
        else if (optopt)
            cli_fail_usage("there is no option -%c", optopt);
        else
            cli_fail_usage("%s takes no value", argv[optind - 1]);
        if (!taken)
            return false;
    }
    while (optind < argc) {
        if (!take(context, NULL, argv[optind++]))
            return false;
    }
    return true;
}

/* ---- help ------------------------------------------------------------------------------------ */

#define HELP_COLUMN 32

static void print_option(const cli_option *option, FILE *stream) {
    int width = fprintf(stream, "  --%s%s%s", option->name, option->value ? " " : "",
                        option->value ? option->value : "");
    if (width > HELP_COLUMN - 2) {
        fputc('\n', stream);
        width = 0;
    }
    const char *line = option->summary;
    while (*line) {
        int length = (int)strcspn(line, "\n");
        fprintf(stream, "%*s%.*s\n", HELP_COLUMN - width, "", length, line);
        width = 0;
        line += length + (line[length] == '\n');
    }
}

void cli_print_help(const cli_command *command, FILE *stream) {
    fprintf(stream, "Usage: etinspect%s%s [OPTION]... %s\n%s\n\nOptions:\n",
            command->name ? " " : "", command->name ? command->name : "", command->arguments,
            command->summary);
    for (const cli_option *option = command->options; option->name; option++)
        print_option(option, stream);
    if (command->details)
        fprintf(stream, "\n%s\n", command->details);
}
