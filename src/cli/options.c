/*
 * options.c - turns argv into calls of a command's cli_take, and its option table into help.
 *
 * As argparse, and unlike getopt_long: what begins with a hyphen is no value of the option before it, and
 * a prefix that is unique among the Inspector's options means that one, whatever etinspect has added.
 */
#include "cli/cli.h"

#include <string.h>

/* Whether `option` is called like the first `length` bytes of `name`, or its name begins so. Hyphens stand
 * for underscores. */
static bool begins_with(const cli_option *option, const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (option->name[i] != (name[i] == '-' ? '_' : name[i]))
            return false;
    }
    return true;
}

/* How many options `name` may mean; the last of them in `found`. A whole name means only itself. */
static size_t match_options(const cli_command *command, const char *name, size_t length,
                            bool only_inspectors, const cli_option **found) {
    size_t n = 0;
    for (const cli_option *option = command->options; option->name; option++) {
        if (!begins_with(option, name, length))
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

static int fail_ambiguous(const cli_command *command, const char *name, size_t length) {
    char names[1024] = "";
    size_t used = 0;
    for (const cli_option *option = command->options; option->name; option++) {
        if (begins_with(option, name, length) && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, " --%s", option->name);
    }
    return cli_fail_usage("--%.*s may be any of%s", (int)length, name, names);
}

static int find_option(const cli_command *command, const char *name, size_t length,
                       const cli_option **found) {
    size_t n = match_options(command, name, length, true, found);
    if (n != 1)
        n = match_options(command, name, length, false, found);
    if (n == 0)
        return cli_fail_usage("there is no option --%.*s", (int)length, name);
    return n == 1 ? CLI_OK : fail_ambiguous(command, name, length);
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

/* "-" is standard input; everything else that begins so is an option. */
static bool is_option(const char *argument) {
    return argument[0] == '-' && argument[1] != '\0';
}

/* Takes "--name", "--name=value" or "--name" "value"; `*i` moves on to the last argument it takes. */
static int take_option(const cli_command *command, int argc, char **argv, int *i, cli_take take,
                       void *context) {
    const char *name = argv[*i] + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    const cli_option *option = NULL;
    int status = find_option(command, name, length, &option);
    if (status != CLI_OK)
        return status;

    if (!option->value && value)
        return cli_fail_usage("--%s takes no value", option->name);
    if (option->value && !value) {
        if (*i + 1 == argc)
            return cli_fail_usage("--%s needs a value", option->name);
        if (is_option(argv[*i + 1]))
            return cli_fail_usage("--%s needs a value; one that begins with - is written --%s=%s",
                                  option->name, option->name, argv[*i + 1]);
        value = argv[++*i];
    }
    if (option->choices && !is_choice(option->choices, value))
        return cli_fail_usage("--%s: '%s' is not one of %s", option->name, value, option->choices);
    return take(context, option->name, value);
}

int cli_parse(const cli_command *command, int argc, char **argv, cli_take take, void *context) {
    int status = CLI_OK;
    bool only_plain = false;
    for (int i = 1; i < argc && status == CLI_OK; i++) {
        if (only_plain || !is_option(argv[i]))
            status = take(context, NULL, argv[i]);
        else if (strcmp(argv[i], "--") == 0)
            only_plain = true;
        else if (strcmp(argv[i], "-h") == 0)
            status = take(context, "help", NULL);
        else if (argv[i][1] == '-')
            status = take_option(command, argc, argv, &i, take, context);
        else
            status = cli_fail_usage("there is no option %s", argv[i]);
    }
    return status;
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
